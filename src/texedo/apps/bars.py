"""A progress bar on the terminal, for commands that do one thing many times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn


@contextmanager
def progress_bar(description: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with the number done and the number to do."""
    with _bar() as bar:
        task = bar.add_task(description, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def stage_bar() -> Iterator[Callable[[str, int, int], None]]:
    """The same for work in stages: call it with the stage's name in front."""
    with _bar() as bar:
        task = bar.add_task("", total=None)

        def tell(stage: str, done: int, total: int) -> None:
            bar.update(task, description=stage, completed=done, total=total)

        yield tell


def _bar() -> Progress:
    console = Console(stderr=True)
    return Progress(
        "{task.description}",
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        # A bar in a log file is noise.
        disable=not console.is_terminal,
    )
