"""A corpus, or a part of one, as packed clips: in memory, in one file, and back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from texedo.core.errors import FileFormatError
from texedo.data.corpus.clip_file import COARSE, read_clips, write_clips
from texedo.data.corpus.packed_clips import CAPTURED, PackedClips, pack_records
from texedo.data.corpus.store import QPOS_SIZE, Corpus, write_corpus


def pack_clips(corpus: Corpus, chosen: Sequence[int]) -> PackedClips:
    """The chosen clips with their records, frames copied."""
    empty = np.zeros((0, QPOS_SIZE), dtype=np.float32)
    return pack_records(
        [corpus.clips[i] for i in chosen],
        np.concatenate([empty, *(corpus.frames(i) for i in chosen)]),
        corpus.lengths[list(chosen)],
        info=corpus.info,
    )


def clips_of_corpus(
    folder: Path, *, kinds: Collection[str] = (CAPTURED,)
) -> PackedClips:
    """Clips of the given kinds, copies of recordings left out."""
    corpus = Corpus.load(folder)
    return pack_clips(corpus, corpus.select(kind=kinds, copies=False))


def pack_corpus(
    corpus: Corpus, path: str | Path, *, split: str | Collection[str] | None = None
) -> int:
    """Write the captured and authored frames of `split` (default: all); size in bytes.

    Derived clips (those with parents) are left out: they are made again on arrival.
    """
    chosen = [i for i in corpus.select(split=split) if not corpus.clips[i].parents]
    return write_clips(path, pack_clips(corpus, chosen), max_error=COARSE)


def open_corpus(path: str | Path) -> Corpus:
    """A corpus folder, mapped, or a packed corpus such as a sample, in memory."""
    path = Path(path)
    if not path.is_file():
        return Corpus.load(path)
    arrived = _with_records(path)
    arrived.qpos.flags.writeable = False
    clips = [
        replace(clip, first_frame=int(start))
        for clip, start in zip(arrived.records, arrived.starts, strict=True)
    ]
    return Corpus(clips, arrived.qpos, info=arrived.info)


def restore_corpus(path: str | Path, folder: str | Path) -> Corpus:
    """Unpack a packed corpus into a corpus folder and open it."""
    arrived = _with_records(Path(path))
    blocks = (arrived.frames(i) for i in range(len(arrived)))
    extra = {"restored_from": dict(arrived.info)}
    write_corpus(folder, arrived.records, blocks, extra=extra)
    return Corpus.load(folder)


def _with_records(path: Path) -> PackedClips:
    clips = read_clips(path)
    if len(clips) and not clips.records:
        raise FileFormatError(
            f"{path}: holds clips without captions and sources, as a tracker trains on; "
            "pack the corpus itself (`data.corpus.corpus_file.pack_corpus`)."
        )
    return clips
