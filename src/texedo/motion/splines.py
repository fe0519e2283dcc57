"""Curves through frames: the quintic spline that resampling goes along.

Straight lines between frames have corners, and a corner is an acceleration that nobody
performed: brought from 30 to 50 frames per second by straight lines, the strongest
acceleration of a recording grows by half. A spline of degree five passes through every
frame with four continuous derivatives. It is a sum of B-splines, one per frame; their
weights are the frames, filtered once forward and once backward for each of the two
poles below. Past its ends a curve goes on as its own reflection in the end point, which
keeps position and speed continuous and invents no swing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]

_POLES = (-0.43057534709997825, -0.04309628820326465)
"""Roots inside the unit circle of z^4 + 26 z^3 + 66 z^2 + 26 z + 1."""
_SCALE = 120.0
_PAD = 48
"""Frames added on either side: 0.43^48 is below what a double can tell."""
_CHUNK = 2_000_000
"""Numbers worked on at once, so that an hour of motion takes no gigabytes."""


def spline_at(values: NDArray[Any], at: Float64) -> Float64:
    """The spline through two or more `values` (T, C) at fractional frames, (N, C)."""
    frames, columns = values.shape
    out = np.empty((len(at), columns))
    # 1e-9 of a frame: a time that is a frame's, but for rounding, is that frame's.
    low = np.clip(np.floor(at + 1e-9).astype(np.int64), 0, frames - 2)
    basis = _quintic(np.clip(at - low, 0.0, 1.0))
    width = max(1, _CHUNK // max(frames, len(at)))
    for first in range(0, columns, width):
        part = slice(first, first + width)
        # Time last: every pass below runs along it.
        rows = np.ascontiguousarray(values[:, part].T, dtype=np.float64)
        weights = _filtered(_extended(rows))
        curve = sum(
            weight * weights[:, low + (_PAD + offset)]
            for offset, weight in zip(range(-2, 4), basis, strict=True)
        )
        out[:, part] = np.asarray(curve).T
    return out


def _extended(rows: Float64) -> Float64:
    """Rows (C, T) with `_PAD` frames before and after, reflected in the end points."""
    last = rows.shape[1] - 1
    turns, within = np.divmod(np.arange(-_PAD, rows.shape[1] + _PAD), last)
    # Every pass over the curve, there or back, adds the way from end to end.
    back = turns % 2 == 1
    inside = rows[:, np.where(back, last - within, within)]
    first, end = rows[:, :1], rows[:, -1:]
    there = np.where(back, first + end - inside, inside)
    return np.asarray(there + turns * (end - first))


def _filtered(rows: Float64) -> Float64:
    """B-spline weights of the frames: 120 / (z^2 + 26 z + 66 + 26/z + 1/z^2)."""
    weights = rows * _SCALE
    for pole in _POLES:
        _accumulate(weights, pole)
        _accumulate(weights[:, ::-1], pole)
        weights *= -pole
    return weights


def _accumulate(rows: Float64, pole: float) -> None:
    """In place: x_i + pole x_(i-1) + pole^2 x_(i-2) + ..., by doubling."""
    span = 1
    while abs(pole) ** span > 1e-17 and span < rows.shape[1]:
        rows[:, span:] += pole**span * rows[:, :-span]
        span *= 2


def _quintic(u: Float64) -> tuple[Float64, ...]:
    """The six B-splines around a place, for u in [0, 1] past a frame."""
    return (
        (1 - u) ** 5 / _SCALE,
        _shoulder(1 + u),
        _peak(u),
        _peak(1 - u),
        _shoulder(2 - u),
        u**5 / _SCALE,
    )


def _peak(x: Float64) -> Float64:
    """The quintic B-spline up to one frame from its centre."""
    square = x * x
    return (66 - square * (60 - square * (30 - 10 * x))) / _SCALE


def _shoulder(x: Float64) -> Float64:
    """The same from one frame to two."""
    return (51 + x * (75 - x * (210 - x * (150 - x * (45 - 5 * x))))) / _SCALE
