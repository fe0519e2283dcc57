"""What a measure says of one unit."""

from __future__ import annotations

import math
from typing import NamedTuple

from texedo.evaluation.judges.protocol import Label


class Found(NamedTuple):
    """A label and what it rests on."""

    label: Label
    reason: str
    opposite: bool = False
    """The contrary direction was seen."""
    grade: float | None = None
    """How clearly so within the label, from -1 to 1."""


def more(own: float, other: float) -> float:
    """How much more of one than of the other, from -1 to 1; 0 if there is neither."""
    total = own + other
    return (own - other) / total if total > 1e-9 else 0.0


def beyond(difference: float, usual: float) -> float:
    """A difference on a scale from -1 to 1; `usual` is a clear one."""
    return math.tanh(difference / usual)
