"""What came of a prompt: the motion, the candidates, and everything to tell of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from texedo.do import THRESHOLD, Selection
from texedo.motion import Motion
from texedo.pipeline.account import Account
from texedo.pipeline.table import Candidate, CandidateTable, table_of
from texedo.see.scores import Performance, Scores


@dataclass(frozen=True, kw_only=True)
class About:
    """Where a result comes from."""

    request: Mapping[str, Any] = field(default_factory=dict)
    """All that it depends on: prompt, settings, hashes of the parts."""
    weights: Mapping[str, str] = field(default_factory=dict)
    """The sha256 of everything that was loaded, by part."""
    guarantee: Mapping[str, Any] | None = None
    """How often what passes fails at most, if somebody measured it."""
    read_as: str = ""
    """What the generator made of the prompt."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Generated:
    """What came of a prompt.

    In a notebook it shows itself as a picture of the motion.
    """

    prompt: str
    offered: tuple[Candidate, ...]
    """What the generator offered, in order."""
    scores: Scores
    selection: Selection
    seconds: dict[str, float]
    """How long each of `STAGES` took."""
    remarks: tuple[str, ...]
    """Sentences for the user."""
    threshold: float = THRESHOLD
    """Above which a candidate was taken to be feasible."""
    performed: Mapping[int, Performance] = field(default_factory=dict)
    """How the controller did, by candidate, as far as it tried."""
    handed_out: tuple[int, ...] = ()
    """Candidates that are handed out, best first; the chosen one leads."""
    about: About = field(default_factory=About)

    @cached_property
    def candidates(self) -> CandidateTable:
        """A sequence of candidates, and a table of all that is known of them."""
        return table_of(self.offered, self.scores, self.selection, self.performed)

    @property
    def chosen(self) -> Candidate:
        return self.offered[self.selection.index]

    @property
    def motion(self) -> Motion:
        """The motion to play."""
        return self.chosen.motion

    @property
    def motions(self) -> list[Motion]:
        """All motions that are handed out, best first."""
        return [self.offered[i].motion for i in self._handed_out]

    @property
    def _handed_out(self) -> tuple[int, ...]:
        return self.handed_out or (self.selection.index,)

    @property
    def performance(self) -> Performance | None:
        """How the controller did with the motion; None if it never tried."""
        index = self.selection.index
        return self.performed.get(index) or self.scores.performed.get(index)

    @property
    def survived(self) -> bool | None:
        """Whether the controller performed it to the end; None if it never tried."""
        if self.performance is not None:
            return self.performance.success
        survived = self.scores.survived
        return None if survived is None else bool(survived[self.selection.index])

    @property
    def expected(self) -> bool | None:
        """Whether a motion that nobody performed is above the threshold; None if it was
        performed, or if nobody knows what that is of."""
        own = self.scores.screened[self.selection.index]
        if self.survived is not None or np.isnan(own):
            return None
        return bool(own > self.threshold)

    @property
    def verdict(self) -> str:
        """How the performance of the motion went, or is expected to go, in words."""
        if self.performance is not None and self.performance.verdict:
            return self.performance.verdict
        return self.scores.performance(self.selection.index)

    @property
    def account(self) -> Account:
        """Everything to tell of it, as the report and the terminal read it."""
        from texedo.pipeline.telling import account_of

        return account_of(self)

    def explain(self) -> str:
        """What was chosen and why, who came next, and what was rejected: one screen."""
        from texedo.pipeline.words import explain

        return explain(self.account)

    def save(
        self,
        folder: Path | str,
        *,
        formats: Sequence[str] = (),
        keep_candidates: bool = False,
        video: bool = True,
        overwrite: bool = False,
    ) -> Path:
        """Write the run folder that `texedo generate` writes; returns it.

        The video takes some seconds. With `overwrite` the run of another request is
        replaced.
        """
        from texedo.pipeline.run.folder import Wanted, write_run

        wanted = Wanted(
            formats=tuple(formats),
            keep_candidates=keep_candidates,
            video=video,
            top=len(self._handed_out),
        )
        write_run(Path(folder), self, wanted=wanted, overwrite=overwrite)
        return Path(folder)

    def render(self, path: Path | str) -> Path:
        """Draw the performance, or the motion if nobody performed it; .mp4, .gif, or
        .png for a contact sheet."""
        from texedo.pipeline.run.picture import draw

        return draw(self, Path(path))

    def _repr_png_(self) -> bytes:
        """The contact sheet, for notebooks."""
        return self._sheet

    @cached_property
    def _sheet(self) -> bytes:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            return self.render(Path(folder) / "sheet.png").read_bytes()

    def __repr__(self) -> str:
        count = len(self.offered)
        return (
            f"<{self.prompt!r}: candidate {self.selection.index} of {count}, "
            f"{self.motion.duration:.2f} s, {self.verdict}>"
        )


@dataclass(frozen=True, kw_only=True)
class Failed:
    """A prompt that nothing came of."""

    prompt: str
    error: Exception
