"""Folders of motions to try whose labels can be foretold."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.support.standing import standing
from texedo.data.corpus.trials import (
    Trial,
    TrialLabels,
    TrialPart,
    read_trials,
    trial_parts,
    write_labels,
    write_trials,
)


def trial(id: str, *, split: str = "train", group: str = "", suite: str = "") -> Trial:
    """One that nothing is special about."""
    return Trial(
        id=id,
        recipe="candidate",
        split=split,
        suite=suite,
        group=group or id,
        prompt="",
        family="",
        source="",
        settings={},
    )


def write_standing(
    folder: Path, *, train: int, groups: int, per_group: int = 4
) -> None:
    """Parts of standing robots: `train` to learn from, and groups of `val`.

    Motion k of all has 10 + k frames, so that its length tells which it is.
    """
    trials = [trial(f"train-{i}") for i in range(train)]
    for group in range(groups):
        name = f"group-{group}"
        trials += [
            trial(f"val-{group}-{i}", split="val", group=name) for i in range(per_group)
        ]
    folder.mkdir(parents=True, exist_ok=True)
    for number, start in enumerate(range(0, len(trials), 10)):
        own = trials[start : start + 10]
        poses = [standing(10 + start + k).to_qpos() for k in range(len(own))]
        part = TrialPart(trials=tuple(own), poses=poses)
        write_trials(folder / f"part-{number:05d}.npz", part)


def label_by_length(folder: Path, labels: Path) -> None:
    """Robots with an even number of frames finish; the shorter they fall, the worse."""
    for path in trial_parts(folder):
        part = read_trials(path)
        frames = np.array([len(qpos) for qpos in part.poses], dtype=np.int32)
        success = frames % 2 == 0
        count = len(frames)
        write_labels(
            labels / path.name,
            TrialLabels(
                valid=np.ones(count, dtype=np.bool_),
                frames=frames,
                executed=np.where(success, frames, 5).astype(np.int32),
                success=success,
                reasons=np.stack([~success] + [np.zeros_like(success)] * 2, axis=1),
                limbs=np.zeros((count, 4), dtype=np.bool_),
                e_mpjpe=np.full(count, 10, dtype=np.float32),
                e_vel=(frames / 100).astype(np.float32),
                e_acc=(frames / 100).astype(np.float32),
                perturbed_executed=np.zeros((count, 0), dtype=np.int32),
                perturbed_success=np.zeros((count, 0), dtype=np.bool_),
            ),
        )
