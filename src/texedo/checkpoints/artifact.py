"""A stored model: a folder with `config.json` and `weights.safetensors`. No pickle.

The config carries a kind, a format version and the sha256 of the weights, so that a
mixed-up or half-written folder is refused and not half-loaded. Needs numpy and
safetensors only; it knows no model classes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import CheckpointError
from texedo.core.files import write_whole
from texedo.core.regular import CONFIG_BYTES, parse_json, read_regular
from texedo.core.visible import visible

ARTIFACT_VERSION = 1
CONFIG_NAME = "config.json"
WEIGHTS_NAME = "weights.safetensors"
MAX_WEIGHTS = 4 << 30

Tensors = Mapping[str, NDArray[Any]]


def write_artifact(
    folder: Path | str, *, kind: str, config: Mapping[str, Any], tensors: Tensors
) -> Path:
    """Write both files, each atomically; the config comes last and seals the folder."""
    from safetensors.numpy import save

    folder = Path(folder)
    contiguous = {k: np.ascontiguousarray(v) for k, v in tensors.items()}
    weights = save(contiguous, metadata={"kind": kind})
    seal = {
        "kind": kind,
        "artifact_version": ARTIFACT_VERSION,
        "sha256": hashlib.sha256(weights).hexdigest(),
    }
    text = json.dumps({**seal, **config, **seal}, indent=2, allow_nan=False) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / WEIGHTS_NAME, weights)
        write_whole(folder / CONFIG_NAME, text.encode())
    except OSError as error:
        raise CheckpointError(
            f"{folder}: cannot be written ({error.strerror or error}); choose another "
            "place."
        ) from error
    return folder


def read_artifact(
    folder: Path | str, *, kind: str
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Config and tensors of a folder, checked; raises `CheckpointError`."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    folder = Path(folder)
    config = read_config(folder, kind=kind)
    path = folder / WEIGHTS_NAME
    weights = _read_bytes(path, limit=MAX_WEIGHTS)
    if hashlib.sha256(weights).hexdigest() != config.get("sha256"):
        raise CheckpointError(
            f"{path}: sha256 does not match {CONFIG_NAME}; copy the folder again."
        )
    try:
        return config, load(weights)
    except (
        SafetensorError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
    ) as error:
        said = visible(str(error).split("\n", 1)[0])[:120]
        raise CheckpointError(
            f"{path}: not a safetensors file of plain numbers ({said}); copy the folder "
            "again."
        ) from error


def read_config(folder: Path | str, *, kind: str) -> dict[str, Any]:
    """The checked `config.json` of a folder, without reading its weights."""
    path = Path(folder) / CONFIG_NAME
    try:
        config = parse_json(_read_bytes(path, limit=CONFIG_BYTES))
    except ValueError as error:
        raise CheckpointError(f"{path}: not JSON: {error}") from error
    if not isinstance(config, dict) or config.get("kind") != kind:
        found = config.get("kind") if isinstance(config, dict) else None
        shown = visible(repr(found))[:80]
        raise CheckpointError(f"{path}: holds {shown}, expected {kind!r}.")
    version = config.get("artifact_version")
    if version != ARTIFACT_VERSION:
        raise CheckpointError(
            f"{path}: artifact version {visible(repr(version))[:80]} is not "
            f"{ARTIFACT_VERSION}; install the texedo version that wrote it."
        )
    if not isinstance(config.get("metadata", {}), dict):
        raise CheckpointError(
            f"{path}: metadata should be names and values; copy the folder again."
        )
    return config


def _read_bytes(path: Path, *, limit: int) -> bytes:
    try:
        return read_regular(path, limit=limit)
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise CheckpointError(f"{path}: {reason.lower()}.") from error
