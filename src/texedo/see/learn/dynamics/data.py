"""Labelled motions in one piece of memory, on the device that learns."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.core.errors import TexedoError
from texedo.data.corpus.trials import (
    POSE_SIZE,
    Trial,
    TrialLabels,
    labelled_parts,
    read_labels,
    read_trials,
)

_READERS = 8
_SETTINGS = "labels.json"
"""Beside the labels: how they were made."""
_MIN_FRAMES = 3
"""Shorter motions have no acceleration."""

Int64 = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RollOuts:
    """M performed motions; labels are arrays over them."""

    poses: Tensor
    """All frames one after the other, (F, 36), on the device."""
    starts: Int64
    """First frame of each motion, (M,)."""
    trials: list[Trial]
    labels: TrialLabels
    tracker: str
    """Digest of the tracker, or as much as is known of it."""

    def __len__(self) -> int:
        return len(self.trials)

    @property
    def lengths(self) -> Int64:
        return self.labels.frames.astype(np.int64)

    def of_split(self, split: str) -> Int64:
        """Motions of a split that a tracker could perform, and that are not reserved."""
        own = np.array(
            [trial.split == split and not trial.reserved for trial in self.trials]
        )
        return np.flatnonzero(own & self.labels.valid & (self.lengths >= _MIN_FRAMES))


def read_rollouts_to(
    data: str, labels: str, device: str, *, splits: tuple[str, ...] = ("train", "val")
) -> RollOuts:
    """All labelled motions of these splits; parts are read side by side."""
    pairs = _pairs(data, labels)
    found = [read_labels(own) for _, own in pairs]
    sizes = [int(part.frames.sum()) for part in found]
    poses = torch.empty(sum(sizes), POSE_SIZE, device=device)
    offsets = np.cumsum([0, *sizes])
    trials: list[tuple[Trial, ...]] = [()] * len(pairs)

    def read(i: int) -> None:
        part = read_trials(pairs[i][0])
        if sum(map(len, part.poses)) != sizes[i] or len(part.trials) != len(
            found[i].valid
        ):
            raise TexedoError(
                f"{pairs[i][1]}: labels of other motions than those of {pairs[i][0]}; "
                "delete them and label again."
            )
        at = int(offsets[i])
        poses[at : at + sizes[i]].copy_(torch.from_numpy(np.concatenate(part.poses)))
        trials[i] = part.trials

    with ThreadPoolExecutor(_READERS) as pool:
        list(pool.map(read, range(len(pairs))))
    table = _joined(found)
    starts = np.cumsum(np.concatenate(([0], table.frames[:-1].astype(np.int64))))
    every = [trial for part in trials for trial in part]
    rollouts = RollOuts(poses, starts, every, table, _tracker(pairs))
    for split in splits:
        if not len(rollouts.of_split(split)):
            raise TexedoError(
                f"{data}: has no performed motions of the split {split!r}."
            )
    return rollouts


def _pairs(data: str, labels: str) -> list[tuple[Path, Path]]:
    folders = [name for name in data.split(",") if name]
    given = labels.split(",") if labels else [""] * len(folders)
    if not folders:
        raise TexedoError("--data: name a folder of labelled motions.")
    if len(given) != len(folders):
        raise TexedoError(
            f"--labels: {len(given)} folders for {len(folders)} of --data; give one for "
            "each."
        )
    return [
        pair
        for folder, own in zip(folders, given, strict=True)
        for pair in labelled_parts(folder, labels=Path(own) if own else None)
    ]


def _tracker(pairs: list[tuple[Path, Path]]) -> str:
    """What the folders of labels say, or are called; they must agree."""
    found = {_digest(folder) for folder in {own.parent for _, own in pairs}}
    if len(found) != 1:
        raise TexedoError(
            f"--data: labels of several trackers ({', '.join(sorted(found))}); a "
            "verifier learns from one, name it with --labels."
        )
    return found.pop()


def _digest(folder: Path) -> str:
    try:
        return str(json.loads((folder / _SETTINGS).read_bytes())["digest"])
    except (OSError, ValueError, KeyError, TypeError):
        return folder.name.rpartition("-")[2]


def _joined(parts: list[TrialLabels]) -> TrialLabels:
    draws = max(part.perturbed_success.shape[1] for part in parts)
    if any(part.perturbed_success.shape[1] != draws for part in parts):
        raise TexedoError(
            "--data: parts with different numbers of perturbed robots; label them alike."
        )
    return TrialLabels(
        **{
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in vars(parts[0])
        }
    )
