"""The candidates of each prompt as a row, and who wins among N of them drawn at random.

No draw is made: of M candidates in the order of a score the one of rank r (0 is best) is
the best of N drawn without replacement with probability C(M - 1 - r, N - 1) / C(M, N).
"""

from __future__ import annotations

from math import lgamma
from typing import Any

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
Ints = NDArray[np.int64]


class Pools:
    """Which motions are candidates of which prompt."""

    def __init__(self, group: Ints, *, fewest: int = 1) -> None:
        order = np.argsort(group, kind="stable")
        _, first, size = np.unique(group[order], return_index=True, return_counts=True)
        keep = size >= fewest
        first, self.size = first[keep], size[keep].astype(np.int64)
        """Number of candidates, (P,)."""
        width = int(self.size.max(initial=0))
        place = first[:, None] + np.arange(width)
        inside = np.arange(width) < self.size[:, None]
        self.motions = np.where(
            inside, order[np.where(inside, place, 0)] if len(order) else 0, -1
        )
        """Numbers of the motions, (P, W); -1 beyond the candidates of a row."""

    def __len__(self) -> int:
        return len(self.size)

    @property
    def inside(self) -> NDArray[np.bool_]:
        return np.asarray(self.motions >= 0)

    def rows(self, values: NDArray[Any], *, fill: float = np.nan) -> Float64:
        """Values (M,) of the motions as (P, W)."""
        found = np.asarray(values, dtype=np.float64)[self.motions]
        return np.where(self.inside, found, fill)


def best_of(
    scores: Float64, values: Float64, size: Ints, n: int, *, among: Ints | None = None
) -> Float64:
    """Expected value of the highest score among N candidates drawn at random, (P,).

    `scores` and `values` are (P, W), NaN beyond the candidates; equal scores: the first
    wins. `size` counts those that can win. With `among` the draw is from that many, and
    counts only if all N can win: the expected value times the probability of that.
    NaN where there are fewer than N.
    """
    order = np.argsort(
        -np.where(np.isnan(scores), -np.inf, scores), axis=1, kind="stable"
    )
    ranked = np.take_along_axis(values, order, axis=1)
    drawn_from = size if among is None else among
    weights = win_weights(size, ranked.shape[1], n, drawn_from)
    found = np.where(weights > 0, np.nan_to_num(ranked) * weights, 0.0).sum(axis=1)
    return np.where(drawn_from >= n, found, np.nan)


def win_weights(size: Ints, width: int, n: int, among: Ints) -> Float64:
    """C(size - 1 - r, n - 1) / C(among, n) for each rank r < width, (P, width)."""
    most = int(max(size.max(initial=0), among.max(initial=0), width, n)) + 1
    logs = np.array([lgamma(k + 1) for k in range(most + 1)])

    def choose(k: Ints, j: int) -> Float64:
        """log C(k, j); -inf where k < j."""
        k = np.asarray(k)
        safe = np.maximum(k, j)
        return np.where(k < j, -np.inf, logs[safe] - logs[j] - logs[safe - j])

    below = size[:, None] - 1 - np.arange(width)
    total = choose(among, n)
    total = np.where(np.isfinite(total), total, 0.0)
    return np.asarray(np.exp(choose(below, n - 1) - total[:, None]))
