"""What a decoded motion needs before a robot sees it: joints in range, feet on the floor.

A generator's pose is right to a centimetre or two, and a robot's limits are hard. So each
candidate is post-processed, and what was changed is recorded:

1. long waits at the start and the end are cut short (`idle`), unless lengths are to be
   kept;
2. joints are clamped into their range;
3. a joint that outruns its motor is held to the motor's speed: the mean of one pass
   forwards and one backwards, so that it is late as often as early;
4. arms that are inside the body are moved out of it (`overlap`);
5. the whole robot is lowered where it hovers and lifted where it is in the floor
   (`floor`);
6. the motion starts over the origin and faces +x.

Nothing is smoothed: decoded frames accelerate less than captured ones, and no more at the
seams of tokens than inside them.

Numpy alone. All candidates of a call are worked on together; none depends on another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import Motion
from texedo.motion.edit import canonicalize
from texedo.motion.rotations import quat_yaw
from texedo.robot.floor import floor_correction, lowest_point
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER
from texedo.robot.repair.overlap import Frames, part_arms
from texedo.robot.repair.speed import inside, limit_speed
from texedo.text.postprocess.idle import without_waits

Float64 = NDArray[np.float64]

_BLOCK = 64
"""Motions whose body poses are held at once."""
_NOTHING = 1e-6
"""Rounding of float32 is no change."""


@dataclass(frozen=True, kw_only=True)
class PostprocessRecord:
    """What was changed in one candidate; all zero if nothing was."""

    start_cut: float
    """How much of a wait at the start was left out [s]."""
    end_cut: float
    """How much of a wait at the end was left out [s]."""
    frames_clamped: int
    """Frames in which a joint was outside its range."""
    largest_clamp: float
    """How far at most [rad]."""
    joints_slowed: int
    """Joints that outran their motors."""
    largest_slowing: float
    """How far an angle was moved for it at most [rad]."""
    frames_parted: int
    """Frames in which an arm was moved out of the body."""
    largest_parting: float
    """How far an angle was moved for it at most [rad]."""
    largest_lift: float
    """How far the robot was lifted out of the floor at most [m]."""
    largest_lowering: float
    """How far it was lowered at most [m]."""
    start_shift: float
    """How far from the origin it began [m]."""
    start_turn: float
    """How far from +x it faced in the beginning [rad]."""

    def to_dict(self) -> dict[str, float | int]:
        return asdict(self)


def postprocess(
    motions: Sequence[Motion], *, keep_length: bool = False
) -> tuple[list[Motion], list[PostprocessRecord]]:
    """The motions, fit to be performed, and what that took.

    With `keep_length` no wait is cut short: the length was asked for.
    """
    processed: list[Motion] = []
    records: list[PostprocessRecord] = []
    for start in range(0, len(motions), _BLOCK):
        some, said = _postprocess_block(motions[start : start + _BLOCK], keep_length)
        processed += some
        records += said
    return processed, records


def _postprocess_block(
    motions: Sequence[Motion], keep_length: bool
) -> tuple[list[Motion], list[PostprocessRecord]]:
    processed, records = [], []
    whole = [(motion, 0.0, 0.0) for motion in motions]
    cut = whole if keep_length else [without_waits(motion) for motion in motions]
    motions = [motion for motion, _, _ in cut]
    given = [motion.joint_pos.astype(np.float64) for motion in motions]
    clamped = [np.clip(joints, JOINT_LOWER, JOINT_UPPER) for joints in given]
    slowed = limit_speed(clamped)
    parted, lowest = _part_and_measure(motions, slowed)
    for i, motion in enumerate(motions):
        rise = floor_correction(lowest[i])
        start = motion.root_pos_w[0].astype(np.float64)
        record = PostprocessRecord(
            start_cut=cut[i][1],
            end_cut=cut[i][2],
            **_joint_changes(given[i], clamped[i], slowed[i], parted[i]),
            largest_lift=max(0.0, float(rise.max())),
            largest_lowering=max(0.0, float(-rise.min())),
            start_shift=float(np.hypot(*start[:2])),
            start_turn=abs(float(quat_yaw(motion.root_quat_w[0].astype(np.float64)))),
        )
        out = Motion(
            root_pos_w=_raised(motion.root_pos_w, rise),
            root_quat_w=motion.root_quat_w,
            joint_pos=inside(parted[i]),
        )
        if max(record.start_shift, record.start_turn) > _NOTHING:
            out = canonicalize(out)
        processed.append(out)
        records.append(record)
    return processed, records


def _part_and_measure(
    motions: Sequence[Motion], joints: Sequence[Float64]
) -> tuple[list[Float64], list[Float64]]:
    """Joints without overlap, and the lowest point above z = 0 in every frame [m]."""
    lengths = [len(motion) for motion in motions]
    ends = np.cumsum(lengths)[:-1]
    frames = Frames(
        np.concatenate([motion.root_pos_w for motion in motions]),
        np.concatenate([motion.root_quat_w for motion in motions]),
        np.concatenate(joints),
    )
    poses = frames.poses()
    parted = limit_speed(np.split(part_arms(frames, poses, lengths), ends))
    frames = frames._replace(joint_pos=np.concatenate(parted))
    moved = np.flatnonzero((frames.joint_pos != np.concatenate(joints)).any(axis=1))
    lowest = lowest_point(poses)
    lowest[moved] = lowest_point(frames.take(moved).poses())
    return parted, np.split(lowest, ends)


def _joint_changes(
    given: Float64, clamped: Float64, slowed: Float64, parted: Float64
) -> dict[str, Any]:
    clamp, slowing = np.abs(clamped - given), np.abs(slowed - clamped)
    parting = np.abs(parted - slowed)
    return {
        "frames_clamped": int((clamp > _NOTHING).any(axis=1).sum()),
        "largest_clamp": float(clamp.max()),
        "joints_slowed": int((slowing > _NOTHING).any(axis=0).sum()),
        "largest_slowing": float(slowing.max()),
        "frames_parted": int((parting > _NOTHING).any(axis=1).sum()),
        "largest_parting": float(parting.max()),
    }


def _raised(root_pos_w: NDArray[np.float32], rise: Float64) -> NDArray[np.float32]:
    out = root_pos_w.copy()
    out[:, 2] += rise
    return out
