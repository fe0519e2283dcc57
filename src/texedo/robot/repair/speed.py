"""No joint faster than its motor, none beyond its range."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER, SPEED_LIMIT

Float64 = NDArray[np.float64]


def limit_speed(clips: Sequence[Float64]) -> list[Float64]:
    """Angles (T, 29) of each clip with every step within its motor's speed."""
    # A step is rounded to float32 later on; stay below the limit by that much.
    step = SPEED_LIMIT / FPS * (1 - 1e-5)
    fast = [(np.abs(np.diff(clip, axis=0)) > step).any(axis=0) for clip in clips]
    chosen = [i for i, columns in enumerate(fast) if columns.any()]
    out = list(clips)
    if not chosen:
        return out
    # All fast joints of all clips side by side; a clip that is shorter stands still.
    longest = max(len(clips[i]) for i in chosen)
    wanted = np.concatenate(
        [
            np.pad(clips[i][:, fast[i]], ((0, longest - len(clips[i])), (0, 0)), "edge")
            for i in chosen
        ],
        axis=1,
    )
    steps = np.concatenate([step[fast[i]] for i in chosen])
    mean = (_follow(wanted, steps) + _follow(wanted[::-1], steps)[::-1]) / 2
    ends = np.cumsum([fast[i].sum() for i in chosen])
    for i, columns in zip(chosen, np.split(mean, ends[:-1], axis=1), strict=True):
        out[i] = clips[i].copy()
        out[i][:, fast[i]] = columns[: len(clips[i])]
    return out


def _follow(wanted: Float64, step: Float64) -> Float64:
    """The curves that start in `wanted` and run after it, at most `step` a frame."""
    out = wanted.copy()
    for t in range(1, len(out)):
        # Not np.clip: on a handful of numbers its checks take most of the time.
        np.minimum(out[t], out[t - 1] + step, out=out[t])
        np.maximum(out[t], out[t - 1] - step, out=out[t])
    return out


_LOWER32 = np.nextafter(JOINT_LOWER.astype(np.float32), np.float32(np.inf))
_UPPER32 = np.nextafter(JOINT_UPPER.astype(np.float32), np.float32(-np.inf))


def inside(joints: Float64) -> NDArray[np.float32]:
    """Angles as float32; rounding must not carry one over its limit."""
    return np.clip(joints.astype(np.float32), _LOWER32, _UPPER32)
