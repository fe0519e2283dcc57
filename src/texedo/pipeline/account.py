"""Everything that is to be told about one prompt: what was asked, offered and chosen.

The terminal, `report.html` and whoever else tells of a run read this and nothing else.
Plain values and arrays: neither a simulator nor a learning framework is needed for it.
NaN is a number that nobody knows, None anything else that nobody knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import Motion
from texedo.see.dynamics.protocol import FILTER_NAMES, Filter
from texedo.see.scores import NAN
from texedo.see.scores import Performance as Performance


@dataclass(frozen=True, kw_only=True, eq=False)
class CandidateAccount:
    """One candidate: its scores, what is expected of it, and what became of it."""

    index: int
    r_text: float
    """Does it mean what the prompt says."""
    r_dyn: float
    """Will the controller manage it."""
    success: float = NAN
    """Expected: probability that the robot finishes."""
    robust: float = NAN
    """Expected: share of perturbed robots that finish."""
    quality: float = NAN
    """Expected: how closely the robot follows, q_d."""
    riskiest_second: float = NAN
    """When a failure is most likely [s]."""
    expected_reason: str | None = None
    """What ends the performance if it fails, one of `quality.TERMINATIONS`."""
    expected_limb: str | None = None
    """Which part of the body that is about: "right foot", "pelvis"."""
    risk: NDArray[np.float32] | None = None
    """Probability to fail at a 50 Hz frame given that the robot gets there, (T,)."""
    outlook: str = ""
    """What is expected of it, or how it went, in words: "expected to finish (0.98)"."""
    check_verdict: str
    """Of `texedo check`: pass, warn or fail."""
    outcome: str
    """What became of it: one of `texedo.do.Outcome`, or `fails_in_physics`."""
    reason: str
    """Why, one sentence for people."""
    performed: Performance | None = None
    """How the controller did; None if nobody tried."""
    asked_as: str | None = None
    """The words it was asked for in; None if these are the prompt's."""
    edited: str | None = None
    """Whose edit it is, and what was done; None if it was drawn."""
    joined: str | None = None
    """Of which motions for the steps of the prompt it is joined; None if it was drawn."""
    written: str | None = None
    """As what it was written; None if it was drawn."""
    motion: Motion

    @property
    def is_drawn(self) -> bool:
        """Whether it was drawn for the prompt as it was said."""
        return not self.origin

    @property
    def origin(self) -> str:
        """How it came to be, in words; empty if it was drawn for the prompt as it was
        said."""
        if made := self.edited or self.joined or self.written:
            return made
        return "" if self.asked_as is None else f"asked for as '{self.asked_as}'"

    @property
    def is_chosen(self) -> bool:
        """Whether it is the one that is handed out."""
        return self.outcome.startswith("chosen")


@dataclass(frozen=True, kw_only=True, eq=False)
class Account:
    """What was asked, what was offered, what was chosen and why."""

    prompt: str
    """As the user wrote it."""
    read_as: str
    """As it was read: corrected, in the third person; the prompt if nobody says."""
    remarks: tuple[str, ...]
    """Sentences for the user."""
    rule: str
    """How the winner was chosen, a key of `texedo.do.RULES`."""
    threshold: float
    """Above which a candidate passes."""
    filters_by: Filter = "r_dyn"
    """What the threshold is of."""
    guarantee: Mapping[str, Any] | None
    """How often what passes fails at most; see `see.dynamics.guarantee`."""
    chosen: int
    """Index of the candidate that is handed out."""
    runners_up: tuple[int, ...]
    """Who would have been next, best first."""
    why: str
    """Why the chosen one was chosen."""
    rejected: Mapping[str, int]
    """How many candidates were turned away, by the reason, in words."""
    candidates: tuple[CandidateAccount, ...]
    """All of them, in their order."""
    seconds: Mapping[str, float]
    """How long each stage took."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What was asked for beside: seed, sampling, generator, verifiers."""
    weights: Mapping[str, str] = field(default_factory=dict)
    """The sha256 of everything that was loaded, by part."""
    version: str = ""
    """Of texedo."""

    @property
    def screen(self) -> str:
        """What the threshold is of, for people."""
        return FILTER_NAMES[self.filters_by]

    def screened(self, candidate: CandidateAccount) -> float:
        """What the threshold is of."""
        by_chance = self.filters_by == "success"
        return candidate.success if by_chance else candidate.r_dyn

    @property
    def winner(self) -> CandidateAccount:
        """The candidate that is handed out."""
        return self.candidates[self.chosen]
