"""When will it fall? From the hazard: the chance to fail at a frame if it got there.

Time of the fall: the median of the time that the hazard gives to the failure, supposed
that there is one; no other guess has a smaller mean absolute error. A verifier without a
hazard says it by its progress head: that share of the frames.

Alarm: from this frame on the chance to fail within a second is more than 1 - threshold,
the threshold that ships with the weights. Frames in a row are one alarm. On a
motion that succeeds it is a false one; on one that fails it should come before the fall.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.dynamics.forecasts import Foreseen
from texedo.evaluation.dynamics.heads import share
from texedo.evaluation.resample import Figure, row, with_interval
from texedo.motion import FPS

NEAR = 0.25
"""A time is called right when it is this near [s]."""
AHEAD = 1.0
"""How far an alarm looks [s]."""
_SURE = 1e-12

Float64 = NDArray[np.float64]


def fall_frame(hazard: NDArray[Any]) -> float:
    """Median frame of the failure if there is one; NaN for no frames or no risk."""
    if not len(hazard):
        return float("nan")
    risk = np.asarray(hazard, dtype=np.float64)
    alive = np.concatenate(([1.0], np.cumprod(1 - risk)[:-1]))
    chance = np.cumsum(alive * risk)
    if chance[-1] <= 0:
        return float("nan")
    return float(np.searchsorted(chance, chance[-1] / 2))


def soon(hazard: NDArray[Any], *, frames: int = round(AHEAD * FPS)) -> Float64:
    """Chance to fail within the next frames, this one included, for each frame, (T,)."""
    risk = np.clip(np.asarray(hazard, dtype=np.float64), 0.0, 1 - _SURE)
    total = np.concatenate(([0.0], np.cumsum(np.log1p(-risk))))
    ends = np.minimum(np.arange(len(risk)) + frames, len(risk))
    return np.asarray(-np.expm1(total[ends] - total[: len(risk)]))


def alarms(hazard: NDArray[Any], level: float) -> NDArray[np.int64]:
    """Frames at which an alarm begins."""
    high = soon(hazard) > level
    return np.flatnonzero(high & ~np.concatenate(([False], high[:-1])))


def fall_row(suite: Foreseen, threshold: float) -> dict[str, Any]:
    """Error of the time on failures, and false alarms on successes."""
    rolled, said = suite.rollouts, suite.forecast
    failed = np.flatnonzero(rolled.failed)
    if said.hazard is None:
        guess = said.progress[failed] * rolled.frames[failed]
    else:
        guess = np.array([fall_frame(said.hazard[i]) for i in failed])
    # Without any risk the guess is the end: it has to be a guess for all failures.
    guess = np.where(np.isnan(guess), rolled.frames[failed], guess)
    error = np.abs(guess - rolled.executed[failed]) / FPS
    group = rolled.group[failed]
    middle = np.median(rolled.progress[failed]) if len(failed) else np.nan
    plain = np.abs(middle * rolled.frames[failed] - rolled.executed[failed]) / FPS
    found: dict[str, Any] = {
        "failures": len(failed),
        **row("median error [s]", with_interval(weighted_median(error), group)),
        f"within {NEAR:g} s": share(error <= NEAR, np.ones(len(error)))(
            np.ones(len(error))
        ),
        "median error of one guess for all [s]": weighted_median(plain)(
            np.ones(len(plain))
        ),
    }
    return found | ({} if said.hazard is None else _alarm_cells(suite, threshold))


def weighted_median(values: Float64) -> Figure:
    """As a function of the weights; halfway where two values share the middle."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]

    def figure(weights: Float64) -> float:
        total = np.cumsum(weights[order])
        if not len(total) or total[-1] <= 0:
            return float("nan")
        half = total[-1] / 2
        low = np.searchsorted(total, half * (1 - _SURE))
        high = np.searchsorted(total, half * (1 + _SURE), side="right")
        high = min(int(high), len(ordered) - 1)
        return float((ordered[low] + ordered[high]) / 2)

    return figure


def _alarm_cells(suite: Foreseen, threshold: float) -> dict[str, Any]:
    rolled, hazards = suite.rollouts, suite.forecast.hazard or []
    begins = [alarms(own, 1 - threshold) for own in hazards]
    count = np.array([len(own) for own in begins], dtype=np.float64)
    minutes = rolled.frames / FPS / 60
    good = rolled.success
    warned = np.array(
        [len(own) > 0 and own[0] <= end for own, end in _pairs(begins, rolled.executed)]
    )
    ahead = np.array(
        [
            (end - own[0]) / FPS if len(own) and own[0] <= end else np.nan
            for own, end in _pairs(begins, rolled.executed)
        ]
    )
    early = ahead[rolled.failed & ~np.isnan(ahead)]

    def per_minute(weights: Float64) -> float:
        total = (weights * minutes)[good].sum()
        return float((weights * count)[good].sum() / total) if total else float("nan")

    return {
        "minutes of successes": float(minutes[good].sum()),
        **row("false alarms a minute", with_interval(per_minute, rolled.group)),
        **row(
            "failures warned of",
            with_interval(share(warned, rolled.failed), rolled.group),
        ),
        "median warning [s]": float(np.median(early)) if len(early) else None,
    }


def _pairs(
    begins: list[NDArray[np.int64]], ends: NDArray[np.int64]
) -> list[tuple[NDArray[np.int64], int]]:
    return [(own, int(end)) for own, end in zip(begins, ends, strict=True)]
