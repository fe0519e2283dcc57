"""Motion files in folders."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from texedo.formats.layouts.sonic import is_clip
from texedo.formats.registry import formats
from texedo.formats.runs import run_motion


class Found(NamedTuple):
    """What a folder holds, sorted."""

    sources: list[Path]
    """Files with an ending that some format has, and SONIC clips."""
    others: list[Path]
    """Everything else."""
    unreadable: list[Path] = []
    """Folders that may not be looked into."""


def find_sources(root: Path, *, skip: Path | None = None) -> Found:
    """Motion files below `root`, or `root` itself if it is a file or a SONIC clip.

    The folder of a generated motion stands for that motion: neither its other formats
    nor its candidates are found, nor anything else that lies there. `skip` is a folder
    to leave out: the output, if it lies inside.
    """
    if not root.is_dir() or is_clip(root):
        return Found([root], [])
    endings = {e for entry in formats().values() for e in entry.extensions}
    sources: list[Path] = []
    others: list[Path] = []
    unreadable: list[Path] = []
    left_out = skip.resolve() if skip else None

    def note(error: OSError) -> None:
        unreadable.append(Path(error.filename or root))

    for folder, subfolders, files in os.walk(root, onerror=note):
        here = Path(folder)
        if (motion := run_motion(here)) is not None:
            sources.append(motion)
            subfolders.clear()
            continue
        # Hidden ones are what somebody is writing just now, or could not finish.
        shown = [name for name in sorted(subfolders) if not name.startswith(".")]
        clips = [name for name in shown if is_clip(here / name)]
        sources += [here / name for name in clips]
        subfolders[:] = [
            name
            for name in shown
            if name not in clips and (here / name).resolve() != left_out
        ]
        for name in files:
            known = Path(name).suffix.lower() in endings and not name.startswith(".")
            (sources if known else others).append(here / name)
    return Found(sorted(sources), sorted(others), sorted(unreadable))
