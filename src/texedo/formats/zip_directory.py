"""The directory of a zip file, looked at before Python reads it whole.

`zipfile` makes an object of every entry when it opens a file, a kilobyte each. A million
entries are a million kilobytes, so the size of the directory is looked up first.
"""

from __future__ import annotations

import struct
from typing import IO

from texedo.core.errors import FileFormatError

MAX_DIRECTORY = 1 << 20
"""Bytes; ten thousand arrays, and a motion has ten."""
_END = struct.Struct("<4s4H2LH")
_END_MARK = b"PK\x05\x06"
_LOCATOR = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")


def check_directory(stream: IO[bytes], path: object) -> None:
    """Refuse a zip file with a directory that no motion has."""
    size = _directory_size(stream)
    if size is not None and size > MAX_DIRECTORY:
        raise FileFormatError(
            f"{path}: is a zip file with a directory of {size} bytes, and at most "
            f"{MAX_DIRECTORY} are read; save only the arrays of one motion."
        )


def _directory_size(stream: IO[bytes]) -> int | None:
    """What the end record says; None if there is none, which `zipfile` will say."""
    length = stream.seek(0, 2)
    start = max(0, length - _END.size - (1 << 16))
    stream.seek(start)
    tail = stream.read()
    plain = tail[-_END.size :]
    # As `zipfile` does it: at the very end if there is no comment, else searched for.
    bare = plain.startswith(_END_MARK) and plain.endswith(b"\0\0")
    at = len(tail) - len(plain) if bare else tail.rfind(_END_MARK)
    if at < 0 or at + _END.size > len(tail):
        return None
    size = int(_END.unpack_from(tail, at)[5])
    before = start + at - _LOCATOR.size
    if before < _END64.size:
        return size
    stream.seek(before)
    mark, _, _, _ = _LOCATOR.unpack(stream.read(_LOCATOR.size))
    if mark != b"PK\x06\x07":
        return size
    # Python takes the record right before the locator, whatever that points to.
    stream.seek(before - _END64.size)
    return max(size, int(_END64.unpack(stream.read(_END64.size))[8]))
