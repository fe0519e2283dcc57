"""npy and npz files, read with their headers first and never with pickle.

A header says how large an array is before a byte of it is loaded, so that a wrong or
hostile file costs a message and not the machine's memory.
"""

from __future__ import annotations

import math
import struct
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError, UnsafeFileError
from texedo.motion import MAX_FRAMES

MAX_BYTES = 1 << 30
"""Most that one array may take: a million frames of 30 quaternions in float64."""

_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,  # a compression this Python does not have
    RuntimeError,  # encrypted
    OSError,  # a directory that points outside the file
    struct.error,
    ValueError,
    LookupError,
    OverflowError,
)
# The header is a Python literal, and a damaged one can fail to parse in many ways.
_HEADER_ERRORS = (
    ValueError,
    TypeError,
    LookupError,
    SyntaxError,
    tokenize.TokenError,
    struct.error,
    MemoryError,
    RecursionError,
)


class ArrayHeader(NamedTuple):
    """What stands before the numbers of one array."""

    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype[Any]

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize


def read_npy_header(path: Path) -> ArrayHeader:
    """The header of an npy file."""
    with open(path, "rb") as handle:
        return _header(handle, path)


def read_npy(path: Path) -> NDArray[Any]:
    """The array of an npy file."""
    with open(path, "rb") as handle:
        header = _header(handle, path)
        check_size(header, path, what="the array")
        have = path.stat().st_size - handle.tell()
        if have < header.nbytes:
            raise FileFormatError(
                f"{path}: is cut off: {have} of {header.nbytes} bytes of its "
                f"{header.shape} array are there; copy it again."
            )
        return _array(handle.read(header.nbytes), header)


def read_npz_headers(path: Path) -> dict[str, ArrayHeader]:
    """Name and header of every array in an npz file."""
    with _open_zip(path) as archive:
        names = [n for n in archive.namelist() if n.endswith(".npy")]
        try:
            headers = {}
            for name in names:
                with archive.open(name) as handle:
                    headers[name[:-4]] = _header(handle, path, name=name[:-4])
            return headers
        except _ZIP_ERRORS as error:
            raise _damaged(path, error) from error


def read_npz(path: Path, names: Iterable[str]) -> dict[str, NDArray[Any]]:
    """The named arrays of an npz file; names that it lacks are left out."""
    with _open_zip(path) as archive:
        inside = set(archive.namelist())
        try:
            return {
                name: _member(archive, f"{name}.npy", path=path)
                for name in names
                if f"{name}.npy" in inside
            }
        except _ZIP_ERRORS as error:
            raise _damaged(path, error) from error


def check_size(header: ArrayHeader, path: Path, *, what: str) -> None:
    """Refuse an array that no motion of ours can need."""
    if max(header.shape, default=0) > MAX_FRAMES or header.nbytes > MAX_BYTES:
        raise FileFormatError(
            f"{path}: {what} is {header.shape}; at most {MAX_FRAMES} frames are read; "
            "split the file."
        )


def write_npz(path: Path, arrays: dict[str, Any], *, compress: bool = False) -> None:
    """Write an npz; the same arrays always give the same bytes.

    Poses and velocities of moving bodies hardly compress, and trying takes seconds.
    """
    save = np.savez_compressed if compress else np.savez
    # Column by column or row by row is an accident of how an array was made.
    arrays = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    with open(path, "wb") as handle:
        save(handle, allow_pickle=False, **arrays)


def _open_zip(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except _ZIP_ERRORS as error:
        raise _damaged(path, error) from error


def _member(archive: zipfile.ZipFile, member: str, *, path: Path) -> NDArray[Any]:
    info = archive.getinfo(member)
    name = member[:-4]
    with archive.open(member) as handle:
        header = _header(handle, path, name=name)
        check_size(header, path, what=name)
        # zipfile never inflates past the size a member declares, so once that size
        # is known to be the array's own there is nothing left to explode.
        have = info.file_size - handle.tell()
        if have != header.nbytes:
            raise FileFormatError(
                f"{path}: {name} should take {header.nbytes} bytes and takes {have}; "
                "the file is damaged, copy it again."
            )
        return _array(handle.read(header.nbytes), header)


def _header(handle: IO[bytes], path: Path, *, name: str = "") -> ArrayHeader:
    where = f"{path}: {name or 'the array'}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python 2 headers, odd escapes
            version = npy_format.read_magic(handle)
            if version == (1, 0):
                found = npy_format.read_array_header_1_0(handle)
            else:
                found = npy_format.read_array_header_2_0(handle)
    except _HEADER_ERRORS as error:
        raise FileFormatError(
            f"{where} has a damaged header ({_one_line(error)}); copy it again."
        ) from error
    shape, fortran, dtype = found
    if dtype.hasobject:
        raise UnsafeFileError(
            f"{where} holds Python objects, which are never loaded; save plain numbers."
        )
    numbers = dtype.kind in "fiub" and dtype.itemsize <= 8
    if not (numbers or dtype.kind in "US") or any(size < 0 for size in shape):
        raise FileFormatError(f"{where} is of type {dtype}; save plain numbers.")
    return ArrayHeader(shape, fortran, dtype)


def _array(data: bytes, header: ArrayHeader) -> NDArray[Any]:
    array = np.frombuffer(data, dtype=header.dtype, count=math.prod(header.shape))
    return array.reshape(header.shape, order="F" if header.fortran else "C")


def _damaged(path: Path, error: Exception) -> FileFormatError:
    return FileFormatError(
        f"{path}: is a damaged or cut-off npz ({_one_line(error)}); copy it again."
    )


def _one_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0][:120] or type(error).__name__
