"""What the policy sees, and what only its critic sees, as pure functions of tensors.

At control step t the robot is at reference frame t. The actor sees what a real G1
measures (IMU, joints, its own last action; a few steps of each) and the reference ahead.
It sees neither its position nor its velocity in the world: its yaw comes from the IMU,
so the orientation of the reference can be given relative to its own. What the actor sees
is the table of `policies.terms`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from texedo.learning.rotations_torch import (
    quat_conjugate,
    quat_from_rotvec,
    quat_multiply,
    quat_normalize,
    quat_rotate_inverse,
    two_columns,
)
from texedo.robot.g1 import KNEES_BENT
from texedo.tracker.policies.spec import TrackerSpec
from texedo.tracker.policies.terms import (
    FRAME_TERMS,
    OWN_TERMS,
    PRIVILEGED_SIZES,
    RATE_TERMS,
    OwnState,
    ReferenceFrame,
    Term,
    blocks,
)
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
    spec: TrackerSpec,
) -> Tensor:
    """One step of what the robot measures of itself (`OWN_TERMS`), (N, 93)."""
    own = OwnState(
        root_quat=qpos[:, 3:7],
        ang_vel=qvel[:, 3:6],
        joint_pos=qpos[:, 7:] - origin.pos,
        joint_vel=qvel[:, 6:] - origin.vel,
        action=last_action,
    )
    return torch.cat([block for _, block in blocks(OWN_TERMS, own, spec)], dim=-1)


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

    Offset after offset `FRAME_TERMS`, then `RATE_TERMS` at `velocity_offsets`.
    """
    offsets, with_velocity = _offsets(spec, frames.device)
    index, past = library.ahead(frames, offsets)
    moving = (~past)[..., None].to(root_quat.dtype)
    view = _reference_view(library, index, root_quat, spec)
    parts = []
    for terms, where in ((FRAME_TERMS, slice(None)), (RATE_TERMS, with_velocity)):
        ahead = [
            (block * moving if term.at_rest else block)[:, where]
            for term, block in blocks(terms, view, spec)
        ]
        parts.append(torch.cat(ahead, dim=-1).flatten(1))
    return torch.cat(parts, dim=-1)


def _reference_view(
    library: ReferenceLibrary, index: Tensor, root_quat: Tensor, spec: TrackerSpec
) -> ReferenceFrame:
    """Frames `index` (N, K) as robots oriented `root_quat` (N, 4) see them."""
    pose, origin = library.qpos[index], joint_origin(library, index, spec)
    return ReferenceFrame(
        root_quat=quat_multiply(quat_conjugate(root_quat)[:, None], pose[..., 3:7]),
        heading_vel=library.heading_vel[index],
        height=pose[..., 2:3],
        joint_pos=pose[..., 7:] - origin.pos,
        joint_vel=library.qvel[index, 6:] - origin.vel,
    )


def actor_observation(history: Tensor, command: Tensor) -> Tensor:
    """What the network is fed, (N, spec.actor_obs_size): history first."""
    return torch.cat((history.flatten(1), command), dim=-1)


def privileged(
    library: ReferenceLibrary, frames: Tensor, state: SimState, *, steps_left: Tensor
) -> Tensor:
    """What only a simulator knows, for the critic, in the robot's pelvis frame.

    See `PRIVILEGED_SIZES`; errors of bodies are those to the next frame.
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
    seen = {
        "base_lin_vel": quat_rotate_inverse(root, state.qvel[:, :3]),
        "way_to_reference": quat_rotate_inverse(root, anchor[:, 0]),
        "height": state.qpos[:, 2:3],
        "time_left": (steps_left * _TIME_SCALE).clamp(max=1.0)[:, None],
        "body_pos_error": quat_rotate_inverse(view, to_reference - anchor),
        "body_lin_vel_error": quat_rotate_inverse(view, lin) * _LINEAR_SCALE,
        "body_ang_vel_error": quat_rotate_inverse(view, ang) * _ANGULAR_SCALE,
        "body_orientation_error": two_columns(relative),
    }
    return torch.cat([seen[name].flatten(1) for name in PRIVILEGED_SIZES], dim=-1)


def mirror_tables(spec: TrackerSpec) -> Table:
    """Index and sign that turn an actor observation into that of the mirrored robot."""
    groups = [OWN_TERMS] * spec.history_length
    groups += [FRAME_TERMS] * len(spec.future_offsets)
    groups += [RATE_TERMS] * len(spec.velocity_offsets)
    return _join(*(_mirrored(term) for terms in groups for term in terms))


def _mirrored(term: Term) -> Table:
    if term.mirror is None:
        return _mirror_joints()
    return torch.arange(term.size), torch.tensor(term.mirror)


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
