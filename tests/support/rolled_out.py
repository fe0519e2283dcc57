"""A folder of labelled motions, and a verifier that reads off them how they went."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from texedo.data.corpus.trials import (
    Trial,
    TrialLabels,
    TrialPart,
    write_labels,
    write_trials,
)
from texedo.motion import Motion
from texedo.quality import oracle_quality
from texedo.see.dynamics.protocol import Forecast


def write_rollouts(
    folder: Path,
    labels: Path,
    suites: dict[str, tuple[int, int]],
    *,
    frames: int = 6,
    seed: int = 0,
) -> None:
    """Motions of (prompts, candidates) of each suite, a part for each suite.

    The first joint of a motion is how easy it is, from 0 to 1: that often it succeeds.
    """
    rng = np.random.default_rng(seed)
    for number, (suite, (prompts, candidates)) in enumerate(suites.items()):
        ease = np.clip(rng.beta(6, 1, prompts * candidates), 0.01, 0.99)
        trials = [
            _trial(suite, k // candidates, k % candidates) for k in range(len(ease))
        ]
        part = TrialPart(trials=tuple(trials), poses=[_pose(e, frames) for e in ease])
        name = f"part-{number:05d}.npz"
        folder.mkdir(parents=True, exist_ok=True)
        write_trials(folder / name, part)
        write_labels(labels / name, _labels(ease, frames, rng))


class ReadsEase:
    """Foresees what `write_rollouts` wrote; counts how many motions it was asked of."""

    name, tracker, threshold = "reads ease", "t" * 64, 0.8

    def __init__(self, *, hazard: bool = True) -> None:
        self.asked, self.hazard = 0, hazard
        self.digest = ("e" if hazard else "f") * 64

    def foresee(self, motions: Sequence[Motion]) -> Forecast:
        self.asked += len(motions)
        ease = np.array([m.joint_pos[0, 0] for m in motions], dtype=np.float64)
        half = np.full(len(ease), 0.5)
        # The same risk at each frame, so that all of them together leave the ease.
        risks = [1 - e ** (1 / len(m)) for e, m in zip(ease, motions, strict=True)]
        hazard = [
            np.full(len(m), r, dtype=np.float32)
            for r, m in zip(risks, motions, strict=True)
        ]
        return Forecast(
            success=ease,
            robust=ease,
            quality=ease,
            progress=half,
            r_dyn=oracle_quality(ease, ease, half),
            hazard=hazard if self.hazard else None,
            reasons=np.tile([0.2, 0.3, 0.5], (len(ease), 1)),
            limbs=np.full((len(ease), 4), np.nan),
        )


def _trial(suite: str, prompt: int, candidate: int) -> Trial:
    bold = suite == ""
    return Trial(
        id=f"{suite}-{prompt}-{candidate}",
        recipe="candidate",
        split="val" if bold else "test",
        suite=suite,
        group=f"prompt {prompt}",
        prompt=f"prompt {prompt}",
        family="walk" if prompt % 2 else "jump",
        source="",
        settings={"temperature": 1.0 if candidate % 2 else 1.3, "guidance": 3.0},
    )


def _pose(ease: float, frames: int) -> np.ndarray:
    qpos = np.zeros((frames, 36), dtype=np.float32)
    qpos[:, 2:4] = 0.8, 1.0
    qpos[:, 7] = ease
    return qpos


def _labels(ease: np.ndarray, frames: int, rng: np.random.Generator) -> TrialLabels:
    count = len(ease)
    success = rng.random(count) < ease
    perturbed = rng.random((count, 5)) < ease[:, None]
    executed = np.where(success, frames, frames // 2).astype(np.int32)
    error = (10 * (1.2 - ease)).astype(np.float32)
    reasons = np.zeros((count, 3), dtype=bool)
    reasons[~success, 2] = True
    limbs = np.zeros((count, 4), dtype=bool)
    limbs[~success, 0] = True
    return TrialLabels(
        valid=np.ones(count, dtype=bool),
        frames=np.full(count, frames, dtype=np.int32),
        executed=executed,
        success=success,
        reasons=reasons,
        limbs=limbs,
        e_mpjpe=error,
        e_vel=error,
        e_acc=error,
        perturbed_executed=np.where(perturbed, frames, 1).astype(np.int32),
        perturbed_success=perturbed,
    )
