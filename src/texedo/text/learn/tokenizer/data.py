"""The corpus for the tokenizer: one file that travels, and the clips as plain arrays.

    python -m texedo.text.learn.tokenizer.data CORPUS_FOLDER clips.npz

Only what teaches something new is packed: no mirror images (the trainer makes them), no
sequences (their parts are there), no second copies, and held-out clips only as they were
captured or authored. Reading needs numpy alone.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.data.corpus.store import Clip, Corpus
from texedo.data.corpus.transport import pack_transport, unpack_transport

TRAIN_KINDS = ("captured", "authored", "tempo", "overlay")
HELD_OUT_KINDS = ("captured", "authored")

Float32 = NDArray[np.float32]
Int64 = NDArray[np.int64]


class MotionData(NamedTuple):
    """Clips back to back."""

    qpos: Float32
    """Frames, (F, 36)."""
    starts: Int64
    lengths: Int64
    ids: tuple[str, ...]
    splits: tuple[str, ...]
    kinds: tuple[str, ...]
    families: tuple[str, ...]

    def where(self, *, split: str, kinds: Collection[str] | None = None) -> list[int]:
        """Positions of the clips of a split, and of these kinds."""
        return [
            i
            for i, (of_split, kind) in enumerate(
                zip(self.splits, self.kinds, strict=True)
            )
            if of_split == split and (kinds is None or kind in kinds)
        ]

    def frames(self, clip: int) -> Float32:
        """Poses (T, 36) of one clip."""
        return self.qpos[self.starts[clip] : self.starts[clip] + self.lengths[clip]]


def pack_motion_data(corpus: Corpus, path: str | Path) -> int:
    """Write the clips that the tokenizer learns from and is judged by; bytes written."""
    # Without parents a derived clip travels like any other; words stay at home.
    bare = [
        replace(clip, parents=(), captions=(), quality={}) for clip in _chosen(corpus)
    ]
    return pack_transport(Corpus(bare, corpus.qpos, info={}), path)


def load_motion_data(path: str | Path) -> MotionData:
    """Read what `pack_motion_data` wrote, or take the same clips of a corpus folder."""
    path = Path(path)
    if path.is_dir():
        corpus = Corpus.load(path)
        clips = _chosen(corpus)
        starts = np.array([clip.first_frame for clip in clips], dtype=np.int64)
        return _gather(clips, corpus.qpos, starts)
    arrived = unpack_transport(path)
    return _gather(arrived.clips, arrived.qpos, arrived.starts)


def _chosen(corpus: Corpus) -> list[Clip]:
    chosen = [
        clip
        for clip in corpus
        if clip.copy_of is None
        and clip.kind in (TRAIN_KINDS if clip.split == "train" else HELD_OUT_KINDS)
    ]
    if not chosen:
        raise FileFormatError(f"{corpus!r} holds no captured or authored clip.")
    return chosen


def _gather(clips: Sequence[Clip], qpos: Float32, starts: Int64) -> MotionData:
    return MotionData(
        qpos=qpos,
        starts=starts,
        lengths=np.array([clip.num_frames for clip in clips], dtype=np.int64),
        ids=tuple(clip.id for clip in clips),
        splits=tuple(clip.split for clip in clips),
        kinds=tuple(clip.kind for clip in clips),
        families=tuple(clip.family for clip in clips),
    )


if __name__ == "__main__":
    size = pack_motion_data(Corpus.load(sys.argv[1]), sys.argv[2])
    print(f"{sys.argv[2]}: {size / 1e6:.1f} MB")
