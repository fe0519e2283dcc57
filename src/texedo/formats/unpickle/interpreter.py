"""Pickle and joblib files, without pickle.

A pickle is a program, and Python's own reader runs it: it calls whatever the file
names. Here a small interpreter of ours walks the instructions instead. It can build
dicts, lists, tuples, text, numbers and numpy arrays, and nothing else: the names in
`ALLOWED` stand for steps written below, never for the objects they name elsewhere, and
any other name or instruction refuses the file. Nothing of numpy is called with arguments
from the file except `frombuffer` on bytes whose length has been checked.

joblib puts the bytes of an array right behind the instruction that finishes its wrapper;
reading instruction by instruction from one stream makes that natural.
"""

from __future__ import annotations

import io
import pickletools
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from texedo.core.errors import FileFormatError, UnsafeFileError
from texedo.formats.unpickle.arrays import (
    ArrayBox,
    DtypeBox,
    JoblibArray,
    PickleDamage,
    array_from_buffer,
    scalar_from_bytes,
)
from texedo.formats.unpickle.compressed import MAX_BYTES, read_unpacked

PICKLE_MAGIC = re.compile(
    rb"\x80[\x00-\x05]|x[\x01\x5e\x9c\xda]|\x1f\x8b|BZh|\xfd7zXZ|\x5d\x00\x00|ZF\d?|"
    rb"\x04\x22\x4d\x18",
    re.DOTALL,
)
"""How a pickle, or one compressed by joblib, can begin."""

MAX_STEPS = 20_000_000

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


class _Name(str):
    """An allowed global on the stack: the key of a step, not a thing to call."""

    __slots__ = ()


class _Mark:
    __slots__ = ()


_MARK = _Mark()


def load_pickle(path: Path) -> Any:
    """The plain data in a pickle or joblib file, compressed or not.

    Raises `UnsafeFileError` if it wants anything but data.
    """
    stream = io.BytesIO(read_unpacked(path))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in damaged text
            return _Reader(stream, path).run()
    except UnsafeFileError:
        raise
    except (PickleDamage, ValueError, LookupError, TypeError, OverflowError) as error:
        # Every one of these means that an instruction met something it cannot use.
        reason = str(error).split("\n", 1)[0][:120] or type(error).__name__
        raise FileFormatError(
            f"{path}: is a damaged or cut-off pickle ({reason}); copy it again."
        ) from error


class _Reader:
    """The stack machine. One instance reads one file."""

    def __init__(self, stream: io.BytesIO, path: Path) -> None:
        self.stream = stream
        self.path = path
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        self.bytes_left = MAX_BYTES

    def run(self) -> Any:
        for step, (opcode, arg, _) in enumerate(pickletools.genops(self.stream)):
            if step > MAX_STEPS:
                raise PickleDamage(f"more than {MAX_STEPS} instructions")
            if opcode.name == "STOP":
                return _finished(self.stack.pop())
            self._step(opcode.name, arg)
        raise PickleDamage("no end")

    def _step(self, name: str, arg: Any) -> None:
        if name in _IGNORED:
            return
        if name in _PUSH_ARGUMENT:
            self.stack.append(arg)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name])
        elif name in _MAKE:
            self.stack.append(_MAKE[name]())
        elif name in _TUPLES:
            size = _TUPLES[name]
            self.stack[-size:] = [self._tuple(self.stack[-size:], size)]
        elif name in _STEPS:
            _STEPS[name](self, arg)
        else:
            raise UnsafeFileError(
                f"{self.path}: is refused: it uses the pickle instruction {name}, which "
                "plain data do not need; save the arrays as npz."
            )

    def _pop_mark(self) -> list[Any]:
        for start in range(len(self.stack) - 1, -1, -1):
            if self.stack[start] is _MARK:
                items = [_finished(item) for item in self.stack[start + 1 :]]
                del self.stack[start:]
                return items
        raise PickleDamage("no mark")

    def _tuple(self, items: list[Any], size: int) -> tuple[Any, ...]:
        if len(items) != size:
            raise PickleDamage("stack too short")
        return tuple(_finished(item) for item in items)

    def _find(self, module: Any, name: Any) -> None:
        if type(module) is not str or type(name) is not str:
            raise PickleDamage("a name that is no text")
        if (module, name) not in ALLOWED:
            raise UnsafeFileError(
                f"{self.path}: is refused, and nothing in it was run: it asks for "
                f"{f'{module}.{name}'[:100]!r}, and only plain data and numpy arrays are "
                "read; save the arrays as npz."
            )
        self.stack.append(_Name(ALLOWED[module, name]))

    def get(self, index: Any) -> None:
        self.stack.append(self.memo[int(index)])

    def put(self, index: Any) -> None:
        self.memo[int(index)] = self.stack[-1]

    def memoize(self, _: Any) -> None:
        self.memo[len(self.memo)] = self.stack[-1]

    def global_(self, arg: str) -> None:
        module, _, name = arg.partition(" ")
        self._find(module, name)

    def stack_global(self, _: Any) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        self._find(module, name)

    def mark(self, _: Any) -> None:
        self.stack.append(_MARK)

    def pop(self, _: Any) -> None:
        self.stack.pop()

    def pop_mark(self, _: Any) -> None:
        self._pop_mark()

    def dup(self, _: Any) -> None:
        self.stack.append(self.stack[-1])

    def tuple_(self, _: Any) -> None:
        self.stack.append(tuple(self._pop_mark()))

    def list_(self, _: Any) -> None:
        self.stack.append(self._pop_mark())

    def dict_(self, _: Any) -> None:
        items = self._pop_mark()
        self.stack.append({})
        self._set_items(items)

    def append(self, _: Any) -> None:
        item = _finished(self.stack.pop())
        self._list().append(item)

    def appends(self, _: Any) -> None:
        items = self._pop_mark()
        self._list().extend(items)

    def set_item(self, _: Any) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self._set_items([key, _finished(value)])

    def set_items(self, _: Any) -> None:
        self._set_items(self._pop_mark())

    def _list(self) -> list[Any]:
        target = self.stack[-1]
        if type(target) is not list:
            raise PickleDamage("no list to append to")
        return target

    def _set_items(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if type(target) is not dict or len(items) % 2:
            raise PickleDamage("no dict to fill")
        for key, value in zip(items[::2], items[1::2], strict=True):
            # Nested tuples as keys would take exponential time to hash.
            if type(key) not in (str, int, bytes):
                raise PickleDamage(f"a dict key of type {type(key).__name__}")
            target[key] = value

    def new_object(self, _: Any) -> None:
        args, name = self.stack.pop(), self.stack.pop()
        if not (_is(name, "joblib_array") and args == ()):
            raise PickleDamage("an object of an unexpected kind")
        self.stack.append(JoblibArray())

    def reduce(self, _: Any) -> None:
        args, name = self.stack.pop(), self.stack.pop()
        if type(name) is not _Name or type(args) is not tuple:
            raise PickleDamage("a call of something that is no function")
        self.stack.append(self._call(name, args))

    def _call(self, name: _Name, args: tuple[Any, ...]) -> Any:
        if name == "reconstruct" and len(args) == 3 and _is(args[0], "ndarray"):
            return ArrayBox()
        if name == "dtype":
            return DtypeBox(args)
        if name == "scalar" and len(args) == 2:
            return scalar_from_bytes(*args)
        if name == "frombuffer" and len(args) == 4:
            data, dtype, shape, order = args
            return array_from_buffer(data, dtype, shape=shape, order=order)
        if name == "ordered_dict" and not args:
            return {}
        if name == "encode" and len(args) == 2 and type(args[0]) is str:
            # One long text encoded again and again would fill the memory.
            self.bytes_left -= len(args[0])
            if args[1] in ("latin1", "latin-1") and self.bytes_left >= 0:
                return args[0].encode("latin-1")
        raise PickleDamage(f"a call of {name} with arguments it does not take")

    def build(self, _: Any) -> None:
        state = self.stack.pop()
        target = self.stack[-1]
        if isinstance(target, ArrayBox | DtypeBox):
            target.set_state(state)
        elif isinstance(target, JoblibArray):
            self.stack[-1] = self._joblib_array(target, state)
        else:
            raise PickleDamage(f"a state for a {type(target).__name__}")

    def _joblib_array(self, target: JoblibArray, state: Any) -> NDArray[Any]:
        if type(state) is not dict or not _is(state.get("subclass"), "ndarray"):
            raise PickleDamage("a joblib array of an unexpected kind")
        # The wrapper is memoised before its array is read, as it is in joblib itself,
        # and nothing refers back to it.
        return target.read(state, self.stream)


def _is(value: Any, name: str) -> bool:
    return type(value) is _Name and value == name


def _finished(value: Any) -> Any:
    """A value that may go into a container: boxes are replaced by what they hold."""
    return value.array() if isinstance(value, ArrayBox) else value


_IGNORED = {"PROTO", "FRAME"}
_PUSH_ARGUMENT = {
    *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4"),
    *("FLOAT", "BINFLOAT", "STRING", "BINSTRING", "SHORT_BINSTRING"),
    *("UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"),
    *("BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8"),
}
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_MAKE: dict[str, Callable[[], Any]] = {"EMPTY_DICT": dict, "EMPTY_LIST": list}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_STEPS: dict[str, Callable[[_Reader, Any], None]] = {
    **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), _Reader.get),
    **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT"), _Reader.put),
    "MEMOIZE": _Reader.memoize,
    "GLOBAL": _Reader.global_,
    "STACK_GLOBAL": _Reader.stack_global,
    "MARK": _Reader.mark,
    "POP": _Reader.pop,
    "POP_MARK": _Reader.pop_mark,
    "DUP": _Reader.dup,
    "TUPLE": _Reader.tuple_,
    "LIST": _Reader.list_,
    "DICT": _Reader.dict_,
    "APPEND": _Reader.append,
    "APPENDS": _Reader.appends,
    "SETITEM": _Reader.set_item,
    "SETITEMS": _Reader.set_items,
    "NEWOBJ": _Reader.new_object,
    "REDUCE": _Reader.reduce,
    "BUILD": _Reader.build,
}
