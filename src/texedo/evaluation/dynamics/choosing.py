"""The best of N by R_dyn: does it succeed, and how much of the oracle's gain is that?

The oracle knows how each candidate went: it takes the best Q*, and where perturbed robots
count, the largest share of them that finish, then the best Q*. A random candidate gains
nothing, the oracle all there is to gain.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.dynamics.forecasts import Foreseen
from texedo.evaluation.dynamics.pools import Pools, best_of
from texedo.evaluation.resample import row, share_interval

COUNTS = (1, 2, 4, 8, 16, 32)

Float64 = NDArray[np.float64]


def recovered(chosen: float, random: float, oracle: float) -> float | None:
    """Share of the oracle's gain over a random candidate; None where there is none."""
    return (chosen - random) / (oracle - random) if oracle - random > 1e-9 else None


def choice_rows(suite: Foreseen, *, perturbed: bool = False) -> dict[str, Any]:
    """A row for each N; success of the choice, or of perturbed robots that perform it."""
    rolled = suite.rollouts
    worth = rolled.robust if perturbed else rolled.success.astype(np.float64)
    known = ~np.isnan(worth)
    if not known.any():
        return {}
    group = rolled.group[known]
    # Q* is at most 1: it only decides between equal shares of robots.
    best = rolled.q_star + (4 * worth if perturbed else 0.0)
    rows = {}
    for n in COUNTS:
        pools = Pools(group, fewest=n)
        if not len(pools):
            break
        values = pools.rows(worth[known])
        by_score = best_of(
            pools.rows(suite.forecast.r_dyn[known]), values, pools.size, n
        )
        by_truth = best_of(pools.rows(best[known]), values, pools.size, n)
        random = np.nanmean(values, axis=1)
        rows[f"N = {n}"] = {
            "prompts": len(pools),
            **row("R_dyn", share_interval(by_score)),
            "random": float(random.mean()),
            "oracle": float(by_truth.mean()),
            "gain recovered": recovered(
                float(by_score.mean()), float(random.mean()), float(by_truth.mean())
            ),
        }
    return rows
