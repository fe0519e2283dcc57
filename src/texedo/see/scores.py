"""SEE as the pipeline knows it: candidates of a prompt in, a table of scores out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from texedo.motion import Motion

Float64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
Progress = Callable[[int, int], None]
"""Called with the number of candidates done and of all."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """How good the N candidates of a prompt are; NaN is a score that nobody knows."""

    dynamics: Float64
    """R_dyn: will the controller manage it, (N,)."""
    semantics: Float64
    """R_text: does it mean what the prompt says, (N,)."""
    quality: Float64
    """Q*: how well the controller did it, (N,)."""
    survived: Bools | None = None
    """Who was performed to the end, (N,); None if nobody was performed."""
    performances: Sequence[str] | None = None
    """How each performance went, N phrases for people, as in "fails at 1.20 s"."""
    columns: dict[str, list[Any]] = field(default_factory=dict)
    """What else is known, N plain values under each name."""
    executed: dict[int, Float64] = field(default_factory=dict)
    """What the robot did, qpos (T', 36) by candidate; the frame that failed is last."""
    remarks: tuple[str, ...] = ()
    """Sentences for the user about how these scores came to be."""

    def __len__(self) -> int:
        return len(self.dynamics)

    def performance(self, index: int) -> str:
        """How the performance of a candidate went, in words."""
        if self.performances is not None:
            return self.performances[index]
        if self.survived is None:
            return "not performed"
        return "performed to the end" if self.survived[index] else "fails"


class Scorer(Protocol):
    """Whatever can tell good candidates from bad ones."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def digest(self) -> str:
        """Hash of everything its scores depend on."""
        ...

    def score(
        self,
        prompt: str,
        candidates: Sequence[Motion],
        *,
        progress: Progress | None = None,
    ) -> Scores:
        """Scores of all candidates; one must not depend on the others.

        NaN for what this scorer has no opinion on, and None for a field of `Scores` that
        is none of its business: nobody reads a column of `columns` by its name.
        """
        ...


@runtime_checkable
class Gives(Protocol):
    """What a scorer may offer beside: which scores it knows before it is asked."""

    @property
    def gives(self) -> frozenset[str]:
        """Names among dynamics, semantics and quality."""
        ...


@runtime_checkable
class HasThreshold(Protocol):
    """What a scorer may offer beside: when R_dyn, as it gives it, is high enough."""

    @property
    def threshold(self) -> float | None:
        """R_dyn above which a candidate is taken to be feasible; None: no opinion."""
        ...
