"""Windows of motion made new on the device: mirrored, turned, restyled, put together.

Held-out people stand and swing in other ways than those who were captured. So the joints
of some windows get another posture and another reach, and some windows take the upper
body of one motion and the lower body of another. No value is copied to the host.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from texedo.learning.features import HEADING, JOINTS, MIRROR_INDEX, MIRROR_SIGN
from texedo.learning.features_torch import turn
from texedo.robot.g1 import JOINT_NAMES

UPPER = slice(JOINTS.start + JOINT_NAMES.index("waist_yaw_joint"), JOINTS.stop)
"""Waist and arms: in MuJoCo order they come after the legs."""
_POSTURE = 0.06
"""Standard deviation of a joint's offset [rad]."""
_REACH = 0.15
"""Standard deviation of the change of a joint's swing, as a share of it."""


@dataclass(frozen=True, kw_only=True)
class Shares:
    """Shares of the windows that are changed in each way."""

    mirror: float = 0.5
    random_yaw: float = 0.0
    mix: float = 0.0
    restyle: float = 0.0


class Augment:
    """Changes a share of the windows in each way.

    Windows that are not turned keep the heading that they have in their clip, which is
    how codes will be used: most motions go on facing more or less the way they started.
    """

    def __init__(self, device: str | torch.device, shares: Shares) -> None:
        self._shares = shares
        self._index = torch.as_tensor(MIRROR_INDEX, device=device)
        sign = MIRROR_SIGN.astype(np.float32)
        self._sign = torch.as_tensor(sign, device=device)

    def __call__(self, features: Tensor, generator: torch.Generator) -> Tensor:
        """Windows (B, T, 37) from windows (B, T, 37)."""
        shares = self._shares
        draw = torch.rand(
            5, len(features), 1, 1, generator=generator, device=features.device
        )
        mirrored = features.index_select(-1, self._index) * self._sign
        features = torch.where(draw[0] < shares.mirror, mirrored, features)
        yaw = 2.0 * torch.pi * draw[1, ..., 0] * (draw[2, ..., 0] < shares.random_yaw)
        by = torch.stack((yaw.cos(), yaw.sin()), dim=-1)
        features[..., HEADING] = turn(features[..., HEADING], by)
        if shares.mix:
            upper = features[..., UPPER]
            features[..., UPPER] = torch.where(
                draw[3] < shares.mix, upper.roll(1, dims=0), upper
            )
        if shares.restyle:
            joints = features[..., JOINTS]
            restyled = _restyled(joints, generator)
            features[..., JOINTS] = torch.where(
                draw[4] < shares.restyle, restyled, joints
            )
        return features


def _restyled(joints: Tensor, generator: torch.Generator) -> Tensor:
    """Joints (B, T, 29) with other means and other swings around them."""
    shape = (2, len(joints), 1, joints.shape[-1])
    by = torch.randn(shape, generator=generator, device=joints.device)
    middle = joints.mean(dim=1, keepdim=True)
    swing = (joints - middle) * (1.0 + _REACH * by[0].clamp(-2.0, 2.0))
    return middle + swing + _POSTURE * by[1].clamp(-2.0, 2.0)
