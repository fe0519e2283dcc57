"""What a dynamic verifier is: motions in, a forecast of their performance out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.trials import LIMBS as LIMBS
from texedo.motion import Motion
from texedo.quality import TERMINATIONS

PAPER_THRESHOLD = 0.8
"""R_dyn above which the paper calls a motion feasible."""

Filter = Literal["r_dyn", "success"]
"""What a threshold is of: R_dyn, or the probability to finish."""
FILTER_NAMES: dict[Filter, str] = {"r_dyn": "R_dyn", "success": "chance to finish"}
"""What people call them."""

Float64 = NDArray[np.float64]
Float32 = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, eq=False)
class Forecast:
    """How M motions will go; NaN is what nobody knows.

    All numbers of a motion that is not finite, or shorter than 2 frames, are NaN.
    """

    success: Float64
    """Calibrated probability that the robot finishes, (M,)."""
    robust: Float64
    """Expected share of perturbed robots that finish, (M,)."""
    quality: Float64
    """q_d: expected tracking quality, 0 to 1, (M,)."""
    progress: Float64
    """Expected share of the frames that are performed if it fails, (M,)."""
    r_dyn: Float64
    """Q* of success, quality and progress, (M,)."""
    hazard: list[Float32] | None = None
    """Per motion (T,): probability to fail at a 50 Hz frame given that it got there."""
    reasons: Float64
    """Probability of each of `quality.TERMINATIONS` given that it fails, (M, 3)."""
    limbs: Float64
    """Probability of each of `LIMBS` given that it fails, (M, 4)."""

    def __len__(self) -> int:
        return len(self.success)

    @classmethod
    def unknown(cls, count: int, *, hazard: list[Float32] | None = None) -> Forecast:
        """NaN for all of them."""
        columns = {
            name: np.full(count, np.nan)
            for name in ("success", "robust", "quality", "progress", "r_dyn")
        }
        return cls(
            **columns,
            hazard=hazard,
            reasons=np.full((count, len(TERMINATIONS)), np.nan),
            limbs=np.full((count, len(LIMBS)), np.nan),
        )


class DynamicsVerifier(Protocol):
    """Whatever can tell a motion that the robot will manage from one that it will not."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def digest(self) -> str:
        """Hash of everything its scores depend on."""
        ...

    @property
    def tracker(self) -> str:
        """Digest of the tracker that performed what it learnt from."""
        ...

    @property
    def threshold(self) -> float:
        """R_dyn above which a motion passes, shipped with the weights; of another figure
        if it says so, see `FiltersBy`."""
        ...

    def foresee(self, motions: Sequence[Motion]) -> Forecast:
        """A forecast of each motion, of any length, that depends on nothing else.

        Not on the others of the batch, nor on the place and heading where it starts. A
        motion that cannot be read is all NaN, never an error.
        """
        ...


@runtime_checkable
class FiltersBy(Protocol):
    """What a verifier may offer beside: which figure its threshold is of."""

    @property
    def filters_by(self) -> Filter:
        """R_dyn unless somebody says otherwise."""
        ...


def filter_of(verifier: object) -> Filter:
    """Which figure the threshold of a verifier is of."""
    return verifier.filters_by if isinstance(verifier, FiltersBy) else "r_dyn"


def chance_of(verifier: object, forecast: Forecast) -> Float64 | None:
    """The probability to finish, (M,), if the threshold is of it; else nothing."""
    return forecast.success if filter_of(verifier) == "success" else None


def passing_text(by: Filter, threshold: float) -> str:
    """Who passes, for people."""
    what = "" if by == "r_dyn" else f" with a {FILTER_NAMES[by]}"
    return f"passes{what} above {threshold:g}"


def screened(verifier: object, forecast: Forecast) -> Float64:
    """That figure of all motions, (M,)."""
    chance = chance_of(verifier, forecast)
    return forecast.r_dyn if chance is None else chance
