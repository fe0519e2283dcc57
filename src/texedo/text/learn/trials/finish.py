"""The second half of making a part, in a worker process: all that needs no network.

Decoded poses come in; they are post-processed, spoiled or left as they are, cut to
length, and written. This module loads no network library: workers start at once.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.trials import Trial, TrialPart, write_trials
from texedo.data.synth.spoil import cut_to_length
from texedo.data.trials.bvh import RecordingJob, retargeted_part
from texedo.data.trials.clips import clip_trial
from texedo.data.trials.plan import ClipJob, job_rng
from texedo.data.trials.pool import Source
from texedo.data.trials.prompts import PromptJob
from texedo.motion import Motion
from texedo.text.postprocess import postprocess

Poses = NDArray[np.float32]
Made = tuple[Trial, Poses]


def finish(how: Callable[..., Counter[str]], path: Path, *rest: Any) -> Counter[str]:
    """Motions by recipe that one of the functions below wrote to `path`."""
    return how(path, *rest)


def finish_clips(
    path: Path,
    jobs: Sequence[ClipJob],
    rows: Sequence[Source],
    poses: Sequence[Poses],
    others: Sequence[Poses | None],
    seed: int,
) -> Counter[str]:
    """Write what was asked for of clips, or of what the tokenizer made of them."""
    ready = list(poses)
    for_robots = [k for k, job in enumerate(jobs) if job.decoded and job.polished]
    for k, qpos in zip(
        for_robots, _postprocessed([poses[k] for k in for_robots]), strict=True
    ):
        ready[k] = qpos
    return _write(
        path,
        [
            clip_trial(job, row, qpos, other=other, seed=seed)
            for job, row, qpos, other in zip(jobs, rows, ready, others, strict=True)
        ],
    )


def finish_prompts(
    path: Path, jobs: Sequence[PromptJob], poses: Sequence[Poses], seed: int
) -> Counter[str]:
    """Write the candidates of some prompts, given one after another."""
    finished = iter(_postprocessed(poses))
    return _write(
        path, [made for job in jobs for made in _candidates(job, finished, seed)]
    )


def finish_recordings(
    path: Path, jobs: Sequence[RecordingJob], skeletons: int, seed: int
) -> Counter[str]:
    """Write recordings on strange skeletons."""
    part = retargeted_part(jobs, skeletons=skeletons, seed=seed)
    return _write(path, list(zip(part.trials, part.poses, strict=True)))


def _candidates(job: PromptJob, poses: Iterator[Poses], seed: int) -> Iterator[Made]:
    key = f"{seed}/{job.suite}/{job.temperature}/{job.guidance}/{job.text}"
    name = hashlib.sha256(key.encode()).hexdigest()[:12]
    for k in range(job.candidates):
        own = f"candidate-{name}-{k:02d}"
        qpos, cut = cut_to_length(next(poses), job_rng(seed, own))
        drawn = {"temperature": job.temperature, "guidance": job.guidance}
        yield (
            Trial(
                id=own,
                recipe="candidate",
                split=job.split,
                suite=job.suite,
                group=job.text,
                prompt=job.text,
                family=job.family,
                source=job.source,
                settings=drawn | cut,
            ),
            qpos,
        )


def _postprocessed(poses: Sequence[NDArray[Any]]) -> list[Poses]:
    motions, _ = postprocess([Motion.from_qpos(qpos) for qpos in poses])
    return [motion.to_qpos().astype(np.float32) for motion in motions]


def _write(path: Path, made: Sequence[Made]) -> Counter[str]:
    part = TrialPart(
        trials=tuple(trial for trial, _ in made), poses=[qpos for _, qpos in made]
    )
    write_trials(path, part)
    return Counter(trial.recipe for trial in part.trials)
