"""Pickle and joblib files of plain data: dicts, lists, text, numbers and numpy arrays.

The names in `ALLOWED` stand for steps written here (`texedo.core.unpickle`), and any other
name or instruction refuses the file. Nothing of numpy is called with arguments from the
file except `frombuffer` on bytes whose length has been checked.

joblib puts the bytes of an array right behind the instruction that finishes its wrapper;
reading instruction by instruction from one stream makes that natural.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO, Any

from texedo.core.budget import Budget
from texedo.core.errors import FileFormatError, UnsafeFileError
from texedo.core.unpickle import PickleDamage, run_pickle
from texedo.core.visible import visible
from texedo.formats.unpickle.arrays import (
    ArrayBox,
    DtypeBox,
    JoblibArray,
    array_from_buffer,
    scalar_from_bytes,
)
from texedo.formats.unpickle.compressed import open_unpacked

PICKLE_MAGIC = re.compile(
    rb"\x80[\x00-\x05]|x[\x01\x5e\x9c\xda]|\x1f\x8b|BZh|\xfd7zXZ|\x5d\x00\x00|ZF\d?|"
    rb"\x04\x22\x4d\x18",
    re.DOTALL,
)
"""How a pickle, or one compressed by joblib, can begin."""

_ARRAY_MODULES = ("numpy.core.multiarray", "numpy._core.multiarray")
_NUMERIC_MODULES = ("numpy.core.numeric", "numpy._core.numeric")
ALLOWED: dict[tuple[str, str], str] = {
    **{(module, "_reconstruct"): "reconstruct" for module in _ARRAY_MODULES},
    **{(module, "scalar"): "scalar" for module in _ARRAY_MODULES},
    **{(module, "_frombuffer"): "frombuffer" for module in _NUMERIC_MODULES},
    ("numpy", "ndarray"): "ndarray",
    ("numpy", "dtype"): "dtype",
    ("collections", "OrderedDict"): "ordered_dict",
    # How protocols 0 to 2 spell bytes.
    ("_codecs", "encode"): "encode",
    ("joblib.numpy_pickle", "NumpyArrayWrapper"): "joblib_array",
}
_ARRAY_BYTES = 300


class _Name(str):
    """An allowed global on the stack: the key of a step, not a thing to call."""

    __slots__ = ()


def load_pickle(path: Path) -> Any:
    """The plain data in a pickle or joblib file, compressed or not.

    Raises `UnsafeFileError` if it wants anything but data.
    """
    budget = Budget.of(path)
    try:
        with open_unpacked(path, budget) as stream:
            return run_pickle(stream, _PlainNames(budget), budget)
    except UnsafeFileError as error:
        raise UnsafeFileError(
            f"{path}: is refused, and nothing in it was run: {visible(error)}; save the "
            "arrays as npz."
        ) from None
    except PickleDamage as error:
        raise FileFormatError(
            f"{path}: is a damaged or cut-off pickle ({visible(error)}); copy it again."
        ) from error


class _PlainNames:
    """Names of numpy and joblib."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def find(self, module: str, name: str) -> _Name:
        if (module, name) not in ALLOWED:
            raise UnsafeFileError(
                f"it asks for {f'{module}.{name}'[:100]!r}, and only plain data and "
                "numpy arrays are read"
            )
        return _Name(ALLOWED[module, name])

    def call(self, name: Any, args: tuple[Any, ...]) -> Any:
        if type(name) is not _Name:
            raise PickleDamage("a call of something that is no function")
        # The array, or the text in it; its numbers are taken where they are read.
        self._budget.take(_ARRAY_BYTES, "its arrays")
        if name == "reconstruct" and len(args) == 3 and _is(args[0], "ndarray"):
            return ArrayBox()
        if name == "dtype":
            return DtypeBox(args)
        if name == "scalar" and len(args) == 2:
            if type(args[1]) in (bytes, bytearray, str):
                self._budget.take(len(args[1]), "its text")
            return scalar_from_bytes(*args)
        if name == "frombuffer" and len(args) == 4:
            data, dtype, shape, order = args
            if type(data) in (bytearray, str):
                self._budget.take(len(data), "its arrays")
            return array_from_buffer(data, dtype, shape=shape, order=order)
        if name == "ordered_dict" and not args:
            return {}
        if name == "encode" and len(args) == 2 and type(args[0]) is str:
            # One long text encoded again and again would fill the memory.
            self._budget.take(len(args[0]), "its text")
            if args[1] in ("latin1", "latin-1"):
                return args[0].encode("latin-1")
        raise PickleDamage(f"a call of {name} with arguments it does not take")

    def make(self, name: Any, args: tuple[Any, ...]) -> JoblibArray:
        if not (_is(name, "joblib_array") and args == ()):
            raise PickleDamage("an object of an unexpected kind")
        return JoblibArray()

    def set_state(self, target: Any, state: Any, stream: IO[bytes]) -> Any:
        if isinstance(target, ArrayBox | DtypeBox):
            if type(state) is tuple and state and type(state[-1]) in (bytearray, str):
                # Bytes are shared by all arrays that are made of them, these are not.
                self._budget.take(len(state[-1]), "its arrays")
            target.set_state(state)
            return target
        if not isinstance(target, JoblibArray):
            raise PickleDamage(f"a state for a {type(target).__name__}")
        if type(state) is not dict or not _is(state.get("subclass"), "ndarray"):
            raise PickleDamage("a joblib array of an unexpected kind")
        # The wrapper is memoised before its array is read, as it is in joblib itself,
        # and nothing refers back to it.
        return target.read(state, stream, self._budget)

    def finish(self, value: Any) -> Any:
        """Boxes are replaced by what they hold."""
        return value.array() if isinstance(value, ArrayBox) else value

    def refer(self, reference: Any) -> Any:
        raise UnsafeFileError("it refers to something outside of itself")

    def takes_key(self, key: Any) -> bool:
        # The hash of a large number takes its time, again and again.
        return type(key) in (str, bytes) or (type(key) is int and abs(key) < 1 << 64)


def _is(value: Any, name: str) -> bool:
    return type(value) is _Name and value == name
