"""Figures of a verifier on held-out motions while it learns. Pure functions of arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
_BINS = 15
_MOST_GROUPS = 400


def auroc(score: Float64, positive: Bools) -> float:
    """Chance that a positive scores more than a negative; a tie is half. NaN if either
    is missing."""
    n, m = int(positive.sum()), int((~positive).sum())
    if not n or not m:
        return float("nan")
    return float((ranks(score)[positive].sum() - n * (n + 1) / 2) / (n * m))


def average_precision(score: Float64, positive: Bools) -> float:
    """Area under precision over recall."""
    if not positive.any():
        return float("nan")
    hit = positive[np.argsort(-score, kind="stable")]
    precision = np.cumsum(hit) / np.arange(1, len(hit) + 1)
    return float(precision[hit].mean())


def calibration_error(probability: Float64, share: Float64) -> float:
    """Expected calibration error over fifteen bins of equal width."""
    which = np.minimum((probability * _BINS).astype(np.int64), _BINS - 1)
    gaps = [
        abs(float((probability - share)[which == b].sum()))
        for b in range(_BINS)
        if (which == b).any()
    ]
    return float(np.sum(gaps) / max(len(probability), 1))


def spearman(a: Float64, b: Float64) -> float:
    """Correlation of ranks over what both know."""
    known = np.isfinite(a) & np.isfinite(b)
    if known.sum() < 3:
        return float("nan")
    x, y = ranks(a[known]), ranks(b[known])
    if not x.std() or not y.std():
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])


def kendall_within(
    groups: Sequence[str], score: Float64, truth: Float64
) -> tuple[float, int]:
    """Mean Kendall tau-b over groups of at least 4, and how many there are."""
    _, group = np.unique(np.asarray(groups), return_inverse=True)
    order = np.argsort(group, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    parts = [part for part in parts if len(part) >= 4]
    # Every second or third: names of one test set follow one another.
    parts = parts[:: max(1, -(-len(parts) // _MOST_GROUPS))]
    taus = [_kendall(score[part], truth[part]) for part in parts]
    taus = [tau for tau in taus if np.isfinite(tau)]
    return (float(np.mean(taus)) if taus else float("nan")), len(taus)


def ranks(values: Float64) -> Float64:
    """From 1 on; equal values share theirs."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[which], dtype=np.float64)


def _kendall(a: Float64, b: Float64) -> float:
    one, two = np.sign(a[:, None] - a), np.sign(b[:, None] - b)
    norm = np.sqrt((one != 0).sum() * (two != 0).sum())
    return float((one * two).sum() / norm) if norm else float("nan")
