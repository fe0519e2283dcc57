"""The clock of a training run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from texedo.checkpoints.run import PROCESS_START

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
        now = time.monotonic()
        if self._minutes and now - self._start >= 60 * self._minutes:
            return True
        return bool(self._wall) and now + self._reserve >= PROCESS_START + self._wall

    def left(self, share: float) -> bool:
        """Whether no more than this share of the time is left; never without a limit."""
        now = time.monotonic()
        ends = [self._start + 60 * self._minutes] if self._minutes else []
        if self._wall:
            ends.append(PROCESS_START + self._wall - self._reserve)
        return bool(ends) and min(ends) - now <= share * (min(ends) - self._start)

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
