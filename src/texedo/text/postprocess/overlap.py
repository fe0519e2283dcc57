"""Arms out of the body: small changes of shoulders and elbows where shapes overlap.

A decoded hand is a few centimetres off, and beside a thigh that is enough to be inside it.
Each frame that overlaps asks for the smallest change of its arm joints that opens the gap,
as the solver of the corpus does; what the frames ask for is spread over time by an envelope
that is nowhere smaller than asked, and again until nothing overlaps. Legs, waist, root and
wrists stay as they are: feet keep their place, and a hand its posture.

Clips that overlap by less than the check warns at are left alone to the bit, and so are all
frames further than `2 SPREAD` from an overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.robot.check_limits import LIMITS
from texedo.robot.collision import SHAPE_BODIES, self_distances
from texedo.robot.g1 import JOINT_INDEX, JOINT_LOWER, JOINT_UPPER
from texedo.robot.gaps import MOVES, SIDES, WATCHED_PAIRS, open_gaps
from texedo.robot.kinematics import BodyPoses, forward_kinematics
from texedo.text.postprocess.floor import triangle

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

DEEPEST = LIMITS["self-penetration"].warn
"""A clip is touched if an arm is deeper in something than this [m]: less is touch."""
ENOUGH = DEEPEST / 2
"""Overlap that may be left over [m]."""
SPREAD = 8
"""Frames over which a change comes and goes twice over."""
_ROUNDS = 10
_DAMPING = 1e-3
_MOST_PER_ROUND = 0.3
"""Largest change of a joint in one round [rad]."""
_HINGES = ("shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow")
ARM_JOINTS = np.array([JOINT_INDEX[f"{s}_{h}_joint"] for s in SIDES for h in _HINGES])
_CARRIED = np.flatnonzero(MOVES[:, ARM_JOINTS].any(axis=1))
ARM_PAIRS = WATCHED_PAIRS[np.isin(SHAPE_BODIES[WATCHED_PAIRS], _CARRIED).any(axis=1)]
"""Pairs of shapes of which an arm is one."""


class Frames(NamedTuple):
    """Frames of several clips, one after the other."""

    root_pos_w: NDArray[np.float32]
    """(F, 3) [m]."""
    root_quat_w: NDArray[np.float32]
    """(F, 4), wxyz."""
    joint_pos: Float64
    """(F, 29) [rad]."""

    def take(self, index: Int64) -> Frames:
        return Frames(
            self.root_pos_w[index], self.root_quat_w[index], self.joint_pos[index]
        )

    def poses(self) -> BodyPoses:
        return forward_kinematics(*self)


def part_arms(frames: Frames, poses: BodyPoses, lengths: Sequence[int]) -> Float64:
    """Joints (F, 29) with arms moved out of what they overlap; `poses` are of `frames`."""
    clip = np.repeat(np.arange(len(lengths)), lengths)
    before = _depth(poses)
    worst = np.zeros(len(lengths))
    np.maximum.at(worst, clip, before)
    chosen = np.flatnonzero(worst > DEEPEST)
    joints = frames.joint_pos.copy()
    if not len(chosen):
        return joints
    members = np.flatnonzero(np.isin(clip, chosen))
    # Room between the clips, so that no change spreads from one to the next.
    slots = (
        np.arange(len(members))
        + 2 * SPREAD * (1 + np.searchsorted(chosen, clip))[members]
    )
    mine = frames.take(members)
    depth = _open(mine, before[members], slots)
    left = np.zeros(len(lengths))
    np.maximum.at(left, clip[members], depth)
    # What could not be improved stays as it was.
    better = (left < worst)[clip[members]]
    joints[members[better]] = mine.joint_pos[better]
    return joints


def _open(frames: Frames, depth: Float64, slots: Int64) -> Float64:
    """Move the arms of `frames` in place; the overlap that is left, (F,) [m]."""
    depth = depth.copy()
    asked = np.zeros((slots[-1] + 2 * SPREAD + 1, len(ARM_JOINTS)))
    for _ in range(_ROUNDS):
        bad = np.flatnonzero(depth > ENOUGH)
        if not len(bad):
            break
        asked[:] = 0.0
        asked[slots[bad]] = _smallest_change(frames.take(bad).poses())
        change = _spread_out(asked)[slots]
        moved = np.flatnonzero(change.any(axis=1))
        here = np.ix_(moved, ARM_JOINTS)
        frames.joint_pos[here] = np.clip(
            frames.joint_pos[here] + change[moved],
            JOINT_LOWER[ARM_JOINTS],
            JOINT_UPPER[ARM_JOINTS],
        )
        depth[moved] = _depth(frames.take(moved).poses())
    return depth


def _depth(poses: BodyPoses) -> Float64:
    """How deep an arm is in something in each frame, (F,) [m]; 0 where it is not."""
    nearest = self_distances(poses, ARM_PAIRS).min(axis=1)
    return np.asarray(np.maximum(-nearest, 0.0))


def _smallest_change(poses: BodyPoses) -> Float64:
    """Least change of the arm joints that opens the gaps of each frame, (F, 8) [rad]."""
    gaps = open_gaps(poses, clearance=0.0)
    rows = gaps.rows[..., 6 + ARM_JOINTS] * (gaps.need > 0)[..., None]  # (F, K, 8)
    square = rows @ rows.transpose(0, 2, 1)
    index = np.arange(square.shape[1])
    square[:, index, index] += _DAMPING
    push = np.linalg.solve(square, np.maximum(gaps.need, 0.0)[..., None])
    change = (rows.transpose(0, 2, 1) @ push)[..., 0]
    return np.asarray(np.clip(change, -_MOST_PER_ROUND, _MOST_PER_ROUND))


def _spread_out(asked: Float64) -> Float64:
    """Smooth in time, and nowhere smaller than asked where only one sign is asked for.

    Rows (F, 8); the first and the last `2 SPREAD` ask for nothing.
    """
    inside = slice(2 * SPREAD, len(asked) - 2 * SPREAD)
    out = np.zeros_like(asked)
    for sign in (1.0, -1.0):
        largest = _window_max(np.maximum(sign * asked, 0.0))
        for shift, weight in enumerate(triangle(2 * SPREAD + 1), start=-SPREAD):
            rows = slice(inside.start + shift, inside.stop + shift)
            out[inside] += (sign * weight) * largest[rows]
    return out


def _window_max(values: Float64) -> Float64:
    """Largest of the `2 SPREAD + 1` rows around each; doubled from 1 row on."""
    ahead, seen, width = values.copy(), 1, 2 * SPREAD + 1
    while seen < width:
        step = min(seen, width - seen)
        ahead[:-step] = np.maximum(ahead[:-step], ahead[step:])
        seen += step
    out = np.zeros_like(values)
    out[SPREAD:] = ahead[:-SPREAD]
    return out
