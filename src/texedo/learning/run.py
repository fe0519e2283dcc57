"""A training run on disk: its state in pieces of bounded size, its log, its options.

Tensors go into `state-I.safetensors` files of at most `MAX_PIECE` bytes, plain values
into the metadata of each. All pieces carry the same values, so that pieces of two saves
are never mixed unnoticed. Needs numpy and safetensors; it knows no model classes.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import CheckpointError, TexedoError

MAX_PIECE = 15 << 20
"""Bytes per file: many a way to carry files away has a limit of 16 MiB."""
PROCESS_START = time.monotonic()
"""About when the process began: trainers import this module first thing."""
_PATTERN = "state-*.safetensors"

Arrays = dict[str, NDArray[Any]]
Options = TypeVar("Options")


def save_run(
    folder: Path, tensors: Mapping[str, NDArray[Any]], values: Mapping[str, Any]
) -> None:
    """Write all pieces, then put them in place."""
    from safetensors.numpy import save_file

    pieces = list(_pieces(tensors))
    metadata = {"values": json.dumps(values), "pieces": str(len(pieces))}
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"state-{i}.safetensors" for i in range(len(pieces))]
    for path, piece in zip(paths, pieces, strict=True):
        save_file(piece, f"{path}.tmp", metadata=metadata)
    for path in paths:
        os.replace(f"{path}.tmp", path)
    for stale in set(folder.glob(_PATTERN)) - set(paths):
        stale.unlink()


def load_run(folder: Path) -> tuple[Arrays, dict[str, Any]]:
    """Tensors and values of a saved run; raises `CheckpointError`."""
    from safetensors import SafetensorError, safe_open

    paths = sorted(folder.glob(_PATTERN))
    if not paths:
        raise CheckpointError(f"{folder}: no {_PATTERN} to resume from.")
    tensors: Arrays = {}
    seen: list[dict[str, str]] = []
    for path in paths:
        try:
            with safe_open(path, framework="numpy") as file:
                seen.append(dict(file.metadata() or {}))
                tensors |= {name: file.get_tensor(name) for name in file.keys()}
        except (OSError, SafetensorError) as error:
            raise CheckpointError(f"{path}: damaged: {error}") from error
    if len(paths) != int(seen[0].get("pieces", 0)) or any(m != seen[0] for m in seen):
        raise CheckpointError(f"{folder}: pieces of different saves; copy them again.")
    return tensors, dict(json.loads(seen[0]["values"]))


def _pieces(tensors: Mapping[str, NDArray[Any]]) -> Iterator[Arrays]:
    piece: Arrays = {}
    size = 0
    for name, tensor in tensors.items():
        if piece and size + tensor.nbytes > MAX_PIECE:
            yield piece
            piece, size = {}, 0
        piece[name] = np.asarray(tensor, order="C")
        size += tensor.nbytes
    yield piece


class RunLog:
    """Lines of JSON, in a file and on the screen."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "log.jsonl"

    def write(self, event: str, **values: Any) -> None:
        row = {"event": event, "t": time.monotonic() - PROCESS_START, **values}
        line = json.dumps(_short(row))
        with self._path.open("a") as file:
            file.write(line + "\n")
        print(line, flush=True)


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    return value


def run_command(
    kind: type[Options],
    job: Callable[[Options], object],
    arguments: Sequence[str],
    *,
    interrupted: str = "the state is saved",
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
