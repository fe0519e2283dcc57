"""From labels to a score: the bands and caps of the paper's two rubrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from texedo.evaluation.judges.protocol import Category, Label, Unit

BANDS = ((0.95, 9), (0.75, 7), (0.5, 5), (0.25, 3), (0.0, 1))
"""From this share of matched units on, the lower score of the band of two."""
FLOOR = 3
"""What a critical failure allows at most."""
AXES = ("A_primary_action", "B_body_part", "C_spatial", "D_temporal", "E_attribute")
"""Of the per-axis rubric, each from 0 to 2."""


class Scored(NamedTuple):
    """What follows from labels."""

    score: int | None
    """None if nothing is labelled."""
    fraction: float | None
    cap: int | None


def holistic(units: Sequence[Unit]) -> Scored:
    """The holistic rubric; units without a label are left out."""
    known = [unit for unit in units if unit.label is not Label.UNKNOWN]
    if not known:
        return Scored(None, None, None)
    labels = [unit.label for unit in known]
    matched, partial = labels.count(Label.MATCH), labels.count(Label.PARTIAL)
    fraction = (matched + 0.5 * partial) / len(known)
    cap = _cap(known)
    primary = _primary(known)
    low = next(score for share, score in BANDS if fraction >= share)
    # "No deviation feels severe" is the rubric's; a mismatch is one that can be counted.
    solid = primary is not None and primary.label is Label.MATCH
    score = low + int(solid and Label.MISMATCH not in labels)
    return Scored(score if cap is None else min(score, cap), fraction, cap)


def _cap(known: Sequence[Unit]) -> int | None:
    """The lowest cap that applies."""
    labels = [unit.label for unit in known]
    wrong, partial = labels.count(Label.MISMATCH), labels.count(Label.PARTIAL)
    primary = _primary(known)
    if wrong == len(labels):
        return 1
    if primary is not None and primary.label is Label.MISMATCH:
        return FLOOR
    if any(unit.opposite and unit.label is Label.MISMATCH for unit in known):
        return FLOOR
    if 2 * wrong >= len(labels):
        return FLOOR
    if wrong and wrong + partial >= 2:
        return 7
    return 8 if partial and not wrong else None


def _primary(known: Sequence[Unit]) -> Unit | None:
    """The first action."""
    actions = [unit for unit in known if unit.category is Category.ACTION]
    return actions[0] if actions else None


def per_axis(axes: Mapping[str, int], *, spatial: bool) -> Scored:
    """The per-axis rubric; `spatial`: the prompt has a spatial component."""
    total = sum(axes[name] for name in AXES)
    cap = None
    if axes["A_primary_action"] == 0 or (axes["C_spatial"] == 0 and spatial):
        cap = FLOOR
    elif axes["A_primary_action"] == 1:
        cap = 7
    score = max(1, total if cap is None else min(total, cap))
    return Scored(score, total / 10, cap)
