"""The clips that motions are made from: a corpus, and packed clips beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.data.corpus.clip_file import read_clips
from texedo.data.corpus.corpus_file import open_corpus
from texedo.data.corpus.packed_clips import PackedClips
from texedo.data.corpus.store import Corpus
from texedo.data.synth.variants import VARIANT

LIVELY = frozenset(
    "balance crouch dance exercise hop jump kick leap martial_arts run sports squat "
    "stumble turn".split()
)
"""Families in which most falls happen."""
RECORDED = ("captured", "mirrored")
"""Recipes that hold what a person did, as they did it."""
_COMPOSED = {"sequence": "composed", "overlay": "composed", "tempo": "composed"}
_LEARNT = ("train", "val")


class Source(NamedTuple):
    """One clip."""

    id: str
    recipe: str
    split: str
    group: str
    family: str
    recording: str
    """Of which it is a part; empty if of none."""
    captions: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class ClipPool:
    """All clips of a corpus, then those of the packed files."""

    corpus: Corpus
    packed: tuple[PackedClips, ...]
    rows: tuple[Source, ...]
    digest: str
    """Of all that is said of the clips, and of their lengths; a packed corpus has the
    same as the folder it was packed from, if that held nothing else."""

    def frames(self, clip: int) -> NDArray[np.float32]:
        """Poses (T, 36)."""
        if clip < len(self.corpus):
            return self.corpus.frames(clip)
        clip -= len(self.corpus)
        for clips in self.packed:
            if clip < len(clips):
                return clips.frames(clip)
            clip -= len(clips)
        raise IndexError(f"there are {len(self.rows)} clips only.")

    def select(
        self, *, splits: Collection[str], recipes: Collection[str] | None = None
    ) -> list[int]:
        """Numbers of the clips of some splits and recipes."""
        return [
            i
            for i, row in enumerate(self.rows)
            if row.split in splits and (recipes is None or row.recipe in recipes)
        ]


def open_pool(corpus: Path, extra: Sequence[Path] = ()) -> ClipPool:
    """From a corpus folder or a packed corpus. Raises for extra clips that are of a held-out split or already in the corpus."""
    loaded = open_corpus(corpus)
    rows = [
        Source(
            id=clip.id,
            recipe=_COMPOSED.get(clip.kind, clip.kind),
            split=clip.split,
            group=clip.group,
            family=clip.family,
            recording=clip.trial if clip.kind == "captured" else "",
            captions=clip.captions,
        )
        for clip in loaded
    ]
    known = {row.id for row in rows}
    packed = tuple(read_clips(path) for path in extra)
    for path, clips in zip(extra, packed, strict=True):
        own = _rows(clips)
        for row in own:
            if row.split not in _LEARNT or row.id in known:
                raise TexedoError(
                    f"{path}: clip {row.id!r} is of the split {row.split!r} or there "
                    "already; extra clips are drills and variants to learn from."
                )
            known.add(row.id)
        rows += own
    lengths = [*loaded.lengths.tolist(), *(n for p in packed for n in p.lengths)]
    said = "\n".join(f"{row} {n}" for row, n in zip(rows, lengths, strict=True))
    digest = hashlib.sha256(said.encode()).hexdigest()
    return ClipPool(corpus=loaded, packed=packed, rows=tuple(rows), digest=digest)


def _rows(clips: PackedClips) -> list[Source]:
    table = zip(clips.ids, clips.kinds, clips.splits, clips.families, strict=True)
    return [
        Source(
            id=name,
            recipe=_extra_recipe(name, kind),
            split=split,
            # A variant belongs to its recording, as the clips of that do.
            group=name.split("~")[0].rsplit("-", 1)[0] if "~" in name else name,
            family=family,
            recording="",
            captions=(),
        )
        for name, kind, split, family in table
    ]


def _extra_recipe(name: str, kind: str) -> str:
    """Files of before there were kinds call everything captured; names tell."""
    if VARIANT in name:
        return "variant"
    return "drill" if name.startswith("drill-") else _COMPOSED.get(kind, kind)
