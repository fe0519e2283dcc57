"""Outputs that appear whole or not at all: written beside their place, then renamed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from texedo.core.errors import FileFormatError
from texedo.core.files import atomic_path, followed, free_sibling


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """A path to write to; it becomes `path` when the block ends well.

    On any error it is deleted, and a file that was at `path` before stays as it was.
    """
    path = followed(path)
    if path.is_dir():
        raise FileFormatError(f"{path}: is a folder; name a file to write.")
    _check_parent(path)
    try:
        with atomic_path(path) as temporary:
            yield temporary
    except OSError as error:
        raise _cannot_write(path, error) from error


def write_json(path: Path, content: Any) -> None:
    """Write readable JSON with a final line break, atomically."""
    with atomic_file(path) as temporary:
        text = json.dumps(content, indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8", newline="\n")


@contextmanager
def atomic_folder(path: Path, *, owned: frozenset[str]) -> Iterator[Path]:
    """A folder to fill; it becomes `path` when the block ends well.

    An older folder is replaced only if all it holds are files named in `owned`: a
    mistyped output must not cost anybody a folder of other things.
    """
    path = followed(path)
    _check_replaceable(path, owned)
    _check_parent(path)
    temporary, old = free_sibling(path), free_sibling(path)
    try:
        temporary.mkdir()
        yield temporary
        if path.exists():
            os.replace(path, old)
        os.replace(temporary, path)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        if old.exists() and not path.exists():
            os.replace(old, path)
        shutil.rmtree(temporary, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _check_replaceable(path: Path, owned: frozenset[str]) -> None:
    if not path.exists():
        return
    if not path.is_dir():
        raise FileFormatError(f"{path}: is a file; name a folder to write.")
    others = sorted({entry.name for entry in path.iterdir()} - owned)
    if others:
        raise FileFormatError(
            f"{path}: already holds other things ({others[0]!r}"
            f"{', ...' if len(others) > 1 else ''}); name a new folder."
        )


def _check_parent(path: Path) -> None:
    if not path.parent.is_dir():
        raise FileFormatError(
            f"{path}: cannot be written, for there is no folder {path.parent}; "
            "make it first."
        )


def _cannot_write(path: Path, error: OSError) -> FileFormatError:
    return FileFormatError(
        f"{path}: cannot be written ({error.strerror or error}); choose another place."
    )
