"""What the tokenizer is taught to keep.

SmoothL1 on poses and on their first and second differences, in units of each feature's
spread, with the weights of the paper; and on what the features amount to: the places of
the tracked bodies, their velocities in the world, and the path on the floor, which is
summed up from the start of the window so that small errors of speed add up and count.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import smooth_l1_loss

from texedo.motion import FPS
from texedo.robot.kinematics_torch import BodyPositions
from texedo.text.features import HEADING, HEIGHT, JOINTS, UP, VELOCITY
from texedo.text.features_torch import (
    heading_from_start,
    path_from_start,
    tilt_matrix,
    turn,
)
from texedo.text.tokenizer_train_cfg import TokenizerTrainCfg

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
_RATE = 5.0
"""Differences are per 5 frames: a tenth of a second is the pace of motion."""
_ROOT = slice(HEIGHT.start, HEADING.stop)


class Reconstruction:
    """Loss of decoded windows against the true ones, both (B, T, 37)."""

    def __init__(self, cfg: TokenizerTrainCfg, mean: Tensor, std: Tensor) -> None:
        self._mean, self._std = mean, std
        self._bodies = BodyPositions(mean.device)
        self.weights = {
            **PAPER_WEIGHTS,
            "heading": cfg.heading_weight,
            "path": cfg.path_weight,
            "body": cfg.body_weight,
            "body_vel": cfg.body_velocity_weight,
        }

    def __call__(self, decoded: Tensor, truth: Tensor) -> tuple[Tensor, Tensor]:
        """The weighted sum, and its parts without weights in the order of `weights`."""
        parts = self._pose_parts(decoded, truth) | self._world_parts(decoded, truth)
        stacked = torch.stack([parts[name] for name in self.weights])
        weights = stacked.new_tensor(list(self.weights.values()))
        return (stacked * weights).sum(), stacked.detach()

    def _pose_parts(self, decoded: Tensor, truth: Tensor) -> dict[str, Tensor]:
        a = (decoded - self._mean) / self._std
        b = (truth - self._mean) / self._std
        da, db = _differences(a), _differences(b)
        dda, ddb = _differences(da), _differences(db)
        return {
            "root_pos": _loss(a[..., HEIGHT], b[..., HEIGHT]),
            "root_quat": _loss(a[..., UP], b[..., UP]),
            "joint_pos": _loss(a[..., JOINTS], b[..., JOINTS]),
            "root_vel": _loss(da[..., _ROOT], db[..., _ROOT])
            + _loss(a[..., VELOCITY], b[..., VELOCITY]),
            "joint_vel": _loss(da[..., JOINTS], db[..., JOINTS]),
            "root_acc": _loss(dda[..., _ROOT], ddb[..., _ROOT])
            + _loss(da[..., VELOCITY], db[..., VELOCITY]),
            "joint_acc": _loss(dda[..., JOINTS], ddb[..., JOINTS]),
            "heading": _loss(a[..., HEADING], b[..., HEADING]),
        }

    def _world_parts(self, decoded: Tensor, truth: Tensor) -> dict[str, Tensor]:
        bodies, path, world = self._world(decoded)
        true_bodies, true_path, true_world = self._world(truth)
        far = ((bodies - true_bodies).square().sum(-1) + 1e-6).sqrt().mean()
        velocity = (world - true_world).diff(dim=-3) * FPS
        return {
            "body": far * 10.0,
            "body_vel": _loss(velocity, torch.zeros_like(velocity)),
            "path": _loss(path * 4.0, true_path * 4.0),
        }

    def _world(self, features: Tensor) -> _World:
        bodies = self._bodies(tilt_matrix(features), features[..., JOINTS])
        path = path_from_start(features)
        heading = heading_from_start(features)[..., None, :]
        planar = turn(bodies[..., :2], heading) + path[..., None, :]
        height = bodies[..., 2:] + features[..., None, HEIGHT]
        return _World(bodies, path, torch.cat((planar, height), dim=-1))


class _World(NamedTuple):
    bodies: Tensor
    """Relative to the pelvis in its heading frame, (B, T, 14, 3) [m]."""
    path: Tensor
    """(B, T, 2) [m]."""
    world: Tensor
    """Bodies from the start of the window, (B, T, 14, 3) [m]."""


def _differences(x: Tensor) -> Tensor:
    return x.diff(dim=1) * _RATE


def _loss(a: Tensor, b: Tensor) -> Tensor:
    return smooth_l1_loss(a, b, beta=_BETA)
