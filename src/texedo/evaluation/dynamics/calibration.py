"""Of the motions with success probability 0.9, do nine of ten succeed?

ECE: motions in the order of the probability are cut into 15 bins of equal size; the mean
over the bins of the distance between mean probability and share of successes. Bins of
equal width would leave nearly all motions in the last one. Brier: mean square distance
of probability and outcome. For perturbed robots the outcome is the share that finished.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.dynamics.forecasts import Foreseen
from texedo.evaluation.resample import Figure, row, with_interval

BINS = 15

Float64 = NDArray[np.float64]
Ints = NDArray[np.int64]


def equal_bins(probability: Float64, *, bins: int = BINS) -> Ints:
    """Number of the bin of each motion, (M,); bins differ by one motion at most."""
    order = np.argsort(probability, kind="stable")
    found = np.empty(len(probability), dtype=np.int64)
    found[order] = np.arange(len(probability)) * bins // max(len(probability), 1)
    return found


def ece(probability: Float64, outcome: Float64, *, bins: int = BINS) -> Figure:
    """Expected calibration error as a function of the weights of the motions.

    Motions stay in the bin that they have with all weights equal.
    """
    number = equal_bins(probability, bins=bins)

    def figure(weights: Float64) -> float:
        apart = np.bincount(number, weights * (outcome - probability), minlength=bins)
        total = weights.sum()
        return float(np.abs(apart).sum() / total) if total > 0 else float("nan")

    return figure


def brier(probability: Float64, outcome: Float64) -> Figure:
    """Mean square distance as a function of the weights."""
    square = (outcome - probability) ** 2

    def figure(weights: Float64) -> float:
        total = weights.sum()
        return float((weights * square).sum() / total) if total > 0 else float("nan")

    return figure


def reliability(
    probability: Float64, outcome: Float64, *, bins: int = BINS
) -> list[dict[str, Any]]:
    """For each bin: motions in it, their mean probability, the share that succeeds."""
    number = equal_bins(probability, bins=bins)
    rows = []
    for b in range(bins):
        own = number == b
        if own.any():
            rows.append(
                {
                    "n": int(own.sum()),
                    "from": float(probability[own].min()),
                    "to": float(probability[own].max()),
                    "probability": float(probability[own].mean()),
                    "outcome": float(outcome[own].mean()),
                }
            )
    return rows


def calibration_rows(suite: Foreseen) -> dict[str, dict[str, Any]]:
    """Rows for success, and for perturbed robots where both sides know of them."""
    rolled, said = suite.rollouts, suite.forecast
    sides = {
        "success": (said.success, rolled.success.astype(np.float64)),
        "perturbed robots": (said.robust, rolled.robust),
    }
    rows = {}
    for name, (probability, outcome) in sides.items():
        known = ~(np.isnan(probability) | np.isnan(outcome))
        if not known.any():
            continue
        p, y, group = probability[known], outcome[known], rolled.group[known]
        rows[name] = {
            "n": len(p),
            **row("ECE", with_interval(ece(p, y), group)),
            **row("Brier", with_interval(brier(p, y), group)),
            "mean probability": float(p.mean()),
            "mean outcome": float(y.mean()),
            "bins": reliability(p, y),
        }
    return rows
