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
    left_out = skip.resolve() if skip else None
    for folder, subfolders, files in os.walk(root):
        here = Path(folder)
        if (motion := run_motion(here)) is not None:
            sources.append(motion)
            subfolders.clear()
            continue
        for name in sorted(subfolders):
            if is_clip(here / name):
                sources.append(here / name)
        subfolders[:] = [
            name
            for name in sorted(subfolders)
            if not name.startswith(".")
            and not is_clip(here / name)
            and (here / name).resolve() != left_out
        ]
        for name in files:
            known = Path(name).suffix.lower() in endings and not name.startswith(".")
            (sources if known else others).append(here / name)
    return Found(sorted(sources), sorted(others))
