"""Features in torch: orientation without yaw, heading, the path on the floor."""

from __future__ import annotations

import torch
from torch import Tensor

from texedo.learning.features import HEADING, UP, VELOCITY
from texedo.motion import FPS

_TINY = 1e-6


def tilt_matrix(features: Tensor) -> Tensor:
    """Roll and pitch of the pelvis as matrices (..., 3, 3) for features (..., 37)."""
    up = _unit(features[..., UP])
    x, y, z = up.unbind(-1)
    level = (y * y + z * z).clamp(min=_TINY).sqrt()
    left = torch.stack((torch.zeros_like(x), z / level, -y / level), dim=-1)
    forward = torch.linalg.cross(left, up)
    return torch.stack((forward, left, up), dim=-2)


def heading_from_start(features: Tensor) -> Tensor:
    """Cosine and sine of the heading relative to the first frame, (..., T, 2)."""
    unit = _unit(features[..., HEADING])
    cosine, sine = unit.unbind(-1)
    start_cosine, start_sine = unit[..., :1, :].unbind(-1)
    return torch.stack(
        (
            cosine * start_cosine + sine * start_sine,
            sine * start_cosine - cosine * start_sine,
        ),
        dim=-1,
    )


def path_from_start(features: Tensor, heading: Tensor | None = None) -> Tensor:
    """Place on the floor (..., T, 2) [m], from the origin and facing +x.

    `heading` is that from the start, if it is known already.
    """
    if heading is None:
        heading = heading_from_start(features)
    step = turn(features[..., VELOCITY], heading)
    step = torch.cat((torch.zeros_like(step[..., :1, :]), step[..., 1:, :]), dim=-2)
    return step.cumsum(dim=-2) / FPS


def turn(vector: Tensor, heading: Tensor) -> Tensor:
    """Planar vectors (..., 2) turned by the heading (..., 2): cosine, sine."""
    x, y = vector.unbind(-1)
    cosine, sine = heading.unbind(-1)
    return torch.stack((cosine * x - sine * y, sine * x + cosine * y), dim=-1)


def _unit(v: Tensor) -> Tensor:
    return v / (v * v).sum(-1, keepdim=True).clamp(min=_TINY).sqrt()
