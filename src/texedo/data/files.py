"""Files that are either whole or absent, and where the package keeps its own."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def texedo_home() -> Path:
    """`$TEXEDO_HOME`, or `~/.cache/texedo`."""
    home = os.environ.get("TEXEDO_HOME")
    return Path(home).expanduser() if home else Path.home() / ".cache" / "texedo"


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; it takes its place when the block ends well."""
    # The process id keeps two builds that write the same file out of each other's way.
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, content: Any) -> None:
    """Write readable JSON with a final line break, atomically."""
    with atomic_path(path) as temporary:
        text = json.dumps(content, indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8", newline="\n")


def file_sha256(path: Path) -> str:
    """Hex digest of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
