"""Small folders of motions to try."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from texedo.data.corpus.trials import Trial, TrialPart, write_trials
from texedo.motion import Motion
from texedo.robot.g1 import JOINT_NAMES


def trial(name: str, recipe: str = "captured") -> Trial:
    return Trial(
        id=name,
        recipe=recipe,
        split="train",
        suite="",
        group="",
        prompt="",
        family="",
        source="",
        settings={},
    )


def write_part(
    path: Path, motions: Sequence[Motion], recipes: Sequence[str] = ()
) -> Path:
    names = recipes or ["captured"] * len(motions)
    path.parent.mkdir(parents=True, exist_ok=True)
    trials = tuple(trial(f"m{i}", recipe) for i, recipe in enumerate(names))
    poses = [motion.to_qpos() for motion in motions]
    write_trials(path, TrialPart(trials=trials, poses=poses))
    return path


def arm_up(motion: Motion, side: str, *, frame: int) -> Motion:
    """From `frame` on the arm points up, which no motor reaches in one step."""
    qpos = np.array(motion.to_qpos())
    qpos[frame:, 7 + JOINT_NAMES.index(f"{side}_shoulder_pitch_joint")] = -2.8
    return Motion.from_qpos(qpos)
