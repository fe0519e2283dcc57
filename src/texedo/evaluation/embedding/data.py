"""The corpus as the embedding learns it: frames of every clip, vectors of every caption.

Sentence vectors are computed once and kept in a file; another text encoder or other
captions make a new one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.core.files import atomic_path
from texedo.data.corpus.store import Corpus
from texedo.evaluation.embedding.frames import motion_frames
from texedo.evaluation.embedding.texts import direction_keys, sentence_keys

Float32 = NDArray[np.float32]
Int64 = NDArray[np.int64]
Encode = Callable[[Sequence[str]], Float32]
"""Texts to sentence vectors (N, D)."""
_TOGETHER = 4096
"""Captions that are encoded before they are written."""


class Captions(NamedTuple):
    """Every different caption of a corpus once."""

    texts: list[str]
    vectors: Float32
    """Sentence vectors, (N, D)."""
    sentences: Int64
    """The same number for the same words, (N,)."""
    directions: Int64
    """The same number for the same words of direction, (N,)."""
    of_clip: list[Int64]
    """Numbers of each clip's captions."""


class EmbeddingData(NamedTuple):
    """What a training run reads."""

    frames: list[Float32]
    """(T_i, 39) of each clip in `clips`."""
    clips: list[int]
    """Positions in the corpus."""
    captions: Captions


def read_captions(
    corpus: Corpus, encode: Encode, *, encoder_digest: str, path: Path
) -> Captions:
    """All captions with their vectors; those are taken from `path` if it fits."""
    texts = sorted({text for clip in corpus for text in clip.captions})
    if not texts:
        raise FileFormatError(f"{corpus!r} has no captions: build them first.")
    number = {text: i for i, text in enumerate(texts)}
    return Captions(
        texts=texts,
        vectors=_vectors(texts, encode, encoder_digest, path),
        sentences=sentence_keys(texts),
        directions=direction_keys(texts),
        of_clip=[
            np.array(
                [number[text] for text in dict.fromkeys(clip.captions)], dtype=np.int64
            )
            for clip in corpus
        ],
    )


def _vectors(
    texts: Sequence[str], encode: Encode, encoder_digest: str, path: Path
) -> Float32:
    """Vectors in order; the file grows as they are made, so that none is made twice."""
    content = "\n".join([encoder_digest, *texts]).encode()
    digest = hashlib.sha256(content).hexdigest()
    vectors = _stored(path, digest)
    path.parent.mkdir(parents=True, exist_ok=True)
    while vectors is None or len(vectors) < len(texts):
        first = 0 if vectors is None else len(vectors)
        more = encode(texts[first : first + _TOGETHER]).astype(np.float16)
        vectors = more if vectors is None else np.concatenate((vectors, more))
        with atomic_path(path) as temporary, temporary.open("wb") as stream:
            np.savez(stream, digest=np.array(digest), vectors=vectors)
    return vectors.astype(np.float32)


def _stored(path: Path, digest: str) -> NDArray[np.float16] | None:
    try:
        with np.load(path, allow_pickle=False) as file:
            if str(file["digest"]) == digest:
                return np.asarray(file["vectors"])
    except (OSError, ValueError, KeyError):
        pass  # Not there, or damaged: it is made anew.
    return None


def gather(corpus: Corpus, captions: Captions, clips: Sequence[int]) -> EmbeddingData:
    """Frames of those of the clips that have a caption."""
    chosen = [i for i in clips if len(captions.of_clip[i])]
    frames = [motion_frames(corpus.frames(i)) for i in chosen]
    return EmbeddingData(frames=frames, clips=chosen, captions=captions)
