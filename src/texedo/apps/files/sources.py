"""Motions that a user names: files, SONIC clips, run folders, or folders of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from texedo.core.errors import TexedoError
from texedo.formats import (
    FileClip,
    Reading,
    find_sources,
    motion_from_clip,
    read_clips,
)
from texedo.motion import Motion


class Sources(NamedTuple):
    """What could be read of the files that were named."""

    names: list[str]
    motions: list[Motion]
    clips: list[FileClip]
    """The same as they are in their files, at their own rates."""
    errors: int
    """Files that could not be read; each was told in a line."""

    @property
    def readings(self) -> list[Reading]:
        """At which rate each was read, and who says so."""
        return [clip.reading for clip in self.clips]


def read_sources(
    items: Iterable[Path], *, format: str | None = None, fps: float | None = None
) -> Sources:
    """All motions in their order; a file that cannot be read does not stop the others."""
    found = Sources([], [], [], 0)
    # An empty folder stands for itself, so that it is an error and not left out.
    for path in (p for item in items for p in find_sources(item).sources or [item]):
        try:
            for name, motion, clip in _motions(path, format, fps):
                found.names.append(name)
                found.motions.append(motion)
                found.clips.append(clip)
        except TexedoError as error:
            print(f"error: {error}", file=sys.stderr)
            found = found._replace(errors=found.errors + 1)
    return found


def _motions(
    path: Path, format: str | None, fps: float | None
) -> Iterator[tuple[str, Motion, FileClip]]:
    """The motions of a file; more than one are told apart by their clip's name."""
    clips = read_clips(path, format=format, fps=fps).clips
    for clip_name, clip in clips.items():
        name = str(path) if len(clips) == 1 else f"{path} ({clip_name})"
        yield name, motion_from_clip(clip, name), clip
