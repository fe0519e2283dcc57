"""Adaptive sampling: draw in batches, and stop when the next one is not worth it.

What the next draws will add to the best R_text is estimated from the m of k draws that
pass, x. Of the next `ahead` so many will pass as have passed so far: b, at least one, and
for the sake of the estimate less than m. Had their order been another one, the last b of
the m would have added

    max(x) - mean over all subsets of size m - b of max(subset)

on average, and the expected maximum of more and more draws grows by less and less: the
next b add no more than that, on average. Nor can they add more than 1 - max(x), for
R_text is at most 1. Sampling stops when the smaller of the two is below `worth`, or when
the budget is spent; as long as nobody passes it goes on, and with one alone unless that
one is as good as perfect. The draws are those of a plain run, from the first on: only
their number is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from texedo.core.errors import GenerationError

FIRST, BATCH, AHEAD, WORTH = 8, 4, 12, 0.04
"""By the development half of `texedo evaluate understanding`, see docs/generate.md."""


@dataclass(frozen=True, kw_only=True)
class Adaptive:
    """When to stop drawing."""

    first: int = FIRST
    """Candidates that are drawn in any case."""
    batch: int = BATCH
    """Candidates that are drawn at a time from then on."""
    ahead: int = AHEAD
    """Draws whose gain is weighed: a batch alone would often promise little where the
    next few together promise more."""
    worth: float = WORTH
    """Gain of the best R_text below which they are not worth it."""

    def __post_init__(self) -> None:
        if not 1 <= self.batch <= self.first:
            raise GenerationError(
                "Adaptive sampling needs batches of at least 1 and a first one that is "
                f"not smaller, got {self.batch} and {self.first}."
            )
        if self.ahead < 1:
            raise GenerationError(f"ahead must be 1 or more, got {self.ahead}.")
        if not self.worth >= 0:
            raise GenerationError(f"worth must be 0 or more, got {self.worth:g}.")

    def parts(self, budget: int) -> list[range]:
        """The batches up to the budget, by the numbers of their candidates."""
        starts = [0, *range(self.first, budget, self.batch), budget]
        return [range(a, b) for a, b in zip(starts, starts[1:], strict=False) if a < b]

    def is_enough(self, r_text: ArrayLike, passes: ArrayLike) -> bool:
        """Whether to stop after these draws, (k,) each."""
        r_text = np.asarray(r_text, dtype=np.float64)
        values = r_text[np.asarray(passes, dtype=np.bool_) & np.isfinite(r_text)]
        if len(r_text) < self.first or not len(values):
            return False
        fresh = round(self.ahead * len(values) / len(r_text))
        fresh = max(1, min(fresh, len(values) - 1))
        room = 1.0 - float(values.max())
        return min(expected_gain(values, fresh), room) < self.worth


def expected_gain(values: NDArray[np.float64], batch: int) -> float:
    """How much the last `batch` of k draws added to the maximum, (k,), on average over
    their orders."""
    k, kept = len(values), len(values) - batch
    if kept < 1:
        return float(values.max(initial=0.0))
    ranked = np.sort(values)
    # The j-th smallest is the largest of a subset if the others come from below it.
    weights = np.array([comb(j, kept - 1) for j in range(k)], dtype=object)
    mean = float(sum(w * v for w, v in zip(weights, ranked, strict=True) if w))
    return float(ranked[-1]) - mean / comb(k, kept)
