"""Area under the curve, and a figure with its interval as cells of a table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.tables import Record


def auc(
    values: NDArray[np.float64], truth: NDArray[np.bool_], weight: NDArray[np.float64]
) -> float:
    """Weighted share of pairs in which the true one is higher, a tie counting half."""
    order = np.argsort(values, kind="stable")
    values, truth, weight = values[order], truth[order], weight[order]
    false = np.where(truth, 0.0, weight)
    first = np.searchsorted(values, values, side="left")
    last = np.searchsorted(values, values, side="right")
    total = np.concatenate(([0.0], np.cumsum(false)))
    below, equal = total[first], total[last] - total[first]
    true = np.where(truth, weight, 0.0)
    pairs = true.sum() * false.sum()
    return float((true * (below + 0.5 * equal)).sum() / pairs) if pairs else np.nan


def cells(name: str, found: tuple[float | None, list[float] | None]) -> Record:
    """Two cells: the figure, and its 95 % interval in words."""
    value, interval = found
    text = "-" if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f}"
    return {name: value, f"{name} 95%": text}
