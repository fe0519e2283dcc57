"""Generators and scorers whose answers can be foretold."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tests.support.standing import ON_THE_FLOOR, standing
from texedo.core.errors import GenerationError
from texedo.motion import Motion
from texedo.pipeline import Scores


class StandingGenerator:
    """Candidate i of a prompt stands with its arms swinging in a way of its own.

    The prompt "fail" is an error, in a batch or alone.
    """

    name, digest = "standing", "d0"

    def __init__(self, *, frames: int = 40, height: float = ON_THE_FLOOR) -> None:
        self.frames, self.height = frames, height
        self.batches: list[list[str]] = []

    def sample(self, prompt: str, n: int, **settings: float | None) -> list[Motion]:
        return self.sample_many([prompt], n, **settings)[0]

    def sample_many(
        self, prompts: Sequence[str], n: int, *, seed: int = 0, **_: float | None
    ) -> list[list[Motion]]:
        self.batches.append(list(prompts))
        if "fail" in prompts:
            raise GenerationError("This prompt is called fail.")
        return [[self._motion(p, seed, i) for i in range(n)] for p in prompts]

    def _motion(self, prompt: str, seed: int, i: int) -> Motion:
        key = sum(prompt.encode()) + 1000 * seed + i
        return standing(self.frames, seed=key, height=self.height)


class TableScorer:
    """Hands out a table; survival where the quality is at least a half."""

    name, digest = "table", "s0"

    def __init__(self, quality: Callable[[str], list[float]]) -> None:
        self._quality = quality

    def score(self, prompt: str, candidates: Sequence[Motion], **_: object) -> Scores:
        quality = np.array(self._quality(prompt), dtype=np.float64)
        unknown = np.full(len(candidates), np.nan)
        return Scores(
            dynamics=unknown,
            semantics=unknown,
            quality=quality,
            survived=quality >= 0.5,
        )


class GivenRText:
    """R_text from a list, in the order in which candidates come; all may pass."""

    name, digest = "reads", "r0"
    gives = frozenset({"dynamics", "semantics"})

    def __init__(
        self,
        r_text: list[float],
        r_dyn: float = 0.9,
        fits_from: float | None = 0.92,
    ) -> None:
        self.left, self.r_dyn, self.fits_from = r_text, r_dyn, fits_from

    def score(self, prompt: str, candidates: Sequence[Motion], **_: object) -> Scores:
        count = len(candidates)
        mine, self.left = self.left[:count], self.left[count:]
        return Scores(
            dynamics=np.full(count, self.r_dyn),
            semantics=np.array(mine),
            quality=np.full(count, np.nan),
        )
