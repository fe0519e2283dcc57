"""A few dozen real clips in a small file, for tests and demos: `load_sample()`.

    texedo data sample CORPUS src/texedo/data/corpus/samples/cmu_sample.npz --clips 36

The file is a packed corpus (`texedo.data.corpus.corpus_file`). Which clips it holds depends on
the corpus, the number and the seed alone.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from texedo.core.atomic import atomic_file
from texedo.core.errors import FileFormatError
from texedo.data.corpus.corpus_file import open_corpus, pack_corpus
from texedo.data.corpus.store import CORPUS_VERSION, Clip, Corpus

SAMPLE_FILE = Path(__file__).parent / "samples" / "cmu_sample.npz"
"""The sample that comes with the package."""
MAX_BYTES = 5_000_000
"""A larger sample is not a small one."""
SPLIT_WEIGHTS = {"train": 3, "val": 1, "test": 1, "test-subject": 1}
"""Clips of each split that are aimed at; half of a sample is for training."""


def load_sample() -> Corpus:
    """The sample that comes with the package, as a corpus in memory."""
    if not SAMPLE_FILE.is_file():
        raise FileFormatError(
            f"{SAMPLE_FILE}: this installation has no sample. Make one with "
            f"`texedo data sample CORPUS {SAMPLE_FILE}`."
        )
    return open_corpus(SAMPLE_FILE)


def write_sample(
    corpus: Corpus, path: str | Path, *, clips: int = 36, seed: int = 0
) -> int:
    """Write a sample of the captured clips; its size in bytes."""
    path = Path(path)
    chosen = choose_sample(corpus, clips=clips, seed=seed)
    with atomic_file(path) as temporary:
        size = pack_corpus(_part_of(corpus, chosen, seed=seed), temporary)
        if size > MAX_BYTES:
            raise FileFormatError(
                f"{path}: {clips} clips make {size / 1e6:.1f} MB, and a sample is at "
                f"most {MAX_BYTES / 1e6:g} MB; choose fewer."
            )
    return size


def choose_sample(corpus: Corpus, *, clips: int = 36, seed: int = 0) -> list[int]:
    """Positions of `clips` captured clips, in the order of the corpus; no copies.

    Families take turns, the large ones first, and each gives a clip of the split that is
    furthest behind its weight in `SPLIT_WEIGHTS`.
    """
    if clips < 1:
        raise FileFormatError(f"A sample needs at least one clip, got {clips}.")
    left = corpus.select(kind="captured", copies=False)
    if len(left) < clips:
        raise FileFormatError(
            f"{corpus!r} has {len(left)} captured clips apart from copies, fewer than "
            f"the {clips} that are asked for."
        )
    sizes = Counter(corpus.clips[i].family for i in left)
    families: Counter[str] = Counter()
    splits: Counter[str] = Counter()
    chosen: list[int] = []
    # Sorted by hash once, so that a tie goes to the same clip in any corpus order.
    left.sort(key=lambda i: _draw(seed, corpus.clips[i]))

    def turn(i: int) -> tuple[int, int, str, float]:
        clip = corpus.clips[i]
        behind = (splits[clip.split] + 1) / SPLIT_WEIGHTS.get(clip.split, 1)
        return families[clip.family], -sizes[clip.family], clip.family, behind

    for _ in range(clips):
        best = min(left, key=turn)
        left.remove(best)
        chosen.append(best)
        families[corpus.clips[best].family] += 1
        splits[corpus.clips[best].split] += 1
    return sorted(chosen)


def _draw(seed: int, clip: Clip) -> str:
    return hashlib.sha256(f"{seed}/{clip.id}".encode()).hexdigest()


def _part_of(corpus: Corpus, chosen: list[int], *, seed: int) -> Corpus:
    """The chosen clips as a corpus in memory."""
    frames = [corpus.frames(i) for i in chosen]
    firsts = np.cumsum([0, *map(len, frames)])
    clips = [
        replace(corpus.clips[i], first_frame=int(first))
        for i, first in zip(chosen, firsts, strict=False)
    ]
    info = {
        "version": CORPUS_VERSION,
        "num_clips": len(clips),
        "num_frames": int(firsts[-1]),
        "sample": {"of_clips": len(corpus), "seed": seed},
    }
    return Corpus(clips, np.concatenate(frames), info=info)
