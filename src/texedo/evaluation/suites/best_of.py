"""The best of N, from 1 to 32: who comes how near to the best that there is.

Of M candidates that were drawn, N are taken at random: what the highest score among them
is worth is an exact expectation (`dynamics.pools`), no draw is made. All M are performed.

    random      a candidate without a look
    R_dyn       the highest R_dyn             R_text      the highest R_text
    Texedo      the highest R_text above the threshold, or else the highest R_dyn
    oracle      knows how each candidate went: the best by the metric itself
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.dynamics.choosing import COUNTS
from texedo.evaluation.dynamics.pools import best_of
from texedo.evaluation.suites import figures as fig
from texedo.evaluation.suites.base import Base, Bools, Float64, Performed, Pool
from texedo.evaluation.suites.chart import curves_svg
from texedo.evaluation.suites.figures import Figure, Row, Table
from texedo.evaluation.suites.folder import Report
from texedo.evaluation.suites.prompts import Asked

RANDOM, DYNAMICS, SEMANTICS = "random", "R_dyn", "R_text"
TEXEDO, ORACLE, GAIN = "Texedo", "oracle", "share of the oracle's gain"


class Metric(NamedTuple):
    """Something that the choice is measured by."""

    name: str
    title: str
    values: Float64
    """Of all candidates, (P, M); NaN rows are prompts without it."""
    oracle: Float64
    """The score by which the oracle chooses, (P, M)."""
    weights: Float64 | None = None
    """A mean over those that count; None: over all prompts."""
    unit: str = ""
    by: str = DYNAMICS
    """The way to choose whose share of the oracle's gain is told."""


def best_of_report(base: Base, asked: Sequence[Asked], *, n: int) -> Report:
    """A table and a picture for each metric."""
    pool = base.pool(asked, n)
    performed = pool.perform(pool.everyone)
    metrics = [*physical(performed), *semantic(pool)]
    scores = way_scores(pool)
    tables, charts = [], {}
    for metric in metrics:
        curves = curves_of(metric, scores, n)
        name = file_name(metric.name)
        tables.append(
            Table(name=name, title=metric.title, rows=_rows(curves), note=_note(metric))
        )
        drawn = {way: own for way, own in curves.items() if way != GAIN}
        charts[f"{name}.svg"] = curves_svg(drawn, title=metric.title, unit=metric.unit)
    return Report(
        suite="best-of-n",
        title=f"Best of N = 1 to {n}",
        settings={**base.settings(), "prompts": len(asked), "candidates": n},
        words=(
            f"{len(asked)} prompts with {n} candidates each, all performed. A random "
            "candidate is worth the same for every N. The last column is the share of "
            "the way from random to the oracle that R_dyn comes, or R_text where the "
            "meaning is measured.",
        ),
        tables=tuple(tables),
        charts=charts,
    )


def way_scores(pool: Pool) -> dict[str, Float64]:
    """The highest one wins, (P, M) each."""
    screened = pool.r_dyn if pool.chance is None else pool.chance
    feasible = screened > pool.base.dynamics.threshold
    # R_text is at most 1 and R_dyn at least 0: the feasible ones come first.
    both = np.where(feasible, 2.0 + pool.r_text, pool.r_dyn)
    return {DYNAMICS: pool.r_dyn, SEMANTICS: pool.r_text, TEXEDO: both}


def physical(performed: Performed) -> list[Metric]:
    """Success, errors over successes, and Q*."""
    success, q_star = performed.success, performed.q_star
    metrics = [
        Metric("success", "Success", success, success + 0.5 * q_star),
        Metric("Q*", "Q*", q_star, q_star),
    ]
    for name, values, unit in (
        ("E_mpjpe-l", performed.mpjpe, "mm"),
        ("E_acc", performed.e_acc, "mm/frame^2"),
        ("E_vel", performed.e_vel, "mm/frame"),
    ):
        counts = np.where(np.isnan(values), 0.0, success)
        # Who fails has no error that counts, and comes last.
        oracle = np.where(counts > 0, -np.nan_to_num(values), -1e9)
        title = f"{name} of the successes"
        metrics.append(Metric(name, title, values, oracle, counts, unit))
    return metrics


def semantic(pool: Pool) -> list[Metric]:
    """Right by rules, and what judges say, as far as there is either."""
    found = {"right": ("Right, by rules", pool.right)}
    for name, scores in pool.judged(pool.everyone).items():
        found[f"judge ({name})"] = (f"Judge: {name}, 1 to 10", scores)
    return [
        Metric(name, title, values, values, by=SEMANTICS)
        for name, (title, values) in found.items()
        if not np.isnan(values).all()
    ]


def curves_of(
    metric: Metric, scores: Mapping[str, Float64], most: int
) -> dict[str, list[tuple[int, Figure]]]:
    """What each way to choose is worth for every N, and the share of the gain."""
    ways = {RANDOM: None, **scores, ORACLE: metric.oracle}
    curves: dict[str, list[tuple[int, Figure]]] = {way: [] for way in (*ways, GAIN)}
    for n in [count for count in COUNTS if count <= most]:
        terms = {way: _terms(metric, score, n) for way, score in ways.items()}
        for way, own in terms.items():
            curves[way].append((n, _figure(metric, own)))
        curves[GAIN].append((n, gain(terms[RANDOM], terms[metric.by], terms[ORACLE])))
    return curves


def expected(metric: Metric, score: Float64 | None, n: int) -> Figure:
    """What the highest score among N is worth; without a score: a random one."""
    return _figure(metric, _terms(metric, score, n))


class Terms(NamedTuple):
    """Of a mean over prompts: the sum of `part` over the sum of `whole`, (P,) each."""

    part: Float64
    whole: Float64


def gain(random: Terms, chosen: Terms, oracle: Terms, *, seed: int = 0) -> Figure:
    """Share of the way from random to the oracle, prompts drawn again for its interval;
    none where there is no way to go."""

    def value(own: Terms, rows: NDArray[np.int64]) -> Float64:
        wholes = own.whole[rows].sum(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(own.part[rows].sum(axis=-1) / wholes)

    def share(rows: NDArray[np.int64]) -> Float64:
        low, mine, high = (value(own, rows) for own in (random, chosen, oracle))
        way = high - low
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(np.abs(way) > 1e-9, (mine - low) / way, np.nan)

    prompts = len(random.whole)
    found = float(share(np.arange(prompts)))
    if np.isnan(found):
        return Figure(value=None, digits=2)
    draws = np.random.default_rng(seed).integers(prompts, size=(fig.DRAWS, prompts))
    shares = share(draws)
    low, high = np.percentile(shares[~np.isnan(shares)], (2.5, 97.5))
    n = int((random.whole > 0).sum())
    return Figure(value=found, interval=(float(low), float(high)), n=n, digits=2)


def _terms(metric: Metric, score: Float64 | None, n: int) -> Terms:
    """Zeros for a prompt without the metric."""
    values, weights = metric.values, metric.weights
    if weights is None:
        own = _choice(values, score, n, ~np.isnan(values))
        return Terms(np.nan_to_num(own), (~np.isnan(own)).astype(np.float64))
    known = ~np.isnan(weights)
    part = _choice(np.nan_to_num(values) * weights, score, n, known)
    whole = _choice(weights, score, n, known)
    return Terms(np.nan_to_num(part), np.nan_to_num(whole))


def _figure(metric: Metric, own: Terms) -> Figure:
    if metric.weights is not None:
        return fig.ratio(own.part, own.whole, digits=2)
    values = np.where(own.whole > 0, own.part, np.nan)
    shares = metric.name in ("success", "right")
    return fig.share(values) if shares else fig.mean(values)


def _choice(values: Float64, score: Float64 | None, n: int, known: Bools) -> Float64:
    """Expected value per prompt, (P,); among candidates whose value is known."""
    size = known.sum(axis=1).astype(np.int64)
    if score is None:
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.where(known, np.nan_to_num(values), 0.0).sum(axis=1) / size
        return np.where(size >= n, mean, np.nan)
    # A candidate without a value cannot be drawn: it comes last, and does not count.
    ranked = np.where(known, np.where(np.isnan(score), -1e12, score), np.nan)
    return best_of(ranked, np.where(known, values, np.nan), size, n)


def file_name(metric: str) -> str:
    """For a file: small letters, digits and dashes."""
    return "-".join(re.findall(r"[a-z0-9]+", metric.lower().replace("*", " star")))


def _rows(curves: Mapping[str, Sequence[tuple[int, Figure]]]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for way, curve in curves.items():
        for n, own in curve:
            rows.setdefault(f"N = {n}", {})[way] = own
    return rows


def _note(metric: Metric) -> str:
    return f"In {metric.unit}; less is better." if metric.unit else ""
