"""Curves made as calm as they must be, and only where they must be.

A curve x near y is sought that minimises |x - y|^2 + sum of m_t (second difference of x
at t)^2. Where x steps or bends too much, m grows around that place until it does not; it
stays zero elsewhere, and there x is y. A single wild frame is put between its neighbours
first, so that it pulls at nobody.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]

_AROUND = 4
"""Frames on either side of a bad place that are smoothed with it."""
_FIRST, _GROWTH, _ROUNDS = 0.3, 2.5, 24
"""Weight of a second difference where it is first asked for, and how it grows."""
_SPIKE = 5
"""Frames of the median that tells a wild frame."""


def calm(curve: Float64, *, step: float, bend: float) -> Float64:
    """The curve (T, C) with no step over `step` and no second difference over `bend`.

    Both are lengths of C numbers, per frame and per frame squared. What cannot be had in
    a couple of dozen rounds is left nearly so.
    """
    if len(curve) < 3 or not _bad(curve, step, bend).any():
        return curve
    wanted = _without_spikes(curve, bend)
    weight = np.zeros(len(curve) - 2)
    out = wanted
    for _ in range(_ROUNDS):
        bad = _bad(out, step, bend)
        if not bad.any():
            break
        rows = _widened(bad)[1:-1]
        weight[rows] = np.maximum(weight[rows] * _GROWTH, _FIRST)
        out = _smoothed(wanted, weight)
    return out


def _bad(curve: Float64, step: float, bend: float) -> NDArray[np.bool_]:
    """Frames at which the curve is too fast or too sharp, (T,)."""
    bad = np.zeros(len(curve), dtype=bool)
    fast = np.linalg.norm(np.diff(curve, axis=0), axis=1) > step
    bad[1:] |= fast
    bad[:-1] |= fast
    bad[1:-1] |= np.linalg.norm(np.diff(curve, n=2, axis=0), axis=1) > bend
    return bad


def _widened(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    kernel = np.ones(2 * _AROUND + 1)
    return np.asarray(np.convolve(mask, kernel, mode="same") > 0.5)


def _without_spikes(curve: Float64, bend: float) -> Float64:
    # Here and not above: it takes longer to load than a command should take to answer.
    from scipy.ndimage import median_filter

    middle = median_filter(curve, size=(_SPIKE, 1), mode="nearest")
    wild = np.linalg.norm(curve - middle, axis=1) > bend
    return np.where(wild[:, None], middle, curve)


def _smoothed(wanted: Float64, weight: Float64) -> Float64:
    """Minimiser of the sum above, (T, C), for weights (T - 2,)."""
    bands = np.zeros((3, len(wanted)))
    bands[2] = 1.0
    # D' diag(m) D for rows (1, -2, 1), diagonal by diagonal.
    for row, factor in ((0, 1.0), (1, 4.0), (2, 1.0)):
        bands[2, row : row + len(weight)] += factor * weight
    for row in (0, 1):
        bands[1, 1 + row : 1 + row + len(weight)] -= 2.0 * weight
    bands[0, 2:] += weight
    from scipy.linalg import solveh_banded

    return np.asarray(solveh_banded(bands, wanted))
