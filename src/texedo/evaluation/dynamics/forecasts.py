"""What a verifier says of the motions of a test set; kept, so that it is asked once.

FOLDER/0123456789abcdef/plain/part-00000.npz   by verifier, suite and part
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError, MotionError
from texedo.core.files import atomic_path
from texedo.data.corpus.trials import read_trials
from texedo.evaluation.dynamics.rollouts import Rollouts, Share, suite_rollouts
from texedo.motion import FPS, Motion
from texedo.quality import Normalizers
from texedo.see.dynamics.protocol import DynamicsVerifier, Forecast, screened

BATCH = 1024
"""Motions that are put before a verifier at a time."""
_COLUMNS = ("success", "robust", "quality", "progress", "r_dyn", "reasons", "limbs")
_VERSION = 1

Float64 = NDArray[np.float64]
Progress = Callable[[int, int], None]


class Foreseen(NamedTuple):
    """A suite as it went and as it was foreseen."""

    rollouts: Rollouts
    forecast: Forecast
    """NaN is left where the verifier does not know a figure at all; a motion that it
    could not read counts as one that fails for certain."""
    travel: Float64
    """How far all joints turn, in sum, per second, (M,) [rad/s]."""
    unread: int
    """Motions that the verifier could not read."""
    screened: Float64
    """What the threshold is of, (M,)."""


def foresee_suite(
    verifier: DynamicsVerifier,
    shares: Sequence[Share],
    *,
    normalizers: Normalizers,
    folder: Path,
    progress: Progress | None = None,
) -> Foreseen:
    """Forecasts of the motions of a suite that could be tried, new ones kept in `folder`."""
    rollouts, valid = suite_rollouts(shares, normalizers)
    total, done = sum(len(share.rows) for share in shares), 0
    tell: Progress = progress or (lambda done, total: None)
    columns: list[dict[str, NDArray[Any]]] = []
    for share in shares:
        path = folder / f"{share.path.stem}.npz"
        key = _key(share)
        found = _read(path, key)
        if found is None:
            found = _ask(verifier, share, done, lambda n: tell(n, total))
            _write(path, key, found)
        columns.append(found)
        done += len(share.rows)
    forecast = _join(columns, valid)
    travel = np.concatenate([own["travel"] for own in columns])[valid]
    unread = np.isnan(forecast.r_dyn)
    told = _as_failures(forecast)
    return Foreseen(rollouts, told, travel, int(unread.sum()), screened(verifier, told))


def joint_travel(qpos: NDArray[np.float32]) -> float:
    """How far all joints turn, in sum, per second [rad/s], from (T, 36)."""
    if len(qpos) < 2:
        return 0.0
    turned = np.abs(np.diff(qpos[:, 7:].astype(np.float64), axis=0)).sum()
    return float(turned * FPS / (len(qpos) - 1))


def _ask(
    verifier: DynamicsVerifier, share: Share, done: int, tell: Callable[[int], None]
) -> dict[str, NDArray[Any]]:
    poses = read_trials(share.path).poses
    own = [poses[row] for row in share.rows]
    if [len(qpos) for qpos in own] != share.labels.frames.tolist():
        raise FileFormatError(
            f"{share.path}: has labels of other motions; delete them and label again."
        )
    parts = []
    for at in range(0, len(own), BATCH):
        parts.append(_batch(verifier, own[at : at + BATCH]))
        tell(done + min(at + BATCH, len(own)))
    found = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    found["travel"] = np.array([joint_travel(qpos) for qpos in own])
    return found


def _batch(
    verifier: DynamicsVerifier, poses: Sequence[NDArray[np.float32]]
) -> dict[str, NDArray[Any]]:
    motions, rows = [], []
    for row, qpos in enumerate(poses):
        try:
            motions.append(Motion.from_qpos(qpos))
        except MotionError:
            continue
        rows.append(row)
    forecast = verifier.foresee(motions)
    found: dict[str, NDArray[Any]] = {}
    for name in _COLUMNS:
        values = np.asarray(getattr(forecast, name), dtype=np.float64)
        wide = np.full((len(poses), *values.shape[1:]), np.nan)
        wide[rows] = values
        found[name] = wide
    # A motion that no `Motion` can hold has no hazard either.
    hazard = [np.zeros(0, dtype=np.float32)] * len(poses)
    for row, own in zip(rows, forecast.hazard or [], strict=False):
        hazard[row] = own
    found["hazard"] = np.concatenate(hazard).astype(np.float32)
    found["lengths"] = np.array([len(own) for own in hazard], dtype=np.int64)
    found["timed"] = np.full(len(poses), forecast.hazard is not None)
    return found


def _join(columns: Sequence[dict[str, NDArray[Any]]], valid: NDArray[Any]) -> Forecast:
    whole = {n: np.concatenate([own[n] for own in columns]) for n in columns[0]}
    hazard: list[NDArray[np.float32]] | None = None
    if whole["timed"].all():
        split = np.split(whole["hazard"], np.cumsum(whole["lengths"])[:-1])
        hazard = [own for own, good in zip(split, valid, strict=True) if good]
    return Forecast(**{name: whole[name][valid] for name in _COLUMNS}, hazard=hazard)


def _as_failures(forecast: Forecast) -> Forecast:
    """Who cannot be read is refused, not left out: the table is of all motions."""
    unread = np.isnan(forecast.r_dyn)
    known = {
        name: np.where(unread, 0.0, getattr(forecast, name))
        for name in ("success", "quality", "progress", "r_dyn")
    }
    robust = forecast.robust
    if not np.isnan(robust).all():
        known["robust"] = np.where(unread, 0.0, robust)
    hazard = forecast.hazard
    if hazard is not None:
        none = np.zeros(0, dtype=np.float32)
        hazard = [none if bad else h for h, bad in zip(hazard, unread, strict=True)]
    return replace(forecast, **known, hazard=hazard)


def _key(share: Share) -> str:
    said = "\n".join(trial.id for trial in share.trials)
    digest = hashlib.sha256(f"{_VERSION}\n{said}\n".encode())
    digest.update(share.labels.frames.tobytes() + share.rows.tobytes())
    return digest.hexdigest()


def _write(path: Path, key: str, found: dict[str, NDArray[Any]]) -> None:
    columns: dict[str, Any] = {**found, "key": np.array(key)}
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(path) as temporary, temporary.open("wb") as stream:
        np.savez(stream, **columns)


def _read(path: Path, key: str) -> dict[str, NDArray[Any]] | None:
    """What was kept of these motions; None where it is of others, or damaged."""
    try:
        with path.open("rb") as stream, np.load(stream) as file:
            if str(file["key"]) != key:
                return None
            return {name: file[name] for name in file.files if name != "key"}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None
