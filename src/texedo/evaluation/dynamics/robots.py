"""What could be known at best: the motions performed by other robots, no verifier at all.

Whether a motion at the edge succeeds hangs on what no motion shows: friction, masses,
delays. Perturbed robots that perform it are a measure of that. Their share of successes is
taken for the success head, the progress of those that fail for q_g, and for q_d the one
that was measured on the nominal robot. No strict bound, for a few robots give a few
different answers, but a verifier that is as good as this leaves little but chance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from texedo.evaluation.dynamics.forecasts import Foreseen
from texedo.evaluation.dynamics.heads import other_row, success_row
from texedo.evaluation.dynamics.ranking import tau_row
from texedo.evaluation.dynamics.rollouts import Rollouts
from texedo.quality import TERMINATIONS, oracle_quality
from texedo.see.dynamics.protocol import LIMBS, PAPER_THRESHOLD, Forecast

ROBOTS = "perturbed robots, performed"
_NO_VERIFIER = (
    "AUROC of R_dyn",
    "recall on failures",
    "successes refused",
    "threshold",
)
"""Columns that are about a threshold of R_dyn."""
_MEASURED = ("q_d and E_acc", "q_d and E_vel")
"""Columns that compare what was measured with itself."""


def robot_rows(rollouts: Rollouts) -> dict[str, dict[str, Any]] | None:
    """Rows of the tables "success", "others" and "tau"; None without such robots."""
    if np.isnan(rollouts.robust).any():
        return None
    suite = _as_foreseen(rollouts)
    success, others = success_row(suite, PAPER_THRESHOLD), other_row(suite)
    return {
        "success": _without(success, _NO_VERIFIER),
        "others": _without(
            others, (*_MEASURED, "termination named", "body part named")
        ),
        "tau": tau_row(suite),
    }


def _as_foreseen(rollouts: Rollouts) -> Foreseen:
    count, robust = len(rollouts), rollouts.robust
    quality = np.nan_to_num(rollouts.q_d)
    forecast = Forecast(
        success=robust,
        robust=robust,
        quality=quality,
        progress=rollouts.robust_progress,
        r_dyn=oracle_quality(robust, quality, rollouts.robust_progress),
        reasons=np.full((count, len(TERMINATIONS)), np.nan),
        limbs=np.full((count, len(LIMBS)), np.nan),
    )
    return Foreseen(rollouts, forecast, np.full(count, np.nan), 0)


def _without(row: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {
        key: value
        for key, value in row.items()
        if key.removesuffix(" 95%") not in names
    }
