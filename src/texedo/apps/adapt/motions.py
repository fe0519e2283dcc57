"""Which motions another tracker is to try: some to learn from, some to be judged by.

They are copied into a folder of trials of their own, so that only they are performed.
Motions of `val` are dealt out by their groups: one half calibrates, as in any training;
the other is `judged`, a split that no training looks at.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError, TexedoError
from texedo.core.files import write_whole
from texedo.data.corpus.trials import (
    PART,
    Trial,
    TrialPart,
    read_said,
    read_trials,
    trial_parts,
    write_trials,
)

JUDGED = "judged"
"""The split that verifiers are compared on."""
INFO = "trials.json"
PART_SIZE = 128
"""A part of labels is lost when labelling is cut off, so parts are small."""

Poses = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """How many motions, and which."""

    learn: int
    """Most motions to learn from."""
    held: int
    """Motions of `val`, half of them to calibrate and half to be judged by."""
    seed: int = 0


class Choice(dict[str, str]):
    """Ids of the chosen motions, each with the split that it gets."""

    def count(self, split: str) -> int:
        return sum(own == split for own in self.values())


def choose(trials: Iterable[Trial], wanted: Wanted) -> Choice:
    """Motions by lot; a motion's lot depends on its id and the seed alone.

    So more of them hold all of fewer, and the order of parts plays no part.
    """
    known = list(trials)
    learn = [trial for trial in known if trial.split == "train" and not trial.suite]
    learn.sort(key=lambda trial: _lot(wanted.seed, trial.id))
    chosen = Choice({trial.id: "train" for trial in learn[: wanted.learn]})
    groups: dict[str, list[Trial]] = {}
    for trial in known:
        if trial.split == "val":
            groups.setdefault(f"{trial.suite}\n{trial.group}", []).append(trial)
    taken = {"val": 0, JUDGED: 0}
    for name in sorted(groups, key=lambda name: _lot(wanted.seed, name)):
        # Whole groups: a ranking within one needs all of it.
        split = "val" if taken["val"] <= taken[JUDGED] else JUDGED
        if taken[split] >= wanted.held / 2:
            break
        taken[split] += len(groups[name])
        chosen.update((trial.id, split) for trial in groups[name])
    return chosen


def copy_motions(source: Path, out: Path, wanted: Wanted) -> Choice:
    """The chosen motions of a folder of trials in a folder of their own.

    What is there already is not done again; motions of another choice are refused.
    """
    info = {"source": _digest(source), **asdict(wanted)}
    stored = _stored(out / INFO)
    if stored is None:
        chosen = choose(_said(source), wanted)
        _check(source, chosen)
        _copy(source, out, chosen)
        write_whole(out / INFO, (json.dumps(info, indent=1) + "\n").encode())
        return chosen
    if stored != info:
        raise TexedoError(
            f"{out}: holds other motions than those asked for (labels, held or seed "
            "differ, or the trials do); choose another -o."
        )
    return Choice({trial.id: trial.split for trial in _said(out)})


def _said(folder: Path) -> Iterator[Trial]:
    return (trial for path in trial_parts(folder) for trial in read_said(path))


def _check(source: Path, chosen: Choice) -> None:
    for split, own in (("train", "train"), ("val", "val"), (JUDGED, "val")):
        if not chosen.count(split):
            raise TexedoError(
                f"{source}: has too few motions of {own} to learn from and be judged "
                "by; name a folder with both."
            )


def _copy(source: Path, out: Path, chosen: Choice) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for path in out.glob(PART):  # Of a copy that was cut off.
        path.unlink()
    batch: list[tuple[Trial, Poses]] = []
    number = 0
    for one in _chosen(source, chosen):
        batch.append(one)
        if len(batch) == PART_SIZE:
            _write(out, number, batch)
            batch, number = [], number + 1
    if batch:
        _write(out, number, batch)


def _chosen(source: Path, chosen: Choice) -> Iterator[tuple[Trial, Poses]]:
    for path in trial_parts(source):
        if not any(trial.id in chosen for trial in read_said(path)):
            continue
        part = read_trials(path)
        for trial, poses in zip(part.trials, part.poses, strict=True):
            if trial.id in chosen:
                yield replace(trial, split=chosen[trial.id]), poses


def _write(out: Path, number: int, batch: list[tuple[Trial, Poses]]) -> None:
    trials, poses = zip(*batch, strict=True)
    part = TrialPart(trials=tuple(trials), poses=list(poses))
    write_trials(out / f"part-{number:05d}.npz", part)


def _stored(path: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads(path.read_bytes())
        return found
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise FileFormatError(
            f"{path}: cannot be read ({error}); remove it."
        ) from error


def _digest(folder: Path) -> str:
    """Of the motions' names and the sizes of their files: quick, and enough."""
    lines = [f"{path.name} {path.stat().st_size}" for path in trial_parts(folder)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _lot(seed: int, name: str) -> bytes:
    return hashlib.blake2b(f"{seed}\n{name}".encode(), digest_size=8).digest()
