"""The progress bar of every command that does one thing many times."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from texedo.apps.console import make_console

_LOG_SECONDS = 20.0
"""Between two lines of a long job in a log file."""


class Bar:
    """Steps done of all, on the terminal; a bar in a log file is noise.

    A `long` job's bar stays on the screen with the time it took, and where there is no
    terminal it says how far it is every 20 s. It appears with the first step or stage,
    so that a job with nothing to do shows none.
    """

    def __init__(
        self, description: str = "", *, total: int | None = None, long: bool = False
    ) -> None:
        self._console = make_console(stderr=True)
        self._long, self._silent = long, not self._console.is_terminal
        self._progress = Progress(
            *_columns(long),
            console=self._console,
            transient=not long,
            disable=self._silent,
        )
        self._description, self._done, self._total = description, 0, total
        self._note, self._stopped = "", False
        self._task = self._progress.add_task(description, total=total, note="")
        self._logged = time.monotonic()
        self._lock = threading.Lock()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Take it off the screen, or leave it as it is if the job was long."""
        self._stopped = True
        self._progress.stop()

    @property
    def elapsed(self) -> float:
        """Seconds that this stage has taken so far."""
        return self._progress.tasks[-1].elapsed or 0.0

    def stage(self, description: str) -> None:
        """Another bar below the last one, if it is another stage."""
        if description == self._description:
            return
        if self._description:
            self._task = self._progress.add_task(description, note="")
        self._done, self._total, self._note = 0, None, ""
        self._logged = time.monotonic()
        self.show(description=description)

    def show(
        self,
        done: int | None = None,
        total: int | None = None,
        *,
        description: str | None = None,
        note: str | None = None,
    ) -> None:
        """How far it is; what is not given stays as it was."""
        with self._lock:  # Steps may end on several threads.
            self._done = self._done if done is None else done
            self._total = self._total if total is None else total
            self._note = self._note if note is None else note
            if description is not None:
                self._description = description
            if not self._stopped:
                self._progress.start()
            self._progress.update(
                self._task,
                completed=self._done,
                total=self._total,
                description=self._description,
                note=self._note,
            )
            self._log()

    def advance(self, *, note: str | None = None) -> None:
        """One more is done."""
        with self._lock:
            self._done += 1
        self.show(note=note)

    def print(self, text: str) -> None:
        """A line above the bar."""
        if self._silent:
            print(text, file=sys.stderr)
        else:
            self._console.print(text, markup=False, emoji=False)

    def _log(self) -> None:
        now = time.monotonic()
        if self._silent and self._long and now - self._logged > _LOG_SECONDS:
            self._logged = now
            count = f"{self._done}/{self._total or '?'}"
            print(
                f"{self._description}: {count} {self._note}".rstrip(), file=sys.stderr
            )


def _columns(long: bool) -> list[ProgressColumn]:
    columns = [
        # No markup: a description may be the name of a file.
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
    ]
    if long:
        columns += [TextColumn("{task.fields[note]}"), TimeElapsedColumn()]
    return [*columns, TimeRemainingColumn()]


@contextmanager
def progress_bar(description: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with the number done and the number to do."""
    with Bar(description) as bar:
        yield lambda done, total: bar.show(done, total)


@contextmanager
def stage_bar() -> Iterator[Callable[[str, int, int], None]]:
    """The same for work in stages: call it with the stage's name in front."""
    with Bar() as bar:
        yield lambda stage, done, total: bar.show(done, total, description=stage)
