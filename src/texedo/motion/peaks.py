"""Strongest accelerations, kept as they are where frames become more.

Between frames a spline may bend harder than any three frames say: it finds the peak that
they missed, or swings on its way through noise. Brought from 30 to 50 frames per second,
the strongest acceleration of a recording grows by a sixth, and no frame asks for it. The
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
_AIM, _GIVE_UP = 1.06, 1.15
"""Share of the frames' own peak aimed at; from where on splines are left as they are.

Frames that zigzag cannot be passed more gently: there half of the rounds' work would be
new bends elsewhere.
"""
_ROUNDS, _SPREADS = 6, 2


def calmed(given: NDArray[Any], curve: Float64, step: float) -> Float64:
    """`curve` (N, C), its strongest accelerations near those of the frames.

    It goes through the frames `given` (T, C), `step` of them from row to row; they are
    where they were when they are looked up in the result. Each column is held to its own
    strongest acceleration; those that zigzag too much for that, to the strongest of all.
    """
    if (
        min(len(given), len(curve)) < 3
        or step >= 1
        or len(curve) > MAX_FRAMES_IN_ROUNDS
    ):
        return curve
    # Second differences grow with the square of the time between frames.
    own = peak(given) * step**2
    eased = _eased(given, curve, step, own)
    tame = peak(eased) <= _GIVE_UP * own
    return _eased(
        given, np.where(tame, eased, curve), step, np.full_like(own, own.max())
    )


def _eased(given: NDArray[Any], curve: Float64, step: float, most: Float64) -> Float64:
    """The columns of a curve that bend more than the `most` (C,) they should, eased."""
    wild = np.flatnonzero(peak(curve) > _AIM * most)
    if not len(wild):
        return curve
    frames, part, limit = given[:, wild], curve[:, wild].copy(), _AIM * most[wild]
    at = np.arange(len(curve)) * step
    for _ in range(_ROUNDS):
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
    back = np.arange(int((len(curve) - 1) * step + 1e-6) + 1) / step
    missing = np.zeros(given.shape)
    missing[: len(back)] = given[: len(back)] - spline_at(curve, back)
    return missing


def peak(values: NDArray[Any]) -> Float64:
    """Largest second difference of each column of (T, C), (C,)."""
    bends = np.diff(np.asarray(values, dtype=np.float64), 2, axis=0)
    return np.asarray(np.abs(bends).max(axis=0, initial=0.0))
