"""The promise that goes with a threshold: made here, stored with the weights."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.see.dynamics.protocol import Filter
from texedo.see.dynamics.risk import (
    THRESHOLDS,
    Losses,
    Pick,
    fewest_prompts,
    prompt_losses,
    risk_bound,
    threshold_by_tests,
)

PICK: Pick = "random"
"""Who is handed out of those who pass, as far as the promise goes."""
TOGETHER = "all suites together"

Float64 = NDArray[np.float64]


class Candidates(NamedTuple):
    """Prompts of a suite with their candidates; rows with fewer end in NaN."""

    scores: Float64
    """What the threshold is of: R_dyn, or the chance to finish, (P, N)."""
    failures: Float64
    """1 where it fails, or the share of perturbed robots that do, (P, N)."""


def guarantee(
    suites: Mapping[str, Candidates],
    *,
    max_failure: float,
    confidence: float = 0.95,
    each: bool = False,
    filters_by: Filter = "r_dyn",
) -> dict[str, Any]:
    """The lowest threshold of which the promise can be made, and all about it.

    Of the prompts of all suites together, or with `each` of every suite by itself.
    """
    losses = {name: prompt_losses(*own, pick=PICK).loss for name, own in suites.items()}
    at = threshold_by_tests(losses, limit=max_failure, confidence=confidence, each=each)
    if at is None:
        raise TexedoError(_too_few(losses, max_failure, confidence, each=each))
    threshold = round(float(THRESHOLDS[at]), 6)
    shown = dict(suites) if each else {TOGETHER: join_suites(suites.values()), **suites}
    rows = {
        name: suite_risk(own, threshold, confidence=confidence)
        for name, own in shown.items()
    }
    promised = list(rows.values()) if each else [rows[TOGETHER]]
    return {
        "threshold": threshold,
        "filters_by": filters_by,
        "max_failure": max_failure,
        "level": confidence,
        "n": sum(row["prompts"] for row in promised),
        "bound": max(row["bound"] for row in promised),
        "refused": max(row["refused"] for row in promised),
        "empty": max(row["empty"] for row in promised),
        "pick": PICK,
        "candidates": max(own.scores.shape[1] for own in suites.values()),
        "each": each,
        "suites": rows,
    }


def suite_risk(
    suite: Candidates, threshold: float, *, confidence: float
) -> dict[str, Any]:
    """What a threshold does to the prompts of one suite."""
    found: dict[Pick, Losses] = {
        pick: prompt_losses(*suite, thresholds=[threshold], pick=pick)
        for pick in ("random", "best", "any")
    }
    known = np.isfinite(suite.scores) & np.isfinite(suite.failures)
    passes = known & (suite.scores > threshold)
    fine = np.where(known, 1 - suite.failures, 0.0)
    return {
        "prompts": len(suite.scores),
        "failure": float(found[PICK].loss.mean()),
        "bound": risk_bound(found[PICK].loss[0], confidence=confidence),
        "failure of the best": float(found["best"].loss.mean()),
        "any failure passes": float(found["any"].loss.mean()),
        "empty": float(found[PICK].empty.mean()),
        "refused": float(1 - passes.sum() / max(known.sum(), 1)),
        "successes refused": float(1 - fine[passes].sum() / max(fine.sum(), 1e-9)),
    }


def join_suites(suites: Collection[Candidates]) -> Candidates:
    """All prompts, with as many columns as the widest suite has."""
    width = max(own.scores.shape[1] for own in suites)

    def wide(array: Float64) -> Float64:
        room = ((0, 0), (0, width - array.shape[1]))
        return np.pad(array, room, constant_values=np.nan)

    return Candidates(
        np.concatenate([wide(own.scores) for own in suites]),
        np.concatenate([wide(own.failures) for own in suites]),
    )


def _too_few(
    losses: Mapping[str, Float64], limit: float, confidence: float, *, each: bool
) -> str:
    need = fewest_prompts(limit=limit, confidence=confidence)
    sizes = ", ".join(f"{name} {own.shape[1]}" for name, own in losses.items())
    whose = "of each suite" if each else "in all"
    return (
        f"A failure rate of at most {limit:g} with confidence {confidence:g} takes at "
        f"least {need} prompts {whose} ({sizes}); label more, raise the rate, or lower "
        "the confidence."
    )
