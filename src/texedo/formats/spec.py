"""What a motion format is: how to know it, read it and write it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from texedo.formats.clip import FileClip
from texedo.formats.motion_file import Kind, MotionFile


class Reader(Protocol):
    """Reads all clips of a source by name; `fps` overrides what the file says."""

    def __call__(
        self, source: MotionFile, *, fps: float | None
    ) -> dict[str, FileClip]: ...


class Writer(Protocol):
    """Writes one clip to a path that does not exist yet."""

    def __call__(self, path: Path, clip: FileClip) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Format:
    """One row of the registry."""

    name: str
    kind: Kind
    """The container it comes in."""
    extensions: tuple[str, ...]
    """How its files end; the first is the one we write. Empty for folders."""
    description: str
    """Layout in a few words, as shown beside other candidates."""
    sniff: Callable[[MotionFile], str | None]
    """The evidence that a source may be of this format, or None."""
    read: Reader
    write: Writer | None = None
    fps: float | None = None
    """The rate of files that do not carry one; None where the file says it."""
    plays_at: float | None = None
    """The rate its readers play at, whatever a file says, where that is fixed."""
    proves: bool = True
    """Whether the evidence leaves no other layout open."""
    owned: frozenset[str] = frozenset()
    """Names of the files a folder format writes."""


def written_at(entry: Format) -> float | None:
    """The rate to write a format at unless told another; None: that of the motion."""
    return entry.plays_at if entry.plays_at is not None else entry.fps


def one_clip(source: MotionFile, clip: FileClip) -> dict[str, FileClip]:
    """What a reader of single-clip files returns."""
    return {source.path.stem or source.path.name: clip}
