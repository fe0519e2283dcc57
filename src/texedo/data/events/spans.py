"""Stretches of frames and turning points: the small tools of every detector."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS
from texedo.motion.runs import true_runs

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Span(NamedTuple):
    """Frames `start` to `stop`, exclusive."""

    start: int
    stop: int

    @property
    def frames(self) -> slice:
        return slice(self.start, self.stop)

    @property
    def seconds(self) -> float:
        return (self.stop - self.start) / FPS

    def grown(self, frames: int, length: int) -> Span:
        """Longer by `frames` at both ends, inside a motion of `length`."""
        return Span(max(self.start - frames, 0), min(self.stop + frames, length))

    def overlap(self, other: Span) -> int:
        """Frames in both."""
        return max(min(self.stop, other.stop) - max(self.start, other.start), 0)

    @property
    def times(self) -> dict[str, float]:
        """`start` and `end` of an event [s]."""
        return {"start": self.start / FPS, "end": self.stop / FPS}


def spans(mask: Bools, *, min_seconds: float = 0.0, max_gap: float = 0.0) -> list[Span]:
    """Stretches of True; gaps up to `max_gap` are bridged first, then short ones go."""
    found: list[Span] = []
    for start, stop in true_runs(mask).tolist():
        if found and start - found[-1].stop <= max_gap * FPS:
            found[-1] = Span(found[-1].start, stop)
        else:
            found.append(Span(start, stop))
    return [span for span in found if span.seconds >= min_seconds]


def hysteresis(values: Floats, *, on: float, off: float) -> Bools:
    """True from where a value passes `on` until it falls below `off`, both ways in time.

    Every stretch above `off` that somewhere reaches `on`.
    """
    mask = np.zeros(len(values), dtype=bool)
    for span in spans(values > off):
        if values[span.frames].max() > on:
            mask[span.frames] = True
    return mask


class Extremum(NamedTuple):
    """A turning point of a curve."""

    frame: int
    value: float
    top: bool
    """A maximum."""


def turning_points(values: NDArray[Any], swing: float) -> list[Extremum]:
    """Alternating maxima and minima whose neighbours differ by at least `swing`.

    The first and the last extremum may lie at the ends of the curve.
    """
    numbers = values.tolist()
    found: list[Extremum] = []
    low = high = 0
    rising: bool | None = None
    for i, value in enumerate(numbers):
        if value > numbers[high]:
            high = i
        if value < numbers[low]:
            low = i
        if rising is not False and numbers[high] - value >= swing:
            found.append(Extremum(high, numbers[high], True))
            rising, low, high = False, i, i
        elif rising is not True and value - numbers[low] >= swing:
            found.append(Extremum(low, numbers[low], False))
            rising, low, high = True, i, i
    if found:
        last = low if found[-1].top else high
        found.append(Extremum(last, numbers[last], not found[-1].top))
    return found


def sustained(values: NDArray[Any], frames: int) -> float:
    """The largest value that is reached in at least `frames` frames."""
    rank = min(frames, len(values)) - 1
    return float(np.sort(values)[::-1][rank])
