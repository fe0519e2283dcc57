"""Settings of a network from a `config.json` that anybody may have edited.

Wrong types and sizes are found here, by name, and not where a layer is built from them. A
network is then compared with the tensors of its file without a byte of it being made: who
writes a width of a million into a config gets a message and not a machine out of memory.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from texedo.core.errors import CheckpointError
from texedo.core.visible import visible

if TYPE_CHECKING:
    from torch import nn

Settings = TypeVar("Settings")

MAX_SIZE = 10_000_000
MAX_LAYERS = 256
MAX_TOKENS = 1024
"""In a row; attention looks at every pair of them, and no tensor tells how many."""
_COUNTS = ("layers", "depth", "stages", "blocks", "history_length")
"""Names of what is made one by one."""
_MAX_TEXT, _MAX_ITEMS = 1000, 1000

WRONG_CONFIG = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    LookupError,
    OverflowError,
    RuntimeError,
    ZeroDivisionError,
)
"""What wrong settings can raise where a network is made of them."""


def read_settings(kind: type[Settings], values: Any, where: Path | str) -> Settings:
    """A dataclass from what JSON gave; raises `CheckpointError` with the field's name."""
    if not isinstance(values, Mapping):
        raise CheckpointError(
            f"{where}: settings should be names and values, not {_shown(values)}; copy "
            "the folder again."
        )
    hints = typing.get_type_hints(kind)
    known = {field.name for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    if unknown := sorted(visible(name)[:80] for name in values if name not in known):
        raise CheckpointError(
            f"{where}: has a setting {unknown[0]!r}, so it was written by another "
            "version of texedo; install that one."
        )
    checked = {n: _checked(n, v, hints[n], where) for n, v in values.items()}
    try:
        return kind(**checked)
    except WRONG_CONFIG as error:
        raise _refused(where, error) from error


def _checked(name: str, value: Any, hint: Any, where: Path | str) -> Any:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return read_settings(hint, value, where)
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        if value is None and type(None) in inner:
            return None
        rest = [part for part in inner if part is not type(None)]
        return _checked(name, value, rest[0], where) if len(rest) == 1 else value
    if isinstance(origin, type) and issubclass(origin, typing.Sequence):
        if not isinstance(value, list | tuple) or len(value) > _MAX_ITEMS:
            raise _wrong(name, value, "a list", where)
        return tuple(_checked(name, item, inner[0], where) for item in value)
    limit = MAX_LAYERS if any(word in name for word in _COUNTS) else MAX_SIZE
    limit = MAX_TOKENS if name.endswith("_tokens") else limit
    if hint is int and not (type(value) is int and abs(value) <= limit):
        raise _wrong(name, value, f"a whole number up to {limit}", where)
    if hint is float:
        if type(value) not in (int, float) or not _finite(value):
            raise _wrong(name, value, "a number", where)
        return float(value)
    if hint is bool and type(value) is not bool:
        raise _wrong(name, value, "true or false", where)
    if hint is str and not (type(value) is str and len(value) <= _MAX_TEXT):
        raise _wrong(name, value, "a short text", where)
    return value


def check_shapes(
    make: Callable[[], nn.Module], tensors: Mapping[str, Any], where: Path | str
) -> None:
    """Raise `CheckpointError` unless the network has exactly these tensors."""
    # Here and not above: it loads torch.
    from texedo.checkpoints.small_weights import no_weights

    try:
        with no_weights():
            wanted = {k: tuple(v.shape) for k, v in make().state_dict().items()}
    except WRONG_CONFIG as error:
        raise _refused(where, error) from error
    there = {name: tuple(array.shape) for name, array in tensors.items()}
    for name in wanted:
        if name not in there:
            raise CheckpointError(
                f"{where}: weights do not fit the config: {name} is missing; copy the "
                "folder again."
            )
        # A single number may be stored as a row of one.
        if (there[name] or (1,)) != (wanted[name] or (1,)):
            raise CheckpointError(
                f"{where}: weights do not fit the config: {name} is {there[name]}, not "
                f"{wanted[name]}; copy the folder again."
            )
    if extra := sorted(set(there) - set(wanted)):
        raise CheckpointError(
            f"{where}: weights do not fit the config: it knows no "
            f"{visible(extra[0])[:80]}; copy the folder again."
        )


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # A whole number beyond what a float holds.
        return False


def _wrong(name: str, value: Any, rule: str, where: Path | str) -> CheckpointError:
    return CheckpointError(
        f"{where}: {name} should be {rule}, and is {_shown(value)}; copy the folder "
        "again."
    )


def _refused(where: Path | str, error: Exception) -> CheckpointError:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return CheckpointError(
        f"{where}: its settings make no network ({visible(lines[-1].strip())[:120]}); "
        "copy the folder again."
    )


def _shown(value: Any) -> str:
    if isinstance(value, str | int | float | bool) or value is None:
        try:
            return visible(repr(value))[:60]
        except ValueError:  # More digits than Python prints.
            return "a number of thousands of digits"
    if isinstance(value, list):
        return "a list"
    return "an object" if isinstance(value, dict) else type(value).__name__
