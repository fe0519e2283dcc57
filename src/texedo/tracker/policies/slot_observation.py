"""The actor's observations for a few robots on a CPU: the table of `terms` in numpy.

A hundred robots are few numbers and many operators, and numpy's cost less to call than
torch's. What a robot sees of its reference depends on its own state by orientation
only: everything else is laid out per clip beforehand. The tests hold this and the twin
in torch (`sim.observation`) together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import (
    quat_conjugate,
    quat_from_yaw,
    quat_multiply,
    quat_rotate_inverse,
    quat_to_matrix,
    quat_to_rotvec,
    quat_yaw,
)
from texedo.robot.g1 import KNEES_BENT
from texedo.tracker.policies.protocol import NUM_JOINTS, Ints, RobotState
from texedo.tracker.policies.spec import COMMAND_SIZE, PROPRIOCEPTION_SIZE, TrackerSpec
from texedo.tracker.policies.terms import (
    FRAME_TERMS,
    OWN_TERMS,
    RATE_TERMS,
    OwnState,
    ReferenceFrame,
    Term,
    blocks,
    columns,
    size_of,
)

Float32 = NDArray[np.float32]


class SlotObserver:
    """History, last action and reference of each slot."""

    def __init__(self, spec: TrackerSpec, num_slots: int) -> None:
        self._spec = spec
        shape = (num_slots, spec.history_length, PROPRIOCEPTION_SIZE)
        self._history = np.zeros(shape, dtype=np.float32)
        self._action = np.zeros((num_slots, NUM_JOINTS), dtype=np.float32)
        self._fresh = np.ones(num_slots, dtype=np.bool_)
        self._ahead: list[Float32] = [_NOTHING] * num_slots
        self._joints: list[Float32] = [_NOTHING] * num_slots
        self._origin: list[NDArray[Any]] = [_NOTHING] * num_slots

    def reset(self, slot: int, motion: Motion) -> None:
        """A new motion in a slot, which has no past."""
        self._ahead[slot] = command_table(motion, self._spec)
        self._joints[slot] = motion.joint_pos
        if self._spec.held_joints:
            self._origin[slot] = origin_table(motion, self._spec)
        self._action[slot] = 0.0
        self._fresh[slot] = True

    def observe(self, slots: Ints, frames: Ints, state: RobotState) -> Float32:
        """What the network is fed, (n, actor_obs_size); call it once per step."""
        latest = self._proprioception(slots, frames, state)
        self._history[slots, :-1] = self._history[slots, 1:]
        self._history[slots, -1] = latest
        fresh = self._fresh[slots]
        if fresh.any():
            self._history[slots[fresh]] = latest[fresh][:, None]
            self._fresh[slots] = False
        past = PROPRIOCEPTION_SIZE * self._spec.history_length
        seen = np.empty((len(slots), self._spec.actor_obs_size), dtype=np.float32)
        seen[:, :past] = self._history[slots].reshape(len(slots), past)
        ahead = seen[:, past:]
        for row, (slot, frame) in enumerate(
            zip(slots.tolist(), frames.tolist(), strict=True)
        ):
            ahead[row] = self._ahead[slot][frame]
        turn_command(ahead, state.qpos[:, 3:7], self._spec)
        return seen

    def next_joints(self, slots: Ints, frames: Ints) -> Float32:
        """The reference's joint angles one frame on, (n, 29) [rad]."""
        out = np.empty((len(slots), NUM_JOINTS), dtype=np.float32)
        for row, (slot, frame) in enumerate(
            zip(slots.tolist(), frames.tolist(), strict=True)
        ):
            joints = self._joints[slot]
            out[row] = joints[min(frame + 1, len(joints) - 1)]
        return out

    def remember(self, slots: Ints, action: Float32) -> None:
        """What was done: part of what is seen next."""
        self._action[slots] = action

    def _proprioception(self, slots: Ints, frames: Ints, state: RobotState) -> Float32:
        """One step of what the robots measure of themselves, (n, 93)."""
        pos, rate = KNEES_BENT, _STILL
        if self._spec.held_joints:
            rows = zip(slots.tolist(), frames.tolist(), strict=True)
            origin = np.array([self._origin[slot][frame] for slot, frame in rows])
            pos, rate = origin[:, 0], origin[:, 1]
        own = OwnState(
            root_quat=state.qpos[:, 3:7],
            ang_vel=state.qvel[:, 3:6],
            joint_pos=state.qpos[:, 7:] - pos,
            joint_vel=state.qvel[:, 6:] - rate,
            action=self._action[slots],
        )
        return _written(OWN_TERMS, own, self._spec)


_NOTHING = np.empty((0, 0), dtype=np.float32)
_STILL = np.zeros(NUM_JOINTS)
_TURNED = [(term.size, at) for term, at in columns(FRAME_TERMS) if term.turned]


def origin_table(motion: Motion, spec: TrackerSpec) -> NDArray[np.float64]:
    """Where joint angles and rates are measured from at each frame, (T, 2, 29).

    That is the standing pose at rest, and for held joints the reference itself.
    """
    origin = np.zeros((len(motion), 2, NUM_JOINTS))
    origin[:, 0] = KNEES_BENT
    held = spec.held
    origin[:, 0, held] = motion.joint_pos[:, held]
    origin[:, 1, held] = _rates(motion)[1][:, held]
    return origin


def command_table(motion: Motion, spec: TrackerSpec) -> Float32:
    """What a robot in line with the world sees at each frame, (T, command_size)."""
    last = len(motion) - 1
    wanted = np.arange(len(motion))[:, None] + np.array(spec.future_offsets)
    index = np.minimum(wanted, last)  # (T, K)
    still = wanted > last
    heading_vel, joint_vel = _rates(motion)
    origin = origin_table(motion, spec)
    frame = ReferenceFrame(
        root_quat=motion.root_quat_w,
        heading_vel=heading_vel,
        height=motion.root_pos_w[:, 2:],
        joint_pos=motion.joint_pos - origin[:, 0].astype(np.float32),
        joint_vel=joint_vel - origin[:, 1],
    )
    shown = [spec.future_offsets.index(o) for o in spec.velocity_offsets]
    parts = []
    for terms, where in ((FRAME_TERMS, slice(None)), (RATE_TERMS, shown)):
        ahead = _written(terms, frame, spec)[index[:, where]]  # (T, K, .)
        for term, at in columns(terms):
            if term.at_rest:
                ahead[still[:, where], at] = 0.0
        parts.append(ahead.reshape(len(motion), -1))
    return np.concatenate(parts, axis=1)


def turn_command(table: Float32, root_quat: NDArray[Any], spec: TrackerSpec) -> None:
    """Turn rows of `command_table` (n, .) into the view of robots (n, 4), in place."""
    offsets = len(spec.future_offsets)
    frames = table[:, : COMMAND_SIZE * offsets].reshape(-1, offsets, COMMAND_SIZE)
    matrix = quat_to_matrix(root_quat).astype(np.float32)[:, None, None]
    for size, at in _TURNED:
        v = frames[..., at].reshape(-1, offsets, size // 3, 3)
        # Written out: a matrix product could round otherwise in another batch.
        turned = v[..., :1] * matrix[..., 0, :]
        turned += v[..., 1:2] * matrix[..., 1, :]
        turned += v[..., 2:] * matrix[..., 2, :]
        for k, vectors in enumerate(np.moveaxis(turned, 1, 0)):
            start = COMMAND_SIZE * k + at.start
            table[:, start : start + size] = vectors.reshape(-1, size)


def _written(
    terms: tuple[Term, ...], view: OwnState | ReferenceFrame, spec: TrackerSpec
) -> Float32:
    """The terms side by side, (n, .)."""
    out = np.empty((len(view.root_quat), size_of(terms)), dtype=np.float32)
    start = 0
    for _, block in blocks(terms, view, spec):
        end = start + block.shape[1]
        out[:, start:end] = block
        start = end
    return out


def _rates(motion: Motion) -> tuple[NDArray[Any], NDArray[Any]]:
    """Root velocity in its own heading and yaw rate (T, 4), joint rates (T, 29)."""
    index = np.arange(len(motion))
    before, after = np.maximum(index - 1, 0), np.minimum(index + 1, len(motion) - 1)
    rate = (FPS / (after - before))[:, None]
    pos, quat = (a.astype(np.float64) for a in (motion.root_pos_w, motion.root_quat_w))
    linear = (pos[after] - pos[before]) * rate
    turn = quat_to_rotvec(quat_multiply(quat[after], quat_conjugate(quat[before])))
    heading = quat_from_yaw(quat_yaw(quat))
    velocity = quat_rotate_inverse(heading, linear)
    joints = (motion.joint_pos[after] - motion.joint_pos[before]) * rate
    return np.concatenate((velocity, turn[:, 2:] * rate), axis=1), joints
