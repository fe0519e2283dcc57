"""Motions in the tracker: roll-outs that are kept in a label table, and their figures.

Whatever the table holds for this tracker is not rolled out again, so an interrupted
measurement goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

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
    # Here and not above: it loads the simulator.
    from texedo.tracker.oracle.rollout import rollout_stream

    keys = [_key(clip_hash(motion), policy) for _, motion in motions]
    with LabelWriter(table) as writer:
        firsts = {key: i for i, key in reversed(list(enumerate(keys)))}
        todo = [i for key, i in firsts.items() if key not in writer]
        progress(len(motions) - len(todo), len(motions))
        stream = rollout_stream(_motions(motions, todo), policy, workers=workers)
        try:
            for done, finished in enumerate(stream, start=1):
                i = todo[finished.motion]
                if finished.measures is not None:
                    writer.write(_label(motions[i], keys[i], policy, finished))
                progress(len(motions) - len(todo) + done, len(motions))
        finally:
            stream.close()
    found = {label.key: label for label in read_labels(table)}
    return [found.get(key) for key in keys]


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


def _key(clip: str, policy: Policy) -> LabelKey:
    return LabelKey(
        clip=clip,
        tracker_hash=policy.digest,
        oracle_version=ORACLE_VERSION,
        perturbation=NO_PERTURBATION,
        seed=0,
        draw=0,
    )


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
