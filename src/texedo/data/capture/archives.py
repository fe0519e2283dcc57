"""BVH files wherever they lie: in a folder, below it, or in tar archives there.

Archives are read front to back, once a pass: a member of a compressed archive cannot be
reached without unpacking all before it.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from texedo.core.errors import FileFormatError
from texedo.data.capture.cmu import LABELS_FILE, SEGMENTS_FILE

_ARCHIVE_SUFFIXES = (".tar", ".tar.xz", ".tar.gz", ".tgz", ".tar.bz2")


class BvhFile(NamedTuple):
    """One recording as found."""

    trial: str
    """The file's name without its suffix."""
    data: bytes


@dataclass(frozen=True, kw_only=True)
class Source:
    """What a folder offers."""

    archives: tuple[Path, ...]
    files: tuple[Path, ...]
    labels: Path | None
    segments: Path | None

    def fingerprint(self) -> list[list[object]]:
        """Name, size and time of change of all it consists of: equal means unchanged."""
        beside = [path for path in (self.labels, self.segments) if path is not None]
        return [
            [path.name, (stat := path.stat()).st_size, stat.st_mtime_ns]
            for path in (*self.archives, *self.files, *beside)
        ]


def find_source(path: Path) -> Source:
    """What lies at `path`: a folder of archives or BVH files, or one of them."""
    if not path.exists():
        raise FileFormatError(
            f"{path} does not exist; give a folder of .bvh or .tar.xz."
        )
    folder = path if path.is_dir() else path.parent
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    archives = tuple(p for p in found if p.name.lower().endswith(_ARCHIVE_SUFFIXES))
    files = tuple(p for p in found if p.suffix.lower() == ".bvh")
    if not archives and not files:
        raise FileFormatError(
            f"{path} holds no .bvh file and no .tar, .tar.xz or .tar.gz archive of them."
        )
    labels, segments = (folder / name for name in (LABELS_FILE, SEGMENTS_FILE))
    return Source(
        archives=archives,
        files=files,
        labels=labels if labels.is_file() else None,
        segments=segments if segments.is_file() else None,
    )


def read_source(source: Source) -> Iterator[BvhFile]:
    """Every BVH file once, archives first, in a fixed order.

    Of two files with one name the first counts.
    """
    seen: set[str] = set()
    for trial, data in _read_all(source):
        if trial not in seen:
            seen.add(trial)
            yield BvhFile(trial, data)


def _read_all(source: Source) -> Iterator[tuple[str, bytes]]:
    for path in source.archives:
        try:
            with tarfile.open(path, "r|*") as archive:
                for member in archive:
                    name = PurePosixPath(member.name)
                    if not member.isfile() or name.suffix.lower() != ".bvh":
                        continue
                    stream = archive.extractfile(member)
                    if stream is not None:
                        yield name.stem, stream.read()
        except (tarfile.TarError, OSError, EOFError) as error:
            raise FileFormatError(
                f"{path} is damaged ({error}): copy the archive again."
            ) from error
    for path in source.files:
        yield path.stem, path.read_bytes()
