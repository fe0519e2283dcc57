"""Limbs apart: small changes of shoulders and elbows, or hips, where shapes overlap.

A decoded hand is a few centimetres off, and beside a thigh that is enough to be inside it.
Each frame that overlaps asks for the smallest change of its arm joints that opens the gap,
as the solver of the corpus does; what the frames ask for is spread over time by an envelope
that is nowhere smaller than asked, and again until nothing overlaps. To part arms, legs,
waist, root and wrists stay as they are: feet keep their place, and a hand its posture.
Legs that cross are parted by hips that roll and turn, and by ankles that keep soles flat.

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
from texedo.robot.floor import triangle
from texedo.robot.g1 import JOINT_INDEX, JOINT_LOWER, JOINT_UPPER
from texedo.robot.gaps import MOVES, SIDES, WATCHED_PAIRS, open_gaps
from texedo.robot.kinematics import BodyPoses, forward_kinematics

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

DEEPEST = LIMITS["self-penetration"].lowest
"""A clip is touched if a limb is deeper in something than this [m]: less is touch."""
ENOUGH = DEEPEST / 2
"""Overlap that may be left over [m]."""
SPREAD = 8
"""Frames over which a change comes and goes twice over."""
_ROUNDS = 10
_DAMPING = 1e-3
_MOST_PER_ROUND = 0.3
"""Largest change of a joint in one round [rad]."""


class Limbs(NamedTuple):
    """Which joints may move to part which shapes."""

    joints: Int64
    """(J,)"""
    pairs: Int64
    """(P, 2)"""


def _limbs(hinges: tuple[str, ...]) -> Limbs:
    joints = np.array([JOINT_INDEX[f"{s}_{h}_joint"] for s in SIDES for h in hinges])
    carried = np.flatnonzero(MOVES[:, joints].any(axis=1))
    one_is_carried = np.isin(SHAPE_BODIES[WATCHED_PAIRS], carried).any(axis=1)
    return Limbs(joints, WATCHED_PAIRS[one_is_carried])


ARMS = _limbs(("shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow"))
LEGS = _limbs(("hip_roll", "hip_yaw"))
ARM_JOINTS = ARMS.joints
_SHOULDER_ROLL = np.array([JOINT_INDEX[f"{s}_shoulder_roll_joint"] for s in SIDES])
_OUTWARD = np.array([1.0, -1.0])
"""Which way each shoulder rolls to lift its arm."""
_SWINGS = np.arange(1, 9) * 0.1
"""Angles that are tried [rad]."""
_SOLE_ROLL = np.array([JOINT_INDEX[f"{s}_ankle_roll_joint"] for s in SIDES])
_HIP_ROLL = np.array([JOINT_INDEX[f"{s}_hip_roll_joint"] for s in SIDES])


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


def part_limbs(qpos: Float64) -> Float64:
    """Joints (T, 29) of a motion (T, 36) with arms, and then legs, moved apart."""
    root_pos, root_quat = (
        qpos[:, :3].astype(np.float32),
        qpos[:, 3:7].astype(np.float32),
    )
    joints = qpos[:, 7:]
    for limbs in (ARMS, LEGS):
        frames = Frames(root_pos, root_quat, joints)
        joints = _part(frames, frames.poses(), [len(qpos)], limbs)
        if limbs is ARMS:
            joints = _swing_out(frames._replace(joint_pos=joints))
    return joints


def part_arms(frames: Frames, poses: BodyPoses, lengths: Sequence[int]) -> Float64:
    """Joints (F, 29) with arms moved out of what they overlap; `poses` are of `frames`."""
    return _part(frames, poses, lengths, ARMS)


def _part(
    frames: Frames, poses: BodyPoses, lengths: Sequence[int], limbs: Limbs
) -> Float64:
    clip = np.repeat(np.arange(len(lengths)), lengths)
    before = _depth(poses, limbs)
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
    depth = _open(mine, before[members], slots, limbs)
    left = np.zeros(len(lengths))
    np.maximum.at(left, clip[members], depth)
    # What could not be improved stays as it was.
    better = (left < worst)[clip[members]]
    joints[members[better]] = mine.joint_pos[better]
    return joints


def _open(frames: Frames, depth: Float64, slots: Int64, limbs: Limbs) -> Float64:
    """Move the limbs of `frames` in place; the overlap that is left, (F,) [m]."""
    depth, hinges = depth.copy(), limbs.joints
    asked = np.zeros((slots[-1] + 2 * SPREAD + 1, len(hinges)))
    for _ in range(_ROUNDS):
        bad = np.flatnonzero(depth > ENOUGH)
        if not len(bad):
            break
        asked[:] = 0.0
        asked[slots[bad]] = _smallest_change(frames.take(bad).poses(), hinges)
        change = _spread_out(asked)[slots]
        moved = np.flatnonzero(change.any(axis=1))
        here = np.ix_(moved, hinges)
        frames.joint_pos[here] = np.clip(
            frames.joint_pos[here] + change[moved],
            JOINT_LOWER[hinges],
            JOINT_UPPER[hinges],
        )
        if limbs is LEGS:
            _keep_soles_level(frames.joint_pos, moved, change[moved])
        depth[moved] = _depth(frames.take(moved).poses(), limbs)
    return depth


def _swing_out(frames: Frames) -> Float64:
    """Joints (T, 29) of one clip: where an arm is stuck, both are swung out sideways.

    Two centre lines that cross leave no direction to be pushed in, and two frames in a
    row may choose opposite ones.
    """
    depth = _depth(frames.poses(), ARMS)
    bad = np.flatnonzero(depth > DEEPEST)
    if not len(bad):
        return frames.joint_pos
    stuck, wanted, left = frames.take(bad), np.zeros(len(bad)), depth[bad]
    for angle in _SWINGS:
        tried = stuck.joint_pos.copy()
        tried[:, _SHOULDER_ROLL] += angle * _OUTWARD
        now = _depth(stuck._replace(joint_pos=tried).poses(), ARMS)
        better = (left > ENOUGH) & (now < left)
        wanted[better], left[better] = angle, now[better]
    room = 2 * SPREAD
    asked = np.zeros((len(depth) + 2 * room, len(_SHOULDER_ROLL)))
    asked[room + bad] = wanted[:, None] * _OUTWARD
    out = frames.joint_pos.copy()
    out[:, _SHOULDER_ROLL] = np.clip(
        out[:, _SHOULDER_ROLL] + _spread_out(asked)[room:-room],
        JOINT_LOWER[_SHOULDER_ROLL],
        JOINT_UPPER[_SHOULDER_ROLL],
    )
    after = _depth(frames._replace(joint_pos=out).poses(), ARMS)
    return out if after.max() < depth.max() else frames.joint_pos


def _keep_soles_level(joints: Float64, moved: Int64, change: Float64) -> None:
    """Ankles (in place) roll back by as much as the hips rolled."""
    rolled = change[:, np.isin(LEGS.joints, _HIP_ROLL)]
    here = np.ix_(moved, _SOLE_ROLL)
    joints[here] = np.clip(
        joints[here] - rolled, JOINT_LOWER[_SOLE_ROLL], JOINT_UPPER[_SOLE_ROLL]
    )


def _depth(poses: BodyPoses, limbs: Limbs) -> Float64:
    """How deep a limb is in something in each frame, (F,) [m]; 0 where it is not."""
    nearest = self_distances(poses, limbs.pairs).min(axis=1)
    return np.asarray(np.maximum(-nearest, 0.0))


def _smallest_change(poses: BodyPoses, hinges: Int64) -> Float64:
    """Least change of the hinges that opens the gaps of each frame, (F, J) [rad]."""
    gaps = open_gaps(poses, clearance=0.0)
    rows = gaps.rows[..., 6 + hinges] * (gaps.need > 0)[..., None]  # (F, K, J)
    square = rows @ rows.transpose(0, 2, 1)
    index = np.arange(square.shape[1])
    square[:, index, index] += _DAMPING
    push = np.linalg.solve(square, np.maximum(gaps.need, 0.0)[..., None])
    change = (rows.transpose(0, 2, 1) @ push)[..., 0]
    return np.asarray(np.clip(change, -_MOST_PER_ROUND, _MOST_PER_ROUND))


def _spread_out(asked: Float64) -> Float64:
    """Smooth in time, and nowhere smaller than asked where only one sign is asked for.

    Rows (F, J); the first and the last `2 SPREAD` ask for nothing.
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
