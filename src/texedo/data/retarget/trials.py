"""One recording at a time: BVH text in, a small file with its G1 motion out.

A result file is written whole or not at all and carries a key made of the source's bytes
and the retargeting's version, so that a build can be killed at any moment and take up
where it was. A recording that cannot be used leaves its reason in the same place.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from texedo.core.atomic import atomic_file
from texedo.core.errors import RetargetError, TexedoError
from texedo.data.capture.bvh import Bvh, read_bvh
from texedo.data.capture.source import SourceMotion, make_source
from texedo.data.retarget import (
    RETARGET_VERSION,
    FrameQuality,
    RetargetCfg,
    RetargetResult,
    retarget_many,
)
from texedo.motion import FPS

TRIAL_VERSION = 1
"""Raise when what a result file holds changes."""


class Solver(Protocol):
    """Whatever carries sources over to the robot; it travels to worker processes."""

    @property
    def version(self) -> str:
        """Changes when results do."""
        ...

    def __call__(
        self, sources: Sequence[SourceMotion]
    ) -> Sequence[RetargetResult | RetargetError]: ...


@dataclass(frozen=True)
class RetargetSolver:
    """Our own retargeting."""

    cfg: RetargetCfg = RetargetCfg()

    @property
    def version(self) -> str:
        return f"{RETARGET_VERSION} {self.cfg}"

    def __call__(
        self, sources: Sequence[SourceMotion]
    ) -> Sequence[RetargetResult | RetargetError]:
        return retarget_many(sources, self.cfg)


class TrialTask(NamedTuple):
    """A recording to be retargeted."""

    trial: str
    key: str
    data: bytes
    time_stretch: float
    """Multiplies the file's frame time, where the file is known to be wrong."""


class TrialOutcome(NamedTuple):
    """What a worker reports; the motion itself is in the result file."""

    trial: str
    seconds: float
    """Duration of the motion [s]."""
    error: str | None


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A result file."""

    trial: str
    key: str
    skeleton: str
    """Fingerprint of the bone lengths: the same for all recordings of a person."""
    error: str | None
    """Why there is no motion; None when there is one."""
    qpos: NDArray[np.float32]
    """(T, 36) at 50 Hz; empty after an error."""
    quality: FrameQuality | None
    planted: NDArray[np.bool_]
    """Which feet the source plants, (T, 2), left first."""


def trial_path(folder: Path, trial: str) -> Path:
    return folder / f"{trial}.npz"


def trial_key(data: bytes, *, time_stretch: float, version: str) -> str:
    """Equal keys mean equal results."""
    digest = hashlib.sha256(data)
    digest.update(f"|{TRIAL_VERSION}|{time_stretch}|{version}".encode())
    return digest.hexdigest()


def saved_key(folder: Path, trial: str) -> str | None:
    """Key of the result file of `trial`; None if there is none that can be read."""
    try:
        # Opened here: numpy leaves the file open when it turns out to be no archive.
        with (
            trial_path(folder, trial).open("rb") as stream,
            np.load(stream, allow_pickle=False) as archive,
        ):
            return str(archive["key"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def load_trial(folder: Path, trial: str) -> Trial:
    """Read a result file."""
    with np.load(trial_path(folder, trial), allow_pickle=False) as archive:
        arrays: dict[str, NDArray[Any]] = {
            name: archive[name] for name in archive.files
        }
    error = str(arrays["error"]) or None
    names = [field.name for field in fields(FrameQuality)]
    return Trial(
        trial=trial,
        key=str(arrays["key"]),
        skeleton=str(arrays["skeleton"]),
        error=error,
        qpos=arrays["qpos"],
        quality=None if error else FrameQuality(**{n: arrays[n] for n in names}),
        planted=arrays["planted"],
    )


def process_batch(
    tasks: Sequence[TrialTask], folder: Path, solver: Solver
) -> list[TrialOutcome]:
    """Retarget some recordings together and write their result files."""
    outcomes: list[TrialOutcome] = []
    ready: list[tuple[TrialTask, SourceMotion, str]] = []
    for task in tasks:
        try:
            bvh = read_bvh(task.data, name=f"{task.trial}.bvh")
            bvh = replace(bvh, frame_time=bvh.frame_time * task.time_stretch)
            ready.append((task, make_source(bvh), skeleton_fingerprint(bvh)))
        except TexedoError as error:
            outcomes.append(_save_error(folder, task, error))
    results = _solve([source for _, source, _ in ready], solver)
    for (task, _, skeleton), result in zip(ready, results, strict=True):
        if isinstance(result, Exception):
            outcomes.append(_save_error(folder, task, result, skeleton=skeleton))
            continue
        qpos = result.motion.to_qpos()
        arrays: dict[str, Any] = {
            field.name: getattr(result.quality, field.name)
            for field in fields(result.quality)
        }
        _save(
            folder,
            task,
            skeleton=skeleton,
            error="",
            qpos=qpos,
            planted=result.planted,
            **arrays,
        )
        outcomes.append(TrialOutcome(task.trial, len(qpos) / FPS, None))
    return outcomes


def skeleton_fingerprint(bvh: Bvh) -> str:
    """Hash of the bone offsets, to the 0.1 mm of what a file rounds to."""
    return hashlib.sha256(np.round(bvh.offsets, 4).tobytes()).hexdigest()[:16]


def _solve(
    sources: Sequence[SourceMotion], solver: Solver
) -> Sequence[RetargetResult | Exception]:
    """All at once; if that breaks, one by one, so that one bad source costs itself."""
    try:
        return solver(sources) if sources else []
    except Exception as error:
        if len(sources) == 1:
            return [error]
        return [result for source in sources for result in _solve([source], solver)]


def _save_error(
    folder: Path, task: TrialTask, error: Exception, *, skeleton: str = ""
) -> TrialOutcome:
    message = " ".join(str(error).split("\n", 1)[0].split())
    if not isinstance(error, TexedoError):
        # Not the recording's fault but ours: without a key the next build tries again.
        message = f"{type(error).__name__}: {message}"
        task = task._replace(key="")
    _save(
        folder,
        task,
        skeleton=skeleton,
        error=message,
        qpos=np.zeros((0, 36), np.float32),
        planted=np.zeros((0, 2), bool),
    )
    return TrialOutcome(task.trial, 0.0, message)


def _save(folder: Path, task: TrialTask, **arrays: Any) -> None:
    path = trial_path(folder, task.trial)
    with atomic_file(path) as temporary, temporary.open("wb") as stream:
        np.savez(stream, key=np.array(task.key), **arrays)
