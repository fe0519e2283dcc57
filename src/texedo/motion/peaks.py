"""The strongest acceleration of a motion, kept as it is where frames become more.

Between frames a spline may bend harder than any three frames say: it finds the peak that
they missed, or swings on its way through noise. Brought from 30 to 50 frames per second,
the strongest acceleration of a recording grows by a seventh, and no frame asks for it. The
frames of the lower rate leave the other ones some freedom, and here it is used: what a
joint has too much is shared out among its neighbours in time, and what the frames lose
by that is given back to them, in turns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion.splines import spline_at

Float64 = NDArray[np.float64]

MAX_FRAMES_IN_ROUNDS = 20_000
"""Frames of the higher rate up to which rounds of correction are worth their time."""
_AIM = 1.06
"""Share of the strongest acceleration of the frames that is aimed at."""
_ROUNDS, _SPREADS = 6, 2
_DONE = 1.001
"""So little over the aim is none."""
_SMALLEST_STEP = 0.2
"""Where more than five frames are made of one, its neighbours say little about them."""
_MOST_COLUMNS = 8
"""Peaks are a matter of few joints; more of them at once are noise, and stay."""


def calmed(given: NDArray[Any], curve: Float64, step: float) -> Float64:
    """`curve` (N, C), its strongest acceleration near that of the frames.

    It goes through the frames `given` (T, C), `step` of them from row to row; they are
    where they were when they are looked up in the result. Columns of other quantities
    belong into other calls: the strongest of all counts for each.
    """
    if min(len(given), len(curve)) < 3 or not _SMALLEST_STEP <= step < 1:
        return curve
    # Second differences grow with the square of the time between frames.
    limit = _AIM * float(peak(given).max()) * step**2
    wild = np.flatnonzero(peak(curve) > limit)
    if not 0 < len(wild) <= _MOST_COLUMNS or len(curve) > MAX_FRAMES_IN_ROUNDS:
        return curve
    frames, part = given[:, wild], curve[:, wild]
    at: Float64 = np.arange(len(curve)) * np.float64(step)
    for _ in range(_ROUNDS):
        if peak(part).max() <= _DONE * limit:
            break
        for _ in range(_SPREADS):
            bend = np.diff(part, 2, axis=0)
            part[1:-1] += (bend - np.clip(bend, -limit, limit)) / 2
        part += spline_at(astray(frames, part, step), at)
    out = curve.copy()
    out[:, wild] = part
    return out


def astray(given: NDArray[Any], curve: Float64, step: float) -> Float64:
    """What the frames `given` (T, C) are more than the curve says they are, (T, C).

    Zero for frames after its end.
    """
    count = int((len(curve) - 1) * step + 1e-6) + 1
    back: Float64 = np.arange(count) / np.float64(step)
    missing = np.zeros(given.shape)
    missing[:count] = given[:count] - spline_at(curve, back)
    return missing


def peak(values: NDArray[Any]) -> Float64:
    """Largest second difference of each column of (T, C), (C,)."""
    bends = np.diff(np.asarray(values, dtype=np.float64), 2, axis=0)
    return np.asarray(np.abs(bends).max(axis=0, initial=0.0))
