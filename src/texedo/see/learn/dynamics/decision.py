"""How decidedly R_dyn takes the probability of success, fitted on held-out test sets.

A calibrated probability hedges: of two motions with 0.93 and 0.97 the second ranks first,
whichever the robot follows better, though both will most likely be performed. The line
is the one of a few with which R_dyn orders the candidates of a prompt most like Q*. It
must not choose motions that fewer perturbed robots manage. Who passes does not depend on
it: that is decided by the probability itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.quality import oracle_quality
from texedo.see.dynamics.calibration import Line, decided
from texedo.see.learn.dynamics.figures import kendall_within

SLOPES = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
CENTRES = (0.0, 0.5, 1.0, 1.5)
"""Logit of what is as much a success as a failure."""
SLACK = 0.01
"""Shares that differ by less are alike: it is one prompt of a hundred."""

Float64 = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Suite:
    """The M motions of a held-out test set, as foreseen and as they went; (M,) each."""

    groups: list[str]
    """Prompt of each."""
    success: Float64
    """Calibrated probability."""
    quality: Float64
    progress: Float64
    shaken: Float64
    """Share of the perturbed robots that were."""
    q_star: Float64


class Merits(NamedTuple):
    """What R_dyn with a line is worth on a test set."""

    tau: float
    """Order within prompts, against Q*."""
    shaken: float
    """Share of the perturbed robots that manage what is chosen of each prompt."""


def fit_decision(suites: list[Suite]) -> Line:
    """The line with the highest mean tau that costs nothing else; the one that changes
    nothing if there is none better, or no test set."""
    if not suites:
        return Line()
    plain = [merits(suite, Line()) for suite in suites]
    best, highest = Line(), float(np.mean([own.tau for own in plain]))
    for line in _lines():
        found = [merits(suite, line) for suite in suites]
        tau = float(np.mean([own.tau for own in found]))
        if tau > highest and all(map(_costs_nothing, found, plain)):
            best, highest = line, tau
    return best


def merits(suite: Suite, line: Line) -> Merits:
    """Of R_dyn with that line."""
    r_dyn = oracle_quality(decided(suite.success, line), suite.quality, suite.progress)
    tau, _ = kendall_within(suite.groups, r_dyn, suite.q_star)
    return Merits(tau, float(suite.shaken[_chosen(suite, r_dyn)].mean()))


def _chosen(suite: Suite, r_dyn: Float64) -> NDArray[np.int64]:
    """The highest of each prompt."""
    _, group = np.unique(np.asarray(suite.groups), return_inverse=True)
    order = np.lexsort((r_dyn, group))
    last = np.append(np.diff(group[order]) > 0, True)
    return np.asarray(order[last], dtype=np.int64)


def _lines() -> Iterator[Line]:
    for slope, centre in product(SLOPES, CENTRES):
        yield Line(slope, -slope * centre)


def _costs_nothing(found: Merits, plain: Merits) -> bool:
    return found.shaken >= plain.shaken - SLACK
