"""A model's answer read strictly, and its score computed again from its own labels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from texedo.core.errors import FileFormatError
from texedo.evaluation.judges.protocol import Category, Label, Unit
from texedo.evaluation.judges.rubric import AXES, Scored, holistic, per_axis

Rubric = Literal["holistic", "per_axis"]
_LABELS = (Label.MATCH, Label.PARTIAL, Label.MISMATCH)
_MARKS = {0: Label.MISMATCH, 1: Label.PARTIAL, 2: Label.MATCH}
_MOST_UNITS = 32


class ReplyError(FileFormatError):
    """An answer that does not follow the rubric."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a model said, and what follows from it."""

    score: int
    """From the labels and caps."""
    said: int | None
    """The score that the model itself gave; None if it is no whole number of 1 to 10."""
    units: tuple[Unit, ...]

    @property
    def contradicts(self) -> bool:
        """The model's own score is not that of its labels, the choice within a band left
        to it."""
        return self.said is None or abs(self.said - self.score) > 1


def read_reply(text: str, rubric: Rubric) -> Reply:
    """Raise `ReplyError` if anything that the score depends on is missing."""
    try:
        record = json.loads(text)
    except ValueError as error:
        raise ReplyError(f"the answer is not JSON ({error}): {_short(text)}") from None
    if not isinstance(record, dict):
        raise ReplyError(f"the answer is no JSON object: {_short(text)}")
    units, scored = (_holistic if rubric == "holistic" else _per_axis)(record)
    if scored.score is None:
        raise ReplyError("the answer has no units.")
    said = record.get("score")
    whole = isinstance(said, int) and not isinstance(said, bool) and 1 <= said <= 10
    return Reply(score=scored.score, said=said if whole else None, units=units)


def _holistic(record: Mapping[str, Any]) -> tuple[tuple[Unit, ...], Scored]:
    rows = record.get("semantic_units")
    if not isinstance(rows, list) or not 1 <= len(rows) <= _MOST_UNITS:
        raise ReplyError(
            f"semantic_units should be a list of 1 to {_MOST_UNITS} units."
        )
    units = tuple(_unit(row, number) for number, row in enumerate(rows, 1))
    if not any(unit.category is Category.ACTION for unit in units):
        raise ReplyError("semantic_units has no ACTION.")
    return units, holistic(units)


def _unit(row: Any, number: int) -> Unit:
    if not isinstance(row, dict):
        raise ReplyError(f"unit {number} is no object.")
    category, label = row.get("category"), row.get("label")
    if category not in list(Category):
        raise ReplyError(
            f"unit {number}: category is {category!r}, should be one of "
            f"{', '.join(Category)}."
        )
    if label not in _LABELS:
        raise ReplyError(
            f"unit {number}: label is {label!r}, should be one of {', '.join(_LABELS)}."
        )
    if not isinstance(row.get("content"), str):
        raise ReplyError(f"unit {number}: content is missing.")
    return Unit(
        category=Category(category),
        content=row["content"],
        label=Label(label),
        reason=str(row.get("rationale", "")),
        opposite=row.get("opposite") is True and category == Category.SPATIAL,
    )


def _per_axis(record: Mapping[str, Any]) -> tuple[tuple[Unit, ...], Scored]:
    axes = record.get("axes")
    if not isinstance(axes, dict):
        raise ReplyError("axes is missing.")
    marks: dict[str, int] = {}
    units = []
    for name, category in zip(AXES, Category, strict=True):
        row = axes.get(name)
        row = row if isinstance(row, dict) else {}
        mark = row.get("score")
        if isinstance(mark, bool) or mark not in _MARKS or not isinstance(mark, int):
            raise ReplyError(f"axes.{name}.score is {mark!r}, should be 0, 1 or 2.")
        marks[name] = mark
        units.append(
            Unit(
                category=category,
                content=name,
                label=_MARKS[mark],
                reason=str(row.get("rationale", "")),
            )
        )
    # Without a spatial part the rubric gives 2; a 0 is then a fault about space anyway.
    spatial = record.get("has_spatial", True) is not False
    return tuple(units), per_axis(marks, spatial=spatial)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= 80 else text[:77] + "...")
