"""Scorers at work together: one says who can be performed, R_text who fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from texedo.motion import Motion
from texedo.see.scores import (
    Float64,
    Gives,
    HasThreshold,
    Progress,
    Scorer,
    Scores,
    fit_bound,
)


class PerformedAndRead:
    """The scores of a scorer that performs candidates or foresees how that would go, and
    R_text of another.

    Where the first has no R_dyn, what it saw stands for it: 1 for a candidate that is
    performed to the end, Q* for one that is not, which is at most 0.6. So the rule `texedo`
    takes the best R_text among the survivors, and the highest Q* if there are none.
    """

    def __init__(self, performer: Scorer, reader: Scorer) -> None:
        self._performer, self._reader = performer, reader
        self.name = f"{performer.name}, {reader.name}"

    @property
    def gives(self) -> frozenset[str]:
        """R_dyn, R_text, and Q* unless the first says that it has none."""
        known = frozenset({"quality"})
        if isinstance(self._performer, Gives):
            known = self._performer.gives
        return known | {"dynamics", "semantics"}

    @property
    def threshold(self) -> float | None:
        """That of the first, if it has one."""
        first = self._performer
        return first.threshold if isinstance(first, HasThreshold) else None

    @property
    def fits_from(self) -> float | None:
        """That of the second, if it has one."""
        return fit_bound(self._reader)

    @property
    def digest(self) -> str:
        return f"{self._performer.digest}+{self._reader.digest}"

    def score(
        self,
        prompt: str,
        candidates: Sequence[Motion],
        *,
        progress: Progress | None = None,
    ) -> Scores:
        """All that either knows of each candidate."""
        performed = self._performer.score(prompt, candidates, progress=progress)
        read = self._reader.score(prompt, candidates)
        return replace(
            performed,
            dynamics=measured_dynamics(performed),
            semantics=read.semantics,
            columns=performed.columns | read.columns,
            remarks=performed.remarks + read.remarks,
        )


def measured_dynamics(scores: Scores) -> Float64:
    """R_dyn, (N,), and where nobody knows it what a performance says in its place."""
    if scores.survived is None:
        return scores.dynamics
    seen = np.where(scores.survived, 1.0, scores.quality)
    return np.where(np.isnan(scores.dynamics), seen, scores.dynamics)
