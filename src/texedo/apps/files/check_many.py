"""`texedo check --report` and `--watch`: a line for each file, a page about all."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from texedo.apps.bars import progress_bar
from texedo.apps.console import make_console
from texedo.apps.files.check_folder import (
    VERDICTS,
    Checked,
    Options,
    Watch,
    check_files,
)
from texedo.apps.files.check_page import write_check_page
from texedo.core.visible import visible

_COLOUR = {
    "pass": "green",
    "warn": "yellow",
    "offset": "cyan",
    "fail": "bold red",
    "unreadable": "magenta",
}
_PAGE_SECONDS = 10.0
"""The page is not written again sooner: its pictures take a second each."""


def check_many(
    items: tuple[Path, ...],
    *,
    format: str | None,
    fps: float | None,
    report: Path | None,
    watch: bool,
) -> int:
    """Check files and folders; the exit code of `texedo check`."""
    options = Options(format, fps)
    console = make_console(soft_wrap=True)
    if watch:
        rows = _watch(items, options, report, console)
    else:
        with progress_bar("checking") as progress:
            rows = check_files(items, options, progress=progress)
        for row in rows:
            _tell(console, row)
    if report is not None:
        write_check_page(rows, report, options)
    _summarize(console, rows, report)
    if any(row.error for row in rows):
        return 2
    return int(any(row.verdict == "fail" for row in rows))


def _watch(
    items: tuple[Path, ...], options: Options, report: Path | None, console: Console
) -> list[Checked]:
    watch = Watch(items, options)
    written = -_PAGE_SECONDS

    def after() -> None:
        nonlocal written
        if report is not None and time.monotonic() - written > _PAGE_SECONDS:
            write_check_page(watch.checked(), report, options)
            written = time.monotonic()

    print("watching; Ctrl-C ends it", file=sys.stderr)
    try:
        watch.run(lambda row: _tell(console, row), after)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    return watch.checked()


def _tell(console: Console, row: Checked) -> None:
    colour = _COLOUR[row.verdict]
    if row.error:
        console.print(f"[{colour}]unreadable[/] {escape(row.error)}")
        return
    names = ", ".join(check["name"] for check in row.faults)
    tail = f": {escape(names)}" if names else ""
    name = f"{escape(visible(row.name))} ({row.read})"
    console.print(f"[{colour}]{row.verdict}[/] {name}{tail}")


def _summarize(console: Console, rows: Sequence[Checked], report: Path | None) -> None:
    counts = Counter(row.verdict for row in rows)
    parts = [f"{counts[v]} {v}" for v in VERDICTS if counts[v]]
    place = f"; see {visible(report)}" if report is not None else ""
    said = f"{len(rows)} motions: {', '.join(parts) or 'none'}{place}"
    console.print(escape(said))
