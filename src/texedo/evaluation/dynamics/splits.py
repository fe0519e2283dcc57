"""Does the promise of a threshold hold? Halves of the prompts, drawn again and again.

On one half a threshold is chosen, on the other the failure rate of what is handed out is
measured. It holds if that rate is at most the promised one: over all prompts, or in each
suite, as was promised. A half too small to promise anything is counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.dynamics.forecasts import Foreseen
from texedo.evaluation.dynamics.pools import Pools
from texedo.see.dynamics.guarantee import (
    PICK,
    Candidates,
)
from texedo.see.dynamics.risk import (
    THRESHOLDS,
    Losses,
    conformal_threshold,
    prompt_losses,
    threshold_by_tests,
)

SPLITS = 100

Float64 = NDArray[np.float64]


def suite_candidates(suite: Foreseen, *, perturbed: bool = False) -> Candidates:
    """What the threshold is of, and failures of a suite, a row per prompt."""
    rollouts = suite.rollouts
    pools = Pools(rollouts.group)
    failures = 1 - rollouts.robust if perturbed else rollouts.failed
    return Candidates(pools.rows(suite.screened), pools.rows(failures))


def split_rows(
    suites: Mapping[str, Candidates],
    *,
    max_failure: float,
    confidence: float = 0.95,
    each: bool = False,
    splits: int = SPLITS,
    seed: int = 0,
) -> dict[str, dict[str, Any]]:
    """In how many of the splits the promise holds; by tests, and by conformal risk
    control beside it, whose promise is one on average."""
    losses = {name: prompt_losses(*own, pick=PICK) for name, own in suites.items()}
    rng = np.random.default_rng(seed)
    found: dict[str, list[dict[str, float]]] = {"tested": [], "on average": []}
    for _ in range(splits):
        half, other = _halves(losses, rng)
        ways = {
            "tested": threshold_by_tests(
                half, limit=max_failure, confidence=confidence, each=each
            ),
            "on average": _conformal(half, max_failure, each=each),
        }
        for way, at in ways.items():
            if at is not None:
                found[way].append(_measured(other, at, each=each))
    return {
        way: _summary(rows, splits=splits, max_failure=max_failure)
        for way, rows in found.items()
    }


def _halves(
    losses: Mapping[str, Losses], rng: np.random.Generator
) -> tuple[dict[str, Float64], dict[str, Losses]]:
    """Losses of half of the prompts of each suite, and all about the other half."""
    half, other = {}, {}
    for name, own in losses.items():
        order = rng.permutation(own.loss.shape[1])
        first, second = np.split(order, [len(order) // 2])
        half[name] = own.loss[:, first]
        other[name] = Losses(own.loss[:, second], own.empty[:, second])
    return half, other


def _measured(other: Mapping[str, Losses], at: int, *, each: bool) -> dict[str, float]:
    """What a threshold does to prompts that it was not chosen on."""
    rates = [float(own.loss[at].mean()) for own in other.values()]
    joined = np.concatenate([own.loss[at] for own in other.values()])
    empty = np.concatenate([own.empty[at] for own in other.values()])
    return {
        "threshold": float(THRESHOLDS[at]),
        "failure": max(rates) if each else float(joined.mean()),
        "worst": max(rates),
        "empty": float(empty.mean()),
    }


def _conformal(
    losses: Mapping[str, Float64], limit: float, *, each: bool
) -> int | None:
    """Of several suites the highest threshold: the first that suits them all."""
    sets = list(losses.values()) if each else [np.concatenate([*losses.values()], 1)]
    found = [conformal_threshold(own, limit=limit) for own in sets]
    numbers = [number for number in found if number is not None]
    return min(numbers) if len(numbers) == len(found) else None


def _summary(
    rows: list[dict[str, float]], *, splits: int, max_failure: float
) -> dict[str, Any]:
    def mean(name: str) -> float | None:
        return float(np.mean([row[name] for row in rows])) if rows else None

    return {
        "splits": splits,
        "holds": sum(row["failure"] <= max_failure for row in rows),
        "nothing to promise": splits - len(rows),
        "mean failure": mean("failure"),
        "largest": max((row["failure"] for row in rows), default=None),
        "worst suite, mean": mean("worst"),
        "mean threshold": mean("threshold"),
        "nobody passes": mean("empty"),
    }
