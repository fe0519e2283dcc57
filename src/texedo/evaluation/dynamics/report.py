"""All figures of dynamic verifiers on the test sets, each set by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from texedo.core.errors import TexedoError
from texedo.evaluation.dynamics.bold import bold_rows
from texedo.evaluation.dynamics.calibration import calibration_rows
from texedo.evaluation.dynamics.choosing import choice_rows
from texedo.evaluation.dynamics.falls import fall_row
from texedo.evaluation.dynamics.forecasts import Foreseen, foresee_suite
from texedo.evaluation.dynamics.heads import kind_rows, other_row, success_row
from texedo.evaluation.dynamics.ranking import reward_rows, tau_row
from texedo.evaluation.dynamics.robots import robot_rows
from texedo.evaluation.dynamics.rollouts import BOLD, SUITES, Share, find_suites
from texedo.evaluation.dynamics.splits import split_rows, suite_candidates
from texedo.quality import Normalizers
from texedo.see.dynamics.protocol import FILTER_NAMES, DynamicsVerifier, filter_of

Record = dict[str, Any]
Stage = Callable[[str, int, int], None]
"""Called with what is done, how many are, and how many there are."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Bench:
    """Labelled motions, and where forecasts of them are kept."""

    trials: Path
    labels: Path
    normalizers: Normalizers
    """Of the tracker that performed them: Q* rests on it."""
    folder: Path
    """Forecasts are kept here."""
    report: Stage | None = None

    def find(self, suites: Sequence[str]) -> dict[str, list[Share]]:
        """Those of the suites that there are."""
        return find_suites(self.trials, self.labels, suites)

    def foresee(
        self, verifier: DynamicsVerifier, suite: str, shares: Sequence[Share]
    ) -> Foreseen:
        """The suite as it went and as the verifier foresees it."""
        stage, tell = f"{verifier.name}: {suite}", self.report

        def progress(done: int, total: int) -> None:
            if tell is not None:
                tell(stage, done, total)

        return foresee_suite(
            verifier,
            shares,
            normalizers=self.normalizers,
            folder=self.folder / verifier.digest[:16] / suite.replace(" ", "-"),
            progress=progress,
        )


def dynamics_report(
    bench: Bench,
    verifiers: Mapping[str, DynamicsVerifier],
    *,
    suites: Sequence[str] = SUITES,
    shipped: tuple[float, float] | None = None,
) -> Record:
    """Every table of every suite, verifiers side by side.

    With `shipped`, the temperature and guidance that ship, also what other settings do.
    """
    report: Record = {
        "labels": bench.labels.name,
        "verifiers": {name: _verifier(own) for name, own in verifiers.items()},
        "suites": {},
        "robots": {},
    }
    for suite, shares in bench.find(suites).items():
        foreseen = {
            name: bench.foresee(verifier, suite, shares)
            for name, verifier in verifiers.items()
        }
        report["suites"][suite] = {
            name: suite_figures(own, verifiers[name].threshold)
            for name, own in foreseen.items()
        }
        # How the motions went is the same for all of them.
        report["robots"][suite] = robot_rows(next(iter(foreseen.values())).rollouts)
    if shipped is not None:
        shares = bench.find([BOLD])[BOLD]
        report["boldness"] = {
            name: bold_rows(bench.foresee(verifier, BOLD, shares), shipped=shipped)
            for name, verifier in verifiers.items()
        }
    return report


def suite_figures(suite: Foreseen, threshold: float) -> Record:
    """All tables of one verifier on one suite."""
    rolled = suite.rollouts
    if not len(rolled):
        raise TexedoError("None of the motions of the suite could be tried.")
    return {
        "robust": _mean(rolled.robust),
        "unread": suite.unread,
        "success": success_row(suite, threshold),
        "others": other_row(suite),
        "tau": tau_row(suite),
        "rewards": reward_rows(suite),
        "choice": choice_rows(suite),
        "choice, perturbed": choice_rows(suite, perturbed=True),
        "calibration": calibration_rows(suite),
        "falls": fall_row(suite, threshold),
        "recipes": kind_rows(suite, rolled.recipe, threshold),
        "families": kind_rows(suite, rolled.family, threshold),
    }


def guarantee_report(
    bench: Bench,
    verifiers: Mapping[str, DynamicsVerifier],
    *,
    suites: Sequence[str],
    max_failure: float,
    confidence: float,
    each: bool,
) -> Record:
    """In how many of 100 random splits of the prompts the promise holds."""
    shares = bench.find(suites)
    rows: Record = {}
    for name, verifier in verifiers.items():
        sets = {
            suite: suite_candidates(bench.foresee(verifier, suite, own))
            for suite, own in shares.items()
        }
        found = split_rows(
            sets, max_failure=max_failure, confidence=confidence, each=each
        )
        rows |= {f"{name}, {way}": row for way, row in found.items()}
    return {
        "max_failure": max_failure,
        "confidence": confidence,
        "each": each,
        "suites": list(shares),
        "rows": rows,
    }


def _verifier(verifier: DynamicsVerifier) -> Record:
    return {
        "name": verifier.name,
        "hash": verifier.digest,
        "tracker": verifier.tracker,
        "threshold": float(verifier.threshold),
        "filters_by": FILTER_NAMES[filter_of(verifier)],
    }


def _mean(values: Any) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None
