"""One head at a time. Figures of scores with a weight for each motion.

AUROC: how often a success scores higher than a failure; ties count half.
AUPRC: mean precision over the positives as they are found from the highest score down;
       motions of one score are found together. A coin has the share of positives.
Spearman: correlation of ranks; ties share theirs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from texedo.evaluation.dynamics.forecasts import Foreseen
from texedo.evaluation.resample import Figure, row, with_interval

RECALL = 0.93
"""Of the paper's verifier."""
AT_RECALL = f"refused by p_s at recall {RECALL:g}"

Float64 = NDArray[np.float64]
Ints = NDArray[np.int64]


class Ranks:
    """Motions in the order of a score, sorted once for any number of weights."""

    def __init__(self, scores: ArrayLike) -> None:
        values = np.asarray(scores, dtype=np.float64)
        self.order = np.argsort(values, kind="stable")
        ordered = values[self.order]
        new = np.concatenate(([True], ordered[1:] != ordered[:-1]))
        self.first = np.flatnonzero(new[: len(values)])
        """Where each different score begins, (K,)."""
        self.level = np.cumsum(new[: len(values)]) - 1
        """Number of its score for each motion in order, (M,)."""

    def sums(self, values: Float64) -> Float64:
        """Sum over the motions of each different score, lowest first, (K,)."""
        return np.add.reduceat(values[self.order], self.first)

    def ranks(self, weights: Float64) -> Float64:
        """Rank of each motion among all with their weights, (M,)."""
        own = self.sums(weights)
        middle = np.cumsum(own) - own / 2
        found = np.empty(len(self.order))
        found[self.order] = middle[self.level]
        return found


def auroc(scores: ArrayLike, positive: ArrayLike) -> Figure:
    """As a function of the weights; NaN without both kinds."""
    ranks, is_positive = Ranks(scores), np.asarray(positive, dtype=np.float64)

    def figure(weights: Float64) -> float:
        good = ranks.sums(weights * is_positive)
        bad = ranks.sums(weights * (1 - is_positive))
        pairs = good.sum() * bad.sum()
        below = np.cumsum(bad) - bad / 2
        return float((good * below).sum() / pairs) if pairs > 0 else float("nan")

    return figure


def auprc(scores: ArrayLike, positive: ArrayLike) -> Figure:
    """As a function of the weights; NaN without a positive."""
    ranks = Ranks(-np.asarray(scores, dtype=np.float64))
    is_positive = np.asarray(positive, dtype=np.float64)

    def figure(weights: Float64) -> float:
        hits, seen = ranks.sums(weights * is_positive), ranks.sums(weights)
        if not hits.sum() > 0:
            return float("nan")
        precision = np.cumsum(hits) / np.maximum(np.cumsum(seen), 1e-12)
        return float((hits * precision).sum() / hits.sum())

    return figure


def spearman(a: ArrayLike, b: ArrayLike) -> Figure:
    """As a function of the weights; NaN where one of the two never varies."""
    first, second = Ranks(a), Ranks(b)

    def figure(weights: Float64) -> float:
        total = weights.sum()
        if len(weights) < 2 or total < 2:
            return float("nan")
        x, y = first.ranks(weights), second.ranks(weights)
        x, y = (v - (weights * v).sum() / total for v in (x, y))
        spread = np.sqrt((weights * x * x).sum() * (weights * y * y).sum())
        return float((weights * x * y).sum() / spread) if spread > 0 else float("nan")

    return figure


def share(of: ArrayLike, among: ArrayLike) -> Figure:
    """Weighted share `of` among those who are `among`; NaN without any."""
    hit = np.asarray(of, np.float64) * np.asarray(among, np.float64)
    base = np.asarray(among, dtype=np.float64)

    def figure(weights: Float64) -> float:
        total = (weights * base).sum()
        return float((weights * hit).sum() / total) if total > 0 else float("nan")

    return figure


def refused_at(scores: ArrayLike, positive: ArrayLike, recall: float) -> Figure:
    """Share of the positives below the lowest cut that leaves at least `recall` of the
    others below it, as a function of the weights; those at the cut are refused too."""
    ranks, is_positive = Ranks(scores), np.asarray(positive, dtype=np.float64)

    def figure(weights: Float64) -> float:
        good = ranks.sums(weights * is_positive)
        bad = ranks.sums(weights * (1 - is_positive))
        if not (good.sum() > 0 and bad.sum() > 0):
            return float("nan")
        found = np.cumsum(bad) / bad.sum()
        at = int(np.searchsorted(found, recall - 1e-12))
        return float(np.cumsum(good)[at] / good.sum())

    return figure


def success_row(suite: Foreseen, threshold: float | None) -> dict[str, Any]:
    """The success head: who fails, and who is refused at the threshold; without
    one nothing is said of R_dyn."""
    rolled, said = suite.rollouts, suite.forecast
    figures: dict[str, Figure] = {
        "base rate": share(rolled.failed, np.ones(len(rolled))),
        "AUROC": auroc(said.success, rolled.success),
        "AUPRC of failures": auprc(-said.success, rolled.failed),
        "AUPRC of successes": auprc(said.success, rolled.success),
    }
    if threshold is not None:
        refused = ~(suite.screened > threshold)
        figures |= {
            "AUROC of R_dyn": auroc(said.r_dyn, rolled.success),
            "recall on failures": share(refused, rolled.failed),
            "successes refused": share(refused, rolled.success),
        }
    figures[AT_RECALL] = refused_at(said.success, rolled.success, RECALL)
    counts = {
        "n": len(rolled),
        "groups": len(np.unique(rolled.group)),
        "failures": int(rolled.failed.sum()),
    }
    found = counts | _cells(figures, rolled.group)
    return found if threshold is None else found | {"threshold": float(threshold)}


def other_row(suite: Foreseen) -> dict[str, Any]:
    """The other heads: rank correlations, and what fails first."""
    rolled, said = suite.rollouts, suite.forecast
    found: dict[str, Any] = {"n": len(rolled), "failures": int(rolled.failed.sum())}
    for name, error in (("E_acc", rolled.e_acc), ("E_vel", rolled.e_vel)):
        has = ~np.isnan(error)
        figure = spearman(said.quality[has], error[has])
        found |= row(f"q_d and {name}", with_interval(figure, rolled.group[has]))
    found |= progress_row(suite)
    for name, guess, truth in (
        ("termination named", said.reasons, rolled.reasons),
        ("body part named", said.limbs, rolled.limbs),
    ):
        known = rolled.failed & ~np.isnan(guess).any(axis=1) & truth.any(axis=1)
        best = np.argmax(guess[known], axis=1) if known.any() else np.zeros(0, np.int64)
        right = truth[known][np.arange(len(best)), best]
        figure = share(right, np.ones(len(right)))
        found |= row(name, with_interval(figure, rolled.group[known]))
    return found


def progress_row(suite: Foreseen) -> dict[str, Any]:
    """How far it comes: rank correlations over all motions and over failures."""
    rolled, said, failed = suite.rollouts, suite.forecast, suite.rollouts.failed
    figure = spearman(said.progress, rolled.progress)
    found: dict[str, Any] = {"n": len(rolled), "failures": int(failed.sum())}
    found |= row("q_g and progress", with_interval(figure, rolled.group))
    figure = spearman(said.progress[failed], rolled.progress[failed])
    return found | row("q_g on failures", with_interval(figure, rolled.group[failed]))


def kind_rows(
    suite: Foreseen, kinds: NDArray[np.str_], threshold: float, *, most: int = 20
) -> dict[str, Any]:
    """Failures by recipe or by family, most failures first."""
    rolled, said = suite.rollouts, suite.forecast
    refused = ~(suite.screened > threshold)
    names, numbers = np.unique(kinds, return_inverse=True)
    failures = np.bincount(numbers, weights=rolled.failed, minlength=len(names))
    rows = {}
    for number in np.argsort(-failures, kind="stable")[:most]:
        own = numbers == number
        figures: dict[str, Figure] = {
            "success": share(rolled.success[own], np.ones(own.sum())),
            "AUROC": auroc(said.success[own], rolled.success[own]),
            "recall on failures": share(refused[own], rolled.failed[own]),
            "successes refused": share(refused[own], rolled.success[own]),
        }
        counts = {"n": int(own.sum()), "failures": int(failures[number])}
        rows[str(names[number]) or "-"] = counts | _cells(figures, rolled.group[own])
    return rows


def _cells(figures: dict[str, Figure], group: Ints) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, figure in figures.items():
        found |= row(name, with_interval(figure, group))
    return found
