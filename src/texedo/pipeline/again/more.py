"""More candidates, where those that were drawn do not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from texedo.motion import Motion
from texedo.text.generators.prompts import Sampling
from texedo.text.generators.protocol import Generator, ReadsPrompts

FEWEST = 8
"""Of fewer candidates nobody can say that the sentence is not understood."""


class Looked(NamedTuple):
    """Motions for a sentence, and what is known of them."""

    motions: Sequence[Motion]
    """Post-processed, (N,)."""
    r_text: NDArray[np.float64]
    """Does it mean what the sentence says, (N,)."""
    may_win: NDArray[np.bool_]
    """Who passes, (N,)."""


Look = Callable[[str, Sequence[Motion]], Looked]


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
    """What there is so far for a prompt."""

    prompt: str
    generator: Generator
    n: int
    """Candidates that were asked for."""
    seed: int
    sampling: Sampling
    motions: Sequence[Motion]
    """All candidates, (N,)."""
    r_text: NDArray[np.float64]
    """Does it mean what the prompt says, (N,)."""
    may_win: NDArray[np.bool_]
    """Who passes, (N,)."""
    look: Look
    """How motions for another sentence are made fit for the robot and scored."""

    def fits(self, bound: float) -> bool:
        """Whether a candidate that passes has an R_text as high as the bound, or nobody
        can tell."""
        return not nothing_fits(self.r_text, self.may_win, bound)

    def lacks(self, bound: float) -> bool:
        """Whether nothing fits, and motions that were not drawn may be put beside what
        was: not where these are somebody's, or where their length was asked for."""
        own = isinstance(self.generator, ReadsPrompts)
        return own and self.sampling.duration is None and not self.fits(bound)


@dataclass(frozen=True, kw_only=True, eq=False)
class More:
    """Candidates that are compared with those that were drawn."""

    motions: Sequence[Motion]
    column: str
    """Of the table of candidates, which tells how they came to be."""
    told: Sequence[str]
    """What it says of each."""
    remark: str
    """What the user should know; "" if it goes without saying."""
    odds: float | NDArray[np.float64] = 0.0
    """Evidence of how they came to be that they mean what was said, of all or of each
    [log-odds]."""


def nothing_fits(r_text: ArrayLike, passes: ArrayLike, bound: float) -> bool:
    """Whether none of these candidates, (N,), that passes has an R_text as high as the
    bound; not where nobody can tell."""
    r_text = np.asarray(r_text, dtype=np.float64)
    known = np.isfinite(r_text)
    if len(r_text) < FEWEST or not known.any():
        return False
    best = r_text[known & np.asarray(passes, dtype=np.bool_)].max(initial=0.0)
    return bool(best < bound)


def raised(
    r_text: NDArray[np.float64], odds: float | NDArray[np.float64]
) -> NDArray[np.float64]:
    """R_text (N,) with so much more evidence for each [log-odds]; 0 and 1 stay."""
    if not np.any(odds):
        return r_text
    times = np.exp(odds)
    return np.asarray(times * r_text / (1 + (times - 1) * r_text))


def told_of(more: Mapping[int, More], count: int) -> dict[str, list[str | None]]:
    """Columns of the table of so many candidates; `more` by the number of the first."""
    columns: dict[str, list[str | None]] = {}
    for first, own in more.items():
        column = columns.setdefault(own.column, [None] * count)
        column[first : first + len(own.told)] = own.told
    return columns


def doubt(r_text: float, fits_from: float | None) -> tuple[str, ...]:
    """What to say of a choice that does not fit."""
    if fits_from is None or not r_text < fits_from:
        return ()
    return (
        f"it may not do all that was said: its R_text is {r_text:.2f}, and of choices "
        f"below {fits_from:g} about half do",
    )


def is_r_text(bound: float) -> bool:
    """Whether a bound of R_text can be one."""
    return 0 <= bound <= 1
