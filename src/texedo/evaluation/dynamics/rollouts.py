"""What happened: the labelled motions of a test set, as arrays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.data.corpus.trials import (
    Trial,
    TrialLabels,
    labelled_parts,
    read_labels,
    read_said,
)
from texedo.quality import Normalizers, oracle_quality, tracking_quality

SUITES = ("plain", "lively", "foreign")
"""The test sets, always apart."""
BOLD = "val candidates"
"""Not a test set: candidates for captions of `val`, drawn with many settings."""

Float64 = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Share(NamedTuple):
    """The motions of one suite in one part."""

    path: Path
    rows: Ints
    """Which motions of the part, (R,)."""
    trials: tuple[Trial, ...]
    labels: TrialLabels
    """Of these motions."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Rollouts:
    """How M motions went."""

    group: Ints
    """Number of the prompt, or of the clip that it is a variant of, (M,)."""
    recipe: NDArray[np.str_]
    family: NDArray[np.str_]
    temperature: Float64
    """Of the sampling; NaN where it was not sampled, (M,)."""
    guidance: Float64
    frames: Ints
    executed: Ints
    """The first frame that failed; all of them on success, (M,)."""
    success: Bools
    robust: Float64
    """Share of perturbed robots that finished; NaN where none was tried, (M,)."""
    robust_progress: Float64
    """Share of the frames that those of them performed who failed, or all of them where
    nobody did; NaN where none was tried, (M,)."""
    e_vel: Float64
    e_acc: Float64
    q_d: Float64
    q_star: Float64
    reasons: Bools
    """Which of `TERMINATIONS` fired, (M, 3)."""
    limbs: Bools
    """Which of `LIMBS` was off, (M, 4)."""

    def __len__(self) -> int:
        return len(self.group)

    @property
    def failed(self) -> Bools:
        return ~self.success

    @property
    def progress(self) -> Float64:
        """Share of the frames that were performed, (M,)."""
        return np.asarray(self.executed / self.frames, dtype=np.float64)


def find_suites(
    folder: Path, labels: Path, wanted: Sequence[str]
) -> dict[str, list[Share]]:
    """Where the motions of each suite lie, among the parts that have labels."""
    found: dict[str, list[Share]] = {name: [] for name in wanted}
    for path, labels_path in labelled_parts(folder, labels=labels):
        trials = read_said(path)
        names = np.array([suite_of(trial) for trial in trials])
        for name in found:
            rows = np.flatnonzero(names == name)
            if len(rows):
                own = tuple(trials[row] for row in rows)
                rolled = _own_labels(path, labels_path, len(trials), rows)
                found[name].append(Share(path, rows, own, rolled))
    if not any(found.values()):
        raise FileFormatError(
            f"{labels}: holds no labels of {', '.join(wanted)}; `texedo data "
            "label-trials` makes them, or name other suites."
        )
    return {name: own for name, own in found.items() if own}


def not_among(shares: Sequence[Share], known: Collection[str]) -> list[Share]:
    """The motions whose prompt is not among the `known`: nothing counts twice."""
    found = []
    for share in shares:
        keep = [i for i, own in enumerate(share.trials) if own.group not in known]
        if keep:
            found.append(
                Share(
                    share.path,
                    share.rows[keep],
                    tuple(share.trials[i] for i in keep),
                    _some(share.labels, keep),
                )
            )
    return found


def suite_of(trial: Trial) -> str:
    """The suite of a motion; learning motions have none but those of `BOLD`.

    What is reserved of "plain-val" is "plain-promise", likewise of "lively-val".
    """
    if trial.reserved:
        return trial.suite.replace("-val", "-promise")
    if trial.suite or trial.split != "val" or trial.recipe != "candidate":
        return trial.suite
    return BOLD


def suite_rollouts(
    shares: Sequence[Share], normalizers: Normalizers
) -> tuple[Rollouts, Bools]:
    """Their roll-outs, and which of all motions could be tried at all."""
    parts = [share.labels for share in shares]
    valid = np.concatenate([own.valid for own in parts])
    trials = [trial for share in shares for trial in share.trials]
    trials = [trial for trial, good in zip(trials, valid, strict=True) if good]

    def column(name: str) -> NDArray[Any]:
        whole = np.concatenate([getattr(own, name) for own in parts])
        return np.asarray(whole[valid])

    frames, executed = (column(n).astype(np.int64) for n in ("frames", "executed"))
    e_vel, e_acc = (column(n).astype(np.float64) for n in ("e_vel", "e_acc"))
    success = column("success").astype(np.bool_)
    q_d = tracking_quality(e_acc, e_vel, normalizers=normalizers)
    groups = np.array([f"{trial.suite}\n{trial.group}" for trial in trials])
    return Rollouts(
        group=np.unique(groups, return_inverse=True)[1].astype(np.int64),
        recipe=np.array([trial.recipe for trial in trials]),
        family=np.array([trial.family for trial in trials]),
        temperature=_setting(trials, "temperature"),
        guidance=_setting(trials, "guidance"),
        frames=frames,
        executed=executed,
        success=success,
        robust=np.concatenate([_robust(own) for own in parts])[valid],
        robust_progress=np.concatenate([_robust_progress(own) for own in parts])[valid],
        e_vel=e_vel,
        e_acc=e_acc,
        q_d=q_d,
        q_star=oracle_quality(success, q_d, executed / frames),
        reasons=column("reasons").astype(np.bool_),
        limbs=column("limbs").astype(np.bool_),
    ), valid


def _own_labels(path: Path, labels_path: Path, count: int, rows: Ints) -> TrialLabels:
    labels = read_labels(labels_path)
    if len(labels.valid) != count:
        raise FileFormatError(
            f"{labels_path}: labels of {len(labels.valid)} motions, {path} has {count}; "
            "delete them and label again."
        )
    return _some(labels, rows)


def _some(labels: TrialLabels, rows: Ints | list[int]) -> TrialLabels:
    return TrialLabels(**{name: v[rows] for name, v in vars(labels).items()})


def _setting(trials: Sequence[Trial], name: str) -> Float64:
    return np.array([trial.settings.get(name, np.nan) for trial in trials], np.float64)


def _robust(labels: TrialLabels) -> Float64:
    if not labels.perturbed_success.shape[1]:
        return np.full(len(labels.valid), np.nan)
    return np.asarray(labels.perturbed_success.mean(axis=1), dtype=np.float64)


def _robust_progress(labels: TrialLabels) -> Float64:
    if not labels.perturbed_success.shape[1]:
        return np.full(len(labels.valid), np.nan)
    failed = ~labels.perturbed_success
    counted = np.where(failed.any(axis=1, keepdims=True), failed, True)
    share = labels.perturbed_executed / np.maximum(labels.frames[:, None], 1)
    total = (share * counted).sum(axis=1) / counted.sum(axis=1)
    return np.asarray(total, dtype=np.float64)
