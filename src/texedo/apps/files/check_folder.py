"""Folders of thousands of files, checked one by one: nothing of a motion is kept.

`check_files` checks them on all cores, `Watch` looks at a folder again and again and
checks what is new or has changed, once it has stopped growing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from texedo.apps.faults import debugging, fault_text, is_bad_input
from texedo.apps.files.sources import named_sources
from texedo.core.pool import map_unordered
from texedo.formats import motion_from_clip, read_clips
from texedo.robot.check import VERDICTS as CHECK_VERDICTS
from texedo.robot.check import check_motion

VERDICTS = (*CHECK_VERDICTS, "unreadable")
"""From good to bad."""
POLL_SECONDS = 1.0
_MANY = 64
"""Files from which on several processes are worth their start."""


class Checked(NamedTuple):
    """What came of one motion, or of a file that could not be read."""

    name: str
    """The path, with the clip's name behind it if the file holds several."""
    path: Path
    clip: str
    """The clip's name in the file."""
    record: dict[str, Any]
    """As in `texedo check --json`; empty if it could not be read."""
    error: str = ""
    read: str = ""
    """At which rate it was read, who says so, and how long that makes it."""

    @property
    def verdict(self) -> str:
        return "unreadable" if self.error else str(self.record["verdict"])

    @property
    def faults(self) -> list[dict[str, Any]]:
        """Checks that do not pass, the worst first."""
        bad = (c for c in self.record.get("checks", ()) if c["verdict"] != "pass")
        return sorted(bad, key=_badness, reverse=True)

    @property
    def badness(self) -> tuple[int, float]:
        """To sort by: the verdict, then how far over its limit the worst check is."""
        worst = max((_badness(c)[1] for c in self.faults), default=0.0)
        return VERDICTS.index(self.verdict), worst


def _badness(check: dict[str, Any]) -> tuple[int, float]:
    """The verdict, and how many times the limit of that verdict is reached."""
    limit = check[check["verdict"]] or 1.0
    return VERDICTS.index(check["verdict"]), float(check["value"] / limit)


@dataclass(frozen=True)
class Options:
    """How files are read."""

    format: str | None = None
    fps: float | None = None


def check_path(path: Path, options: Options) -> list[Checked]:
    """All motions of a file; what it raises is what came of it."""
    try:
        clips = read_clips(path, format=options.format, fps=options.fps).clips
        found = []
        for clip_name, clip in clips.items():
            name = str(path) if len(clips) == 1 else f"{path} ({clip_name})"
            report = check_motion(motion_from_clip(clip, name), clip)
            record, read = report.to_dict(), clip.reading.brief
            found.append(Checked(name, path, clip_name, record, read=read))
        return found
    except Exception as error:
        if debugging() and not is_bad_input(error):
            raise
        return [Checked(str(path), path, "", {}, fault_text(error))]


def check_files(
    items: Iterable[Path],
    options: Options,
    *,
    progress: Callable[[int, int], None],
    workers: int | None = None,
) -> list[Checked]:
    """All motions of files and folders, in the order of their names."""
    found: list[Checked] = []
    paths: list[Path] = []
    for path, fault in named_sources(items):
        if fault is None:
            paths.append(path)
        else:
            found.append(Checked(str(path), path, "", {}, fault_text(fault)))
    workers = workers if workers or len(paths) >= _MANY else 1
    calls = ((path, options) for path in paths)
    for done, rows in enumerate(map_unordered(check_path, calls, workers=workers), 1):
        found += rows
        progress(done, len(paths))
    return sorted(found, key=lambda row: row.name)


class Watch:
    """Folders that others write to, looked at every second.

    A file is checked when two looks in a row find it with the same size and time: before
    that somebody is still writing it.
    """

    def __init__(self, items: tuple[Path, ...], options: Options) -> None:
        self._items, self._options = items, options
        self._seen: dict[Path, tuple[int, int]] = {}
        self._done: dict[Path, tuple[int, int]] = {}
        self.rows: dict[Path, list[Checked]] = {}
        """What came of every file that is there."""

    def look(self) -> Iterator[Checked]:
        """What is new since the last look, checked."""
        now = {}
        for path, fault in named_sources(self._items):
            if fault is None and (mark := _mark(path)) is not None:
                now[path] = mark
        for path in [path for path in self.rows if path not in now]:
            del self.rows[path], self._done[path]
        steady = [path for path, mark in now.items() if self._seen.get(path) == mark]
        self._seen = now
        for path in steady:
            if self._done.get(path) != now[path]:
                self._done[path] = now[path]
                self.rows[path] = check_path(path, self._options)
                yield from self.rows[path]

    def run(self, tell: Callable[[Checked], None], after: Callable[[], None]) -> None:
        """Look until somebody interrupts; `after` is called when there was news."""
        while True:
            news = 0
            for row in self.look():
                tell(row)
                news += 1
            if news:
                after()
            time.sleep(POLL_SECONDS)

    def checked(self) -> list[Checked]:
        """Everything that is there and was checked, by name."""
        rows = (row for rows in self.rows.values() for row in rows)
        return sorted(rows, key=lambda row: row.name)


def _mark(path: Path) -> tuple[int, int] | None:
    """Size and time of a file, or of all files of a clip; None if it is gone."""
    try:
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        stats = [file.stat() for file in files]
    except OSError:
        return None
    # A folder that was named and is still empty is no motion yet.
    if path.is_dir() and not files:
        return None
    return sum(s.st_size for s in stats), max(s.st_mtime_ns for s in stats)
