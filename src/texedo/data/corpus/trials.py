"""Motions to be tried by a tracker, and how each of them went: a folder of parts.

    trials.json               how the motions were made: options, version, digest
    part-00000.npz            motions and what is said of each
    labels-0123456789ab/      what one tracker made of them, named by its digest
      part-00000.npz          labels of the motions of that part, in their order

A part is written once, whole or not at all, and never changed: whoever finds it there
does not make it again. Labels of several trackers lie side by side.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any
from zipfile import BadZipFile
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.core.files import atomic_path
from texedo.quality import TERMINATIONS

PART = "part-*.npz"
POSE_SIZE = 36
"""qpos: root position, root orientation (wxyz), 29 joints."""
LIMBS = ("left foot", "right foot", "left hand", "right hand")
"""End effectors in the order of `TrialLabels.limbs`."""
_BAD_FILE = (OSError, ValueError, KeyError, EOFError, BadZipFile)
_LABELS = "labels-"
_DIGITS = 12
"""Of a tracker's digest, in the name of its labels folder."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What is known of one motion beside its poses."""

    id: str
    recipe: str
    """How it was made: "captured", "reconstructed", "candidate", "spoiled-tempo", ..."""
    split: str
    """Of all that it was made from; nothing crosses splits."""
    suite: str
    """The test set it belongs to; empty for motions to learn from."""
    group: str
    """Candidates of one prompt, or variants of one clip, share it."""
    prompt: str
    """What was asked for; empty if nothing was."""
    family: str
    source: str
    """Id of the clip it was made from; empty if none."""
    settings: dict[str, float]
    """Figures of the recipe, e.g. {"temperature": 1.3}."""

    @property
    def reserved(self) -> bool:
        """Half of the prompts of the validation suites are kept for what is promised of a
        threshold: nothing may be fitted or chosen by them."""
        return self.suite.endswith("-val") and is_reserved(self.group)


def is_reserved(group: str) -> bool:
    """Whether a group of a validation suite is kept for what is promised."""
    return crc32(group.encode()) % 2 == 0


@dataclass(frozen=True, kw_only=True, eq=False)
class TrialPart:
    """Some motions, in order."""

    trials: tuple[Trial, ...]
    poses: list[NDArray[np.float32]]
    """qpos (T, 36) at 50 Hz."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TrialLabels:
    """How M motions of a part went, in their order."""

    valid: NDArray[np.bool_]
    """(M,) False: it could not be tried at all, and the rest of its row means nothing."""
    frames: NDArray[np.int32]
    """(M,)"""
    executed: NDArray[np.int32]
    """(M,) tau, the first frame that failed; equal to `frames` on success."""
    success: NDArray[np.bool_]
    """(M,)"""
    reasons: NDArray[np.bool_]
    """(M, 3) which of `TERMINATIONS` fired at tau."""
    limbs: NDArray[np.bool_]
    """(M, 4) which of `LIMBS` was too high or too low at tau."""
    e_mpjpe: NDArray[np.float32]
    """(M,) [mm]"""
    e_vel: NDArray[np.float32]
    """(M,) [mm/frame]; NaN where too few frames were executed."""
    e_acc: NDArray[np.float32]
    """(M,) [mm/frame^2]; NaN where too few frames were executed."""
    perturbed_executed: NDArray[np.int32]
    """(M, D) tau on D perturbed robots; D may be 0."""
    perturbed_success: NDArray[np.bool_]
    """(M, D)"""

    def __post_init__(self) -> None:
        m, draws = len(self.valid), self.perturbed_success.shape[-1:]
        wide = {"reasons": (len(TERMINATIONS),), "limbs": (len(LIMBS),)}
        wide |= {"perturbed_executed": draws, "perturbed_success": draws}
        for name, value in vars(self).items():
            if value.shape != (m, *wide.get(name, ())):
                raise FileFormatError(
                    f"{name} must be {(m, *wide.get(name, ()))} for {m} motions, "
                    f"got {value.shape}."
                )


def write_trials(path: Path, part: TrialPart) -> None:
    """Whole or not at all."""
    said = json.dumps([asdict(one) for one in part.trials], ensure_ascii=False)
    lengths = [len(qpos) for qpos in part.poses]
    if len(lengths) != len(part.trials) or not lengths:
        raise ValueError(f"{len(part.trials)} trials with {len(lengths)} motions.")
    with atomic_path(path) as temporary, temporary.open("wb") as stream:
        np.savez(
            stream,
            poses=np.concatenate(part.poses).astype(np.float32, copy=False),
            num_frames=np.array(lengths, dtype=np.int64),
            said=np.frombuffer(said.encode(), dtype=np.uint8),
        )


def read_said(path: Path) -> tuple[Trial, ...]:
    """What is known of the motions of a part, without their poses."""
    try:
        with path.open("rb") as stream, np.load(stream) as file:
            said: list[dict[str, Any]] = json.loads(file["said"].tobytes().decode())
        return tuple(Trial(**one) for one in said)
    except (*_BAD_FILE, TypeError) as error:
        raise FileFormatError(f"{path}: no part of motions to try: {error}") from error


def count_trials(path: Path) -> int:
    """How many motions a part holds."""
    try:
        with path.open("rb") as stream, np.load(stream) as file:
            return len(file["num_frames"])
    except _BAD_FILE as error:
        raise FileFormatError(f"{path}: no part of motions to try: {error}") from error


def read_trials(path: Path) -> TrialPart:
    """Raises `FileFormatError`."""
    trials = read_said(path)
    try:
        with path.open("rb") as stream, np.load(stream) as file:
            poses, lengths = file["poses"], file["num_frames"]
        wanted = (int(lengths.sum()), POSE_SIZE)
        if poses.shape != wanted or len(lengths) != len(trials):
            raise ValueError(f"poses must be {wanted}, got {poses.shape}")
    except _BAD_FILE as error:
        raise FileFormatError(f"{path}: no part of motions to try: {error}") from error
    return TrialPart(trials=trials, poses=np.split(poses, np.cumsum(lengths)[:-1]))


def write_labels(path: Path, labels: TrialLabels) -> None:
    """Whole or not at all; the folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(path) as temporary, temporary.open("wb") as stream:
        np.savez(stream, **vars(labels))


def read_labels(path: Path) -> TrialLabels:
    """Raises `FileFormatError`."""
    try:
        with path.open("rb") as stream, np.load(stream) as file:
            found = {field.name: file[field.name] for field in fields(TrialLabels)}
        return TrialLabels(**found)
    except (*_BAD_FILE, FileFormatError) as error:
        raise FileFormatError(f"{path}: no labels of motions: {error}") from error


def trial_parts(folder: Path | str) -> list[Path]:
    """All parts of a folder in order; `FileFormatError` if there is none."""
    paths = sorted(Path(folder).glob(PART))
    if not paths:
        raise FileFormatError(
            f"{folder}: holds no motions to try ({PART}); `texedo data trials` makes them."
        )
    return paths


def labels_folder(folder: Path | str, tracker_digest: str) -> Path:
    """Where the labels of this tracker lie, or would."""
    return Path(folder) / f"{_LABELS}{tracker_digest[:_DIGITS]}"


def labelled_parts(
    folder: Path | str, *, labels: Path | None = None
) -> list[tuple[Path, Path]]:
    """The parts that have labels, with those, in order.

    Without `labels` the folder must hold the labels of one tracker only.
    """
    parts = trial_parts(folder)
    labels = labels or _only_labels(Path(folder))
    found = [(path, labels / path.name) for path in parts]
    pairs = [(path, own) for path, own in found if own.exists()]
    if not pairs:
        raise FileFormatError(f"{labels}: holds labels of no part of {folder}.")
    return pairs


def read_rollouts(
    folder: Path | str, *, labels: Path | None = None
) -> Iterator[tuple[TrialPart, TrialLabels]]:
    """The parts that have labels, read with them, in order.

    Without `labels` the folder must hold the labels of one tracker only.
    """
    pairs = labelled_parts(folder, labels=labels)
    return (_matching(path, own) for path, own in pairs)


def _only_labels(folder: Path) -> Path:
    found = sorted(path for path in folder.glob(f"{_LABELS}*") if path.is_dir())
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise FileFormatError(
            f"{folder}: must hold the labels of one tracker, found {names}; "
            "name the folder of labels."
        )
    return found[0]


def _matching(path: Path, labels_path: Path) -> tuple[TrialPart, TrialLabels]:
    part, labels = read_trials(path), read_labels(labels_path)
    lengths = np.array([len(qpos) for qpos in part.poses])
    if len(lengths) != len(labels.frames) or (lengths != labels.frames).any():
        raise FileFormatError(
            f"{labels_path}: labels of other motions than those of {path}; delete them "
            "and label again."
        )
    return part, labels
