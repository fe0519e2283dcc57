"""R-precision and Frechet distance: functions of arrays of vectors.

R-precision at k: each motion is given its own text and 31 texts of other motions, drawn
at random; it counts if fewer than k of those lie as near or nearer (cosine). Texts that
say the same are never drawn against each other. The mean over several draws is taken.

Frechet distance: |mean - mean'|^2 + trace(C + C' - 2 (C C')^(1/2)) of two sets of
vectors. It shrinks with more of them, so compare sets of one size only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

RANKS = (1, 2, 3)
POOL = 32
DRAWS = 20

Bools = NDArray[np.bool_]


def r_precision(
    motions: NDArray[Any],
    texts: NDArray[Any],
    *,
    same: Bools | None = None,
    pool: int = POOL,
    draws: int = DRAWS,
    seed: int = 0,
) -> dict[int, float]:
    """Share of motions (N, D) whose text (N, D) is among the nearest 1, 2, 3.

    `same` (N, N) is True where text j may not be drawn for motion i.
    """
    count = len(motions)
    scores = motions.astype(np.float64) @ texts.astype(np.float64).T
    barred = np.eye(count, dtype=np.bool_) if same is None else same.copy()
    np.fill_diagonal(barred, True)
    if count and (fewest := int((~barred).sum(axis=1).min())) < pool - 1:
        raise ValueError(
            f"Pools of {pool} need {pool - 1} other texts for each motion; one of the "
            f"{count} motions has {fewest}."
        )
    rng = np.random.default_rng(seed)
    better = np.empty((draws, count), dtype=np.int64)
    for draw in range(draws):
        lots = np.where(barred, np.inf, rng.random((count, count)))
        others = np.argpartition(lots, pool - 2, axis=1)[:, : pool - 1]
        rivals = np.take_along_axis(scores, others, axis=1)
        better[draw] = (rivals >= scores.diagonal()[:, None]).sum(axis=1)
    return {k: float((better < k).mean()) if count else float("nan") for k in RANKS}


def frechet_distance(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Between two sets of vectors, (N, D) and (M, D)."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    if min(len(a), len(b)) < 2:
        raise ValueError(f"Two vectors a side are needed, got {len(a)} and {len(b)}.")
    apart = a.mean(axis=0) - b.mean(axis=0)
    # trace((C C')^(1/2)) is the nuclear norm of X Y^T, where C = X^T X and C' = Y^T Y:
    # no root of a matrix that may be singular.
    x = (a - a.mean(axis=0)) / np.sqrt(len(a) - 1)
    y = (b - b.mean(axis=0)) / np.sqrt(len(b) - 1)
    cross = np.linalg.norm(x @ y.T, ord="nuc")
    return float(apart @ apart + (x**2).sum() + (y**2).sum() - 2 * cross)


def matching(motions: NDArray[Any], texts: NDArray[Any]) -> float:
    """Mean cosine of motions (N, D) and their texts (N, D), all of length 1."""
    return float((motions * texts).sum(axis=1).mean())
