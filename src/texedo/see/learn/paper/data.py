"""A corpus as the paper's verifier learns it: features of all clips, captions as tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.data.corpus.clip_file import write_clips
from texedo.data.corpus.corpus_file import pack_clips
from texedo.data.corpus.store import Clip, Corpus
from texedo.learning.run import clips_digest
from texedo.see.semantics.paper.features import MIN_STD, motion_features
from texedo.see.semantics.paper.words import Tokens, Words, sentence_key, words_of

PACKED_ERROR = 3e-4
"""Largest error of a pose in a file to train from [m, rad]: 1 cm/s or so of velocity."""

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class CaptionedClips:
    """N clips, each with a caption at least."""

    ids: tuple[str, ...]
    kinds: tuple[str, ...]
    features: Float32
    """All frames back to back, (F, 36)."""
    lengths: Int64
    """Frames of each clip, (N,)."""
    texts: tuple[str, ...]
    """Every different caption once."""
    captions: tuple[Int64, ...]
    """Numbers of each clip's captions in `texts`."""
    weights: tuple[Float64, ...]
    """How likely each of them is to be drawn; their sum is 1."""

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def starts(self) -> Int64:
        """First frame of each clip, (N,)."""
        return np.asarray(np.cumsum(self.lengths) - self.lengths)

    @cached_property
    def keys(self) -> Int64:
        """The same number for captions of the same words, (len(texts),)."""
        digests = [
            hashlib.blake2b(sentence_key(text).encode(), digest_size=8).digest()
            for text in self.texts
        ]
        return np.frombuffer(b"".join(digests), dtype="<i8").astype(np.int64)

    def rows(self) -> list[Float32]:
        """Features (T_i, 36) of each clip, views."""
        return np.split(self.features, self.starts[1:])

    def scales(self) -> tuple[Float32, Float32]:
        """Mean and standard deviation of the features, (36,), the latter not tiny."""
        mean = self.features.mean(axis=0, dtype=np.float64)
        std = self.features.std(axis=0, dtype=np.float64)
        return mean.astype(np.float32), np.maximum(std, MIN_STD).astype(np.float32)

    @property
    def digest(self) -> str:
        """Names what is learnt from: clips and captions."""
        found = hashlib.sha256(clips_digest(self.ids, self.lengths).encode())
        for own, weights in zip(self.captions, self.weights, strict=True):
            found.update("\n".join(self.texts[i] for i in own).encode())
            found.update(np.ascontiguousarray(weights, dtype="<f8").tobytes())
        return found.hexdigest()


def captioned_clips(corpus: Corpus, split: str) -> CaptionedClips:
    """The clips of a split, of all kinds, that have a caption with words in it."""
    chosen = [
        i
        for i in corpus.select(split=split, copies=False)
        if any(words_of(text) for text in corpus.clips[i].captions)
    ]
    if not chosen:
        raise FileFormatError(
            f"{corpus!r} has no captioned clips of the split {split}."
        )
    said = [_weighted(corpus.clips[i]) for i in chosen]
    texts = sorted({text for own in said for text in own})
    number = {text: i for i, text in enumerate(texts)}
    rows = [motion_features(corpus.frames(i)) for i in chosen]
    return CaptionedClips(
        ids=tuple(corpus.clips[i].id for i in chosen),
        kinds=tuple(corpus.clips[i].kind for i in chosen),
        features=np.concatenate(rows),
        lengths=np.array([len(row) for row in rows], dtype=np.int64),
        texts=tuple(texts),
        captions=tuple(np.array([number[text] for text in own]) for own in said),
        weights=tuple(_shares(list(own.values())) for own in said),
    )


def pack_training_clips(corpus: Corpus, path: str | Path) -> int:
    """Write what a run reads of a corpus, train and val of all kinds; bytes of the file.

    14 bytes a frame: the whole of it goes where a corpus folder does not.
    """
    chosen = corpus.select(split=("train", "val"), copies=False)
    return write_clips(path, pack_clips(corpus, chosen), max_error=PACKED_ERROR)


def read_texts(words: Words, texts: Sequence[str]) -> list[Tokens]:
    """Every caption as the network reads it."""
    return [words.read(text) for text in texts]


def _weighted(clip: Clip) -> dict[str, float]:
    """Captions that have words, with their weights; 1 each where none are given."""
    given = getattr(clip, "caption_weights", ()) or (1.0,) * len(clip.captions)
    found: dict[str, float] = {}
    for text, weight in zip(clip.captions, given, strict=True):
        if words_of(text):
            found[text] = found.get(text, 0.0) + float(weight)
    return found


def _shares(weights: Sequence[float]) -> Float64:
    total = sum(weights)
    if total <= 0.0:
        return np.full(len(weights), 1.0 / len(weights))
    return np.asarray(weights, dtype=np.float64) / total
