"""Semantic verifiers whose scores can be foretold."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from texedo.motion import Motion

Judge = Callable[[str, Motion], float]


class FakeVerifier:
    """R_text by a function; counts how often it was asked."""

    def __init__(
        self, judge: Judge, *, name: str = "fake", digest: str = "v0", remark: str = ""
    ) -> None:
        self._judge, self.name, self.digest = judge, name, digest
        self._remark = remark
        self.calls = 0

    def compare(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        self.calls += 1
        return np.array([self._judge(texts[t], motions[m]) for t, m in pairs])

    def remarks(self, prompt: str) -> tuple[str, ...]:
        return (self._remark,) if self._remark else ()


def longest(text: str, motion: Motion) -> float:
    """Thinks that a longer motion fits better, whatever the text."""
    return min(len(motion) / 1000, 1.0)
