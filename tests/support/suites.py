"""Models for the suites whose answers can be foretold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.support.generators import StandingGenerator
from tests.support.standing import standing, stiff
from tests.support.verifiers import FakeVerifier
from texedo.evaluation.suites.base import Base
from texedo.motion import Motion
from texedo.quality import Normalizers
from texedo.see.dynamics.protocol import Forecast
from texedo.tracker.sim.perturb import find_perturbation

TIPPING = (1, 3)
"""Candidates that a statue does not perform."""


class UnevenGenerator(StandingGenerator):
    """Candidates 1 and 3 tip over; the others stand, the later the longer."""

    name, digest = "uneven", "u0"

    def sample_many(
        self, prompts: Sequence[str], n: int, *, seed: int = 0, **_: float | None
    ) -> list[list[Motion]]:
        self.batches.append(list(prompts))
        return [[self._one(p, i) for i in range(n)] for p in prompts]

    def _one(self, prompt: str, i: int) -> Motion:
        motion = standing(30 + 2 * i, seed=sum(prompt.encode()) + i)
        return tip_over(motion) if i in TIPPING else motion


def tip_over(motion: Motion) -> Motion:
    """The same motion, bent forward by a right angle within a second."""
    qpos = motion.to_qpos()
    angle = np.minimum(np.arange(len(qpos)) / 50, 1.0) * np.pi / 2
    qpos[:, 3:7] = 0.0
    qpos[:, 3], qpos[:, 5] = np.cos(angle / 2), np.sin(angle / 2)
    return Motion.from_qpos(qpos)


class KnowingVerifier:
    """Sees who tips over: R_dyn is 0.1 there and 0.9 less a little for length elsewhere."""

    name, digest, tracker, threshold = "knowing", "k0", "t0", 0.5

    def __init__(self) -> None:
        self.calls = 0

    def foresee(self, motions: Sequence[Motion]) -> Forecast:
        self.calls += 1
        tips = [m.root_quat_w[-1, 0] < 0.98 for m in motions]
        r_dyn = [
            0.1 if tip else 0.9 - len(motion) / 1000
            for tip, motion in zip(tips, motions, strict=True)
        ]
        return replace(Forecast.unknown(len(motions)), r_dyn=np.array(r_dyn))


class LengthJudge:
    """From 1 to 10 by the length of what was performed; cannot tell of "mystery"."""

    name, digest = "length", "j0"

    def score(self, prompt: str, motions: Sequence[Motion]) -> NDArray[Any]:
        if prompt == "mystery":
            return np.full(len(motions), np.nan)
        return np.array([min(1 + len(m) / 10, 10.0) for m in motions])


def small_base(folder: Path, **changes: Any) -> Base:
    """All of it at work: a statue performs, one perturbed robot, one judge."""
    settings: dict[str, Any] = {
        "generator": UnevenGenerator(),
        "policy": replace(stiff(), normalizers=Normalizers(e_acc=5.0, e_vel=20.0)),
        "dynamics": KnowingVerifier(),
        "semantics": FakeVerifier(lambda text, motion: len(motion) / 100),
        "folder": folder,
        "judges": (LengthJudge(),),
        "perturbation": replace(find_perturbation("default"), draws=1),
        "workers": 1,
    }
    return Base(**settings | changes)
