"""The clock of a training run."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

from texedo.learning.run import PROCESS_START

_FIRST_RESERVE = 60.0
"""Seconds kept for the final evaluation before one has been timed."""


class Clock:
    """Knows when to stop, so that the final evaluation still fits before the wall."""

    def __init__(self, *, minutes: float, wall: float, iterations: int) -> None:
        self._minutes, self._wall, self._iterations = minutes, wall, iterations
        self._start = time.monotonic()
        self._reserve = _FIRST_RESERVE
        self.sample_seconds = self.learn_seconds = 1e-9

    def over(self, iteration: int) -> bool:
        if self._iterations and iteration >= self._iterations:
            return True
        return time.monotonic() >= self._end

    def left(self, share: float) -> bool:
        """Whether no more than this share of the time is left; never without a limit."""
        end = self._end
        whole = end - self._start
        return end < math.inf and end - time.monotonic() <= share * whole

    @property
    def _end(self) -> float:
        """When training must stop; infinite without a limit."""
        minutes = self._start + 60 * self._minutes if self._minutes else math.inf
        wall = PROCESS_START + self._wall - self._reserve if self._wall else math.inf
        return min(minutes, wall)

    def tick(self, sample_seconds: float, learn_seconds: float) -> None:
        """Note how long the two halves of the last iteration took."""
        self.sample_seconds = max(sample_seconds, 1e-9)
        self.learn_seconds = max(learn_seconds, 1e-9)

    @contextmanager
    def evaluating(self) -> Iterator[None]:
        """Time an evaluation: the last one runs over all clips, and perturbed."""
        started = time.monotonic()
        yield
        self._reserve = 10.0 + 3.0 * (time.monotonic() - started)

    def left_for_report(self) -> float:
        """Seconds until the wall."""
        if not self._wall:
            return float("inf")
        return PROCESS_START + self._wall - time.monotonic()
