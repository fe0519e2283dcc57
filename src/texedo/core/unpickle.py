"""Pickles, without pickle.

A pickle is a program, and Python's own reader runs it: it calls whatever the file
names. Here a small interpreter of ours walks the instructions instead. By itself it can
build dicts, lists, tuples, text and numbers, and nothing else. What the names in a file
stand for is a table of ours (`Names`): steps that are written there, never the objects
that they name elsewhere. A table refuses every other name, or lets it stand for `INERT`,
which takes whatever it is given and does nothing.
"""

from __future__ import annotations

import pickletools
import sys
import warnings
from collections.abc import Callable
from typing import IO, Any, Protocol

from texedo.core.budget import Budget
from texedo.core.errors import UnsafeFileError

MAX_STEPS = 20_000_000
_LOOK_AT_CLOCK = 256
"""Steps, or entries of a dict, from one look to the next."""
_STEP_BYTES, _OBJECT_BYTES, _MEMO_BYTES = 16, 80, 110
"""Memory of a place on the stack, of an empty list or dict, of a place in the memo."""


class PickleDamage(Exception):
    """An instruction that makes no sense; whoever reads turns it into a file error."""


class Names(Protocol):
    """What the names in a file stand for."""

    def find(self, module: str, name: str) -> Any:
        """What goes on the stack for a name; raises `UnsafeFileError` to refuse it."""

    def call(self, name: Any, args: tuple[Any, ...]) -> Any:
        """The result of a call of what `find` gave."""

    def make(self, name: Any, args: tuple[Any, ...]) -> Any:
        """A new object of what `find` gave, before it has a state."""

    def set_state(self, target: Any, state: Any, stream: IO[bytes]) -> Any:
        """The target with its state; bytes may follow in the stream."""

    def finish(self, value: Any) -> Any:
        """A value that goes into a container."""

    def refer(self, reference: Any) -> Any:
        """Something that lies outside of the pickle."""

    def takes_key(self, key: Any) -> bool:
        """Whether dicts have such keys: nested tuples would take exponential time."""


class Inert:
    """An object of a class that is not looked up."""

    __slots__ = ()


INERT = Inert()
INERT_NAME = Inert()
"""A class that is not looked up, before it is called."""


class _Mark:
    __slots__ = ()


_MARK = _Mark()


def run_pickle(stream: IO[bytes], names: Names, budget: Budget) -> Any:
    """What the program in a stream builds.

    Raises `UnsafeFileError` where the names refuse, `PickleDamage` for anything that an
    instruction cannot use, and what `budget` raises where it asks for too much.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in damaged text
            return _Reader(stream, names, budget).run()
    # MemoryError: a length beyond the file, before anything of it is read.
    except (ValueError, LookupError, TypeError, OverflowError, MemoryError) as error:
        reason = str(error).split("\n", 1)[0][:120] or type(error).__name__
        raise PickleDamage(reason) from error


class _Reader:
    """The stack machine. One instance reads one file."""

    def __init__(self, stream: IO[bytes], names: Names, budget: Budget) -> None:
        self.stream, self.names, self.budget = stream, names, budget
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def run(self) -> Any:
        for step, (opcode, arg, _) in enumerate(pickletools.genops(self.stream)):
            if step > MAX_STEPS:
                raise PickleDamage(f"more than {MAX_STEPS} instructions")
            if step % _LOOK_AT_CLOCK == 0:
                self.budget.check_time(_PROGRAM)
                self.budget.take(_LOOK_AT_CLOCK * _STEP_BYTES, _PROGRAM)
            if opcode.name == "STOP":
                return self.names.finish(self.stack.pop())
            self._step(opcode.name, arg)
        raise PickleDamage("no end")

    def _step(self, name: str, arg: Any) -> None:
        if name in _IGNORED:
            return
        if name in _PUSH_ARGUMENT:
            self.budget.take(sys.getsizeof(arg), _PROGRAM)
            self.stack.append(arg)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name])
        elif name in _MAKE:
            self.budget.take(_OBJECT_BYTES, _PROGRAM)
            self.stack.append(_MAKE[name]())
        elif name in _TUPLES:
            self.budget.take(_OBJECT_BYTES, _PROGRAM)
            size = _TUPLES[name]
            self.stack[-size:] = [self._tuple(self.stack[-size:], size)]
        elif name in _STEPS:
            _STEPS[name](self, arg)
        else:
            raise UnsafeFileError(
                f"it uses the pickle instruction {name}, which plain data do not need"
            )

    def _pop_mark(self) -> list[Any]:
        for start in range(len(self.stack) - 1, -1, -1):
            if self.stack[start] is _MARK:
                items = [self.names.finish(item) for item in self.stack[start + 1 :]]
                del self.stack[start:]
                return items
        raise PickleDamage("no mark")

    def _tuple(self, items: list[Any], size: int) -> tuple[Any, ...]:
        if len(items) != size:
            raise PickleDamage("stack too short")
        return tuple(self.names.finish(item) for item in items)

    def _find(self, module: Any, name: Any) -> None:
        if type(module) is not str or type(name) is not str:
            raise PickleDamage("a name that is no text")
        self.stack.append(self.names.find(module, name))

    def get(self, index: Any) -> None:
        self.stack.append(self.memo[int(index)])

    def put(self, index: Any) -> None:
        self.budget.take(_MEMO_BYTES, _PROGRAM)
        self.memo[int(index)] = self.stack[-1]

    def memoize(self, _: Any) -> None:
        self.budget.take(_MEMO_BYTES, _PROGRAM)
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
        self.budget.take(_OBJECT_BYTES, _PROGRAM)
        self.stack.append(tuple(self._pop_mark()))

    def list_(self, _: Any) -> None:
        self.budget.take(_OBJECT_BYTES, _PROGRAM)
        self.stack.append(self._pop_mark())

    def dict_(self, _: Any) -> None:
        items = self._pop_mark()
        self.budget.take(_OBJECT_BYTES, _PROGRAM)
        self.stack.append({})
        self._set_items(items)

    def append(self, _: Any) -> None:
        item = self.names.finish(self.stack.pop())
        self._extend([item])

    def appends(self, _: Any) -> None:
        self._extend(self._pop_mark())

    def set_item(self, _: Any) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self._set_items([key, self.names.finish(value)])

    def set_items(self, _: Any) -> None:
        self._set_items(self._pop_mark())

    def _extend(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if type(target) is list:
            target.extend(items)
        elif target is not INERT:
            raise PickleDamage("no list to append to")

    def _set_items(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if target is INERT:
            return
        if type(target) is not dict or len(items) % 2:
            raise PickleDamage("no dict to fill")
        self.budget.take(_OBJECT_BYTES * (len(items) // 2), _PROGRAM)
        for i, (key, value) in enumerate(zip(items[::2], items[1::2], strict=True)):
            if i % _LOOK_AT_CLOCK == 0:  # Keys can be made to collide.
                self.budget.check_time(_PROGRAM)
            if not self.names.takes_key(key):
                raise PickleDamage(f"a dict key of type {type(key).__name__}")
            target[key] = value

    def new_object(self, _: Any) -> None:
        args, name = self.stack.pop(), self.stack.pop()
        self.stack.append(self.names.make(name, _arguments(args)))

    def reduce(self, _: Any) -> None:
        args, name = self.stack.pop(), self.stack.pop()
        self.stack.append(self.names.call(name, _arguments(args)))

    def build(self, _: Any) -> None:
        state = self.stack.pop()
        self.stack[-1] = self.names.set_state(self.stack[-1], state, self.stream)

    def refer(self, _: Any) -> None:
        self.stack.append(self.names.refer(self.stack.pop()))


def _arguments(args: Any) -> tuple[Any, ...]:
    if type(args) is not tuple:
        raise PickleDamage("a call without arguments")
    return args


_PROGRAM = "its pickle"
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
    "BINPERSID": _Reader.refer,
    "REDUCE": _Reader.reduce,
    "BUILD": _Reader.build,
}
