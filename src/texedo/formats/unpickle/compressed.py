"""The bytes of a file, decompressed if joblib compressed it, and never too many."""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from texedo.core.budget import Budget
from texedo.core.errors import FileFormatError

MAX_BYTES = 1 << 30
"""Most that a pickle may have on disk."""

_GZIP_WINDOW = 16 + zlib.MAX_WBITS
_LZMA_MEMORY = 80 << 20
"""What unpacking the largest of xz's presets takes."""
_PIECE = 8 << 20
"""Bytes from one look at the budget to the next."""
_HEAD = 8


class _Decompressor(Protocol):
    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes: ...

    @property
    def eof(self) -> bool: ...


@contextmanager
def open_unpacked(path: Path, budget: Budget) -> Iterator[IO[bytes]]:
    """A stream of what the file holds, decompressed."""
    if budget.size > MAX_BYTES:
        raise FileFormatError(
            f"{path}: holds more than {MAX_BYTES >> 30} GiB; split it into several "
            "files."
        )
    with open(path, "rb") as stream:
        decompressor = _decompressor(stream.read(_HEAD), path)
        stream.seek(0)
        if decompressor is None:
            yield stream
            return
        budget.take(2 * budget.size, "its compressed data")
        unpacked = _unpack(stream.read(), decompressor, budget)
    yield unpacked


def _unpack(data: bytes, decompressor: _Decompressor, budget: Budget) -> IO[bytes]:
    path, unpacked = budget.path, io.BytesIO()
    try:
        while not decompressor.eof:
            piece = decompressor.decompress(data, _PIECE)
            # zlib gives back what it has not looked at; the others keep it.
            data = getattr(decompressor, "unconsumed_tail", b"")
            budget.take(len(piece), "its compressed data")
            budget.check_time("its compressed data")
            unpacked.write(piece)
            if not piece and not data:
                break
    except (zlib.error, lzma.LZMAError, OSError, ValueError, EOFError) as error:
        raise FileFormatError(
            f"{path}: its compressed data are damaged ({error}); copy it again."
        ) from error
    if not decompressor.eof:
        raise FileFormatError(
            f"{path}: its compressed data are cut off; copy it again."
        )
    unpacked.seek(0)
    return unpacked


def _decompressor(data: bytes, path: Path) -> _Decompressor | None:
    if data[:1] == b"x" and data[1:2] in (b"\x01", b"\x5e", b"\x9c", b"\xda"):
        return zlib.decompressobj()
    if data.startswith(b"\x1f\x8b"):
        return zlib.decompressobj(_GZIP_WINDOW)
    if data.startswith(b"BZh"):
        return bz2.BZ2Decompressor()
    if data.startswith((b"\xfd7zXZ", b"\x5d\x00\x00")):
        return lzma.LZMADecompressor(memlimit=_LZMA_MEMORY)
    if data.startswith((b"\x04\x22\x4d\x18", b"ZF")):
        kind = "lz4" if data[:1] == b"\x04" else "an old joblib's own compression"
        raise FileFormatError(
            f"{path}: is compressed with {kind}, which is not read here; save it again "
            "with joblib.dump(..., compress=False)."
        )
    return None
