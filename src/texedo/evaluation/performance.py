"""Motions in the tracker: roll-outs that are kept in a label table, and their figures.

Whatever the table holds for this tracker is not rolled out again, so an interrupted
measurement goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.files import atomic_path
from texedo.data.corpus.label_table import (
    NO_PERTURBATION,
    Label,
    LabelKey,
    LabelWriter,
    clip_hash,
    label_quality,
    number_or_none,
    read_labels,
)
from texedo.motion import Motion
from texedo.quality import ORACLE_VERSION, Normalizers, wilson_interval

if TYPE_CHECKING:
    from texedo.tracker.oracle.cpu import Finished
    from texedo.tracker.policies.protocol import Policy
    from texedo.tracker.sim.perturb import Perturbation

Named = tuple[str, Motion]
"""A name for people, and the motion."""
Progress = Callable[[int, int], None]
"""Called with the number done and of all."""


def perform(
    motions: Sequence[Named],
    policy: Policy,
    table: Path,
    *,
    workers: int | None = None,
    progress: Progress = lambda done, total: None,
) -> list[Label | None]:
    """A label for each motion on the nominal robot; None: it could not be performed."""
    found = perform_draws(motions, policy, table, workers=workers, progress=progress)
    return [row[0] for row in found]


def perform_draws(
    motions: Sequence[Named],
    policy: Policy,
    table: Path,
    *,
    perturbation: Perturbation | None = None,
    seed: int = 0,
    executed: Executed | None = None,
    workers: int | None = None,
    progress: Progress = lambda done, total: None,
) -> list[list[Label | None]]:
    """A label for each motion on each robot: the nominal one, or every one that is drawn.

    With `executed`, what the robots did is kept there, and a roll-out without it is done
    again: to the same bit.
    """
    # Here and not above: it loads the simulator.
    from texedo.tracker.oracle.rollout import rollout_stream

    keys = [label_keys(motion, policy, perturbation, seed) for _, motion in motions]
    with LabelWriter(table) as writer:
        todo = _todo(keys, writer, executed)
        total = sum(map(len, keys))
        progress(before := total - sum(len(keys[i]) for i in todo), total)
        stream = rollout_stream(
            _motions(motions, todo),
            policy,
            perturbation=perturbation,
            seed=seed,
            workers=workers,
            keep_states=executed is not None,
        )
        try:
            for done, finished in enumerate(stream, start=1):
                i = todo[finished.motion]
                key = keys[i][finished.draw_index]
                if finished.measures is not None and executed is not None:
                    executed.write(key.clip, finished.qpos)
                if finished.measures is not None:
                    writer.write(_label(motions[i], key, policy, finished))
                progress(before + done, total)
        finally:
            stream.close()
    return _labels(table, keys)


def read_draws(
    motions: Sequence[Named],
    policy: Policy,
    table: Path,
    *,
    perturbation: Perturbation | None = None,
    seed: int = 0,
) -> list[list[Label | None]]:
    """What the table holds of it; nothing is rolled out."""
    keys = [label_keys(motion, policy, perturbation, seed) for _, motion in motions]
    return _labels(table, keys)


def _labels(
    table: Path, keys: Sequence[Sequence[LabelKey]]
) -> list[list[Label | None]]:
    found = {label.key: label for label in read_labels(table)}
    return [[found.get(key) for key in own] for own in keys]


def _todo(
    keys: Sequence[Sequence[LabelKey]], writer: LabelWriter, executed: Executed | None
) -> list[int]:
    """Motions of which something is missing; of several that are the same, the first."""
    firsts = {own[0].clip: i for i, own in reversed(list(enumerate(keys)))}
    return [
        i
        for clip, i in firsts.items()
        if any(key not in writer for key in keys[i])
        or (executed is not None and clip not in executed)
    ]


class Executed:
    """What the nominal robot did with each motion, a file each, by hash of the motion.

    FOLDER/HA/HASH.npy    qpos (T', 36), the frame that failed last
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __contains__(self, clip: str) -> bool:
        return self._path(clip).is_file()

    def write(self, clip: str, qpos: NDArray[np.floating] | None) -> None:
        """None is a motion that could not be performed."""
        if qpos is None:
            return
        path = self._path(clip)
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(path) as temporary, temporary.open("wb") as stream:
            np.save(stream, qpos.astype(np.float32))

    def read(self, clip: str) -> Motion | None:
        """As a motion; None if it was not performed, or too short to be one."""
        path = self._path(clip)
        if not path.is_file():
            return None
        qpos = np.load(path, allow_pickle=False)
        return Motion.from_qpos(qpos) if len(qpos) > 1 else None

    def _path(self, clip: str) -> Path:
        return self._folder / clip[:2] / f"{clip}.npy"


def tracking_figures(
    labels: Sequence[Label | None], normalizers: Normalizers | None
) -> dict[str, Any]:
    """Success with its Wilson interval; errors are means over the successes.

    Motions that could not be performed count as failures, and are counted apart.
    """
    done = [label for label in labels if label is not None]
    good = [label for label in done if label.success]
    low, high = wilson_interval(len(good), len(labels)) if labels else (np.nan, np.nan)
    q_star = label_quality(done, normalizers).q_star if normalizers and done else None
    return {
        "motions": len(labels),
        "not_performed": len(labels) - len(done),
        "successes": len(good),
        "success": number_or_none(len(good) / len(labels)) if labels else None,
        "success_low": number_or_none(float(low)),
        "success_high": number_or_none(float(high)),
        "progress": _mean(label.progress for label in done),
        "e_mpjpe_mm": _mean(label.mpjpe for label in good),
        "e_vel_mm": _mean(label.e_vel for label in good),
        "e_acc_mm": _mean(label.e_acc for label in good),
        "q_star": None if q_star is None else float(q_star.sum() / len(labels)),
    }


def _motions(motions: Sequence[Named], chosen: Sequence[int]) -> Iterator[Motion]:
    return (motions[i][1] for i in chosen)


def _mean(values: Iterator[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def label_keys(
    motion: Motion, policy: Policy, perturbation: Perturbation | None, seed: int
) -> list[LabelKey]:
    """Of the roll-outs of a motion; nothing is random on the nominal robot."""
    clip = clip_hash(motion)
    return [
        LabelKey(
            clip=clip,
            tracker_hash=policy.digest,
            oracle_version=ORACLE_VERSION,
            perturbation=NO_PERTURBATION if perturbation is None else perturbation.name,
            seed=0 if perturbation is None else seed,
            draw=index,
        )
        for index in range(1 if perturbation is None else perturbation.draws)
    ]


def _label(named: Named, key: LabelKey, policy: Policy, finished: Finished) -> Label:
    from texedo.tracker.oracle.labels import label_rollout

    assert finished.measures is not None
    return label_rollout(
        finished.measures,
        key,
        name=named[0],
        tracker=policy.name,
        num_frames=len(named[1]),
    )
