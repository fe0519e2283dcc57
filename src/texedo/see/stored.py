"""Trained verifiers in folders: what kind one is, and who loads it."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from texedo.checkpoints.artifact import CONFIG_NAME
from texedo.core.errors import CheckpointError
from texedo.core.regular import read_json


def stored_kind(folder: Path, known: Iterable[str], what: str) -> str:
    """The kind in a folder's config, one of `known`; `what` they are, for people."""
    path = folder / CONFIG_NAME
    try:
        kind = read_json(path)["kind"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path}: is no config of weights.") from error
    if not isinstance(kind, str) or kind not in known:
        raise CheckpointError(
            f"{path}: holds {kind!r}, which is no {what}; those are {', '.join(known)}."
        )
    return str(kind)


def loader(place: str, what: str) -> Callable[[Path], Any]:
    """The function at `module:function`, imported now; says which package is missing."""
    for package in ("torch", "safetensors"):
        if importlib.util.find_spec(package) is None:
            raise CheckpointError(
                f"A {what} needs {package}: pip install 'texedo[learn]'."
            )
    module, _, function = place.partition(":")
    load: Callable[[Path], Any] = getattr(importlib.import_module(module), function)
    return load
