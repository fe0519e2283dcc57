"""The clips a tracker is trained and judged on: a corpus folder or one packed file.

The file is an `.npz` with `qpos` (F, 36), `starts` and `lengths` (N,), and per clip
`ids`, `families` (kind of action) and `splits`. `write_clips` stores poses as `code` and
`escapes` instead: rounded to `RESOLUTION` and coded (`texedo.motion.pose_code`), zipped
to about a fifth of the size, small enough to be sent to a GPU.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.core.files import atomic_path
from texedo.motion import Motion
from texedo.motion.pose_code import PoseCode, decode_poses, encode_poses
from texedo.robot.mirror import mirror_qpos

_KEYS = ("starts", "lengths", "ids", "families", "splits")
RESOLUTION = 5e-5
"""Of stored poses [m, rad]: well below what a motor or a camera resolves."""
_STEPS = np.full(36, RESOLUTION)
_MIN_FRAMES = 3
MIRRORED = "~mirrored"
"""Appended to the id of a mirrored clip."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Clips:
    """N clips of F frames in all; the frames of each lie together."""

    qpos: NDArray[np.float32]
    """(F, 36): xyz, wxyz, 29 joints."""
    lengths: NDArray[np.int64]
    """(N,)."""
    ids: tuple[str, ...]
    families: tuple[str, ...]
    splits: tuple[str, ...]

    @property
    def starts(self) -> NDArray[np.int64]:
        return np.asarray(np.cumsum(self.lengths) - self.lengths)

    def __len__(self) -> int:
        return len(self.lengths)

    def where_split(self, split: str) -> NDArray[np.int64]:
        """Numbers of the clips of a split."""
        return np.flatnonzero(np.array(self.splits) == split)

    def where_family(self, families: Sequence[str]) -> NDArray[np.int64]:
        """Numbers of the clips of some kinds of action."""
        return np.flatnonzero(np.isin(self.families, families))

    def motion(self, clip: int) -> Motion:
        """One of the clips as a motion."""
        start = self.starts[clip]
        return Motion.from_qpos(self.qpos[start : start + self.lengths[clip]])

    def pick(self, clips: Sequence[int] | NDArray[np.int64]) -> Clips:
        """Some of the clips, in the given order."""
        starts = self.starts
        frames = [np.arange(starts[c], starts[c] + self.lengths[c]) for c in clips]
        index = np.concatenate(frames) if frames else np.zeros(0, dtype=np.int64)
        return Clips(
            qpos=self.qpos[index],
            lengths=self.lengths[np.asarray(clips, dtype=np.int64)],
            ids=tuple(self.ids[c] for c in clips),
            families=tuple(self.families[c] for c in clips),
            splits=tuple(self.splits[c] for c in clips),
        )

    def with_mirrored(self) -> Clips:
        """All clips, then all of them seen in a mirror."""
        mirrored = mirror_qpos(self.qpos)
        return Clips(
            qpos=np.concatenate((self.qpos, mirrored)),
            lengths=np.tile(self.lengths, 2),
            ids=self.ids + tuple(i + MIRRORED for i in self.ids),
            families=self.families * 2,
            splits=self.splits * 2,
        )


def training_clips_from(path: Path | str) -> Clips:
    """Captured clips of a corpus folder, or a packed file; raises `FileFormatError`.

    Several of these, joined by commas, are taken together.
    """
    if "," in str(path):
        return join_clips([training_clips_from(part) for part in str(path).split(",")])
    if Path(path).is_dir():
        clips = clips_of_corpus(Path(path))
    else:
        clips = _from_file(path)
    short = clips.lengths < _MIN_FRAMES
    return clips.pick(np.flatnonzero(~short)) if short.any() else clips


def clips_of_frames(
    frames: Sequence[NDArray[np.float32]],
    *,
    ids: Sequence[str],
    families: Sequence[str],
    splits: Sequence[str],
) -> Clips:
    """Clips of poses (T, 36) each, in order; there may be none."""
    return Clips(
        qpos=np.concatenate([np.zeros((0, 36), np.float32), *frames]),
        lengths=np.array([len(f) for f in frames], dtype=np.int64),
        ids=tuple(ids),
        families=tuple(families),
        splits=tuple(splits),
    )


def join_clips(parts: Sequence[Clips]) -> Clips:
    """All clips of all parts, in order."""
    return Clips(
        qpos=np.concatenate([part.qpos for part in parts]),
        lengths=np.concatenate([part.lengths for part in parts]),
        ids=tuple(i for part in parts for i in part.ids),
        families=tuple(f for part in parts for f in part.families),
        splits=tuple(s for part in parts for s in part.splits),
    )


def write_clips(path: Path | str, clips: Clips) -> None:
    """Write a packed file that is small enough to travel, whole or not at all."""
    with atomic_path(Path(path)) as temporary, temporary.open("wb") as stream:
        code = encode_poses(clips.qpos, clips.lengths, steps=_STEPS)
        # Zipped: xz would save 7 %, but take twice the time to read, five times to write.
        np.savez_compressed(
            stream,
            code=code.planes,
            escapes=code.escapes,
            starts=clips.starts,
            lengths=clips.lengths,
            ids=np.array(clips.ids),
            families=np.array(clips.families),
            splits=np.array(clips.splits),
        )


def clips_of_corpus(folder: Path, *, kinds: Sequence[str] = ("captured",)) -> Clips:
    """Clips of the given kinds, copies of recordings left out."""
    from texedo.data.corpus.store import Corpus

    corpus = Corpus.load(folder)
    chosen = corpus.select(kind=tuple(kinds), copies=False)
    rows = [corpus.clips[i] for i in chosen]
    return clips_of_frames(
        [corpus.frames(i) for i in chosen],
        ids=[row.id for row in rows],
        families=[row.family for row in rows],
        splits=[row.split for row in rows],
    )


def _from_file(path: Path | str) -> Clips:
    try:
        with np.load(path, allow_pickle=False) as file:
            poses = "code" if "code" in file else "qpos"
            missing = [key for key in (poses, *_KEYS) if key not in file]
            if missing:
                raise FileFormatError(f"{path}: no {missing[0]!r} in the clip file.")
            wanted = [key for key in (poses, "escapes", *_KEYS) if key in file]
            data: dict[str, NDArray[Any]] = {key: file[key] for key in wanted}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise FileFormatError(f"{path}: not a packed clip file: {error}") from error
    lengths = data["lengths"].astype(np.int64)
    if not np.array_equal(data["starts"], np.cumsum(lengths) - lengths):
        raise FileFormatError(f"{path}: clips do not lie one after the other.")
    try:
        qpos = np.ascontiguousarray(_poses(data, lengths), dtype=np.float32)
    except ValueError as error:
        raise FileFormatError(f"{path}: damaged, pack it again: {error}") from error
    if qpos.shape != (int(lengths.sum()), 36) or not np.isfinite(qpos).all():
        raise FileFormatError(
            f"{path}: qpos must be ({int(lengths.sum())}, 36) finite numbers, got "
            f"{qpos.shape}."
        )
    names = {k: tuple(str(v) for v in data[k]) for k in ("ids", "families", "splits")}
    if any(len(v) != len(lengths) for v in names.values()):
        raise FileFormatError(f"{path}: ids, families and splits need one per clip.")
    return Clips(qpos=qpos, lengths=lengths, **names)


def _poses(
    data: Mapping[str, NDArray[Any]], lengths: NDArray[np.int64]
) -> NDArray[Any]:
    if "code" not in data:
        return data["qpos"]
    # Files of before there were escapes have four planes instead.
    escapes = data.get("escapes", np.zeros(0, dtype=np.int64))
    return decode_poses(PoseCode(data["code"], escapes), lengths, steps=_STEPS)
