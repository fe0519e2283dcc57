"""Small things around a training run: its clock, its log, its options."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

PROCESS_START = time.monotonic()
"""About when the process began: this module is imported first thing."""
_FIRST_RESERVE = 60.0
"""Seconds kept for the final evaluation before one has been timed."""

Options = TypeVar("Options")


class Clock:
    """Knows when to stop, so that the final evaluation still fits before the wall."""

    def __init__(self, *, minutes: float, wall: float, iterations: int) -> None:
        self._minutes, self._wall, self._iterations = minutes, wall, iterations
        self._start = time.monotonic()
        self._reserve = _FIRST_RESERVE
        self.sample_seconds = self.learn_seconds = 1e-9

    def over(self, iteration: int) -> bool:
        if self._iterations and iteration >= self._iterations:
            return True
        now = time.monotonic()
        if self._minutes and now - self._start >= 60 * self._minutes:
            return True
        return bool(self._wall) and now + self._reserve >= PROCESS_START + self._wall

    def tick(self, sample_seconds: float, learn_seconds: float) -> None:
        """Note how long the two halves of the last iteration took."""
        self.sample_seconds = max(sample_seconds, 1e-9)
        self.learn_seconds = max(learn_seconds, 1e-9)

    @contextmanager
    def evaluating(self) -> Iterator[None]:
        """Time an evaluation: the last one runs over all clips, and perturbed."""
        started = time.monotonic()
        yield
        self._reserve = 10.0 + 3.0 * (time.monotonic() - started)

    def left_for_report(self) -> float:
        """Seconds until the wall."""
        if not self._wall:
            return float("inf")
        return PROCESS_START + self._wall - time.monotonic()


class Log:
    """Lines of JSON, in a file and on the screen."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "log.jsonl"

    def write(self, event: str, **values: Any) -> None:
        row = {"event": event, "t": time.monotonic() - PROCESS_START, **values}
        line = json.dumps({key: _short(value) for key, value in row.items()})
        with self._path.open("a") as file:
            file.write(line + "\n")
        print(line, flush=True)


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    return value


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
