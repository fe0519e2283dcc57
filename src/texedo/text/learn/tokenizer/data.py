"""The clips that the tokenizer learns from and is judged by, of a corpus or one file.

    texedo data pack CORPUS --target tokenizer -o clips.npz

Only what teaches something new is packed: no mirror images (the trainer makes them), no
sequences (their parts are there), no second copies, and held-out clips only as they were
captured or authored. Reading needs numpy alone.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from texedo.core.errors import FileFormatError
from texedo.data.corpus.clip_file import COARSE, read_clips, write_clips
from texedo.data.corpus.corpus_file import pack_clips
from texedo.data.corpus.packed_clips import PackedClips
from texedo.data.corpus.store import Corpus

TRAIN_KINDS = ("captured", "authored", "tempo", "overlay")
HELD_OUT_KINDS = ("captured", "authored")


def pack_tokenizer_clips(corpus: Corpus, path: str | Path) -> int:
    """Write the clips that the tokenizer learns from and is judged by; bytes written."""
    # Words stay at home.
    bare = replace(pack_clips(corpus, _chosen(corpus)), records=(), info={})
    return write_clips(path, bare, max_error=COARSE)


def tokenizer_clips_from(path: str | Path) -> PackedClips:
    """What `pack_tokenizer_clips` wrote, or the same clips of a corpus folder."""
    if not Path(path).is_dir():
        return read_clips(path)
    corpus = Corpus.load(path)
    return pack_clips(corpus, _chosen(corpus))


def _chosen(corpus: Corpus) -> list[int]:
    chosen = [
        i
        for i, clip in enumerate(corpus)
        if clip.copy_of is None
        and clip.kind in (TRAIN_KINDS if clip.split == "train" else HELD_OUT_KINDS)
    ]
    if not chosen:
        raise FileFormatError(f"{corpus!r} holds no captured or authored clip.")
    return chosen
