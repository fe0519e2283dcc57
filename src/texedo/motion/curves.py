"""Curves over time: minimum-jerk moves between values at given times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS

Float64 = NDArray[np.float64]


def ease(s: NDArray[Any]) -> Float64:
    """The minimum-jerk move from 0 to 1, flat outside; fastest at 1.875 per unit."""
    s = np.clip(np.asarray(s, dtype=np.float64), 0.0, 1.0)
    return np.asarray(s**3 * (10 - 15 * s + 6 * s * s))


def bump(s: NDArray[Any]) -> Float64:
    """From 0 up to 1 in the middle and back, at rest at both ends."""
    s = np.clip(np.asarray(s, dtype=np.float64), 0.0, 1.0)
    return np.asarray((4 * s * (1 - s)) ** 2)


def between(time: Float64, start: float, end: float) -> Float64:
    """Eased progress from `start` to `end`; a step where they coincide."""
    return ease((time - start) / max(end - start, 1e-6))


def frame_times(duration: float) -> Float64:
    """Times of the frames of a motion of this duration, (T,) [s]."""
    return np.arange(round(duration * FPS) + 1) / FPS


def keyed(
    time: Float64, keys: Sequence[tuple[float, float | NDArray[Any]]]
) -> NDArray[np.float64]:
    """Values (T, ...) that rest at each key (time, value) and ease in between."""
    times = [key_time for key_time, _ in keys]
    if times != sorted(times):
        raise ValueError(f"key times must not decrease, got {times}.")
    first = np.asarray(keys[0][1], dtype=np.float64)
    out = np.broadcast_to(first, (len(time), *first.shape)).copy()
    for (start, a), (end, b) in zip(keys, keys[1:], strict=False):
        change = np.asarray(b, dtype=np.float64) - np.asarray(a, dtype=np.float64)
        s = between(time, start, end).reshape(-1, *(1,) * first.ndim)
        out += s * change
    return out
