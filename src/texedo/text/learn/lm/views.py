"""Views of a clip: other tokens for the same motion, of which the caption is as true.

A tokenizer sees groups of frames, so a motion that begins a frame later has other codes.
View 0 is the clip as it is, views 1 to 3 begin 1 to 3 frames later and change nothing
else. Further views also play at another pace and hold the arms a little differently. Legs
and waist keep their angles, so that feet stay where they are; left stays left. Views need
no turning: codes tell the heading relative to the first frame.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texedo.motion import Motion, change_speed
from texedo.robot.g1 import JOINT_LOWER, JOINT_NAMES, JOINT_UPPER

RECIPE = 1
"""Another number for every change of what a view is."""
PHASES = 4
"""Frames of a code: as many ways to cut a motion into codes."""
_SHORTEST = 20
"""Shorter clips begin where they begin [frames]."""
_PACE = 1.1
"""A view is at most this many times as fast, or as slow."""
_POSTURE = 0.04
"""Standard deviation of an arm joint's offset [rad]."""
_REACH = 0.1
"""Standard deviation of the change of an arm joint's swing, as a share of it."""
_ARMS = slice(JOINT_NAMES.index("left_shoulder_pitch_joint"), len(JOINT_NAMES))


def view_of(motion: Motion, view: int, key: Sequence[int], *, flies: bool) -> Motion:
    """View number `view` of a clip; `key` and the number are what chance depends on.

    With `flies` the pace stays: a flight takes as long as gravity wants.
    """
    if view < PHASES:
        return _later(motion, view)
    rng = np.random.default_rng((*key, view))
    motion = _later(motion, int(rng.integers(PHASES)))
    pace = _PACE ** rng.uniform(-1.0, 1.0)
    if not flies:
        motion = change_speed(motion, pace)
    return _other_arms(motion, rng)


def _later(motion: Motion, frames: int) -> Motion:
    """Without its first frames, if enough are left."""
    if not frames or len(motion) < _SHORTEST + frames:
        return motion
    return Motion.from_qpos(motion.to_qpos()[frames:])


def _other_arms(motion: Motion, rng: np.random.Generator) -> Motion:
    """Arms with other means and other swings around them, within their limits."""
    joints = motion.joint_pos.astype(np.float64)
    arms = joints[:, _ARMS]
    by = rng.standard_normal((2, arms.shape[1])).clip(-2.0, 2.0)
    middle = arms.mean(axis=0)
    arms = middle + (arms - middle) * (1.0 + _REACH * by[0]) + _POSTURE * by[1]
    joints[:, _ARMS] = arms.clip(JOINT_LOWER[_ARMS], JOINT_UPPER[_ARMS])
    return Motion(
        root_pos_w=motion.root_pos_w,
        root_quat_w=motion.root_quat_w,
        joint_pos=joints.astype(motion.joint_pos.dtype),
    )
