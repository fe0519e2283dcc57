"""Clips that are made in batches, a file a batch: what is there is not made again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from texedo.core.pool import map_unordered
from texedo.data.corpus.clip_file import clips_from, write_clips
from texedo.data.corpus.packed_clips import PackedClips, join_clips

Report = Callable[[int, int], None]
"""Hears of batches done and batches in all."""


def silent(done: int, total: int) -> None:
    """Reports to nobody."""


def make_parts(
    make: Callable[..., PackedClips],
    calls: Mapping[Path, tuple[Any, ...]],
    *,
    workers: int | None = None,
    report: Report = silent,
) -> PackedClips:
    """All clips of `make(*call)` for the call of each file, on worker processes.

    A run that was interrupted goes on with the files that are missing.
    """
    for file in calls:
        file.parent.mkdir(parents=True, exist_ok=True)
    todo = [(make, call, file) for file, call in calls.items() if not file.exists()]
    done = len(calls) - len(todo)
    report(done, len(calls))
    for _ in map_unordered(_make_part, todo, workers=workers):
        done += 1
        report(done, len(calls))
    return join_clips([clips_from(file) for file in calls])


def _make_part(
    make: Callable[..., PackedClips], call: tuple[Any, ...], file: Path
) -> None:
    write_clips(file, make(*call))
