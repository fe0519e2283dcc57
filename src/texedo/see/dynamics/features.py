"""What a dynamic verifier sees of a frame, in torch, for padded batches on any device.

The paper's 94 numbers, none of which knows a place or a heading:

    0       height of the pelvis [m]
    1:4     the world's up seen from the pelvis
    4:6     planar velocity of the pelvis in its heading frame [m/s]
    6       turning rate about the vertical [rad/s]
    7:36    joints in MuJoCo order [rad]
    36:65   their velocities [rad/s]
    65:94   their accelerations [rad/s^2]

Differences look back: those of frame 0, and accelerations of frame 1, are zero. Frames
beyond a motion's own length are undefined until `standardized` makes them zero.
"""

from __future__ import annotations

import torch
from torch import Tensor

from texedo.learning.rotations_torch import matrix_from_quat, quat_normalize
from texedo.motion import FPS, NUM_JOINTS

ROOT_SIZE = 7
PAPER_SIZE = ROOT_SIZE + 3 * NUM_JOINTS
LIMIT = 10.0
"""Largest standardised feature."""
_TINY = 1e-6


class Frames:
    """Padded motions in the pieces that features are made of."""

    def __init__(self, qpos: Tensor) -> None:
        """`qpos` (B, T, 36); quaternions need not be unit."""
        self.place = qpos[..., :2] - qpos[:, :1, :2]
        """On the floor, from the first frame on, (B, T, 2) [m]."""
        self.height = qpos[..., 2:3]
        self.joints = qpos[..., 7:]
        root = matrix_from_quat(quat_normalize(qpos[..., 3:7]))
        facing = root[..., :2, 0]
        reach = (facing * facing).sum(-1, keepdim=True).clamp(min=_TINY).sqrt()
        self.facing = facing / reach
        """Cosine and sine of the heading, (B, T, 2)."""
        self.up = root[..., 2, :]
        """The world's up seen from the pelvis: the last row of its matrix, (B, T, 3)."""
        self.root = _unturned(root, self.facing)
        """Orientation of the pelvis in its heading frame, (B, T, 3, 3)."""
        before = _before(self.facing)
        cosine = (before * self.facing).sum(-1)
        sine = (
            before[..., 0] * self.facing[..., 1] - before[..., 1] * self.facing[..., 0]
        )
        self.turn = torch.stack((cosine, sine), dim=-1)
        """Cosine and sine of the turn since the frame before, (B, T, 2)."""

    def planar(self) -> Tensor:
        """Velocity of the pelvis in its heading frame, (B, T, 2) [m/s]."""
        return FPS * unturned(difference(self.place), self.facing)


def paper_features(frames: Frames) -> Tensor:
    """The paper's numbers, (B, T, 94)."""
    rate = FPS * torch.atan2(frames.turn[..., 1], frames.turn[..., 0])
    velocity = FPS * difference(frames.joints)
    second = FPS * difference(velocity)
    # Frame 0 has no velocity, so a difference to it is no acceleration.
    second = torch.cat((torch.zeros_like(second[:, :2]), second[:, 2:]), dim=1)
    root = (frames.height, frames.up, frames.planar(), rate[..., None])
    return torch.cat(
        (*root, frames.joints, velocity, second[:, : velocity.shape[1]]), -1
    )


def standardized(
    features: Tensor,
    lengths: Tensor,
    mean: Tensor,
    std: Tensor,
    *,
    limit: float = LIMIT,
) -> Tensor:
    """Standard deviations from the mean within +-10; zero beyond a motion's end."""
    values = ((features - mean) / std).clamp(-limit, limit)
    return torch.where(inside(features, lengths)[..., None], values, 0.0)


def inside(frames: Tensor, lengths: Tensor) -> Tensor:
    """Which frames of (B, T, ...) are there, (B, T)."""
    return torch.arange(frames.shape[1], device=frames.device) < lengths[:, None]


def difference(values: Tensor) -> Tensor:
    """To the frame before, (B, T, ...); zero in frame 0."""
    return values - _before(values)


def unturned(vector: Tensor, facing: Tensor) -> Tensor:
    """Planar vectors (..., 2) as seen from a heading (..., 2): cosine, sine."""
    x, y = vector.unbind(-1)
    cosine, sine = facing.unbind(-1)
    return torch.stack((cosine * x + sine * y, cosine * y - sine * x), dim=-1)


def _before(values: Tensor) -> Tensor:
    return torch.cat((values[:, :1], values[:, :-1]), dim=1)


def _unturned(root: Tensor, facing: Tensor) -> Tensor:
    """Matrices (B, T, 3, 3) less their heading."""
    cosine, sine = facing[..., :1], facing[..., 1:]
    x, y, z = root.unbind(-2)
    return torch.stack((cosine * x + sine * y, cosine * y - sine * x, z), dim=-2)
