"""Candidates that nobody drew: what a sentence asks for, written as a motion.

A generator knows a request that it has learned, and of some never makes what was asked
for: four stamps of the right foot, a salute, a circle of an arm. Motions for much of that
can be written from what the sentence says, as part of the corpus was, with the stated
side, count, angle and order. Where no candidate fits, such motions are made and scored
beside the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from texedo.core.errors import GenerationError
from texedo.pipeline.again.more import Drawn, More, is_r_text
from texedo.text.generators.protocol import ReadsPrompts

BELOW, MOST, FEW, ODDS = 0.99, 12, 2, 2.0
"""By prompts of several authors, see docs/generate.md."""
_SURELY = 1.0
"""No R_text is higher."""
LESS_LIKELY = 0.1
"""Evidence that each rank costs: what is less likely meant [log-odds]."""
WRITTEN = "written"
"""Column of the table of candidates: as what it was written."""


@dataclass(frozen=True, kw_only=True)
class Writing:
    """When to write motions, and how many."""

    below: float = BELOW
    """R_text of the best candidate that passes, below which nothing fits."""
    most: int = MOST
    """Motions that are written at most."""
    few: int = FEW
    """Motions that are written where a candidate seems to fit; 0 for none."""
    odds: float = ODDS
    """Evidence that a motion which was written for a sentence does what it says, beside
    its R_text [log-odds]."""

    def __post_init__(self) -> None:
        if not is_r_text(self.below):
            raise GenerationError(
                f"below must be 0 to 1, as R_text is, got {self.below:g}."
            )
        if self.most < 1 or self.few < 0:
            raise GenerationError(
                f"Writing needs at least one motion, got {self.most}, and {self.few} where "
                "a candidate fits; 0 for none there."
            )

    def is_needed(self, drawn: Drawn) -> bool:
        """Whether nothing fits, or a few are wanted all the same; not where these are
        somebody's motions, or where their length was asked for."""
        return drawn.lacks(_SURELY if self.few else self.below)

    def count(self, n: int) -> int:
        """Candidates that are made at most where n were drawn."""
        return self.most

    def make(self, drawn: Drawn) -> More | None:
        """Motions that do what is said; None where nobody knows how to write one."""
        # Here and not above: it is only loaded where it is needed.
        from texedo.data.synth.author import motions_of
        from texedo.data.synth.prompted import told, ways_for

        assert isinstance(drawn.generator, ReadsPrompts)
        said = drawn.generator.read_as(drawn.prompt)
        fits = drawn.fits(self.below)
        number = min(self.few, self.most) if fits else self.most
        ways = ways_for(said, number=number, seed=drawn.seed)
        if not ways:
            return None
        specs = [way.spec for way in ways]
        ranks = np.array([way.rank for way in ways])
        return More(
            motions=motions_of(specs, seed=drawn.seed),
            column=WRITTEN,
            odds=self.odds - np.minimum(LESS_LIKELY * ranks, self.odds),
            told=[f"written as: {told(spec)}" for spec in specs],
            remark=""
            if fits
            else f"no candidate fitted well, so {len(specs)} motions were written from "
            "what the sentence says",
        )
