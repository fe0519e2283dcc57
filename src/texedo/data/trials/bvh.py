"""Motions retargeted from recordings of unseen people on strange skeletons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.data.capture.bvh import read_bvh
from texedo.data.capture.datasets import open_dataset
from texedo.data.capture.source import SourceMotion, make_source
from texedo.data.corpus.trials import Trial, TrialPart
from texedo.data.retarget import RetargetResult, retarget_many
from texedo.data.synth.spoil import MAX_FRAMES
from texedo.data.trials.plan import FOREIGN, job_rng
from texedo.data.trials.pool import Source
from texedo.data.trials.strange import Settings, strange
from texedo.motion import Motion, canonicalize

SHORTEST = 50
"""Frames of a piece that is kept."""


class RecordingJob(NamedTuple):
    """A recording of somebody unseen; it travels to worker processes."""

    trial: str
    group: str
    family: str
    data: bytes
    """The BVH file."""
    stretch: float
    """What to multiply its frame time by."""


def read_recordings(
    dataset: str, source: Path, wanted: Mapping[str, Source]
) -> Iterator[RecordingJob]:
    """The wanted recordings of a database, given with a clip of each."""
    opened = open_dataset(dataset, source)
    for found in opened.recordings():
        if found.trial in wanted:
            info = opened.info(found.trial)
            clip = wanted[found.trial]
            yield RecordingJob(
                trial=found.trial,
                group=clip.group,
                family=clip.family,
                data=found.data,
                stretch=info.time_stretch,
            )


def retargeted_part(
    jobs: Sequence[RecordingJob], *, skeletons: int, seed: int
) -> TrialPart:
    """Every recording on some strange skeletons; those that cannot be read or carried
    over are left out, as they would be by anybody's program."""
    ready: list[tuple[RecordingJob, int, SourceMotion, Settings]] = []
    for job in jobs:
        for number in range(skeletons):
            try:
                ready.append((job, number, *_source(job, number, seed)))
            except TexedoError:
                continue
    results = retarget_many([source for _, _, source, _ in ready])
    found = [
        piece
        for (job, number, _, settings), result in zip(ready, results, strict=True)
        if isinstance(result, RetargetResult)
        for piece in _pieces(job, number, settings, result.motion)
    ]
    return TrialPart(
        trials=tuple(trial for trial, _ in found), poses=[qpos for _, qpos in found]
    )


def _source(job: RecordingJob, number: int, seed: int) -> tuple[SourceMotion, Settings]:
    bvh = read_bvh(job.data, name=f"{job.trial}.bvh")
    bvh = replace(bvh, frame_time=bvh.frame_time * job.stretch)
    other, settings = strange(bvh, job_rng(seed, f"{job.trial} skeleton {number}"))
    return make_source(other), settings


def _pieces(
    job: RecordingJob, number: int, settings: Settings, motion: Motion
) -> Iterator[tuple[Trial, NDArray[np.float32]]]:
    qpos = motion.to_qpos()
    for k, start in enumerate(range(0, len(qpos) - SHORTEST + 1, MAX_FRAMES)):
        piece = canonicalize(Motion.from_qpos(qpos[start : start + MAX_FRAMES]))
        trial = Trial(
            id=f"{job.trial}~skeleton{number}-{k}",
            recipe="retargeted",
            split="test-subject",
            suite=FOREIGN,
            group=job.group,
            prompt="",
            family=job.family,
            source=job.trial,
            settings=settings,
        )
        yield trial, piece.to_qpos().astype(np.float32)
