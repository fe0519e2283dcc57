"""What is good: pure functions of the robot and its reference.

Tracking terms are weights times exp(-error / sigma^2) on squared errors averaged over
the 14 bodies; penalties are small. What ends an episode is in `tracker.sim.failures`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor

from texedo.learning.rotations_torch import cross, quat_angle, quat_rotate
from texedo.robot.collision import SOLE_CENTRE
from texedo.robot.g1 import EFFORT_LIMIT, JOINT_LOWER, JOINT_UPPER, TRACKED_BODIES
from texedo.tracker.sim.failures import ReferenceBodies, indices
from texedo.tracker.sim.observation import SimState

_FEET = tuple(
    TRACKED_BODIES.index(f"{side}_ankle_roll_link") for side in ("left", "right")
)
_CONTACT_HEIGHT = 0.015
"""Sole centres below this are taken to stand [m]."""
_SOFT = 0.98
"""Share of each joint's range, about its centre, that costs nothing."""


@dataclass(frozen=True, kw_only=True)
class RewardWeights:
    """Weights of the terms; all but `failure` are multiplied by the control step."""

    root_pos: float = 0.5
    root_ori: float = 0.5
    body_pos: float = 1.0
    body_pos_fine: float = 0.75
    """Same error, a tenth of the scale: pulls when the coarse term is satisfied."""
    body_ori: float = 1.0
    body_lin_vel: float = 1.0
    body_ang_vel: float = 1.0
    action_rate: float = -0.1
    joint_limit: float = -4.0
    torque: float = -0.05
    """On the mean square share of the effort limit."""
    foot_slip: float = -0.2
    """On the squared speed of soles in contact [(m/s)^2], at most 1 per foot."""
    failure: float = -3.0
    """Once, when a termination fires, on top of what is lost with the episode (about 6):
    to stay up counts for more than the last centimetre of accuracy."""


def tracking_rewards(
    state: SimState, reference: ReferenceBodies, weights: RewardWeights
) -> Tensor:
    """Sum of the tracking terms, (N,). Body positions are relative to the pelvis."""
    root = reference.body_pos[:, :1] - state.body_pos[:, :1]
    body = reference.body_pos - state.body_pos
    relative = _mean_square(body - root)
    # The root's height is part of every body's position error: feet must reach the floor.
    height = root[:, 0, 2].square()
    turn = quat_angle(state.body_quat, reference.body_quat).square()
    lin = _mean_square(reference.body_lin_vel - state.body_lin_vel)
    ang = _mean_square(reference.body_ang_vel - state.body_ang_vel)
    return (
        weights.root_pos * _kernel(root[:, 0].square().sum(-1), 0.3)
        + weights.root_ori * _kernel(turn[:, 0], 0.4)
        + weights.body_pos * _kernel(relative + height, 0.3)
        + weights.body_pos_fine * _kernel(relative + height, 0.1)
        + weights.body_ori * _kernel(turn.mean(-1), 0.4)
        + weights.body_lin_vel * _kernel(lin, 1.0)
        + weights.body_ang_vel * _kernel(ang, 3.14)
    )


def penalties(
    state: SimState,
    action: Tensor,
    last_action: Tensor,
    *,
    torque: Tensor,
    weights: RewardWeights,
) -> Tensor:
    """Sum of the (negative) penalty terms, (N,)."""
    robot = _robot(action.device)
    joints = state.qpos[:, 7:]
    beyond = (joints - robot.upper).clamp(min=0.0) + (robot.lower - joints).clamp(
        min=0.0
    )
    change = (action - last_action).square().sum(-1).clamp(max=50.0)
    share = (torque / robot.effort).clamp(-1.0, 1.0).square().mean(-1)
    return (
        weights.action_rate * change
        + weights.joint_limit * beyond.sum(-1).clamp(max=0.5)
        + weights.torque * share
        + weights.foot_slip * foot_slip(state)
    )


def foot_slip(state: SimState) -> Tensor:
    """Squared horizontal speed of the sole centres that stand, both feet, (N,)."""
    robot = _robot(state.qpos.device)
    feet = robot.feet
    arm = quat_rotate(state.body_quat[:, feet], robot.sole)
    height = state.body_pos[:, feet, 2] + arm[..., 2]
    speed = state.body_lin_vel[:, feet] + cross(state.body_ang_vel[:, feet], arm)
    square = speed[..., :2].square().sum(-1).clamp(max=1.0)
    return (square * (height < _CONTACT_HEIGHT)).sum(-1)


def _mean_square(x: Tensor) -> Tensor:
    """Squared length of vectors (N, B, 3), averaged over the bodies, (N,)."""
    return x.square().sum(-1).mean(-1)


def _kernel(square_error: Tensor, sigma: float) -> Tensor:
    return torch.exp(-square_error / sigma**2)


# Constants are uploaded once per device: an upload would wait for all queued work.


class _Robot(NamedTuple):
    lower: Tensor
    upper: Tensor
    effort: Tensor
    feet: Tensor
    sole: Tensor


@cache
def _robot(device: torch.device) -> _Robot:
    centre, half = (JOINT_UPPER + JOINT_LOWER) / 2, (JOINT_UPPER - JOINT_LOWER) / 2

    def put(values: Any) -> Tensor:
        return torch.tensor(values, dtype=torch.float32, device=device)

    return _Robot(
        lower=put(centre - _SOFT * half),
        upper=put(centre + _SOFT * half),
        effort=put(EFFORT_LIMIT),
        feet=indices(_FEET, device),
        sole=put(SOLE_CENTRE),
    )
