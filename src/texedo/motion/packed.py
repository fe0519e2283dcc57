"""Poses of many motions, one after the other, checked as `Motion` checks one.

A `Motion` takes a tenth of a millisecond to make; hundreds of thousands of them that are
only passed on to a device are checked here all at once, with the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion.motion import MIN_FRAMES, unit_quaternions

Float32 = NDArray[np.float32]
_SHORTEST = 0.1
"""Length below which four numbers are no rotation."""


class PackedPoses(NamedTuple):
    """Motions that passed the check."""

    qpos: Float32
    """All frames, (F, 36)."""
    lengths: NDArray[np.int64]
    """Frames of each motion, (n,)."""
    kept: NDArray[np.bool_]
    """Which of the motions given these are, (M,)."""


def pack_poses(poses: Sequence[NDArray[Any]]) -> PackedPoses:
    """Those of `poses` (T, 36) that make a motion; each is what its `Motion` holds."""
    lengths = np.array([len(part) for part in poses], dtype=np.int64)
    if not len(lengths):
        return PackedPoses(
            np.zeros((0, 36), np.float32), lengths, np.zeros(0, np.bool_)
        )
    qpos = np.concatenate(poses).astype(np.float32, copy=False)
    ends = np.cumsum(lengths)
    with np.errstate(invalid="ignore", over="ignore"):
        norm = np.linalg.norm(qpos[:, 3:7].astype(np.float64), axis=1)
        bad = ~(np.isfinite(qpos).all(axis=1) & (norm >= _SHORTEST))
    so_far = np.concatenate(([0], np.cumsum(bad)))
    kept = (so_far[ends] == so_far[ends - lengths]) & (lengths >= MIN_FRAMES)
    if not kept.all():  # Millions of frames are not copied for nothing.
        qpos, lengths = qpos[np.repeat(kept, lengths)], lengths[kept]
    if len(qpos):
        starts = np.cumsum(lengths) - lengths
        quat = unit_quaternions(qpos[:, 3:7].astype(np.float64))
        qpos[:, 3:7] = _continuous(quat, starts, lengths)
    return PackedPoses(qpos, lengths, kept)


def _continuous(
    quat: NDArray[np.float64], starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.float64]:
    """`quat_make_continuous` within each motion."""
    flips = np.zeros(len(quat), dtype=np.int64)
    flips[1:] = np.sum(quat[1:] * quat[:-1], axis=-1) < 0
    flips[starts] = 0
    count = np.cumsum(flips)
    odd = (count - np.repeat(count[starts], lengths)) % 2
    return np.asarray(quat * (1 - 2 * odd)[:, None])
