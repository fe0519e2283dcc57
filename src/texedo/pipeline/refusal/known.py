"""What is known: groups of training captions, and a phrase that stands for each.

A group is the mean of sentences that say much the same, as the text encoder sees them.
How near a sentence is to the nearest group tells whether it asks for anything that was
learnt; the phrases of the nearest groups are what it could ask for instead.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from texedo.pipeline.refusal.evidence import differs

Float32 = NDArray[np.float32]

_ALIKE = 0.8
"""Groups that are nearer to each other than this are one suggestion."""


class Known:
    """K groups and their phrases; a group may have none."""

    def __init__(self, groups: Float32, phrases: Sequence[str]) -> None:
        if len(groups) != len(phrases):
            raise ValueError(f"{len(groups)} groups have {len(phrases)} phrases.")
        self.groups = unit(groups)
        """(K, hidden), each of length 1."""
        self.phrases = tuple(phrases)
        """Empty where a group has none."""

    def near(self, vectors: Float32) -> Float32:
        """The cosine of each sentence (B, hidden) with the nearest group, (B,)."""
        found: Float32 = (unit(vectors) @ self.groups.T).max(axis=1)
        return found

    def nearest(self, vector: Float32, count: int = 3) -> tuple[str, ...]:
        """Phrases of the nearest groups; each of them says something new."""
        alike = unit(vector[None])[0] @ self.groups.T
        taken: list[int] = []
        for i in np.argsort(-alike, kind="stable"):
            if len(taken) == count:
                break
            said = [self.phrases[j] for j in taken]
            if not self.phrases[i] or not differs(self.phrases[i], said):
                continue
            if taken and (self.groups[taken] @ self.groups[i]).max() > _ALIKE:
                continue
            taken.append(int(i))
        return tuple(self.phrases[i] for i in taken)


def unit(vectors: NDArray[np.floating]) -> Float32:
    """Each of length 1, (B, hidden)."""
    long = np.asarray(vectors, dtype=np.float32)
    size = np.linalg.norm(long, axis=1, keepdims=True)
    found: Float32 = long / np.maximum(size, np.float32(1e-9))
    return found


def group(vectors: Float32, count: int, *, rounds: int = 8) -> Float32:
    """`count` groups of sentences (B, hidden), each a unit vector, by k-means.

    It begins with sentences evenly spread over the given ones: the same sentences give
    the same groups.
    """
    points = unit(vectors)
    start = np.linspace(0, len(points) - 1, min(count, len(points))).astype(int)
    groups: Float32 = points[start]
    for _ in range(rounds):
        own = (points @ groups.T).argmax(axis=1)
        sums = np.zeros_like(groups)
        np.add.at(sums, own, points)
        kept = np.bincount(own, minlength=len(groups)) == 0
        groups = unit(np.where(kept[:, None], groups, sums))
    return groups


def phrases_of(groups: Float32, vectors: Float32, texts: Sequence[str]) -> list[str]:
    """For each group the text (B, hidden) that is nearest to it, if it is of this group
    and no other group has taken it."""
    alike = unit(vectors) @ groups.T  # (B, K)
    own = alike.argmax(axis=1)
    phrases = []
    for i in range(len(groups)):
        members = np.flatnonzero(own == i)
        best = members[alike[members, i].argmax()] if len(members) else None
        phrases.append("" if best is None else texts[best])
    return phrases
