"""95 % intervals of figures about motions that come in groups.

Candidates of one prompt are alike, so motions are no independent draws: prompts are. A
figure is computed again and again with prompts drawn with replacement, which is the same
as giving each motion the number of times that its prompt was drawn as a weight. Nothing
has to be sorted again for that.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from texedo.quality import wilson_interval

DRAWS = 200
_TAILS = (2.5, 97.5)

Float64 = NDArray[np.float64]
Ints = NDArray[np.int64]
Figure = Callable[[Float64], float]
"""A figure of all motions, given the weight of each, (M,)."""


def with_interval(
    figure: Figure, group: Ints, *, draws: int = DRAWS, seed: int = 0
) -> tuple[float | None, list[float] | None]:
    """The figure and its interval; None where it is not defined."""
    if not len(group):
        return None, None
    value = figure(np.ones(len(group)))
    if np.isnan(value):
        return None, None
    numbers = np.unique(group, return_inverse=True)[1]
    count = int(numbers.max()) + 1
    rng = np.random.default_rng(seed)
    found = np.empty(draws)
    for draw in range(draws):
        times = np.bincount(rng.integers(count, size=count), minlength=count)
        found[draw] = figure(times[numbers].astype(np.float64))
    found = found[~np.isnan(found)]
    if not len(found):
        return float(value), None
    low, high = np.percentile(found, _TAILS)
    # A draw has fewer different prompts than all of them: what was seen is inside.
    return float(value), [float(min(low, value)), float(max(high, value))]


def mean_interval(
    values: Float64, *, draws: int = 1000, seed: int = 0
) -> tuple[float | None, list[float] | None]:
    """Mean over prompts of one value each; those that are NaN are left out."""
    values = values[~np.isnan(values)]
    if not len(values):
        return None, None
    rng = np.random.default_rng(seed)
    chosen = rng.integers(len(values), size=(draws, len(values)))
    low, high = np.percentile(values[chosen].mean(axis=1), _TAILS)
    return float(values.mean()), [float(low), float(high)]


def share_interval(values: Float64) -> tuple[float | None, list[float] | None]:
    """Mean of one share from 0 to 1 per prompt, with Wilson's interval.

    Drawing again says nothing where all went well; Wilson's interval does, and shares
    between 0 and 1 vary less than the successes that it is made for.
    """
    values = values[~np.isnan(values)]
    if not len(values):
        return None, None
    total = float(np.clip(values.sum(), 0, len(values)))
    low, high = wilson_interval(total, len(values))
    return total / len(values), [float(low), float(high)]


def row(
    name: str, found: tuple[float | None, list[float] | None]
) -> dict[str, float | list[float] | None]:
    """A figure and its interval as two cells of a table."""
    return {name: found[0], f"{name} 95%": found[1]}
