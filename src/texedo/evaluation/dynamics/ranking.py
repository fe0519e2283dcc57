"""Does R_dyn put the candidates of a prompt in the order of Q*, and would other rewards?

Kendall's tau-b: pairs in the same order less pairs in the other, over the root of the
pairs that differ in one and of those that differ in the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.dynamics.forecasts import Foreseen
from texedo.evaluation.dynamics.pools import Pools, best_of
from texedo.evaluation.resample import mean_interval, row, share_interval

PAPER_N = 8
"""Candidates in the paper's comparison of rewards."""
_ROOM = 4_000_000
"""Pairs that are compared at a time."""

Float64 = NDArray[np.float64]


def tau_b(a: Float64, b: Float64) -> Float64:
    """Kendall's tau-b of each row, (P,); NaN ends a row, and is a tau without pairs."""
    count, width = a.shape
    found = np.full(count, np.nan)
    step = max(1, _ROOM // max(width * width, 1))
    upper = np.triu(np.ones((width, width), dtype=np.bool_), 1)
    for at in range(0, count, step):
        x, y = a[at : at + step], b[at : at + step]
        known = ~(np.isnan(x) | np.isnan(y))
        pairs = known[:, :, None] & known[:, None, :] & upper
        dx = np.where(pairs, np.sign(x[:, :, None] - x[:, None, :]), 0.0)
        dy = np.where(pairs, np.sign(y[:, :, None] - y[:, None, :]), 0.0)
        spread = np.sqrt(np.abs(dx).sum(axis=(1, 2)) * np.abs(dy).sum(axis=(1, 2)))
        with np.errstate(invalid="ignore", divide="ignore"):
            found[at : at + step] = (dx * dy).sum(axis=(1, 2)) / spread
    return found


def tau_row(suite: Foreseen) -> dict[str, Any]:
    """Mean tau over prompts, by whether their candidates succeed."""
    rolled = suite.rollouts
    pools = Pools(rolled.group, fewest=2)
    tau = tau_b(pools.rows(suite.forecast.r_dyn), pools.rows(rolled.q_star))
    share = np.nanmean(pools.rows(rolled.success), axis=1) if len(pools) else tau
    kinds = {
        "all": np.ones(len(tau), dtype=np.bool_),
        "mixed": (share > 0) & (share < 1),
        "all fail": share == 0,
        "all succeed": share == 1,
    }
    found: dict[str, Any] = {"undefined": int(np.isnan(tau).sum())}
    for name, own in kinds.items():
        found |= {f"n {name}": int((own & ~np.isnan(tau)).sum())}
        found |= row(name, mean_interval(tau[own]))
    return found


def rewards(suite: Foreseen) -> dict[str, Float64]:
    """Ways to make one number of the three heads, as in the paper."""
    said = suite.forecast
    return {
        "(a) p_s": said.success,
        "(b) q_d": said.quality,
        "(c) q_g": said.progress,
        "(d) p_s q_d": said.success * said.quality,
        "(e) p_s q_g": said.success * said.progress,
        "(f) R_dyn": said.r_dyn,
    }


def reward_rows(suite: Foreseen, *, n: int = PAPER_N) -> dict[str, dict[str, Any]]:
    """What each reward chooses from N candidates: success, Q*, and the progress where
    all of the N fail."""
    rolled = suite.rollouts
    pools = Pools(rolled.group, fewest=n)
    success, q_star = pools.rows(rolled.success), pools.rows(rolled.q_star)
    progress = pools.rows(rolled.progress)
    failed = np.where(pools.inside, success == 0, False)
    fails = failed.sum(axis=1).astype(np.int64)
    # How often all N fail, (P,): the weight of a prompt in the last column.
    hopeless = best_of(
        np.where(failed, 0.0, np.nan), np.ones_like(success), fails, n, among=pools.size
    )
    rows = {}
    for name, reward in rewards(suite).items():
        scores = pools.rows(reward)
        among = np.where(failed, scores, np.nan)
        came = best_of(among, progress, fails, n, among=pools.size)
        total = float(hopeless.sum())
        rows[name] = {
            "prompts": len(pools),
            **row("success", share_interval(best_of(scores, success, pools.size, n))),
            **row("Q*", mean_interval(best_of(scores, q_star, pools.size, n))),
            "all-fail draws": total,
            "all-fail progress": float(came.sum()) / total if total > 0 else None,
        }
    return rows
