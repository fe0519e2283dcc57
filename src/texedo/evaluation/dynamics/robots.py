"""What could be known at best: the motions performed by other robots, no verifier at all.

Whether a motion at the edge succeeds hangs on what no motion shows: friction, masses,
delays. Perturbed robots that perform it are a measure of that. Their share of successes is
taken for the success head, the progress of those that fail for q_g, and for q_d the one
that was measured on the nominal robot. No strict bound, for a few robots give a few
different answers, but a verifier that is as good as this leaves little but chance.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from texedo.evaluation.dynamics.forecasts import Foreseen
from texedo.evaluation.dynamics.heads import progress_row, success_row
from texedo.evaluation.dynamics.ranking import tau_row
from texedo.evaluation.dynamics.rollouts import Rollouts
from texedo.quality import oracle_quality
from texedo.see.dynamics.protocol import Forecast

ROBOTS = "perturbed robots, performed"


def robot_rows(rollouts: Rollouts) -> dict[str, dict[str, Any]] | None:
    """Rows of the tables "success", "others" and "tau"; None without such robots."""
    if np.isnan(rollouts.robust).any():
        return None
    suite = _as_foreseen(rollouts)
    return {
        "success": success_row(suite, None),
        "others": progress_row(suite),
        "tau": tau_row(suite),
    }


def _as_foreseen(rollouts: Rollouts) -> Foreseen:
    count, robust = len(rollouts), rollouts.robust
    quality = np.nan_to_num(rollouts.q_d)
    forecast = replace(
        Forecast.unknown(count),
        success=robust,
        robust=robust,
        quality=quality,
        progress=rollouts.robust_progress,
        r_dyn=oracle_quality(robust, quality, rollouts.robust_progress),
    )
    return Foreseen(rollouts, forecast, np.full(count, np.nan), 0, forecast.r_dyn)
