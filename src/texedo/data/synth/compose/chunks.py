"""Chunks of derived clips: made on some processes, kept in files, given back in order."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from texedo.core.atomic import atomic_file
from texedo.core.pool import map_unordered
from texedo.data.corpus.store import Clip
from texedo.data.synth.compose.make import DerivedClip


@dataclass(frozen=True)
class Chunk:
    """Some clips to be made."""

    name: str
    """Of its file, unique among the chunks of a folder."""
    key: str
    """Equal keys mean equal clips."""
    make: Callable[..., list[DerivedClip]]
    """A function of a module, so that it can travel to another process."""
    content: tuple[Any, ...]
    """Its arguments."""


def run_chunks(
    chunks: Iterable[Chunk],
    *,
    workers: int | None = 1,
    folder: Path | None = None,
    report: Callable[[str, int, int], None] | None = None,
) -> Iterator[DerivedClip]:
    """The clips of all chunks in order, made only where the folder has none yet."""
    todo = list(chunks)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    missing = [chunk for chunk in todo if folder is None or not is_saved(folder, chunk)]
    made: dict[str, list[DerivedClip] | None] = {}
    calls = ((chunk, folder) for chunk in missing)
    for done, (name, clips) in enumerate(
        map_unordered(_run, calls, workers=workers), start=1
    ):
        made[name] = clips
        if report is not None:
            report(name.split("-")[0], len(todo) - len(missing) + done, len(todo))
    for chunk in todo:
        clips = made.pop(chunk.name, None)
        if clips is None:
            assert folder is not None
            clips = load_clips(folder / f"{chunk.name}.npz")
        yield from clips


def _run(chunk: Chunk, folder: Path | None) -> tuple[str, list[DerivedClip] | None]:
    """Make a chunk; with a folder the clips go there and not through the pipe."""
    clips = chunk.make(*chunk.content)
    if folder is None:
        return chunk.name, clips
    save_clips(folder / f"{chunk.name}.npz", chunk.key, clips)
    return chunk.name, None


def is_saved(folder: Path, chunk: Chunk) -> bool:
    """Whether the folder holds the clips of this very chunk."""
    try:
        with np.load(folder / f"{chunk.name}.npz", allow_pickle=False) as archive:
            return str(archive["key"]) == chunk.key
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return False


def save_clips(path: Path, key: str, clips: Sequence[DerivedClip]) -> None:
    """Write clips and their frames as one file, whole or not at all."""
    blocks = [frames for _, frames in clips] or [np.zeros((0, 36), np.float32)]
    with atomic_file(path) as temporary, temporary.open("wb") as stream:
        np.savez(
            stream,
            key=np.array(key),
            clips=np.array("\n".join(clip.to_json() for clip, _ in clips)),
            frames=np.concatenate(blocks),
        )


def load_clips(path: Path) -> list[DerivedClip]:
    """What `save_clips` has written."""
    with np.load(path, allow_pickle=False) as archive:
        lines = str(archive["clips"]).splitlines()
        frames = archive["frames"]
    out: list[DerivedClip] = []
    at = 0
    for line in lines:
        clip = Clip.from_record(json.loads(line))
        out.append(DerivedClip(clip, frames[at : at + clip.num_frames]))
        at += clip.num_frames
    return out
