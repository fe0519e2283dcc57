"""Candidates put right by an edit: a count, an angle, a pace that is a little off.

A generator asked for three squats may do two, every time. What is missing is in the
motion already. So where no candidate fits, those that come nearest are edited in every
way there is, and what comes out is measured. What does clearly more of what was said than
the candidate that would be chosen is scored beside the others; nothing else is trusted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from texedo.core.errors import GenerationError
from texedo.pipeline.again.changes import Change, changes_of
from texedo.pipeline.again.more import Drawn, More, is_r_text
from texedo.text.generators.protocol import ReadsPrompts

BELOW, CANDIDATES, MOST, GAIN = 0.92, 16, 16, 0.3
"""By the development half of `texedo evaluate understanding`, see docs/generate.md."""
EDITED = "edited"
"""Column of the table of candidates: whose edit it is, and what was done."""
_STRAIN = 0.5
"""Evidence that an edit must bring for each unit of strain."""


class Edit(NamedTuple):
    """A candidate that was edited."""

    candidate: int
    change: Change
    evidence: float
    """That it does what was said, less what it is strained [log-odds]."""

    @property
    def told(self) -> str:
        """Whose edit it is, and what was done."""
        return f"candidate {self.candidate}, {self.change.told}"


@dataclass(frozen=True, kw_only=True)
class Editing:
    """When to edit candidates, and how many."""

    below: float = BELOW
    """R_text of the best candidate that passes, below which nothing fits."""
    candidates: int = CANDIDATES
    """So many are edited, those with the highest R_text."""
    most: int = MOST
    """Edits that are scored at most."""
    gain: float = GAIN
    """Evidence that an edit must have more than the candidate that would be chosen
    [log-odds]."""

    def __post_init__(self) -> None:
        if not is_r_text(self.below):
            raise GenerationError(
                f"below must be 0 to 1, as R_text is, got {self.below:g}."
            )
        if self.candidates < 1 or self.most < 1:
            raise GenerationError(
                "Editing needs at least one candidate and one edit, got "
                f"{self.candidates} and {self.most}."
            )

    def is_needed(self, drawn: Drawn) -> bool:
        """Whether nothing fits; not where these are somebody's motions, or where their
        length was asked for."""
        return drawn.lacks(self.below)

    def count(self, n: int) -> int:
        """Candidates that are made at most where n were drawn."""
        return self.most

    def make(self, drawn: Drawn) -> More | None:
        """The edits that do more of what was said; None if there are none."""
        best = list(self._best(drawn))
        if not best:
            return None
        whose = len({edit.candidate for edit in best})
        return More(
            motions=[edit.change.motion for edit in best],
            column=EDITED,
            told=[edit.told for edit in best],
            remark=f"no candidate fitted well, so {len(best)} edits of {whose} of them "
            "were tried, too",
        )

    def _best(self, drawn: Drawn) -> Iterator[Edit]:
        # Here and not above: the grammar of captions is only loaded where it is needed.
        from texedo.see.semantics.measured.claims import claims_of
        from texedo.see.semantics.measured.verifier import evidence

        assert isinstance(drawn.generator, ReadsPrompts)
        claims = claims_of(drawn.generator.read_as(drawn.prompt))
        if claims.empty:
            return
        nearest = self._nearest(drawn)
        known = float(evidence(claims, [drawn.motions[nearest[0]]])[0])
        found: list[Edit] = []
        for candidate in nearest:
            changes = list(changes_of(drawn.motions[candidate]))
            motions = [change.motion for change in changes]
            for change, does in zip(changes, evidence(claims, motions), strict=True):
                worth = float(does) - _STRAIN * change.strain
                if worth >= known + self.gain:
                    found.append(Edit(candidate, change, worth))
        yield from sorted(found, key=lambda edit: -edit.evidence)[: self.most]

    def _nearest(self, drawn: Drawn) -> list[int]:
        """Those that pass first, and of these the highest R_text."""
        order = np.lexsort((-drawn.r_text, ~drawn.may_win))
        return [int(i) for i in order[: self.candidates]]
