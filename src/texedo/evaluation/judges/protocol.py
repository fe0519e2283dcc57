"""What every judge says: units of the prompt, a label for each, one score.

The protocol is the paper's. A prompt is taken apart into units of five categories; each
is labelled on the performed motion; the score follows from the labels (`rubric`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from texedo.motion import Motion


class Category(StrEnum):
    """What a unit of a prompt speaks of."""

    ACTION = "ACTION"
    BODY = "BODY"
    SPATIAL = "SPATIAL"
    TEMPORAL = "TEMPORAL"
    ATTRIBUTE = "ATTRIBUTE"


class Label(StrEnum):
    """Whether the motion has it."""

    MATCH = "MATCH"
    PARTIAL = "PARTIAL"
    MISMATCH = "MISMATCH"
    UNKNOWN = "unknown"
    """Not measured; it has no part in the score."""


_BY_GRADE = 0.125
"""How far a grade moves a unit's share."""
_DEGREES = {
    Label.MATCH: (1.0 - _BY_GRADE, 0.5),
    Label.PARTIAL: (0.5, 0.0),
    Label.MISMATCH: (_BY_GRADE, -0.5),
    Label.UNKNOWN: (0.0, 0.0),
}
"""What a label counts at grade 0, and its grade where none was measured."""


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One thing that the prompt asks for, and whether it is there."""

    category: Category
    content: str
    """In words, such as "walk" or "left hand"."""
    label: Label
    reason: str = ""
    """What was seen, for people."""
    opposite: bool = False
    """The contrary direction was seen: SPATIAL units that do not match."""
    grade: float | None = None
    """How clearly so within its label, from -1 to 1; None if that was not measured."""

    @property
    def degree(self) -> float:
        """How much of it there is, from 0 to 1: about the label's share, by its grade."""
        share, usual = _DEGREES[self.label]
        grade = usual if self.grade is None else min(max(self.grade, -1.0), 1.0)
        return share + _BY_GRADE * grade

    def to_dict(self) -> dict[str, Any]:
        return {
            "category": self.category.value,
            "content": self.content,
            "label": self.label.value,
            "reason": self.reason,
            "opposite": self.opposite,
            "grade": self.grade,
        }


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """Of one prompt and one motion."""

    score: float | None
    """1 to 10; None if the judge cannot tell."""
    units: tuple[Unit, ...] = ()
    fraction: float | None = None
    """Share of the labelled units that match, a partial one counting half."""
    cap: int | None = None
    """The score that a rule of the rubric allows at most; None if none applies."""

    @property
    def covered(self) -> bool:
        """Some action of the prompt was measured."""
        return self.score is not None

    @property
    def fine(self) -> float:
        """The score, ties broken by how much matches; NaN if there is none.

        Caps put many motions on one score; among them the one that matches more of the
        prompt, or the same more clearly, is still the better one. One unit more is
        thought to match by half (Laplace's rule of succession): a ten on six units is
        surer than a ten on one. Never more than the score, never by a full point.
        """
        if self.score is None:
            return float("nan")
        degrees = [u.degree for u in self.units if u.label is not Label.UNKNOWN]
        share = (sum(degrees) + 0.5) / (len(degrees) + 1)
        return self.score - 0.99 * (1.0 - share)

    def to_dict(self) -> dict[str, Any]:
        return {
            "score": self.score,
            "fraction": self.fraction,
            "cap": self.cap,
            "units": [unit.to_dict() for unit in self.units],
        }


@runtime_checkable
class Judge(Protocol):
    """Anything that scores a prompt and a performed motion."""

    name: str

    def judge(self, prompt: str, motion: Motion) -> Judgement:
        """Label what the prompt asks for, and score it."""
        ...
