"""Long waits before and after a motion are cut short.

A language model that misses the end of a motion falls into a few codes of standing about,
and goes on with them up to the longest motion there is. Such a wait is nothing the
sentence asked for, and where motions are compared by how surely they are performed it is
rewarded.

A wait is a time at an end in which the robot stands at ease and hardly moves. A motion that
does nothing else was meant to, and is left as it is; so is a pose that is held, such as
standing on one leg.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.loops import Loop, without
from texedo.motion.rotations import (
    quat_conjugate,
    quat_from_yaw,
    quat_multiply,
    quat_to_rotvec,
    quat_yaw,
)
from texedo.motion.runs import true_runs
from texedo.robot import g1
from texedo.robot.kinematics import forward_kinematics

Float64 = NDArray[np.float64]

LONGEST_WAIT = 1.5
"""A robot that waits for longer at an end [s] ..."""
WAIT_KEPT = 0.5
"""... waits for so long instead [s]."""
PAUSE = 0.3
"""A pause in between is left out if it lasts longer [s], half a second on both sides not
counted."""
SLOW_JOINT = 0.5
"""No joint is faster in a wait, in the mean over a second [rad/s]: a hand at arm's length
moves 0.2 m/s. Neither does the pelvis turn faster."""
SLOW_ROOT = 0.2
"""Nor is the pelvis [m/s]."""
LIVELY = 2.0
"""What is so many times as fast for `WAIT_KEPT` is a motion."""
AT_EASE = 0.2
"""No tracked body is further from where it is in standing [m]: hands hang, feet stand."""
_HALF = 5
"""Speeds are those from so many frames before to as many after."""


def without_waits(
    motion: Motion,
    *,
    longest: float = LONGEST_WAIT,
    kept: float = WAIT_KEPT,
    held: bool = False,
) -> tuple[Motion, float, float]:
    """The motion with waits of more than `longest` cut to `kept` [s], and what was cut at
    its start and end [s]; with `held` so are poses that are held there."""
    pace = _mean_over_a_second(_pace(motion))
    waiting = pace < 1.0
    if (pace > LIVELY).sum() < WAIT_KEPT * FPS or not any(
        _cuts(waiting, longest, kept)
    ):
        return motion, 0.0, 0.0
    if not held:
        waiting &= _distance_from_standing(motion) < AT_EASE
    start, end = _cuts(waiting, longest, kept)
    if not start and not end:
        return motion, 0.0, 0.0
    rest = Motion.from_qpos(motion.to_qpos()[start : len(motion) - end])
    return rest, start / FPS, end / FPS


def without_pauses(motion: Motion) -> Motion:
    """The motion without most of the times in between in which it hardly moves.

    What comes before passes into what comes after in a third of a second. Speeds are means
    over a second, so half a second of each pause is left anyway.
    """
    waiting = _mean_over_a_second(_pace(motion)) < 1.0
    qpos = motion.to_qpos().astype(np.float64)
    for start, stop in reversed(true_runs(waiting)):
        inside = start > 0 and stop < len(waiting)
        if inside and stop - start > PAUSE * FPS:
            qpos = without(qpos, Loop(int(start), int(stop) - 1, 0.0))
    return Motion.from_qpos(qpos)


def _cuts(waiting: NDArray[np.bool_], longest: float, kept: float) -> tuple[int, int]:
    """Frames to leave out at the start and at the end."""
    busy = np.flatnonzero(~waiting)
    waits = int(busy[0]), len(waiting) - 1 - int(busy[-1])
    frames, most = round(kept * FPS), longest * FPS
    start, end = (wait - frames if wait > most else 0 for wait in waits)
    return start, end


def _pace(motion: Motion) -> Float64:
    """How fast each frame is, (T,), as a multiple of what is slow."""
    index = np.arange(len(motion))
    before, after = np.maximum(index - _HALF, 0), np.minimum(index + _HALF, index[-1])
    joints = motion.joint_pos.astype(np.float64)
    bend = np.abs(joints[after] - joints[before]).max(axis=1)
    root = motion.root_pos_w.astype(np.float64)
    way = np.linalg.norm(root[after] - root[before], axis=1)
    quat = motion.root_quat_w.astype(np.float64)
    turn = quat_to_rotvec(quat_multiply(quat[after], quat_conjugate(quat[before])))
    bend = np.maximum(bend, np.linalg.norm(turn, axis=1))
    seconds = np.maximum(after - before, 1) / FPS
    return np.asarray(np.maximum(bend / SLOW_JOINT, way / SLOW_ROOT) / seconds)


def _mean_over_a_second(values: Float64) -> Float64:
    """Means (T,) of the half second on either side, or of what there is of it."""
    half = round(FPS / 2)
    total = np.concatenate(([0.0], np.cumsum(values)))
    index = np.arange(len(values))
    first, last = np.maximum(index - half, 0), np.minimum(index + half + 1, len(values))
    return np.asarray((total[last] - total[first]) / (last - first))


def _distance_from_standing(motion: Motion) -> Float64:
    """How far the furthest body is from where it is in standing, (T,) [m]."""
    quat = motion.root_quat_w.astype(np.float64)
    unturned = quat_multiply(quat_conjugate(quat_from_yaw(quat_yaw(quat))), quat)
    place = motion.root_pos_w * np.array([0.0, 0.0, 1.0])
    here = forward_kinematics(place, unturned, motion.joint_pos.astype(np.float64))
    standing = forward_kinematics(
        np.array([0.0, 0.0, g1.KNEES_BENT_HEIGHT]),
        np.array([1.0, 0.0, 0.0, 0.0]),
        g1.KNEES_BENT,
    )
    far = np.linalg.norm(here.pos_w - standing.pos_w, axis=-1)
    return np.asarray(far[:, g1.TRACKED_BODY_INDICES].max(axis=1))
