"""Features in torch: orientation without yaw, the path on the floor, mirror, random yaw."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from texedo.motion import FPS
from texedo.text.features import HEADING, MIRROR_INDEX, MIRROR_SIGN, UP, VELOCITY

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


def path_from_start(features: Tensor) -> Tensor:
    """Place on the floor (..., T, 2) [m], from the origin and facing +x."""
    step = turn(features[..., VELOCITY], heading_from_start(features))
    step = torch.cat((torch.zeros_like(step[..., :1, :]), step[..., 1:, :]), dim=-2)
    return step.cumsum(dim=-2) / FPS


def turn(vector: Tensor, heading: Tensor) -> Tensor:
    """Planar vectors (..., 2) turned by the heading (..., 2): cosine, sine."""
    x, y = vector.unbind(-1)
    cosine, sine = heading.unbind(-1)
    return torch.stack((cosine * x - sine * y, sine * x + cosine * y), dim=-1)


class Augment:
    """Mirrors half of the windows and gives some of them a random yaw.

    The others keep the heading that they have in their clip, which is how codes will be
    used: most motions go on facing more or less the way they started.
    """

    def __init__(self, device: str | torch.device, *, random_yaw: float) -> None:
        self._random_yaw = random_yaw
        self._index = torch.as_tensor(MIRROR_INDEX, device=device)
        sign = MIRROR_SIGN.astype(np.float32)
        self._sign = torch.as_tensor(sign, device=device)

    def __call__(self, features: Tensor, generator: torch.Generator) -> Tensor:
        """Windows (B, T, 37) from windows (B, T, 37)."""
        count, device = len(features), features.device
        draw = torch.rand(3, count, 1, generator=generator, device=device)
        mirrored = features.index_select(-1, self._index) * self._sign
        features = torch.where(draw[0, ..., None] < 0.5, mirrored, features)
        yaw = 2.0 * torch.pi * draw[1] * (draw[2] < self._random_yaw)
        by = torch.stack((yaw.cos(), yaw.sin()), dim=-1)
        heading = turn(features[..., HEADING], by)
        before, after = features[..., : HEADING.start], features[..., HEADING.stop :]
        return torch.cat((before, heading, after), dim=-1)


def _unit(v: Tensor) -> Tensor:
    return v / (v * v).sum(-1, keepdim=True).clamp(min=_TINY).sqrt()
