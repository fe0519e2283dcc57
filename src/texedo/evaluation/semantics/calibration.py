"""Is a pair with R_text 0.7 a true one in 7 of 10 cases? True against contrary pairs.

Both sides have the same weight in all, whatever their numbers: before the score is read,
a pair is as likely true as not. So the figures hold for that mix alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

BINS = 10

Float64 = NDArray[np.float64]


def reliability(
    true: Float64, false: Float64, *, bins: int = BINS
) -> list[dict[str, Any]]:
    """For each tenth of R_text: pairs in it, their mean R_text, the share that is true."""
    rows = []
    numbers = [_bin(scores, bins) for scores in (true, false)]
    weights = [1 / max(len(true), 1), 1 / max(len(false), 1)]
    for b in range(bins):
        own, other = true[numbers[0] == b], false[numbers[1] == b]
        weight = len(own) * weights[0] + len(other) * weights[1]
        total = own.sum() * weights[0] + other.sum() * weights[1]
        rows.append(
            {
                "from": b / bins,
                "to": (b + 1) / bins,
                "true": len(own),
                "false": len(other),
                "weight": weight / 2,
                "mean R_text": float(total / weight) if weight else None,
                "share true": float(len(own) * weights[0] / weight) if weight else None,
            }
        )
    return rows


def calibration_error(rows: list[dict[str, Any]]) -> float:
    """ECE: mean distance of the share that is true from the mean R_text."""
    return float(
        sum(
            row["weight"] * abs(row["share true"] - row["mean R_text"])
            for row in rows
            if row["weight"]
        )
    )


def _bin(scores: Float64, bins: int) -> NDArray[np.int64]:
    return np.clip((scores * bins).astype(np.int64), 0, bins - 1)
