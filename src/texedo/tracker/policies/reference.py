"""A motion as something to be performed: where its bodies are, and how it begins.

The robot starts in the first frame of the reference, with its finite-difference
velocities; if a foot is below the floor there, the whole robot is lifted until it is
not. A start that no lift makes sense of is refused:

- fewer than `MIN_FRAMES` frames: there is no acceleration to judge;
- under the floor: the pelvis, or any contact shape by more than `MAX_DEPTH`;
- in mid-air: the lowest contact shape more than `MAX_HEIGHT` above the floor. A robot
  cannot get there by itself; a clip cut in the middle of a hop stays below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import MotionError
from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_conjugate, quat_multiply, quat_to_rotvec
from texedo.robot.collision import SHAPE_NAMES, ground_clearance, sole_clearance
from texedo.robot.g1 import TRACKED_BODY_INDICES
from texedo.robot.kinematics import (
    BodyPoses,
    forward_kinematics,
    joint_velocities,
    motion_kinematics,
)

MIN_FRAMES = 3
MAX_DEPTH = 0.10
"""How far below the floor a contact shape may start [m]."""
MAX_HEIGHT = 0.25
"""How far above the floor the lowest contact shape may start [m]."""

Float64 = NDArray[np.float64]


class Reference:
    """A motion and what follows from it, each computed when first asked for."""

    def __init__(self, motion: Motion) -> None:
        self.motion = motion

    def __len__(self) -> int:
        return len(self.motion)

    @cached_property
    def qpos(self) -> Float64:
        """Root position, root quaternion wxyz, joints, (T, 36)."""
        return self.motion.to_qpos().astype(np.float64)

    @cached_property
    def joint_vel(self) -> Float64:
        """Joint speeds by central differences, (T, 29) [rad/s]."""
        return joint_velocities(self.qpos[:, 7:])

    @cached_property
    def poses(self) -> BodyPoses:
        """All bodies in the world, (T, 30, .)."""
        return motion_kinematics(self.motion)

    @cached_property
    def tracked_pos_w(self) -> Float64:
        """Positions of `TRACKED_BODIES`, (T, 14, 3) [m]."""
        return np.ascontiguousarray(self.poses.pos_w[:, TRACKED_BODY_INDICES])

    @cached_property
    def root_quat_w(self) -> Float64:
        """Orientation of the pelvis, (T, 4), unit."""
        return np.ascontiguousarray(self.poses.quat_w[:, 0])


class StartState(NamedTuple):
    """Where a roll-out begins."""

    qpos: Float64
    """(36,)."""
    qvel: Float64
    """Root velocity (world), root turn rate (pelvis frame), joint speeds, (35,)."""
    lift: float
    """How far the robot was raised to have its feet above the floor [m]."""


def start_state(reference: Reference) -> StartState:
    """The first frame, lifted out of the floor; `MotionError` if it cannot be."""
    if (error := _length_error(len(reference))) is not None:
        raise MotionError(error)
    first = BodyPoses(reference.poses.pos_w[0], reference.poses.quat_w[0])
    lift = max(0.0, -float(sole_clearance(first).min()))
    height = float(reference.qpos[0, 2])
    if (error := _height_error(ground_clearance(first), height)) is not None:
        raise MotionError(error)
    qpos = reference.qpos[0].copy()
    qpos[2] += lift
    return StartState(qpos, _start_velocity(reference.qpos[:2]), lift)


def start_errors(motions: Sequence[Motion]) -> list[str | None]:
    """For each motion what `start_state` would raise, if anything; all at once."""
    if not motions:
        return []
    first = np.concatenate(
        [
            np.stack([getattr(m, name)[0] for m in motions])
            for name in ("root_pos_w", "root_quat_w", "joint_pos")
        ],
        axis=1,
    )
    return packed_start_errors(first, [len(m) for m in motions])


def packed_start_errors(
    first: NDArray[np.float32], lengths: Sequence[int]
) -> list[str | None]:
    """The same for motions of `lengths` frames, from their first poses (N, 36)."""
    bodies = forward_kinematics(first[:, :3], first[:, 3:7], first[:, 7:])
    clearance = ground_clearance(bodies)  # (N, 33)
    heights = first[:, 2].tolist()
    return [
        _length_error(length) or _height_error(row, height)
        for length, row, height in zip(lengths, clearance, heights, strict=True)
    ]


def _start_velocity(qpos: Float64) -> Float64:
    """Generalised velocities from the first two frames, (35,)."""
    linear = (qpos[1, :3] - qpos[0, :3]) * FPS
    # conj(q0) q1 is the turn seen from the pelvis, as MuJoCo wants it.
    turn = quat_multiply(quat_conjugate(qpos[0, 3:7]), qpos[1, 3:7])
    angular = quat_to_rotvec(turn) * FPS
    return np.concatenate((linear, angular, (qpos[1, 7:] - qpos[0, 7:]) * FPS))


def _length_error(frames: int) -> str | None:
    if frames >= MIN_FRAMES:
        return None
    return (
        f"A roll-out needs at least {MIN_FRAMES} frames, got {frames}; an acceleration "
        "takes three."
    )


def _height_error(clearance: Float64, root_height: float) -> str | None:
    """What is wrong with the height of a start, from the clearance of each shape."""
    lowest = int(clearance.argmin())
    height = float(clearance[lowest])
    if root_height <= 0.0 or height < -MAX_DEPTH:
        where = (
            f"its pelvis is at {root_height:.2f} m"
            if root_height <= 0.0
            else f"{SHAPE_NAMES[lowest]} is {-height:.2f} m below it, more than "
            f"{MAX_DEPTH:g} m"
        )
        return (
            f"The motion starts under the floor: {where}. Are heights in metres, with "
            "z up and the floor at 0?"
        )
    if height > MAX_HEIGHT:
        return (
            f"The motion starts in mid-air: its lowest point is {height:.2f} m above "
            f"the floor, more than {MAX_HEIGHT:g} m. Lower it, or trim the beginning."
        )
    return None
