"""The few numpy steps a pickle may ask for, rewritten so that their input is checked."""

from __future__ import annotations

import math
import re
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.budget import Budget
from texedo.core.unpickle import PickleDamage
from texedo.motion import MAX_FRAMES

_DTYPE = re.compile(r"[<>|=]?(?:[fiu][1248]|b1|[SU][1-9]\d{0,3})")


class DtypeBox:
    """`numpy.dtype(text, align, copy)` and then a state with the byte order."""

    __slots__ = ("dtype",)

    def __init__(self, args: tuple[Any, ...]) -> None:
        text = args[0] if args else None
        if type(text) is not str or not _DTYPE.fullmatch(text) or len(args) > 3:
            shown = text[:20] if type(text) is str else type(text).__name__
            raise PickleDamage(f"arrays of type {shown}; only plain numbers are read")
        self.dtype: np.dtype[Any] = np.dtype(text)

    def set_state(self, state: Any) -> None:
        # (version, byte order, sub-array, field names, fields, ...): only the order is
        # taken; a plain number has none of the rest.
        if type(state) is not tuple or len(state) < 5 or state[2:5] != (None,) * 3:
            raise PickleDamage("a compound number type")
        order = state[1]
        if order == ">":
            self.dtype = self.dtype.newbyteorder(">")
        elif order == "<":
            self.dtype = self.dtype.newbyteorder("<")
        elif order not in ("|", "="):
            raise PickleDamage("an unknown byte order")


class ArrayBox:
    """An array between its creation and the state that fills it."""

    __slots__ = ("_array",)

    def __init__(self) -> None:
        self._array: NDArray[Any] | None = None

    def set_state(self, state: Any) -> None:
        # (version, shape, dtype, is_fortran, data); the version may be missing.
        if type(state) is not tuple or len(state) not in (4, 5):
            raise PickleDamage("an array with a state of unknown form")
        shape, dtype, fortran, data = state[-4:]
        self._array = _from_bytes(
            data, dtype, shape=shape, fortran=fortran is True or fortran == 1
        )

    def array(self) -> NDArray[Any]:
        if self._array is None:
            raise PickleDamage("an array that was never filled")
        return self._array


def array_from_buffer(data: Any, dtype: Any, *, shape: Any, order: Any) -> NDArray[Any]:
    """Protocol 5's way to write an array."""
    return _from_bytes(data, dtype, shape=shape, fortran=_is_fortran(order))


def scalar_from_bytes(dtype: Any, data: Any) -> Any:
    """A numpy scalar, as a Python number or text."""
    return _from_bytes(data, dtype, shape=(), fortran=False).item()


class JoblibArray:
    """joblib's wrapper: its state says what follows in the file."""

    __slots__ = ()

    def read(
        self, state: dict[Any, Any], stream: IO[bytes], budget: Budget
    ) -> NDArray[Any]:
        """The array behind the wrapper; the stream ends up right after it."""
        fortran = _is_fortran(state.get("order"))
        if state.get("numpy_array_alignment_bytes") is not None:
            # One byte counts the padding that aligns the numbers.
            padding = stream.read(1)
            stream.read(padding[0] if padding else 0)
        dtype, shape = state.get("dtype"), state.get("shape")
        count = _count(shape) * _numpy_type(dtype).itemsize
        budget.take(count, "its arrays")
        return _from_bytes(stream.read(count), dtype, shape=shape, fortran=fortran)


def _from_bytes(data: Any, dtype: Any, *, shape: Any, fortran: bool) -> NDArray[Any]:
    kind = _numpy_type(dtype)
    if type(data) is str:  # Python 2 wrote bytes as text.
        data = data.encode("latin-1")
    if type(data) not in (bytes, bytearray):
        raise PickleDamage("an array without bytes")
    count = _count(shape)
    if len(data) != count * kind.itemsize:
        raise PickleDamage(f"an array of {shape} with {len(data)} bytes")
    array = np.frombuffer(bytes(data), dtype=kind)
    return array.reshape(shape, order="F" if fortran else "C")


def _numpy_type(dtype: Any) -> np.dtype[Any]:
    if type(dtype) is not DtypeBox:
        raise PickleDamage("an array without a number type")
    return dtype.dtype


def _count(shape: Any) -> int:
    if type(shape) is not tuple or len(shape) > 8:
        raise PickleDamage("an array without a shape")
    for size in shape:
        if type(size) is not int or size < 0:
            raise PickleDamage("an array with a shape that is none")
        if size > MAX_FRAMES:
            raise PickleDamage(f"{size} frames, and at most {MAX_FRAMES} are read")
    return math.prod(shape)


def _is_fortran(order: Any) -> bool:
    if order not in ("C", "F"):
        raise PickleDamage("an array of unknown element order")
    return bool(order == "F")
