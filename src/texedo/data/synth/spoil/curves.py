"""What all ways of spoiling share: when, how much, and curves that wander."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS
from texedo.motion.curves import ease
from texedo.motion.rotations import (
    quat_from_yaw,
    quat_make_continuous,
    quat_multiply,
    quat_rotate,
    quat_slerp,
    quat_yaw,
)

Poses = NDArray[np.float64]
"""qpos (T, 36): xyz, wxyz, 29 joints at 50 Hz."""
Curve = NDArray[np.float64]
Rng = np.random.Generator
Settings = dict[str, float]

_ODDS_OF_ALL, _ODDS_OF_THE_REST = 0.4, 0.7
"""That a whole motion is spoiled, or all of it from some moment on; else a part of it."""
_ONSET = (0.1, 0.6)
"""Time in which a change comes and goes [s]."""


def from_range(low: float, high: float, strength: float) -> float:
    """From `low` (strength 0) to `high` (strength 1), by equal factors."""
    return float(low * (high / low) ** strength)


def either_sign(rng: Rng) -> float:
    """1 or -1."""
    return 1.0 if rng.random() < 0.5 else -1.0


def when(rng: Rng, frames: int) -> Curve:
    """How far a change is in force, (T,) from 0 to 1: always, from some time on, or for
    a while; it comes and goes smoothly."""
    draw, onset = rng.random(), rng.uniform(*_ONSET)
    first, last = np.sort(rng.uniform(0.0, frames / FPS, 2))
    if draw < _ODDS_OF_ALL:
        return np.ones(frames)
    time = np.arange(frames) / FPS
    begun = ease((time - first) / onset)
    if draw < _ODDS_OF_THE_REST:
        return begun
    return begun * (1.0 - ease((time - max(last, first + onset)) / onset))


def from_rest(frames: int) -> Curve:
    """0 in the first frame and 1 soon after, (T,): nobody starts in mid-air."""
    return np.asarray(np.minimum(np.arange(frames) / (FPS * 0.3), 1.0))


def wandering(rng: Rng, frames: int, size: int, *, rate: float) -> Curve:
    """Smooth random curves (T, size) with a spread of about 1 and `rate` turning points
    a second."""
    count = max(2, int(frames / FPS * rate) + 2)
    keys = rng.normal(size=(count, size))
    at = np.arange(frames) * (rate / FPS)
    at = np.minimum(at, count - 1.0)
    low = np.minimum(at.astype(np.int64), count - 2)
    s = ease(at - low)[:, None]
    return np.asarray(keys[low] + (keys[low + 1] - keys[low]) * s)


def at_frames(qpos: Poses, at: NDArray[Any]) -> Poses:
    """The motion at fractional frame numbers (T',) within it."""
    low = np.minimum(at.astype(np.int64), max(len(qpos) - 2, 0))
    high = np.minimum(low + 1, len(qpos) - 1)
    s = (at - low)[:, None]
    out = (1 - s) * qpos[low] + s * qpos[high]
    out[:, 3:7] = quat_slerp(qpos[low, 3:7], qpos[high, 3:7], s[:, 0])
    return np.asarray(out)


def turned(qpos: Poses, yaw: Curve | float, *, about: NDArray[Any]) -> Poses:
    """All frames turned by `yaw` about a vertical line through `about` (2,)."""
    turn = quat_from_yaw(np.broadcast_to(np.asarray(yaw, dtype=np.float64), len(qpos)))
    pivot = np.array([*about, 0.0])
    out = qpos.copy()
    out[:, :3] = quat_rotate(turn, qpos[:, :3] - pivot) + pivot
    out[:, 3:7] = quat_multiply(turn, qpos[:, 3:7])
    return out


def placed(qpos: Poses, *, like: NDArray[Any]) -> Poses:
    """The motion moved in the plane to begin where the pose `like` (36,) stands."""
    yaw = float(quat_yaw(like[3:7]) - quat_yaw(qpos[0, 3:7]))
    out = turned(qpos, yaw, about=qpos[0, :2])
    out[:, :2] += like[:2] - qpos[0, :2]
    return out


def headings(qpos: Poses) -> Curve:
    """Unwrapped heading of the root, (T,) [rad]."""
    quat = quat_make_continuous(qpos[:, 3:7])
    return np.asarray(np.unwrap(quat_yaw(quat)))
