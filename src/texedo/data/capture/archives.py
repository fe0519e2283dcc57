"""BVH files wherever they lie: in a folder, below it, or in tar archives there.

Archives are read front to back, once a pass: a member of a compressed archive cannot be
reached without unpacking all before it.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from texedo.core.errors import FileFormatError
from texedo.data.capture.dataset import Recording

_ARCHIVE_SUFFIXES = (".tar", ".tar.xz", ".tar.gz", ".tgz", ".tar.bz2")


@dataclass(frozen=True, kw_only=True)
class Source:
    """What a folder offers."""

    archives: tuple[Path, ...]
    files: tuple[Path, ...]


def fingerprint(paths: Iterable[Path]) -> list[list[object]]:
    """Name, size and time of change of files: equal means unchanged."""
    return [
        [path.name, (stat := path.stat()).st_size, stat.st_mtime_ns] for path in paths
    ]


def read_lines(path: Path) -> list[str]:
    """The lines of a text file."""
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(f"{path} cannot be read: {error}.") from error


def find_source(path: Path) -> Source:
    """What lies at `path`: a folder of archives or BVH files, or one of them."""
    if not path.exists():
        raise FileFormatError(
            f"{path} does not exist; give a folder of .bvh or .tar.xz."
        )
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    archives = tuple(p for p in found if p.name.lower().endswith(_ARCHIVE_SUFFIXES))
    files = tuple(p for p in found if p.suffix.lower() == ".bvh")
    if not archives and not files:
        raise FileFormatError(
            f"{path} holds no .bvh file and no .tar, .tar.xz or .tar.gz archive of them."
        )
    return Source(archives=archives, files=files)


def read_source(source: Source) -> Iterator[Recording]:
    """Every BVH file once by its name, archives first, in a fixed order.

    Of two files with one name the first counts.
    """
    seen: set[str] = set()
    for trial, data in _read_all(source):
        if trial not in seen:
            seen.add(trial)
            yield Recording(trial, data)


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
