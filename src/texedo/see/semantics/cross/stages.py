"""How well the stages of a motion fit the steps of a sentence.

A motion is cut at some of a few places, evenly apart, into as many stages as there are
steps. Each stage is looked at as if it were a motion of its own and compared with its
step; the cuts are those with which all of it fits best. A step that is missing fits no
stage, however well the rest fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.see.semantics.cross.frames import HEADING, PLACE, RATE, TURNED
from texedo.see.semantics.protocol import Float64

APART, PLACES = 0.7, 5
"""Cuts are no nearer to one another [s]; they cut the motion into so many parts at most ..."""
SPARE = 2
"""... or into so many more than there are steps."""
_NEVER = -60.0
"""Log of the probability of what cannot be."""

Compare = Callable[[Sequence[Tensor], NDArray[np.int64]], Float64]
"""Log-odds of pairs (P, 2) of a step and of frames, (P,)."""


class Stage(NamedTuple):
    """A part of a motion that may be one of its stages."""

    motion: int
    first: int
    """Number of the place it begins at."""
    last: int
    """Number of the place it ends at."""


def stages_of(motion: int, frames: int, steps: int) -> list[Stage]:
    """All that a motion of so many frames may have if it has so many steps."""
    places = places_of(frames, steps)
    ends = len(places) - 1
    return [
        Stage(motion, first, last)
        for first in range(ends)
        for last in range(first + 1, ends + 1)
        if _steps(Stage(motion, first, last), ends, steps)
    ]


def places_of(frames: int, steps: int) -> NDArray[np.int64]:
    """Frames at which it may be cut, its first and its last among them."""
    parts = int(np.clip(frames / RATE / APART, steps, max(PLACES, steps + SPARE)))
    return np.unique(np.linspace(0, frames - 1, parts + 1).round().astype(np.int64))


def _steps(stage: Stage, ends: int, steps: int) -> list[int]:
    """The steps that a stage may be of: the first one begins with the motion, the last
    one ends with it, and there is room for the others."""
    return [
        step
        for step in range(steps)
        if (stage.first == 0) == (step == 0)
        and (stage.last == ends) == (step == steps - 1)
        and stage.first >= step
        and ends - stage.last >= steps - 1 - step
    ]


def frames_between(frames: Tensor, first: int, last: int) -> Tensor:
    """Frames (T, 80) from one to another, both included, as of a motion that starts
    there."""
    out = frames[first : last + 1].clone()
    cosine, sine = frames[first, HEADING]
    out[:, TURNED] -= frames[first, TURNED]
    out[:, HEADING] = torch.stack((out[:, TURNED].cos(), out[:, TURNED].sin()), dim=1)
    x, y = (out[:, PLACE] - frames[first, PLACE]).unbind(1)
    out[:, PLACE] = torch.stack((x * cosine + y * sine, y * cosine - x * sine), dim=1)
    return out


def fits(motions: Sequence[Tensor], steps: int, compare: Compare) -> Float64:
    """Log-odds of each step in its stage for the best cuts, (N, steps)."""
    lengths = [len(frames) for frames in motions]
    stages = [s for i, count in enumerate(lengths) for s in stages_of(i, count, steps)]
    places = [places_of(count, steps) for count in lengths]
    parts = [
        frames_between(
            motions[stage.motion],
            int(places[stage.motion][stage.first]),
            int(places[stage.motion][stage.last]),
        )
        for stage in stages
    ]
    wanted = [
        (step, number)
        for number, stage in enumerate(stages)
        for step in _steps(stage, len(places[stage.motion]) - 1, steps)
    ]
    odds = compare(parts, np.array(wanted, dtype=np.int64).reshape(-1, 2))
    known: list[dict[tuple[int, int, int], float]] = [{} for _ in motions]
    for (step, number), value in zip(wanted, odds, strict=True):
        motion, first, last = stages[number]
        known[motion][step, first, last] = float(value)
    found = [
        _best(own, len(at) - 1, steps) for own, at in zip(known, places, strict=True)
    ]
    return np.array(found, dtype=np.float64).reshape(len(motions), steps)


def _best(
    known: dict[tuple[int, int, int], float], ends: int, steps: int
) -> list[float]:
    """The steps' log-odds for the cuts with which all of them are likeliest."""
    ways: dict[int, tuple[float, list[float]]] = {0: (0.0, [])}
    for step in range(steps):
        following: dict[int, tuple[float, list[float]]] = {}
        for first, (worth, path) in ways.items():
            for last in range(first + 1, ends + 1):
                odds = known.get((step, first, last))
                if odds is None:
                    continue
                value = worth - float(np.logaddexp(0.0, -odds))
                if last not in following or value > following[last][0]:
                    following[last] = (value, [*path, odds])
        ways = following
    return ways[ends][1] if ends in ways else [_NEVER] * steps
