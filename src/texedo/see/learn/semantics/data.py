"""What the verifier learns from: clips as frames, and sentences about each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.data.corpus.corpus_file import open_corpus
from texedo.data.corpus.drawn import REQUESTS, Candidate, read_parts
from texedo.data.corpus.store import Clip
from texedo.see.learn.semantics.texts import Texts
from texedo.see.semantics.cross.frames import FRAME_SIZE, frames_of

MAX_STILL = 0.7
"""A candidate that rests for more of its time shows too little to learn from."""
PROMPT_WEIGHT = {"yes": 2.0, "perhaps": 0.2, "no": 0.0}
"""How often a drawn candidate's prompt is taken for true, by how it was obeyed, where
each measured sentence has 1. Where nobody can tell, four in ten do not obey."""
HELD_OUT = 12
"""One in so many prompts of drawn candidates is kept for validation."""
_BLOCK = 256

Int64 = NDArray[np.int64]


@dataclass
class ClipRows:
    """Clips one after the other."""

    ids: list[str] = field(default_factory=list)
    splits: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    """Clips of one group are never false examples for each other."""
    frames: list[NDArray[np.float16]] = field(default_factory=list)
    true: list[list[int]] = field(default_factory=list)
    weights: list[list[float]] = field(default_factory=list)
    false: list[list[int]] = field(default_factory=list)
    prompts: list[int] = field(default_factory=list)
    """The sentence that a candidate was drawn for; -1 of other clips."""
    obeys: list[str] = field(default_factory=list)
    """Whether it does what that says; empty of other clips."""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def lengths(self) -> Int64:
        return np.array([len(frames) for frames in self.frames], dtype=np.int64)


def read_clips(data: str, drawn: str, texts: Texts) -> ClipRows:
    """All clips of all sources but mirrored ones, which batches make themselves."""
    rows = ClipRows()
    for name in filter(None, data.split(",")):
        _add_corpus(Path(name), rows, texts)
    for name in filter(None, drawn.split(",")):
        _add_drawn(Path(name), rows, texts)
    if not rows.ids:
        raise TexedoError(f"{data}: holds no captioned clips.")
    return rows


def _add_corpus(path: Path, rows: ClipRows, texts: Texts) -> None:
    corpus = open_corpus(path)
    chosen = [
        i
        for i in corpus.select(copies=False)
        if corpus.clips[i].kind != "mirrored" and corpus.clips[i].captions
    ]
    for start in range(0, len(chosen), _BLOCK):
        block = chosen[start : start + _BLOCK]
        made = frames_of([np.asarray(corpus.frames(i)) for i in block])
        for i, frames in zip(block, made, strict=True):
            clip = corpus.clips[i]
            rows.ids.append(clip.id)
            rows.splits.append(clip.split)
            rows.kinds.append(clip.kind)
            rows.groups.append(clip.group)
            rows.frames.append(frames.astype(np.float16))
            rows.true.append([texts.add(text) for text in clip.captions])
            rows.weights.append(_weights(clip))
            rows.false.append([])
            rows.prompts.append(-1)
            rows.obeys.append("")


def _weights(clip: Clip) -> list[float]:
    own = getattr(clip, "caption_weights", ())
    return list(own) if own else [1.0] * len(clip.captions)


def _add_drawn(folder: Path, rows: ClipRows, texts: Texts) -> None:
    for part in read_parts(folder):
        useful = [i for i, one in enumerate(part.candidates) if one.still <= MAX_STILL]
        made = frames_of([part.poses[i] for i in useful])
        for i, frames in zip(useful, made, strict=True):
            one = part.candidates[i]
            true = list(_weighted(one))
            if not true:
                continue
            rows.ids.append(one.id)
            rows.splits.append(_split(one))
            rows.kinds.append("drawn")
            rows.groups.append(one.prompt)
            rows.frames.append(frames.astype(np.float16))
            rows.true.append([texts.add(text) for text, _ in true])
            rows.weights.append([weight for _, weight in true])
            rows.false.append([texts.add(text) for text in one.false])
            rows.prompts.append(texts.add(one.prompt))
            rows.obeys.append(one.obeys)


def _split(one: Candidate) -> str:
    """All candidates of a prompt are held out, or none."""
    held = one.split == "train" and crc32(one.prompt.encode()) % HELD_OUT == 0
    return "val" if held else one.split


def _weighted(one: Candidate) -> Iterator[tuple[str, float]]:
    # A request that is fulfilled is among the true sentences; "perhaps" says nothing.
    if one.family != REQUESTS and PROMPT_WEIGHT[one.obeys]:
        yield one.prompt, PROMPT_WEIGHT[one.obeys] * max(1, len(one.true)) / 2
    for text in one.true:
        yield text, 1.0


def frame_statistics(
    frames: Sequence[NDArray[np.float16]],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and standard deviation of each number, (80,)."""
    total, square, count = np.zeros(FRAME_SIZE), np.zeros(FRAME_SIZE), 0
    for own in frames:
        values = own.astype(np.float64)
        total += values.sum(axis=0)
        square += (values * values).sum(axis=0)
        count += len(values)
    mean = total / max(count, 1)
    return mean, np.sqrt(np.maximum(square / max(count, 1) - mean * mean, 0.0))
