"""Does a motion find its caption, and a caption its motion? R@k in pools of 32.

Each motion is given the caption of its own clip and 31 of other clips, drawn at random,
and the other way round; it counts if fewer than k of those lie as near or nearer. Two
clips that share a caption, word for word, are never drawn against each other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

POOL = 32
DRAWS = 20
RANKS = (1, 2, 3)

Bools = NDArray[np.bool_]
Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


def retrieval(
    texts: NDArray[np.float32],
    motions: NDArray[np.float32],
    captions: tuple[Int64, ...],
    keys: Int64,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> dict[str, float]:
    """Figures of N motions (N, D) and of all captions (C, D).

    `captions` are the numbers of each motion's own captions, of which each draw takes
    one; `keys` (C,) are the same for captions that say the same. `pool` tells how many
    there were to choose from, fewer than 32 where there are not enough.
    """
    count = len(motions)
    barred = share_a_caption([keys[own] for own in captions])
    pool = min(POOL, int((~barred).sum(axis=1).min()) + 1) if count else 0
    if pool < 2:
        return {"pool": float(pool)}
    rng = np.random.default_rng(seed)
    found: dict[str, list[float]] = {}
    for _ in range(draws):
        own = np.array([rng.choice(numbers) for numbers in captions])
        distance = pairwise(motions, texts[own])  # (motion, text)
        off = distance[~barred].mean()
        figures = {
            **_recall("text", distance, _lots(barred, pool, rng)),
            **_recall("motion", distance.T, _lots(barred, pool, rng)),
            "matching": float(distance.diagonal().mean()),
            "gap": float(off - distance.diagonal().mean()),
        }
        for name, value in figures.items():
            found.setdefault(name, []).append(value)
    return {"pool": float(pool)} | {k: float(np.mean(v)) for k, v in found.items()}


def share_a_caption(keys: list[Int64]) -> Bools:
    """Which clips say the same in one of their captions, (N, N); each with itself."""
    numbers = {key: i for i, key in enumerate(np.unique(np.concatenate(keys)))}
    said = np.zeros((len(keys), len(numbers)), dtype=np.float32)
    for row, own in zip(said, keys, strict=True):
        row[[numbers[key] for key in own]] = 1.0
    return np.asarray(said @ said.T > 0)


def pairwise(a: NDArray[np.float32], b: NDArray[np.float32]) -> Float64:
    """L2 distances of rows (N, D) and (M, D), (N, M)."""
    x, y = a.astype(np.float64), b.astype(np.float64)
    squares = (x**2).sum(1)[:, None] + (y**2).sum(1) - 2 * x @ y.T
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))


def _lots(barred: Bools, pool: int, rng: np.random.Generator) -> Int64:
    """Rivals of each row, (N, pool - 1)."""
    lots = np.where(barred, np.inf, rng.random(barred.shape))
    return np.asarray(np.argpartition(lots, pool - 2, axis=1)[:, : pool - 1])


def _recall(what: str, distance: Float64, rivals: Int64) -> dict[str, float]:
    """Share of rows whose own column is among the nearest 1, 2, 3."""
    other = np.take_along_axis(distance, rivals, axis=1)
    nearer = (other <= distance.diagonal()[:, None]).sum(axis=1)
    return {f"{what}_r{k}": float((nearer < k).mean()) for k in RANKS}
