"""A path that is about to be read: what it is, found with as little reading as possible."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from numpy.typing import NDArray

from texedo.core.budget import Budget
from texedo.core.errors import FileFormatError
from texedo.core.visible import visible
from texedo.formats.arrays import (
    ArrayHeader,
    read_npy,
    read_npy_header,
    read_npz,
    read_npz_headers,
)
from texedo.formats.dialect import Dialect, find_dialect, oddity
from texedo.formats.runs import run_motion
from texedo.formats.tables import has_counter
from texedo.formats.unpickle.plain import PICKLE_MAGIC, load_pickle

Kind = Literal["folder", "npz", "npy", "pickle", "text", "unknown"]

_KIND_NAMES: dict[Kind, str] = {
    "folder": "a folder",
    "npz": "an npz archive",
    "npy": "an npy array",
    "pickle": "a pickle",
    "text": "a text file",
    "unknown": "of no kind known here",
}
PICKLE_SUFFIXES = (".pkl", ".pickle", ".joblib")
_LFS = b"version https://git-lfs"


class MotionFile:
    """One file or folder; looks are taken when asked for, and kept."""

    def __init__(self, path: Path | str) -> None:
        # The folder of a generated motion stands for that motion.
        self.path = run_motion(Path(path)) or Path(path)
        self.kind: Kind = self._find_kind()
        self.budget: Budget | None = None
        """What is left for all arrays together, once the format is settled; looks
        before that have the whole budget each, for nothing of them is kept."""

    @property
    def size(self) -> int:
        """Bytes of the file, or of all files right in the folder."""
        if self.kind != "folder":
            return self.path.stat().st_size
        return sum(p.stat().st_size for p in self.path.iterdir() if p.is_file())

    def _find_kind(self) -> Kind:
        path = self.path
        try:
            if path.is_dir():
                return "folder"
            if not path.exists():
                raise FileFormatError(_missing(path))
            if not path.is_file():
                # A pipe or device would block or never end.
                raise FileFormatError(f"{path}: is no regular file; copy it to one.")
            with open(path, "rb") as handle:
                head = handle.read(4096)
        except OSError as error:
            raise FileFormatError(
                f"{path}: cannot be read ({error.strerror}); check its permissions."
            ) from error
        if not head:
            raise FileFormatError(f"{path}: is empty; export or copy it again.")
        if head.startswith(_LFS):
            raise FileFormatError(
                f"{path}: is a Git LFS pointer, not the file; run 'git lfs pull' there."
            )
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise FileFormatError(
                f"{path}: is text in UTF-16; save it as UTF-8, or as plain csv."
            )
        return _kind_of(head, path.suffix.lower())

    def require(self, kind: Kind, format_name: str) -> None:
        """Refuse a file that cannot be of the named format at all."""
        if self.kind != kind:
            raise FileFormatError(
                f"{self.path}: is {_KIND_NAMES[self.kind]}, and {format_name} is "
                f"{_KIND_NAMES[kind]}; name another format, or none to have it detected."
            )

    @cached_property
    def npy_header(self) -> ArrayHeader:
        return read_npy_header(self.path)

    def npy(self) -> NDArray[Any]:
        return read_npy(self.path)

    @cached_property
    def npz_headers(self) -> dict[str, ArrayHeader]:
        """Arrays of an npz by name; empty for any other kind."""
        return read_npz_headers(self.path) if self.kind == "npz" else {}

    def npz(self, *names: str, work: int = 0) -> dict[str, NDArray[Any]]:
        """The named arrays; a missing one is an error.

        `work` is what the reader makes of them, in bytes for each number.
        """
        arrays = read_npz(self.path, names, work=work, budget=self.budget)
        if missing := [name for name in names if name not in arrays]:
            raise FileFormatError(
                f"{self.path}: lacks {', '.join(missing)} (it holds "
                f"{_listed(sorted(self.npz_headers)) or 'no arrays'}); name the format "
                "it really is."
            )
        return arrays

    @cached_property
    def dialect(self) -> Dialect:
        """How a text file writes its table; empty for any other kind."""
        if self.kind != "text":
            return Dialect(",", False, (), ())
        found = find_dialect(self.path)
        if odd := next((o for o in map(oddity, found.fields) if o), ""):
            # In no layout is it a number, so none has to be named first.
            raise FileFormatError(f"{self.path}: its numbers are written {odd}.")
        return found

    @property
    def fields(self) -> list[str]:
        """Names of the columns, or else the first numbers of a text file."""
        return list(self.dialect.names or self.dialect.fields)

    @property
    def has_header(self) -> bool:
        return bool(self.dialect.names)

    @cached_property
    def counts_rows(self) -> bool:
        """Whether a first column of a text file counts frames or seconds."""
        columns = len(self.dialect.fields) - 1
        return columns > 0 and has_counter(self.path, self.dialect, columns=columns)

    @cached_property
    def pickle(self) -> Any:
        """What a pickle or joblib file holds, plain data and arrays only."""
        return load_pickle(self.path)

    def summary(self) -> str:
        """What can be said of a file that fits no format."""
        if self.kind == "npz":
            found = _listed(sorted(self.npz_headers)) or "nothing"
            return f"an npz that holds {found}"
        if self.kind == "npy":
            return f"an npy array of shape {self.npy_header.shape}"
        if self.kind == "text":
            names = " and a header" if self.has_header else " of numbers"
            if (count := len(self.fields)) == 1:
                return f"a text file with one column{names}"
            return (
                f"a text file with {count} columns{names} between {self.dialect.words}"
            )
        if self.kind == "pickle" and type(self.pickle) is dict:
            keys = [key for key in self.pickle if type(key) is str]
            return f"a pickle that holds {_listed(keys) or 'nothing'}"
        return _KIND_NAMES[self.kind]


def _missing(path: Path) -> str:
    if path.is_symlink():
        aim = visible(os.readlink(path))[:200]
        return f"{path}: is a link to {aim}, and nothing is there; mend the link."
    return f"{path}: there is no such file; check the path."


def _listed(names: list[str]) -> str:
    """A few names of a file, as they may be shown."""
    return visible(", ".join(names[:8])[:200])


def _kind_of(head: bytes, suffix: str) -> Kind:
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "npz"
    if head.startswith(b"\x93NUMPY"):
        return "npy"
    if suffix in PICKLE_SUFFIXES or PICKLE_MAGIC.match(head):
        return "pickle"
    if b"\0" in head:
        return "unknown"
    try:
        head.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # A character cut by the end of the look is no sign of a binary file.
        if error.start < len(head) - 4:
            return "unknown"
    return "text"
