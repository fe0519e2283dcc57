"""SEE as the pipeline knows it: candidates of a prompt in, a table of scores out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from texedo.motion import Motion

if TYPE_CHECKING:
    from texedo.see.dynamics.outlook import Outlook

NAN = float("nan")
Float64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
Progress = Callable[[int, int], None]
"""Called with the number of candidates done and of all."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Performance:
    """How the controller did in physics; NaN is a number that nobody knows."""

    success: bool
    """Whether it came to the end."""
    robust: float = NAN
    """Share of the perturbed robots that did."""
    robots: int = 0
    """How many perturbed robots tried."""
    e_mpjpe: float = NAN
    """Mean distance of the bodies from the reference, seen from the pelvis [mm]."""
    e_vel: float = NAN
    """Mean error of the bodies' speeds [mm/frame]."""
    e_acc: float = NAN
    """Mean error of the bodies' accelerations [mm/frame^2]."""
    q_star: float = NAN
    """Q*: how good the performance is as a whole."""
    seconds: float = NAN
    """How long it lasted, to the end or to the failure [s]."""
    verdict: str = ""
    """How it went, in words: "performed to the end", "fails at 1.20 s: ..."."""
    executed: Float64 | None = None
    """What the robot did, qpos (T', 36); the frame that failed is the last."""

    @property
    def holds(self) -> bool:
        """Whether every robot that tried came to the end."""
        return self.success and (not self.robots or self.robust == 1.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """How good the N candidates of a prompt are; NaN is a score that nobody knows."""

    dynamics: Float64
    """R_dyn: will the controller manage it, (N,)."""
    semantics: Float64
    """R_text: does it mean what the prompt says, (N,)."""
    quality: Float64
    """Q*: how well the controller did it, (N,)."""
    chance: Float64 | None = None
    """Chance to get to the end, (N,), where the threshold is of it and not of R_dyn."""
    survived: Bools | None = None
    """Who was performed to the end, (N,); None if nobody was performed."""
    performances: Sequence[str] | None = None
    """How each performance went, N phrases for people, as in "fails at 1.20 s"."""
    columns: dict[str, list[Any]] = field(default_factory=dict)
    """What else is known, N plain values under each name."""
    performed: Mapping[int, Performance] = field(default_factory=dict)
    """How the controller did, by candidate; empty if nobody was performed."""
    outlooks: Sequence[Outlook] | None = None
    """What is expected of each, N of them; None if nobody looked ahead."""
    risk: Sequence[NDArray[np.float32]] | None = None
    """Probability to fail at each frame of each candidate, N arrays (T,)."""
    remarks: tuple[str, ...] = ()
    """Sentences for the user about how these scores came to be."""

    def __len__(self) -> int:
        return len(self.dynamics)

    @property
    def screened(self) -> Float64:
        """What the threshold is of, (N,)."""
        return self.dynamics if self.chance is None else self.chance

    def performance(self, index: int) -> str:
        """How the performance of a candidate went, in words."""
        if self.performances is not None:
            return self.performances[index]
        if self.survived is None:
            return "not performed"
        return "performed to the end" if self.survived[index] else "fails"

    @classmethod
    def join(cls, parts: Sequence[Scores]) -> Scores:
        """Those of the same scorer on the first candidates, the next, and so on."""
        if len(parts) == 1:
            return parts[0]
        first, starts = parts[0], np.cumsum([0, *map(len, parts)])
        names = dict.fromkeys(name for part in parts for name in part.columns)
        return cls(
            dynamics=np.concatenate([part.dynamics for part in parts]),
            semantics=np.concatenate([part.semantics for part in parts]),
            quality=np.concatenate([part.quality for part in parts]),
            chance=None
            if first.chance is None
            else np.concatenate([p.chance for p in parts if p.chance is not None]),
            survived=None
            if first.survived is None
            else np.concatenate([p.survived for p in parts if p.survived is not None]),
            performances=_chained([part.performances for part in parts]),
            columns={
                name: [v for p in parts for v in p.columns.get(name, [None] * len(p))]
                for name in names
            },
            performed={
                int(start) + i: done
                for start, part in zip(starts, parts, strict=False)
                for i, done in part.performed.items()
            },
            outlooks=_chained([part.outlooks for part in parts]),
            risk=_chained([part.risk for part in parts]),
            remarks=tuple(dict.fromkeys(r for part in parts for r in part.remarks)),
        )


def _chained(parts: Sequence[Sequence[Any] | None]) -> list[Any] | None:
    """All of them, or None if one part is missing."""
    found: list[Any] = []
    for part in parts:
        if part is None:
            return None
        found += part
    return found


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
class KnowsFit(Protocol):
    """What a scorer may offer beside: from which R_text on a motion does what was said."""

    @property
    def fits_from(self) -> float | None:
        """Of choices below it about half are right; None if nobody measured it."""
        ...


def fit_bound(scorer: object) -> float | None:
    """From which R_text on a motion does what was said; None if nobody knows."""
    return scorer.fits_from if isinstance(scorer, KnowsFit) else None


@runtime_checkable
class HasThreshold(Protocol):
    """What a scorer may offer beside: when R_dyn, as it gives it, is high enough, or the
    chance to get to the end where it gives one."""

    @property
    def threshold(self) -> float | None:
        """Above which a candidate is taken to be feasible; None: no opinion."""
        ...
