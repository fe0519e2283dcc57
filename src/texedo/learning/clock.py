"""The clock of a training run: when it is over, how much of it is done, and Ctrl-C.

A run ends after `steps`, or else after `minutes` of training over all calls. A call ends
with the run, before its `wall`, so that the final report fits, or after Ctrl-C at the
end of the step: the trainer then saves, and the same command resumes it later.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

from texedo.core.ending import Terminated
from texedo.core.errors import TexedoError
from texedo.learning.options import TrainOptions

PROCESS_START = time.monotonic()
"""About when the process began: trainers import this module first thing."""


def due(step: int, every: int) -> bool:
    """Whether something that is done every so many steps is done now; 0 is never."""
    return every > 0 and step % every == 0


class Clock:
    """Counts the training time of a run from the moment it is made."""

    def __init__(
        self, options: TrainOptions, *, seconds: float = 0.0, report_seconds: float
    ) -> None:
        """`seconds` were trained by earlier calls; the report takes about so long."""
        self._steps, self._wall = options.steps, options.wall
        self._report = report_seconds
        self._before, self._start = seconds, time.monotonic()
        self._budget = self._time_budget(options.minutes)
        self.interrupted = False
        """Ctrl-C was pressed."""
        self._handlers: dict[int, Any] = {}
        self._end: type[KeyboardInterrupt] = KeyboardInterrupt

    def _time_budget(self, minutes: float) -> float:
        """Seconds of training over all calls; infinite where steps or nothing limit."""
        if self._steps:
            return math.inf
        if minutes:
            return 60.0 * minutes
        if self._wall:
            return self._before + max(self.left_for_report() - self._report, 0.0)
        raise TexedoError("A run needs an end: give --minutes, --steps or --wall.")

    @property
    def seconds(self) -> float:
        """Trained so far, over all calls."""
        return self._before + time.monotonic() - self._start

    def fraction(self, step: int) -> float:
        """How much of the run is done after this many steps, 0 to 1 or a little more."""
        if self._steps:
            return step / self._steps
        return self.seconds / max(self._budget, 1e-9)

    def over(self, step: int) -> bool:
        """Whether this call trains no further."""
        done = self.fraction(step) >= 1.0
        return done or self.interrupted or self.left_for_report() <= self._report

    def left_for_report(self) -> float:
        """Seconds until the wall; infinite without one."""
        if not self._wall:
            return math.inf
        return PROCESS_START + self._wall - time.monotonic()

    @contextmanager
    def evaluating(self, *, report_is: float) -> Iterator[None]:
        """Time an evaluation: the report at the end takes this many times as long."""
        started = time.monotonic()
        yield
        self._report = 10.0 + report_is * (time.monotonic() - started)

    def __enter__(self) -> Clock:
        """From here on Ctrl-C ends the training after the step; a second one at once.

        SIGTERM does the same, as long as nobody else handles it.
        """
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._handlers[number] = signal.signal(number, self._interrupt)
        return self

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGTERM:
            self._end = Terminated
        if self.interrupted:
            raise self._end()
        self.interrupted = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Raises `KeyboardInterrupt` if there was one, now that all is saved."""
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        if self.interrupted and kind is None:
            raise self._end()
