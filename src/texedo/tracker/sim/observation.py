"""What the policy sees, and what only its critic sees, as pure functions of tensors.

At control step t the robot is at reference frame t. The actor sees what a real G1
measures (IMU, joints, its own last action; a few steps of each) and the reference ahead.
It sees neither its position nor its velocity in the world: its yaw comes from the IMU,
so the orientation of the reference can be given relative to its own.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from texedo.learning.rotations_torch import (
    projected_gravity,
    quat_conjugate,
    quat_from_rotvec,
    quat_multiply,
    quat_normalize,
    quat_rotate_inverse,
    two_columns,
)
from texedo.robot.g1 import KNEES_BENT
from texedo.tracker.policies.spec import TrackerSpec
from texedo.tracker.sim.reference_library import ReferenceLibrary

Table = tuple[Tensor, Tensor]
"""Which number goes where, and its sign."""

_TIME_SCALE = 0.01
"""Frames left, capped at 100, are shown to the critic as 0..1."""
_LINEAR_SCALE, _ANGULAR_SCALE = 0.5, 0.2
"""Bring velocity errors of m/s and rad/s to about one."""


class SimState(NamedTuple):
    """N robots; bodies are the tracked ones, in the world frame."""

    qpos: Tensor
    """(N, 36), root quaternion unit."""
    qvel: Tensor
    """Root velocity (world), root turn rate (body frame), joint rates, (N, 35)."""
    body_pos: Tensor
    """(N, 14, 3)."""
    body_quat: Tensor
    """(N, 14, 4)."""
    body_lin_vel: Tensor
    """(N, 14, 3)."""
    body_ang_vel: Tensor
    """(N, 14, 3)."""


def measured(qpos: Tensor, qvel: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
    """What robots in a true state measure under `noise` (N, 70).

    The order of the noise is that of `perturb.StateNoise`; its rotation turns the
    measured orientation about the world's axes, so gravity and heading err together.
    """
    turn = quat_from_rotvec(noise[:, 3:6])
    quat = quat_normalize(quat_multiply(turn, qpos[:, 3:7]))
    joints = qpos[:, 7:] + noise[:, 12:41]
    rates = qvel + torch.cat((noise[:, 6:12], noise[:, 41:]), dim=-1)
    return torch.cat((qpos[:, :3] + noise[:, :3], quat, joints), dim=-1), rates


class Origin(NamedTuple):
    """Where joint angles and rates are measured from, (..., 29) each.

    That is the standing pose at rest, and for held joints the reference itself.
    """

    pos: Tensor
    vel: Tensor


def joint_origin(
    library: ReferenceLibrary, frames: Tensor, spec: TrackerSpec
) -> Origin:
    """The origin at `frames`, of any shape."""
    default = _default_pose(frames.device)
    if not spec.held_joints:
        return Origin(default, torch.zeros_like(default))
    held = _held(spec, frames.device)
    return Origin(
        torch.where(held, library.qpos[frames, 7:], default),
        torch.where(held, library.qvel[frames, 6:], 0.0),
    )


def proprioception(
    qpos: Tensor,
    qvel: Tensor,
    last_action: Tensor,
    *,
    origin: Origin,
    joint_vel_scale: float,
) -> Tensor:
    """One step of what the robot measures of itself, (N, 93).

    Gravity direction and turn rate in the pelvis frame, joint angles and scaled joint
    rates from their origin, and the action that led here.
    """
    return torch.cat(
        (
            projected_gravity(qpos[:, 3:7]),
            qvel[:, 3:6],
            qpos[:, 7:] - origin.pos,
            (qvel[:, 6:] - origin.vel) * joint_vel_scale,
            last_action,
        ),
        dim=-1,
    )


def push_history(history: Tensor, latest: Tensor, *, fresh: Tensor) -> Tensor:
    """History (N, H, 93), oldest first, with the latest step appended.

    Where `fresh` (N,) is true the robot has just been placed: it has no past, so the
    latest step fills all of it.
    """
    moved = torch.cat((history[:, 1:], latest[:, None]), dim=1)
    return torch.where(fresh[:, None, None], latest[:, None], moved)


def command(
    library: ReferenceLibrary, frames: Tensor, root_quat: Tensor, spec: TrackerSpec
) -> Tensor:
    """The reference ahead of `frames` (N,), seen by robots oriented `root_quat` (N, 4).

    Offset after offset: joint angles from their origin (29), root orientation
    relative to the robot's (6), root velocity in the reference's own heading frame (3)
    and yaw rate (1), root height (1); then joint rates at `velocity_offsets`.
    """
    offsets, with_velocity = _offsets(spec, frames.device)
    index, past = library.ahead(frames, offsets)
    moving = (~past)[..., None].to(root_quat.dtype)
    pose = library.qpos[index]  # (N, K, 36)
    origin = joint_origin(library, index, spec)
    relative = quat_multiply(quat_conjugate(root_quat)[:, None], pose[..., 3:7])
    per_offset = torch.cat(
        (
            pose[..., 7:] - origin.pos,
            two_columns(relative),
            library.heading_vel[index] * moving,
            pose[..., 2:3],
        ),
        dim=-1,
    )
    shown = index[:, with_velocity]
    rates = library.qvel[shown, 6:] - joint_origin(library, shown, spec).vel
    rates = rates * moving[:, with_velocity]
    return torch.cat(
        (per_offset.flatten(1), rates.flatten(1) * spec.joint_vel_scale), dim=-1
    )


def actor_observation(history: Tensor, command: Tensor) -> Tensor:
    """What the network is fed, (N, spec.actor_obs_size): history first."""
    return torch.cat((history.flatten(1), command), dim=-1)


def privileged(
    library: ReferenceLibrary, frames: Tensor, state: SimState, *, steps_left: Tensor
) -> Tensor:
    """What only a simulator knows, for the critic, in the robot's pelvis frame.

    Base velocity (3), way to the reference's pelvis (3), height (1), time left (1), then
    per body: position, velocity, turn-rate and orientation (6) errors to the next frame.
    """
    following = torch.minimum(frames + 1, library.ends[library.clip_of[frames]])
    root = state.qpos[:, 3:7]
    to_reference = library.body_pos[following] - state.body_pos
    relative = quat_multiply(
        quat_conjugate(state.body_quat), library.body_quat[following]
    )
    lin = library.body_lin_vel[following] - state.body_lin_vel
    ang = library.body_ang_vel[following] - state.body_ang_vel
    view = root[:, None]
    anchor = to_reference[:, :1]
    return torch.cat(
        (
            quat_rotate_inverse(root, state.qvel[:, :3]),
            quat_rotate_inverse(root, anchor[:, 0]),
            state.qpos[:, 2:3],
            (steps_left * _TIME_SCALE).clamp(max=1.0)[:, None],
            quat_rotate_inverse(view, to_reference - anchor).flatten(1),
            quat_rotate_inverse(view, lin).flatten(1) * _LINEAR_SCALE,
            quat_rotate_inverse(view, ang).flatten(1) * _ANGULAR_SCALE,
            two_columns(relative).flatten(1),
        ),
        dim=-1,
    )


def mirror_tables(spec: TrackerSpec) -> Table:
    """Index and sign that turn an actor observation into that of the mirrored robot."""
    joints = _mirror_joints()
    direction = _signs(1.0, -1.0, 1.0)
    turn_rate = _signs(-1.0, 1.0, -1.0)
    # M R M with M = diag(1, -1, 1), first two columns.
    columns = _signs(1.0, -1.0, 1.0, -1.0, 1.0, -1.0)
    yaw_rate_height = _signs(-1.0, 1.0)
    step = _join(direction, turn_rate, joints, joints, joints)
    ahead = _join(joints, columns, direction, yaw_rate_height)
    blocks = [step] * spec.history_length
    blocks += [ahead] * len(spec.future_offsets)
    blocks += [joints] * len(spec.velocity_offsets)
    return _join(*blocks)


def _join(*tables: Table) -> Table:
    shift, index = 0, []
    for part, _ in tables:
        index.append(part + shift)
        shift += len(part)
    return torch.cat(index), torch.cat([sign for _, sign in tables])


def _mirror_joints() -> Table:
    from texedo.robot.mirror import MIRROR_JOINT_INDEX, MIRROR_JOINT_SIGN

    return (
        torch.as_tensor(MIRROR_JOINT_INDEX),
        torch.as_tensor(MIRROR_JOINT_SIGN, dtype=torch.float32),
    )


def _signs(*values: float) -> Table:
    return torch.arange(len(values)), torch.tensor(values)


@cache
def _default_pose(device: torch.device) -> Tensor:
    return torch.as_tensor(KNEES_BENT.copy(), dtype=torch.float32, device=device)


@cache
def _held(spec: TrackerSpec, device: torch.device) -> Tensor:
    return torch.as_tensor(spec.held, device=device)


@cache
def _offsets(spec: TrackerSpec, device: torch.device) -> tuple[Tensor, Tensor]:
    """The offsets, and where among them joint velocities are shown."""
    where = [spec.future_offsets.index(o) for o in spec.velocity_offsets]
    return (
        torch.tensor(spec.future_offsets, device=device),
        torch.tensor(where, device=device),
    )
