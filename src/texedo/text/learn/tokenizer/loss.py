"""What the tokenizer is taught to keep.

SmoothL1 on poses and on their first and second differences, in units of each feature's
spread, with the weights of the paper; and on what the features amount to: the places of
the tracked bodies, their velocities in the world, and the path on the floor, which is
summed up from the start of the window so that small errors of speed add up and count.

Bodies are looked at in every `BODY_STRIDE`-th frame. Nothing here waits for the device or
copies to it, so that a training step can be recorded.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import smooth_l1_loss

from texedo.learning.features import (
    HEADING,
    HEIGHT,
    JOINTS,
    NUM_FEATURES,
    UP,
    VELOCITY,
)
from texedo.learning.features_torch import (
    heading_from_start,
    path_from_start,
    tilt_matrix,
    turn,
)
from texedo.learning.kinematics_torch import BodyTree
from texedo.motion import FPS
from texedo.text.learn.tokenizer.cfg import TokenizerTrainCfg

PAPER_WEIGHTS = {
    "root_pos": 1.0,
    "root_quat": 1.0,
    "joint_pos": 2.0,
    "root_vel": 1.0,
    "joint_vel": 1.0,
    "root_acc": 0.5,
    "joint_acc": 0.5,
}
_BETA = 0.25
"""Errors above this count by their size, errors below by their square."""
_ROOT = slice(HEIGHT.start, HEADING.stop)
BODY_STRIDE = 4
"""Neighbouring frames say the same about the bodies: every fourth will do."""
_GROUPS = {
    "root_pos": ((0, HEIGHT),),
    "root_quat": ((0, UP),),
    "joint_pos": ((0, JOINTS),),
    "root_vel": ((1, _ROOT), (0, VELOCITY)),
    "joint_vel": ((1, JOINTS),),
    "root_acc": ((2, _ROOT), (1, VELOCITY)),
    "joint_acc": ((2, JOINTS),),
    "heading": ((0, HEADING),),
}
"""Parts of the loss on the features: order of the differences, columns."""


class Reconstruction:
    """Loss of decoded windows against the true ones, both (B, T, 37)."""

    def __init__(self, cfg: TokenizerTrainCfg, mean: Tensor, std: Tensor) -> None:
        self._std = std
        self._rate = cfg.difference_frames
        self._tree = BodyTree(mean.device)
        self.weights = {
            **PAPER_WEIGHTS,
            "heading": cfg.heading_weight,
            "path": cfg.path_weight,
            "body": cfg.body_weight,
            "body_vel": cfg.body_velocity_weight,
        }
        self._weights = mean.new_tensor(list(self.weights.values()))
        self._columns = _columns().to(mean)

    def __call__(
        self, decoded: Tensor, truth: Tensor, phase: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """The weighted sum, and its parts without weights in the order of `weights`.

        `phase`, a whole number (1,) below `BODY_STRIDE`, is the first frame in which
        bodies are looked at.
        """
        if phase is None:
            phase = torch.zeros(1, dtype=torch.int64, device=truth.device)
        parts = torch.cat(
            (self._pose_parts(decoded, truth), self._world_parts(decoded, truth, phase))
        )
        return parts @ self._weights, parts.detach()

    def _pose_parts(self, decoded: Tensor, truth: Tensor) -> Tensor:
        """(8,), in the order of `_GROUPS`."""
        error = (decoded - truth) / self._std
        means = []
        for _ in range(3):
            means.append(_size(error).mean((0, 1)))
            error = error.diff(dim=1) * self._rate
        return self._columns @ torch.cat(means)

    def _world_parts(self, decoded: Tensor, truth: Tensor, phase: Tensor) -> Tensor:
        """Path, bodies, velocities of bodies: (3,)."""
        # One walk for both: half as many kernels.
        both = torch.stack((decoded, truth))
        heading = heading_from_start(both)
        path = path_from_start(both, heading)
        count = truth.shape[1] // BODY_STRIDE
        frames = torch.arange(count, device=truth.device) * BODY_STRIDE + phase
        some = both.index_select(2, frames)
        bodies = self._tree.tracked_positions(tilt_matrix(some), some[..., JOINTS])
        planar = turn(bodies[..., :2], heading.index_select(2, frames)[..., None, :])
        planar = planar + path.index_select(2, frames)[..., None, :]
        height = bodies[..., 2:] + some[..., None, HEIGHT]
        world = torch.cat((planar, height), dim=-1)
        far = (_apart(bodies).square().sum(-1) + 1e-6).sqrt().mean()
        velocity = _apart(world).diff(dim=1) * (FPS / BODY_STRIDE)
        way = _size(_apart(path) * 4.0).mean()
        return torch.stack((way, far * 10.0, _size(velocity).mean()))


def _apart(both: Tensor) -> Tensor:
    """Decoded less true, for (2, ...)."""
    return both[0] - both[1]


def _size(error: Tensor) -> Tensor:
    """SmoothL1 of every element."""
    none = torch.zeros_like(error)
    return smooth_l1_loss(error, none, beta=_BETA, reduction="none")


def _columns() -> Tensor:
    """Means of groups of columns as a matrix (8, 3 * 37)."""
    rows = torch.zeros(len(_GROUPS), 3, NUM_FEATURES)
    for row, group in zip(rows, _GROUPS.values(), strict=True):
        for order, columns in group:
            row[order, columns] = 1.0 / (columns.stop - columns.start)
    return rows.flatten(1)
