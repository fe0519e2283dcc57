"""The own caption among 32, and the own motion among 32: functions of a score matrix.

Clips are dealt into pools of 32 at random, those left over sit out, and this is done many
times. A rival counts if it scores as high as the true one or higher. Captions that say the
same are one: a rival that says the same as the true caption does not count, and several
that say the same count once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.metrics import POOL
from texedo.evaluation.understanding.figures import interval

RANKS = (1, 3)
DRAWS = 20
PAPER = {"R@1": 0.747, "R@3": 0.935, "pool": 32, "pairs": 9116}
"""What the paper reports of its own verifier on its own data, motion to text."""

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Pools(NamedTuple):
    """Numbers of clips that stand against each other, (pools, size)."""

    members: Int64
    size: int


def deal(count: int, *, pool: int = POOL, draws: int = DRAWS, seed: int = 0) -> Pools:
    """`draws` times all clips into pools; fewer clips than a pool are one."""
    rng, size = np.random.default_rng(seed), min(pool, count)
    whole = count // size * size if size else 0
    rows = [rng.permutation(count)[:whole].reshape(-1, size) for _ in range(draws)]
    return Pools(np.concatenate(rows) if size else np.zeros((0, 0), np.int64), size)


def groups_of(same: Bools) -> Int64:
    """A number for each text, (N,): that of the first one that says the same."""
    labels = np.arange(len(same))
    for i in range(len(same)):
        earlier = np.flatnonzero(same[i, :i] & (labels[:i] == np.arange(i)))
        if len(earlier):
            labels[i] = earlier[0]
    return labels


def ranks(scores: Float64, same: Bools, pools: Pools) -> tuple[Int64, Int64]:
    """How many rivals beat or equal the true one, (pools, size), and who was asked.

    Row i of `scores` (N, N) is asked, its true partner is column i, and `same` (N, N)
    says which partners are as good as the same.
    """
    labels = groups_of(same)
    better = np.zeros(pools.members.shape, dtype=np.int64)
    for number, members in enumerate(pools.members):
        block = scores[np.ix_(members, members)]
        own = labels[members]
        alike = same[np.ix_(members, members)] | (own[:, None] == own)
        ahead = (block >= block.diagonal()[:, None]) & ~alike
        for row in range(len(members)):
            better[number, row] = len(np.unique(own[ahead[row]]))
    return better, pools.members


def retrieval_row(scores: Float64, same: Bools, pools: Pools) -> dict[str, Any]:
    """R@1 and R@3 with bootstrap 95 % intervals over clips."""
    better, asked = ranks(scores, same, pools)
    count = len(scores)
    times = np.bincount(asked.ravel(), minlength=count)
    row: dict[str, Any] = {"clips": count, "pool": pools.size}
    for k in RANKS:
        hits = np.bincount(asked.ravel(), (better < k).ravel(), minlength=count)
        means = hits[times > 0] / times[times > 0]
        row[f"R@{k}"] = float(means.mean()) if len(means) else None
        row[f"R@{k} 95%"] = list(interval(means)) if len(means) else None
    return row


def retrieval_table(
    scores: Float64, same: Bools, *, seed: int = 0, draws: int = DRAWS
) -> dict[str, dict[str, Any]]:
    """Both ways, and motion to text with every caption handed to another clip.

    `scores` (N, N): texts are rows, motions columns.
    """
    pools = deal(len(scores), draws=draws, seed=seed)
    given = derangement(len(scores), seed=seed)
    # Text given[i] is put in the place of text i: its motion is not the one it shows.
    shuffled = retrieval_row(scores[given].T, same[np.ix_(given, given)], pools)
    return {
        "motion to text": retrieval_row(scores.T, same, pools),
        "text to motion": retrieval_row(scores, same, pools),
        "motion to text, shuffled": shuffled,
    }


def derangement(count: int, *, seed: int = 0) -> Int64:
    """Everybody gets another's, (N,): the next one on a random round."""
    order = np.random.default_rng((seed, 1)).permutation(count)
    given = np.empty(count, dtype=np.int64)
    given[order] = np.roll(order, 1)
    return given


def matching(scores: Float64, same: Bools) -> dict[str, Any]:
    """Mean R_text of true pairs, and how far the mean of all others is below it."""
    true, others = scores.diagonal(), scores[~same]
    low, high = interval(true) if len(true) else (np.nan, np.nan)
    other = float(others.mean()) if len(others) else None
    mean = float(true.mean()) if len(true) else None
    return {
        "true pairs": mean,
        "true pairs 95%": [low, high],
        "other pairs": other,
        "gap": None if mean is None or other is None else mean - other,
    }


def alike_share(same: Bools) -> float:
    """Share of the captions that have another one beside them that says the same."""
    others = same & ~np.eye(len(same), dtype=np.bool_)
    return float(others.any(axis=1).mean()) if len(same) else 0.0


def chance(pool: int, ks: Sequence[int] = RANKS) -> dict[str, float]:
    """What lots would give, with no captions alike."""
    return {f"R@{k}": min(k / pool, 1.0) for k in ks}
