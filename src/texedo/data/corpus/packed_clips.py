"""Clips in memory, back to back, as trainers and oracles take them.

`clip_file` reads and writes them, `corpus_file` makes them of a corpus and back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.store import QPOS_SIZE, Clip
from texedo.motion import Motion
from texedo.robot.mirror import mirror_qpos

CAPTURED = "captured"
"""The kind of a clip of which nothing else is said."""
MIRRORED = "~mirrored"
"""Appended to the id of a mirrored clip."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ClipTable:
    """What is said about each of N clips, whatever they are made of."""

    ids: tuple[str, ...]
    families: tuple[str, ...]
    """Kinds of action: "walk", "jump", ..."""
    splits: tuple[str, ...]
    kinds: tuple[str, ...]
    """How each came to be: "captured", "authored", "overlay", ..."""

    def __post_init__(self) -> None:
        counts = {len(self.families), len(self.splits), len(self.kinds)}
        if counts != {len(self.ids)}:
            raise ValueError("ids, families, splits and kinds need one per clip.")

    def __len__(self) -> int:
        return len(self.ids)

    def select(
        self,
        *,
        split: str | Collection[str] | None = None,
        kind: str | Collection[str] | None = None,
        family: str | Collection[str] | None = None,
    ) -> list[int]:
        """Numbers of the clips that fit all filters; None lets everything through."""
        wanted = [
            (names,) if isinstance(names, str) else names
            for names in (split, kind, family)
        ]
        rows = zip(self.splits, self.kinds, self.families, strict=True)
        return [
            i
            for i, row in enumerate(rows)
            if all(
                names is None or name in names
                for name, names in zip(row, wanted, strict=True)
            )
        ]


@dataclass(frozen=True, kw_only=True, eq=False)
class PackedClips(ClipTable):
    """N clips of F frames in all; the frames of each lie together, in order."""

    qpos: NDArray[np.float32]
    """(F, 36): xyz, wxyz, 29 joints, at 50 Hz."""
    lengths: NDArray[np.int64]
    """(N,)."""
    records: tuple[Clip, ...] = ()
    """All that a corpus knows about each clip; empty where they are of no corpus."""
    info: Mapping[str, Any] = field(default_factory=dict)
    """About the whole: where it comes from."""

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """First frame of each clip, (N,)."""
        return np.asarray(np.cumsum(self.lengths) - self.lengths)

    def frames(self, clip: int) -> NDArray[np.float32]:
        """Poses (T, 36) of one of the clips, a view."""
        start = self.starts[clip]
        return self.qpos[start : start + self.lengths[clip]]

    def motion(self, clip: int) -> Motion:
        """One of the clips as a motion."""
        return Motion.from_qpos(self.frames(clip))

    def pick(self, clips: Sequence[int] | NDArray[np.int64]) -> PackedClips:
        """Some of the clips, in the given order."""
        starts = self.starts
        frames = [np.arange(starts[c], starts[c] + self.lengths[c]) for c in clips]
        index = np.concatenate(frames) if frames else np.zeros(0, dtype=np.int64)
        return PackedClips(
            qpos=self.qpos[index],
            lengths=self.lengths[np.asarray(clips, dtype=np.int64)],
            ids=tuple(self.ids[c] for c in clips),
            families=tuple(self.families[c] for c in clips),
            splits=tuple(self.splits[c] for c in clips),
            kinds=tuple(self.kinds[c] for c in clips),
            records=tuple(self.records[c] for c in clips) if self.records else (),
            info=self.info,
        )

    def with_mirrored(self) -> PackedClips:
        """All clips, then all of them seen in a mirror; their records stay behind."""
        return PackedClips(
            qpos=np.concatenate((self.qpos, mirror_qpos(self.qpos))),
            lengths=np.tile(self.lengths, 2),
            ids=self.ids + tuple(i + MIRRORED for i in self.ids),
            families=self.families * 2,
            splits=self.splits * 2,
            kinds=self.kinds + ("mirrored",) * len(self),
        )


def pack_frames(
    frames: Sequence[NDArray[np.float32]],
    *,
    ids: Sequence[str],
    families: Sequence[str],
    splits: Sequence[str],
    kinds: Sequence[str] | None = None,
) -> PackedClips:
    """Clips of poses (T, 36) each, in order; there may be none."""
    return PackedClips(
        qpos=np.concatenate([np.zeros((0, QPOS_SIZE), np.float32), *frames]),
        lengths=np.array([len(f) for f in frames], dtype=np.int64),
        ids=tuple(ids),
        families=tuple(families),
        splits=tuple(splits),
        kinds=(CAPTURED,) * len(ids) if kinds is None else tuple(kinds),
    )


def pack_records(
    records: Sequence[Clip],
    qpos: NDArray[np.float32],
    lengths: NDArray[np.int64],
    *,
    info: Mapping[str, Any],
) -> PackedClips:
    """Clips of a corpus, their frames (F, 36) back to back."""
    return PackedClips(
        qpos=qpos,
        lengths=lengths,
        ids=tuple(clip.id for clip in records),
        families=tuple(clip.family for clip in records),
        splits=tuple(clip.split for clip in records),
        kinds=tuple(clip.kind for clip in records),
        records=tuple(records),
        info=info,
    )


def join_clips(parts: Sequence[PackedClips]) -> PackedClips:
    """All clips of all parts, in order; what is said about a whole part is lost."""
    complete = all(part.records or not len(part) for part in parts)
    return PackedClips(
        qpos=np.concatenate([part.qpos for part in parts]),
        lengths=np.concatenate([part.lengths for part in parts]),
        ids=tuple(i for part in parts for i in part.ids),
        families=tuple(f for part in parts for f in part.families),
        splits=tuple(s for part in parts for s in part.splits),
        kinds=tuple(k for part in parts for k in part.kinds),
        records=tuple(r for part in parts for r in part.records) if complete else (),
    )
