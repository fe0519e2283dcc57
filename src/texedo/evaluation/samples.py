"""Candidates of many prompts, kept on disk: what was drawn is never drawn again.

    FOLDER/REQUEST/request.json     generator, number, seed, settings
    FOLDER/REQUEST/PROMPT.npz       qpos (F, 36) of all candidates, and their lengths

REQUEST and PROMPT are hashes. Motions are kept as the generator made them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from texedo.core.errors import GenerationError
from texedo.core.files import atomic_path, write_whole
from texedo.motion import Motion
from texedo.text.generators.prompts import Sampling
from texedo.text.generators.protocol import Generator

TOGETHER = 8
"""Prompts that are drawn before they are written: an interruption costs no more."""

Progress = Callable[[int, int], None]
"""Called with the number of prompts done and of all."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """What candidates depend on beside their prompt."""

    n: int = 1
    seed: int = 0
    sampling: Sampling = Sampling()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def draw(
    generator: Generator,
    prompts: Sequence[str],
    request: Request,
    folder: Path,
    *,
    together: int = TOGETHER,
    progress: Progress = lambda done, total: None,
) -> list[list[Motion]]:
    """The candidates of every prompt, from disk as far as they are there.

    So many prompts `together` are drawn before they are written.
    """
    own = _folder(generator, request, folder)
    paths = [own / f"{_digest(prompt)[:24]}.npz" for prompt in prompts]
    todo = {
        path: p for path, p in zip(paths, prompts, strict=True) if not path.exists()
    }
    progress(len(prompts) - len(todo), len(prompts))
    waiting = list(todo.items())
    for first in range(0, len(waiting), together):
        batch = waiting[first : first + together]
        rows = generator.sample_many(
            [prompt for _, prompt in batch],
            request.n,
            seed=request.seed,
            **request.sampling.to_dict(),
        )
        for (path, prompt), motions in zip(batch, rows, strict=True):
            if len(motions) != request.n:
                raise GenerationError(
                    f"{generator.name}: has {len(motions)} candidates for {prompt!r}, "
                    f"not {request.n}; ask for fewer."
                )
            _write(path, motions)
        left = len(waiting) - first - len(batch)
        progress(len(prompts) - left, len(prompts))
    return [read_samples(path) for path in paths]


def _folder(generator: Generator, request: Request, folder: Path) -> Path:
    record = {"generator": generator.digest, **request.to_dict()}
    text = json.dumps(record, sort_keys=True)
    own = folder / _digest(text)[:16]
    own.mkdir(parents=True, exist_ok=True)
    write_whole(own / "request.json", text.encode())
    return own


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _write(path: Path, motions: Sequence[Motion]) -> None:
    qpos = np.concatenate([motion.to_qpos() for motion in motions])
    lengths = np.array([len(motion) for motion in motions])
    with atomic_path(path) as temporary, temporary.open("wb") as stream:
        np.savez(stream, qpos=qpos.astype(np.float32), lengths=lengths)


def read_samples(path: Path) -> list[Motion]:
    """The candidates in one file."""
    with np.load(path, allow_pickle=False) as file:
        parts = np.split(file["qpos"], np.cumsum(file["lengths"])[:-1])
    return [Motion.from_qpos(part) for part in parts]
