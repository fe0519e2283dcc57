"""Files that are whole or absent: written beside their place, then renamed.

Errors of the disk pass as `OSError`; each part of the package adds its own words.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def texedo_home() -> Path:
    """Where the package keeps its own files: `$TEXEDO_HOME`, or `~/.cache/texedo`."""
    home = os.environ.get("TEXEDO_HOME")
    return Path(home).expanduser() if home else Path.home() / ".cache" / "texedo"


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """An empty file to write to; it becomes `path` when the block ends well.

    It is made at once, so that a place which cannot be written to is found before any
    work is done. On any error it is deleted, and what was at `path` stays as it was.
    """
    path = followed(path)
    temporary = free_sibling(path)
    try:
        temporary.touch()
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def followed(path: Path) -> Path:
    """Where a link leads, so that what it points to is replaced and not the link."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def write_whole(path: Path, data: bytes) -> None:
    """Readers see the old file or the new one, never a part."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(data)


def free_sibling(path: Path) -> Path:
    """A hidden name that nothing has, for what will be renamed to `path`."""
    # Same folder, hence same disk: a rename across disks would not be atomic.
    return path.parent / f".{path.name[:40]}.{secrets.token_hex(6)}.tmp"


def file_sha256(path: Path) -> str:
    """Hex digest of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
