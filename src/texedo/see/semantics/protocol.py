"""What a semantic verifier is: sentences and motions in, R_text of their pairs out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from texedo.motion import Motion

Float64 = NDArray[np.float64]
Pairs = NDArray[np.int64]
"""Numbers of a sentence and of a motion, (P, 2)."""


class SemanticVerifier(Protocol):
    """Whatever can tell a motion that does what a sentence says from one that does not."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def digest(self) -> str:
        """Hash of everything its scores depend on."""
        ...

    def compare(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        """R_text of each pair, (P,), from 0 to 1; more is nearer.

        Each text and each motion is read once, however many pairs it is in. The score of
        a pair depends on nothing else: not on the others, nor on the place and heading
        where the motion starts.
        """
        ...


def r_text(
    verifier: SemanticVerifier, prompt: str, motions: Sequence[Motion]
) -> Float64:
    """R_text of the candidates of one prompt, (N,)."""
    return verifier.compare([prompt], motions, all_pairs(1, len(motions)))


def all_pairs(texts: int, motions: int) -> Pairs:
    """Every sentence with every motion, sentence by sentence, (texts * motions, 2)."""
    grid = np.mgrid[:texts, :motions].reshape(2, -1).T
    return np.ascontiguousarray(grid, dtype=np.int64)
