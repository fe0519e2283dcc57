"""Dynamic verifiers whose forecasts can be foretold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from texedo.motion import Motion
from texedo.quality import oracle_quality
from texedo.see.dynamics.protocol import Filter, Forecast

Chance = Callable[[Motion], float]


class FakeDynamics:
    """Success by a function; who falls does so at frame 20, by the right foot.

    NaN is a motion that it cannot read. Quality and progress are a half, so that R_dyn
    is 0.15 for a success of 0 and 0.857 for one of 1.
    """

    tracker = "t0"

    def __init__(
        self,
        chance: Chance,
        *,
        name: str = "fake",
        digest: str = "d0",
        threshold: float = 0.6,
        hazard: bool = True,
        guarantee: Mapping[str, Any] | None = None,
        filters_by: Filter = "r_dyn",
    ) -> None:
        self._chance, self.name, self.digest = chance, name, digest
        self.threshold, self.filters_by = threshold, filters_by
        self.metadata = {"guarantee": guarantee} if guarantee else {}
        self._hazard = hazard
        self.calls = 0

    def foresee(self, motions: Sequence[Motion]) -> Forecast:
        self.calls += 1
        chance = np.array([self._chance(motion) for motion in motions], np.float64)
        half = np.where(np.isnan(chance), np.nan, 0.5)
        known = half[:, None] * 2
        return Forecast(
            success=chance,
            robust=chance / 2 if self._hazard else np.full(len(chance), np.nan),
            quality=half,
            progress=half,
            r_dyn=oracle_quality(chance, half, half),
            hazard=[spike(len(m), 1 - p) for m, p in zip(motions, chance, strict=True)]
            if self._hazard
            else None,
            reasons=known * [0.1, 0.2, 0.7],
            limbs=known * [0.1, 0.8, 0.05, 0.05],
        )


def spike(frames: int, chance: float, *, at: int = 20) -> np.ndarray[Any, Any]:
    """A hazard of nothing but one frame."""
    hazard = np.zeros(frames, dtype=np.float32)
    hazard[min(at, frames - 1)] = chance
    return hazard


def by_length(**chances: float) -> Chance:
    """Success by the number of frames: `by_length(f101=0.9)`."""
    return lambda motion: chances[f"f{len(motion)}"]
