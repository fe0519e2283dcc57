"""Words that judges share: sides, numbers of times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

Side = Literal["left", "right", "both", "one", "any"]
LEFT, RIGHT = 0, 1

Judge = Callable[..., bool]
"""Takes a `Body` and keyword arguments from a clause."""


def often(count: int, n: int | None, at_least: int) -> bool:
    """Exactly `n` times where a number was said, else at least so often."""
    return count == n if n is not None else count >= at_least


def on_side(side: Side, left: bool, right: bool) -> bool:
    """Whether what the two sides did is what was asked of them.

    A named side acts alone: who raises both hands has not raised the left one.
    """
    return {
        "left": left and not right,
        "right": right and not left,
        "both": left and right,
        "one": left != right,
        "any": left or right,
    }[side]
