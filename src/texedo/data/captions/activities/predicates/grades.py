"""Margins: how a measured value becomes 0, 1 or something in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.data.events.spans import sustained
from texedo.motion import FPS

INDEX = {"left": 0, "right": 1}
MOMENT = 0.25
"""Shorter than this is a moment [s]."""
OTHER = {"left": "right", "right": "left"}


CLEARLY = 2.0
"""The highest grade, one margin beyond a yes; one minus it is the lowest."""


def grade(value: float, no: float, yes: float) -> float:
    """0 at `no` and 1 at `yes`, in proportion between them and one margin beyond.

    Beyond is how clearly; whoever wants only yes or no has them at 1 and at 0.
    """
    if yes == no:
        return float(value >= yes)
    return float(np.clip((value - no) / (yes - no), 1.0 - CLEARLY, CLEARLY))


def together(grades: Sequence[float]) -> float:
    """The least; of several that all say yes, how clearly they do on the whole."""
    lowest = min(grades)
    return lowest if lowest < 1.0 else float(np.mean(grades))


def plain(grade: float) -> float:
    """A grade from 0 to 1, however clear it is."""
    return min(max(grade, 0.0), 1.0)


def weakly(grade: float, most: float = 0.5) -> float:
    """The grade of something that is only like what was asked for."""
    return most * plain(grade)


def at_least(value: float, least: float, *, margin: float = 0.4) -> float:
    """1 from `least` on, 0 where `margin` of it is missing."""
    return grade(value, least * (1.0 - margin), least)


def at_most(value: float, most: float, *, margin: float = 0.8) -> float:
    """1 up to `most`, 0 where it is passed by `margin` of it."""
    return grade(value, most * (1.0 + margin), most)


def counted(count: float, n: float, *, least: float = 1) -> float:
    """With `n` 0 at least `least` times; otherwise exactly so often, one off perhaps."""
    if not n:
        return grade(count, least - 1, least)
    if count == 0:
        return 0.0
    off = abs(count - n)
    return 1.0 if off == 0 else 0.4 if off == 1 and n > 2 else 0.0


def held(
    values: NDArray[Any], seconds: float, *, no: float, yes: float, share: float = 0.1
) -> float:
    """The grade that is kept for so long, all stretches together.

    What is more than a moment must also take its `share` of the motion: in a long one
    hands pass everywhere.
    """
    wanted = seconds * FPS
    if seconds >= MOMENT:
        wanted = max(wanted, share * len(values))
    frames = max(min(round(wanted), round(0.8 * len(values))), 1)
    sign = 1.0 if yes > no else -1.0
    return grade(sign * sustained(sign * values, frames), no, yes)


def by_side(one: Callable[[int], float], side: str) -> float:
    """A grade for left, right, both, either, or one (whichever, and not the other).

    Who is asked to use one hand and uses both does it perhaps.
    """
    left, right = one(0), one(1)
    if side in INDEX:
        return _alone(*((left, right) if side == "left" else (right, left)))
    if side == "one":
        return max(_alone(left, right), _alone(right, left))
    return min(left, right) if side == "both" else max(left, right)


def _alone(own: float, other: float) -> float:
    return min(own, 1.0 - weakly(other) if other > 0 else 1.0 - other)


def side_counts(sides: Sequence[tuple[str, int]], side: str) -> tuple[int, int]:
    """Of (side, count) pairs: how often on the side asked for, and on the other."""
    if side not in INDEX:
        both = sum(count for name, count in sides)
        return both, 0
    own = sum(count for name, count in sides if name in (side, "both"))
    return own, sum(count for name, count in sides if name in (OTHER[side], "both"))


def sided(sides: Sequence[tuple[str, int]], side: str, n: float) -> float:
    """Counted events of one side; the other side's make it no more than perhaps."""
    own, other = side_counts(sides, side)
    if side == "both":
        named = {name for name, _ in sides}
        return counted(own, n) if "both" in named or len(named) == 2 else 0.0
    return min(counted(own, n), 0.5) if other else counted(own, n)
