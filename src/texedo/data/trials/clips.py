"""A clip, or what a tokenizer made of it, as a motion to try."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.trials import Trial
from texedo.data.synth.spoil import cut_to_length, spoil
from texedo.data.trials.plan import ClipJob, job_rng
from texedo.data.trials.pool import Source

_SPOILED = "spoiled-"


def clip_trial(
    job: ClipJob,
    row: Source,
    qpos: NDArray[Any],
    *,
    other: NDArray[Any] | None = None,
    seed: int,
) -> tuple[Trial, NDArray[np.float32]]:
    """What the job asks for, of poses (T, 36) that are decoded already if it says so."""
    rng = job_rng(seed, job.id)
    settings: dict[str, float] = {}
    if job.decoded:
        settings = {"reconstructed": 1.0, "postprocessed": float(job.polished)}
    if job.recipe.startswith(_SPOILED):
        way = job.recipe.removeprefix(_SPOILED)
        poses, said = spoil(way, qpos, rng, other=qpos if other is None else other)
    else:
        cut, said = cut_to_length(np.asarray(qpos), rng)
        poses = cut.astype(np.float32, copy=False)
    trial = Trial(
        id=job.id,
        recipe=job.recipe,
        split=row.split,
        suite=job.suite,
        group=row.group,
        prompt="",
        family=row.family,
        source=row.id,
        settings=settings | said,
    )
    return trial, poses
