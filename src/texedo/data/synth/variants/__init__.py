"""Captured recordings of rare and lively kinds, done again in other ways.

A corpus has a handful of hops and a single leap: a controller learns them by heart. Each
training recording of such a kind is varied at its source (`variants.changes`), carried
over to the robot anew, cut and screened like the corpus itself. Variants have no captions;
they train the controller and are never counted in a result.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.core.pool import batch_by_size
from texedo.data.capture.bvh import read_bvh
from texedo.data.capture.datasets import open_dataset
from texedo.data.capture.source import SourceMotion, make_source
from texedo.data.corpus.cutting import joint_activity, propose_windows
from texedo.data.corpus.packed_clips import PackedClips, join_clips, pack_frames
from texedo.data.corpus.parts import Report, make_parts, silent
from texedo.data.corpus.screening import ScreenCfg, screen, unfit_frames
from texedo.data.corpus.store import Clip, Corpus
from texedo.data.retarget import RETARGET_VERSION, RetargetResult, retarget_many
from texedo.data.synth.variants.changes import (
    SourceChange,
    change_rng,
    change_source,
    draw_change,
)
from texedo.motion import Motion, canonicalize

VARIANTS_VERSION = 2
"""Raise when results change: parts of another version are made again."""
_COUNTS = {
    8: "balance crouch hop leap squat stumble",
    5: "jump kick martial_arts mixed run turn",
    3: "box exercise march pull punch push sports stretch swordplay",
    2: "act_character act_emotion bend dance gesture reach throw",
    1: "carry lift limp sidestep sneak stand sweep wash",
}
VARIANTS = {kind: n for n, kinds in _COUNTS.items() for kind in kinds.split()}
"""Variants of each recording, by kind of action: more of what is rare and hard."""
_OF_LIVELY = 3
"""Variants at least of a recording of any kind in which something is hard to do."""
_FLIGHT, _LOW, _QUICK = 0.1, 0.52, 0.6
"""What is: to fly for so long [s], to sink so low with the pelvis [m], or to use so much
of a motor's speed."""
_BATCH = 96
VARIANT = "~v"
"""Between the id of a clip and the number of its variant."""

Spans = Sequence[tuple[float, float]]


class VariantTask(NamedTuple):
    """A recording to be varied; it travels to worker processes."""

    trial: str
    number: int
    """Of the variant, from 1."""
    family: str
    atomic: bool
    data: bytes
    """The BVH file."""
    donor: bytes
    """That of a recording whose arms may be borrowed."""
    donor_trial: str
    segments: Spans
    """Natural places to cut at [s]."""
    exact_segments: bool
    """Each of them is a clip, and nothing else is."""
    stretches: tuple[float, float]
    """What to multiply the frame times of the two files by."""
    seed: int


class VariantPlan(NamedTuple):
    """What is made of a recording."""

    family: str
    atomic: bool
    variants: int


def plan_variants(clips: Iterable[Clip]) -> dict[str, VariantPlan]:
    """Variants by recording, of captured training clips that are no copies."""
    plans: dict[str, VariantPlan] = {}
    for clip in clips:
        if clip.kind != "captured" or clip.split != "train" or clip.copy_of:
            continue
        count = max(VARIANTS.get(clip.family, 0), _OF_LIVELY * _is_lively(clip))
        if clip.trial in plans:
            count = max(count, plans[clip.trial].variants)
        plans[clip.trial] = VariantPlan(clip.family, clip.atomic, count)
    return {trial: plan for trial, plan in plans.items() if plan.variants}


def _is_lively(clip: Clip) -> bool:
    quality = clip.quality
    return bool(quality) and (
        quality["airborne_max_s"] >= _FLIGHT
        or quality["pelvis_min_m"] < _LOW
        or quality["joint_speed_ratio_max"] > _QUICK
    )


def make_variants(
    corpus: Path,
    source: Path,
    parts: Path,
    *,
    seed: int = 0,
    workers: int | None = None,
    report: Report = silent,
) -> PackedClips:
    """Variants of a corpus's recordings; `source` is where its database lies.

    What is done lies in the folder `parts`, a file a batch: a run that was interrupted
    goes on from there.
    """
    batches = _batches(_tasks(corpus, source, seed=seed))
    calls = {parts / f"{_key(batch)}.npz": (batch,) for batch in batches}
    return make_parts(make_batch, calls, workers=workers, report=report)


def _tasks(corpus: Path, source: Path, *, seed: int) -> list[VariantTask]:
    """First variants of all recordings first, so that early parts hold some of each.

    All recordings that are varied are held in memory, 0.3 GB for the CMU database.
    """
    loaded = Corpus.load(corpus)
    plans = plan_variants(loaded.clips)
    # A corpus of before there were several databases does not say which it is of.
    dataset = open_dataset(loaded.info.get("dataset", "cmu"), source)
    files = {f.trial: f.data for f in dataset.recordings() if f.trial in plans}
    names = sorted(files)
    tasks = []
    for trial in names:
        for number in range(1, plans[trial].variants + 1):
            rng = change_rng(f"donor of {trial}", number, seed=seed)
            donor = names[rng.integers(len(names))]
            info = dataset.info(trial)
            task = VariantTask(
                trial=trial,
                number=number,
                family=plans[trial].family,
                atomic=plans[trial].atomic,
                data=files[trial],
                donor=files[donor],
                donor_trial=donor,
                segments=info.segments,
                exact_segments=info.exact_segments,
                stretches=(info.time_stretch, dataset.info(donor).time_stretch),
                seed=seed,
            )
            tasks.append(task)
    return sorted(tasks, key=lambda task: task.number)


def _batches(tasks: Sequence[VariantTask]) -> Iterator[list[VariantTask]]:
    return batch_by_size(tasks, lambda task: len(task.data), batch=_BATCH)


def _key(batch: Sequence[VariantTask]) -> str:
    """Equal keys mean equal results."""
    digest = hashlib.sha256(f"{VARIANTS_VERSION}|{RETARGET_VERSION}".encode())
    for task in batch:
        digest.update(f"|{task._replace(data=b'', donor=b'')}|".encode())
        digest.update(task.data + task.donor)
    return digest.hexdigest()[:16]


def make_batch(batch: Sequence[VariantTask]) -> PackedClips:
    """Variants of some recordings, solved side by side; what cannot be made is left out."""
    ready: list[tuple[VariantTask, SourceMotion, SourceChange]] = []
    for task in batch:
        try:
            ready.append((task, *_varied(task)))
        except TexedoError:
            continue
    results = retarget_many([source for _, source, _ in ready])
    parts = [
        _cut(task, result, variation)
        for (task, _, variation), result in zip(ready, results, strict=True)
        if isinstance(result, RetargetResult)
    ]
    nothing = pack_frames([], ids=[], families=[], splits=[])
    return join_clips([nothing, *parts])


def _varied(task: VariantTask) -> tuple[SourceMotion, SourceChange]:
    rng = change_rng(task.trial, task.number, seed=task.seed)
    source = _read(task.trial, task.data, task.stretches[0])
    variation = draw_change(rng, seconds=source.duration)
    donor = None
    if variation.borrows_arms:
        donor = _read(task.donor_trial, task.donor, task.stretches[1])
    return change_source(source, variation, rng, donor=donor), variation


def _read(trial: str, data: bytes, stretch: float) -> SourceMotion:
    bvh = read_bvh(data, name=f"{trial}.bvh")
    return make_source(replace(bvh, frame_time=bvh.frame_time * stretch))


def _cut(
    task: VariantTask, result: RetargetResult, variation: SourceChange
) -> PackedClips:
    """Clips of a variant that pass the corpus's screening."""
    qpos, cfg = result.motion.to_qpos(), ScreenCfg()
    spans = np.array(task.segments).reshape(-1, 2)
    # An end of -1 is the recording's, whatever its tempo.
    segments = np.where(spans < 0, spans, variation.when(spans))
    windows = propose_windows(
        len(qpos),
        atomic=task.atomic,
        segments=[(a, b) for a, b in segments.tolist()],
        exact=task.exact_segments,
        activity=joint_activity(qpos[:, 7:]),
    )
    unfit = unfit_frames(qpos, result.quality, cfg)
    frames: list[NDArray[np.float32]] = []
    ids: list[str] = []
    for number, window in enumerate(windows):
        kept = screen(window, unfit, result.quality, cfg=cfg).window
        if kept is not None:
            motion = Motion.from_qpos(qpos[kept.start : kept.stop])
            frames.append(canonicalize(motion).to_qpos().astype(np.float32))
            ids.append(f"{task.trial}-{number:02d}{VARIANT}{task.number}")
    return pack_frames(
        frames,
        ids=ids,
        families=[task.family] * len(ids),
        splits=["train"] * len(ids),
        kinds=["variant"] * len(ids),
    )
