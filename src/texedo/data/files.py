"""Where the package keeps its own files, JSON, and digests."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from texedo.files import texedo_home as texedo_home
from texedo.formats.atomic import atomic_file


def write_json(path: Path, content: Any) -> None:
    """Write readable JSON with a final line break, atomically."""
    with atomic_file(path) as temporary:
        text = json.dumps(content, indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8", newline="\n")


def file_sha256(path: Path) -> str:
    """Hex digest of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
