"""How good a verifier is on motions that a tracker performed: two figures.

AUROC: how often a motion that the tracker finishes has a higher chance than one that it
does not. tau: how alike R_dyn and Q* order the motions of one prompt or clip, Kendall's
tau-b, the mean over those with at least four.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import MotionError, TexedoError
from texedo.data.corpus.trials import TrialLabels, TrialPart, read_rollouts
from texedo.motion import Motion
from texedo.quality import Normalizers, oracle_quality, tracking_quality
from texedo.see.dynamics.protocol import DynamicsVerifier
from texedo.see.learn.dynamics.figures import auroc, kendall_within

BATCH = 256

Float64 = NDArray[np.float64]


class Figures(NamedTuple):
    """Of one verifier; NaN where a figure has no meaning."""

    auroc: float
    tau: float
    motions: int
    failures: int
    groups: int
    """Over which tau is the mean."""

    def to_dict(self) -> dict[str, Any]:
        """With None for NaN."""
        return {
            name: None if value != value else value
            for name, value in self._asdict().items()
        }


class Performed(NamedTuple):
    """Motions of one split, and how they went."""

    motions: list[Motion]
    groups: list[str]
    success: NDArray[np.bool_]
    q_star: Float64


def read_performed(
    folder: Path, labels: Path, *, split: str, normalizers: Normalizers
) -> Performed:
    """Those of a split that the tracker could try; raises if nothing can be compared."""
    motions: list[Motion] = []
    groups: list[str] = []
    success: list[bool] = []
    q_star: list[float] = []
    for part, found in read_rollouts(folder, labels=labels):
        quality = _q_star(found, normalizers)
        for i in _rows(part, found, split):
            try:
                motions.append(Motion.from_qpos(part.poses[i]))
            except MotionError:  # Labels of it would mean nothing.
                continue
            groups.append(f"{part.trials[i].suite}\n{part.trials[i].group}")
            success.append(bool(found.success[i]))
            q_star.append(float(quality[i]))
    if not success or all(success) or not any(success):
        said = "none" if not success else "all" if all(success) else "none"
        raise TexedoError(
            f"{labels}: of {len(success)} motions to be judged by, the tracker finishes "
            f"{said}; there is nothing to tell apart."
        )
    return Performed(motions, groups, np.array(success), np.array(q_star))


def judge(verifier: DynamicsVerifier, performed: Performed) -> Figures:
    """The figures of a verifier; a motion that it cannot read counts as a sure failure."""
    chance, r_dyn = [], []
    for at in range(0, len(performed.motions), BATCH):
        forecast = verifier.foresee(performed.motions[at : at + BATCH])
        chance.append(np.nan_to_num(forecast.success))
        r_dyn.append(np.nan_to_num(forecast.r_dyn))
    tau, groups = kendall_within(
        performed.groups, np.concatenate(r_dyn), performed.q_star
    )
    return Figures(
        auroc=auroc(np.concatenate(chance), performed.success),
        tau=tau,
        motions=len(performed.success),
        failures=int((~performed.success).sum()),
        groups=groups,
    )


def _rows(part: TrialPart, labels: TrialLabels, split: str) -> list[int]:
    return [
        i
        for i, trial in enumerate(part.trials)
        if trial.split == split and labels.valid[i]
    ]


def _q_star(labels: TrialLabels, normalizers: Normalizers) -> Float64:
    q_d = tracking_quality(labels.e_acc, labels.e_vel, normalizers=normalizers)
    progress = labels.executed / np.maximum(labels.frames, 1)
    return oracle_quality(labels.success, q_d, progress)
