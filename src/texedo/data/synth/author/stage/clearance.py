"""Arms out of the body's way: small changes of arm joints that open gaps.

Frames are treated together: first each frame's smallest change that keeps the shapes
apart, then the same smoothed over time, and again until nothing is left to do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from texedo.data.retarget.solver import LOWER, UPPER
from texedo.data.synth.author.arms import ARM_JOINTS
from texedo.motion.curves import ease
from texedo.robot.collision import SHAPE_BODIES, self_distances
from texedo.robot.gaps import MOVES, WATCHED_PAIRS, open_gaps
from texedo.robot.kinematics import BodyPoses, forward_kinematics

Float64 = NDArray[np.float64]

CLEARANCE = 0.006
"""Gap that is kept between shapes [m]."""
_TOUCH = 0.002
"""Left alone when no gap is smaller than this [m]."""
_ROUNDS = 6
_DAMPING = 1e-3
_SPREAD = 9
"""A change begins and ends this many frames around the trouble."""
_ARMS = np.concatenate((ARM_JOINTS["left"], ARM_JOINTS["right"]))
_ARM_BODIES = np.flatnonzero(MOVES[:, _ARMS].any(axis=1))
_ARM_PAIRS = WATCHED_PAIRS[
    np.isin(SHAPE_BODIES[WATCHED_PAIRS], _ARM_BODIES).any(axis=1)
]
"""Pairs of shapes of which an arm is one."""


def clear_arms(qpos: Float64, *, hold_ends: bool = False) -> Float64:
    """The motion (T, 36) with arms moved aside where they would touch something.

    With `hold_ends` the first and last frame stay as they are: it is a part of another.
    """
    out = qpos.copy()
    amount = np.ones((len(qpos), 1))
    if hold_ends:
        inward = np.minimum(np.arange(len(qpos)), np.arange(len(qpos))[::-1])
        amount[:, 0] = ease(inward / min(_SPREAD, len(qpos) // 2))
    for _ in range(_ROUNDS):
        change = _opening(out)
        if change is None:
            break
        out[:, 7 + _ARMS] += amount * _spread_out(change)
        out[:, 7 + _ARMS] = np.clip(out[:, 7 + _ARMS], LOWER[_ARMS], UPPER[_ARMS])
    return out


def _opening(qpos: Float64) -> Float64 | None:
    """Each frame's own change of the arm joints, (T, 14); None if all is clear."""
    poses = forward_kinematics(qpos[:, :3], qpos[:, 3:7], qpos[:, 7:])
    nearest = self_distances(poses, _ARM_PAIRS).min(axis=1)
    if nearest.min() > _TOUCH:
        return None
    change = np.zeros((len(qpos), len(_ARMS)))
    bad = np.flatnonzero(nearest < CLEARANCE)
    gaps = open_gaps(BodyPoses(poses.pos_w[bad], poses.quat_w[bad]), CLEARANCE)
    rows = gaps.rows[..., 6 + _ARMS]  # (F, K, 14)
    rows = rows * (gaps.need > 0)[..., None]
    square = rows @ rows.transpose(0, 2, 1)
    index = np.arange(square.shape[1])
    square[:, index, index] += _DAMPING
    push = np.linalg.solve(square, np.maximum(gaps.need, 0.0)[..., None])
    change[bad] = (rows.transpose(0, 2, 1) @ push)[..., 0]
    return np.clip(change, -0.3, 0.3)


def _spread_out(change: Float64) -> Float64:
    """Smooth in time, at least as large as asked where a sign is asked for."""
    width = 2 * _SPREAD + 1
    out = np.zeros_like(change)
    for sign in (1.0, -1.0):
        wanted = maximum_filter1d(np.maximum(sign * change, 0.0), width, axis=0)
        out += sign * gaussian_filter1d(wanted, _SPREAD / 2, axis=0, mode="nearest")
    return out
