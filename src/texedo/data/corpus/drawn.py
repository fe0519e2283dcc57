"""A folder of drawn candidates: parts that are written one by one.

    part-00000.npz   codes, poses and what is said about each candidate

Every part holds the candidates of some prompts. A part that is there is not drawn again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.core.files import atomic_path

PART = "part-*.npz"
REQUESTS = "requests"
"""Family of candidates drawn for everyday requests, whose rules say what they did."""

_LISTS = {"true", "false", "phrasings"}


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """What is known of one candidate beside its codes and poses."""

    id: str
    split: str
    """Of the clip whose caption was the prompt."""
    family: str
    prompt: str
    temperature: float
    guidance: float
    true: tuple[str, ...]
    false: tuple[str, ...]
    obeys: str
    still: float
    phrasings: tuple[str, ...] = ()
    """The prompt of a request in other words."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """Some candidates, in order."""

    candidates: tuple[Candidate, ...]
    codes: list[NDArray[np.int64]]
    poses: list[NDArray[np.float32]]
    """qpos (T, 36) after post-processing."""


def write_part(path: Path, part: Part) -> None:
    """Whole or not at all."""
    said = json.dumps([asdict(one) for one in part.candidates], ensure_ascii=False)
    with atomic_path(path) as temporary, temporary.open("wb") as stream:
        np.savez(
            stream,
            codes=np.concatenate(part.codes).astype(np.uint16),
            num_codes=np.array([len(row) for row in part.codes], dtype=np.int64),
            poses=np.concatenate(part.poses),
            num_frames=np.array([len(row) for row in part.poses], dtype=np.int64),
            said=np.frombuffer(said.encode(), dtype=np.uint8),
        )


def read_part(path: Path) -> Part:
    """Raises `FileFormatError`."""
    try:
        with np.load(path, allow_pickle=False) as file:
            said: list[dict[str, Any]] = json.loads(file["said"].tobytes().decode())
            codes = _split(file["codes"].astype(np.int64), file["num_codes"])
            poses = _split(file["poses"], file["num_frames"])
        found = tuple(
            Candidate(**(one | {name: tuple(one[name]) for name in _LISTS & set(one)}))
            for one in said
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FileFormatError(
            f"{path}: no part of drawn candidates: {error}"
        ) from error
    return Part(candidates=found, codes=codes, poses=poses)


def read_parts(folder: Path | str) -> Iterator[Part]:
    """All parts of a folder in order; `FileFormatError` if there is none."""
    paths = sorted(Path(folder).glob(PART))
    if not paths:
        raise FileFormatError(f"{folder}: holds no drawn candidates ({PART}).")
    return (read_part(path) for path in paths)


def _split(rows: NDArray[Any], lengths: Sequence[int] | NDArray[Any]) -> list[Any]:
    return np.split(rows, np.cumsum(lengths)[:-1])
