"""The state of a training run on disk, in pieces of bounded size.

Tensors go into `state-I.safetensors` files of at most `MAX_PIECE` bytes, plain values
into the metadata of each. All pieces carry the same values, so that pieces of two saves
are never mixed unnoticed. Needs numpy and safetensors; it knows no model classes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import CheckpointError

MAX_PIECE = 15 << 20
"""Bytes per file: many a way to carry files away has a limit of 16 MiB."""
_PATTERN = "state-*.safetensors"

Arrays = dict[str, NDArray[Any]]


def has_state(folder: Path) -> bool:
    """Whether a run was saved there."""
    return any(folder.glob(_PATTERN))


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
