"""The bytes of a file, decompressed if joblib compressed it, and never too many."""

from __future__ import annotations

import bz2
import lzma
import zlib
from pathlib import Path
from typing import Protocol

from texedo.core.errors import FileFormatError

MAX_BYTES = 1 << 30
"""Most that a pickle may take unpacked: it is read whole."""

_GZIP_WINDOW = 16 + zlib.MAX_WBITS
_LZMA_MEMORY = 256 << 20


class _Decompressor(Protocol):
    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes: ...

    @property
    def eof(self) -> bool: ...


def read_unpacked(path: Path) -> bytes:
    """The whole file, decompressed."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise _too_large(path)
    data = path.read_bytes()
    decompressor = _decompressor(data, path)
    if decompressor is None:
        return data
    try:
        # One byte more than allowed tells a full file from one that goes on.
        unpacked = decompressor.decompress(data, MAX_BYTES + 1)
    except (zlib.error, lzma.LZMAError, OSError, ValueError, EOFError) as error:
        raise FileFormatError(
            f"{path}: its compressed data are damaged ({error}); copy it again."
        ) from error
    if len(unpacked) > MAX_BYTES:
        raise _too_large(path)
    if not decompressor.eof:
        raise FileFormatError(
            f"{path}: its compressed data are cut off; copy it again."
        )
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


def _too_large(path: Path) -> FileFormatError:
    return FileFormatError(
        f"{path}: holds more than {MAX_BYTES >> 30} GiB; split it into several files."
    )
