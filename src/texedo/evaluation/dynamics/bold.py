"""How boldly does the generator move, by temperature and guidance, and at what price?

Candidates for held-out captions, drawn with many settings. For each setting: how far the
joints travel, compared with the settings that ship, and whether a random candidate and
the one that R_dyn chooses succeed. Settings drawn from a range are put into cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.dynamics.forecasts import Foreseen
from texedo.evaluation.dynamics.pools import Pools, best_of
from texedo.evaluation.resample import mean_interval, row, share_interval

_FEW = 8
"""Up to so many different values are rows of their own."""
_WIDTHS = (0.2, 1.0)
"""Of the cells of temperature and guidance otherwise, with the shipped ones amid one."""

Float64 = NDArray[np.float64]


def cells(values: Float64, width: float, middle: float) -> tuple[Float64, Float64]:
    """The middle of the cell of each value, and of the cell of `middle`."""
    different = np.unique(values[~np.isnan(values)])
    if len(different) <= _FEW:
        own = different[np.argmin(np.abs(different - middle))] if len(different) else 0
        return values, np.asarray(own)
    number = np.floor((values - middle) / width + 0.5)
    return middle + number * width, np.asarray(middle)


def bold_rows(
    suite: Foreseen, *, shipped: tuple[float, float]
) -> dict[str, dict[str, Any]]:
    """A row for each temperature and guidance; travel is compared with that of
    `shipped`, with which a prompt is sampled if nothing is said."""
    rolled = suite.rollouts
    warm, warm_own = cells(rolled.temperature, _WIDTHS[0], shipped[0])
    led, led_own = cells(rolled.guidance, _WIDTHS[1], shipped[1])
    drawn = ~(np.isnan(warm) | np.isnan(led))
    pairs = np.unique(np.stack((warm[drawn], led[drawn]), axis=1).round(6), axis=0)
    ours = (warm.round(6) == warm_own.round(6)) & (led.round(6) == led_own.round(6))
    usual = float(suite.travel[ours].mean()) if ours.any() else float("nan")
    rows = {}
    for temperature, guidance in pairs:
        own = (warm.round(6) == temperature) & (led.round(6) == guidance)
        name = f"temperature {temperature:g}, guidance {guidance:g}"
        rows[name] = _bold_row(suite, np.flatnonzero(own), usual)
    return rows


def _bold_row(suite: Foreseen, own: NDArray[np.int64], usual: float) -> dict[str, Any]:
    rolled = suite.rollouts
    pools = Pools(rolled.group[own])
    scores = pools.rows(suite.forecast.r_dyn[own])
    travel = pools.rows(suite.travel[own])

    def chosen(values: Float64) -> Float64:
        """Of the best by R_dyn among all candidates of a prompt in this cell, (P,)."""
        found = np.full(len(pools), np.nan)
        for size in np.unique(pools.size):
            at = pools.size == size
            found[at] = best_of(scores[at], values[at], pools.size[at], int(size))
        return found

    success = pools.rows(rolled.success[own])
    robust = rolled.robust[own]
    # Where nobody but the nominal robot was asked, nothing is known of the others.
    tried = np.isfinite(robust).all()
    shaken = chosen(pools.rows(robust)) if tried else np.full(len(pools), np.nan)
    mean_travel = float(np.nanmean(travel, axis=1).mean())
    return {
        "prompts": len(pools),
        "candidates": float(pools.size.mean()),
        **row("travel [rad/s]", mean_interval(np.nanmean(travel, axis=1))),
        "over shipped": mean_travel / usual - 1 if usual > 0 else None,
        "travel of the choice": float(chosen(travel).mean()),
        **row("success, random", share_interval(np.nanmean(success, axis=1))),
        **row("success, chosen", share_interval(chosen(success))),
        **row("perturbed, chosen", share_interval(shaken)),
    }
