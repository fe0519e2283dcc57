"""What a sentence asks for, clause by clause, and what a motion makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Answer = Literal["yes", "no", "perhaps"]
Link = Literal["then", "and", "while"]
"""How a clause follows the one before: later, later or at once, at the same time."""


@dataclass(frozen=True, kw_only=True)
class Clause:
    """One thing that is asked for."""

    action: str
    """One of `lexicon.ACTIONS`, or "other" for what nobody can measure."""
    link: Link = "then"
    side: str | None = None
    """The body's or the limb's: left, right, both, either."""
    direction: str | None = None
    """One of `DIRECTIONS`, "sideways" or "diagonal"."""
    count: int | None = None
    many: bool = False
    """More than one, uncounted."""
    angles: tuple[float, ...] = ()
    """Any of them will do [degrees]; empty if none is named."""
    slight: bool = False
    distance: float | None = None
    """[m]"""
    speed: Literal["slow", "fast"] | None = None
    level: str | None = None
    """How high a hand goes: waist, chest, shoulder, head, overhead."""
    in_place: bool = False
    straight: bool = False
    foot: str | None = None
    """The foot that steps, which nobody measures."""
    negated: bool = False
    unsure: bool = False
    """Some of its words were not understood: it may mean something else."""
    text: str = ""
    """The plain words it was read from."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A sentence as it was understood."""

    clauses: tuple[Clause, ...]
    """In the order in which they are to happen."""
    unread: tuple[str, ...]
    """Words with a meaning that no clause accounts for; empty: all was understood."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether a motion does what a sentence says."""

    answer: Answer
    """ "yes": everything, in order, and all of the sentence was understood; "no":
    something plainly not; "perhaps": neither is known."""
    clauses: tuple[Answer, ...]
    """For each clause; "perhaps" where nothing was measured that could tell."""
    reasons: tuple[str, ...]
    """Why not "yes", for people."""
