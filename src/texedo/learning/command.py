"""Trainers as commands where no command line library is installed, as on many a GPU."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from typing import Any, TypeVar, get_type_hints

from texedo.core.errors import TexedoError

INTERRUPTED = "the state is saved; the same command goes on"
"""Said after Ctrl-C."""

Options = TypeVar("Options")


def run_command(
    kind: type[Options],
    job: Callable[[Options], object],
    arguments: Sequence[str],
    *,
    interrupted: str = INTERRUPTED,
) -> int:
    """A command without a command line library: a job with options of this kind."""
    return run_job(lambda: job(parse_options(kind, arguments)), interrupted=interrupted)


def run_job(job: Callable[[], object], *, interrupted: str) -> int:
    """The exit code of a command: 0, 2 for bad input, 130 after Ctrl-C."""
    try:
        job()
    except (TexedoError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        # A line of its own: ^C or a progress may stand before it.
        print(f"\ninterrupted; {interrupted}", file=sys.stderr)
        return 130
    return 0


def parse_options(kind: type[Options], arguments: Sequence[str]) -> Options:
    """A dataclass from `--key value` pairs; raises `ValueError` with the way out."""
    types = get_type_hints(kind)
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    if len(arguments) % 2:
        raise ValueError(f"Options come as '--key value'; {arguments[-1]!r} is alone.")
    for key, text in zip(arguments[::2], arguments[1::2], strict=True):
        name = key.removeprefix("--").replace("-", "_")
        if not key.startswith("--") or name not in known:
            raise ValueError(f"Unknown option {key!r}; there are {', '.join(known)}.")
        values[name] = _parse(key, text, types[name])
    for name, field in known.items():
        if name not in values and field.default is MISSING:
            raise ValueError(f"--{name} is needed.")
    return kind(**values)


def _parse(key: str, text: str, kind: type) -> Any:
    if kind is bool:
        if text.lower() not in ("true", "false"):
            raise ValueError(f"{key} must be true or false, got {text!r}.")
        return text.lower() == "true"
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"{key} must be {kind.__name__}, got {text!r}.") from None
