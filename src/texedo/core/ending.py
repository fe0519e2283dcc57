"""An end from outside takes the way of Ctrl-C, so that nothing half-written is left.

A batch system, a container or a closing terminal ends a program by a signal. Python dies
of that signal on the spot: temporary files stay, nothing is resumed. Here it becomes a
`KeyboardInterrupt`, which every part of the package cleans up after.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Terminated(KeyboardInterrupt):
    """The program was asked to end by a signal."""


class WorkerEnds(SystemExit):
    """A worker process was told to end, and cleans up."""


@contextmanager
def ends_by_signal() -> Iterator[None]:
    """While it lasts, SIGTERM and SIGHUP raise `Terminated`; only in the main thread.

    A signal that somebody else already handles, or that is to be ignored (nohup), is left
    alone.
    """
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, _end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, frame: FrameType | None) -> None:
    # Once: a second signal must not disturb the cleaning up.
    for other in _SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    raise Terminated


def end_worker() -> None:
    """Make SIGTERM unwind a worker process instead of killing it on the spot."""

    def leave(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)
        raise WorkerEnds(1)

    signal.signal(signal.SIGTERM, leave)
