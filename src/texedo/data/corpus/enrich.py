"""Words and company for captured clips: captions, and everything made from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from texedo.data.captions import (
    annotation_of,
    captions,
    plain_phrases,
    skeleton,
    verb_phrases,
    written_about,
)
from texedo.data.capture.dataset import CaptionSource, Dataset
from texedo.data.corpus.assemble import Assembly
from texedo.data.corpus.splits import SplitCfg
from texedo.data.corpus.store import Clip, Corpus
from texedo.data.events import measure
from texedo.data.synth.author import AUTHOR_VERSION
from texedo.data.synth.compose.corpus import COMPOSE_VERSION, DeriveCfg, derive
from texedo.motion import Motion

CAPTION_VERSION = 2
"""Raise when measured facts or phrase banks change."""
ENRICH_VERSION = f"{CAPTION_VERSION}.{AUTHOR_VERSION}.{COMPOSE_VERSION}"

Report = Callable[[int, int], None]


def caption_captured(
    assembly: Assembly,
    dataset: Dataset,
    *,
    source: CaptionSource,
    seed: int,
    report: Report,
) -> None:
    """Give every clip of `assembly` its captions and its verb phrases, in place."""
    total = len(assembly.clips)
    for i, (clip, frames) in enumerate(
        zip(assembly.clips, assembly.frames, strict=True)
    ):
        info = dataset.info(clip.trial)
        facts, label = (
            measure(Motion.from_qpos(frames)),
            annotation_of(clip, info.label),
        )
        texts = () if source == "generated" else written_about(clip, info.written)
        phrases = [
            *plain_phrases(texts),
            *verb_phrases(facts, label, seed=(seed, clip.id)),
        ]
        assembly.phrases[clip.id] = tuple(dict.fromkeys(phrases))
        if source != "written" or not texts:
            said = captions(facts, label, seed=(seed, clip.id))
            texts = tuple(dict.fromkeys((*texts, *(c.text for c in said))))
        assembly.clips[i] = replace(clip, captions=texts)
        report(i + 1, total)
    if source != "generated":
        _count_written(assembly, dataset)


def _count_written(assembly: Assembly, dataset: Dataset) -> None:
    """Of what was written, how much is used: the rest is about seconds that are no clip."""
    said = {(clip.trial, text) for clip in assembly.clips for text in clip.captions}
    trials = {clip.trial for clip in assembly.clips}
    trials |= {row.trial for row in assembly.rejected}
    for trial in trials:
        texts = {text for part in dataset.info(trial).written for text in part.texts}
        assembly.written += len(texts)
        assembly.written_used += sum((trial, text) in said for text in texts)


def add_derived(
    assembly: Assembly,
    *,
    seed: int,
    splits: SplitCfg,
    workers: int | None,
    folder: Path,
    report: Report,
) -> None:
    """Append authored, mirrored and composed clips to `assembly`."""
    captured = _as_corpus(assembly)
    for clip, frames in derive(
        captured,
        phrases_of=assembly.phrases,
        seed=seed,
        cfg=DeriveCfg(splits=splits),
        workers=workers,
        folder=folder,
        report=lambda stage, done, total: report(done, total),
    ):
        assembly.clips.append(clip)
        assembly.frames.append(frames)


def _as_corpus(assembly: Assembly) -> Corpus:
    """The clips so far as a corpus in memory."""
    clips: list[Clip] = []
    first = 0
    for clip in assembly.clips:
        clips.append(replace(clip, first_frame=first))
        first += clip.num_frames
    return Corpus(clips, np.concatenate(assembly.frames), info={})


def count_words(clips: Sequence[Clip]) -> dict[str, float]:
    """How much is said, and how varied: sentences with sides and numbers masked."""
    frames = Counter(skeleton(text) for clip in clips for text in clip.captions)
    total = sum(frames.values())
    return {
        "captions": total,
        "skeletons": len(frames),
        "most_frequent_share": round(
            max(frames.values(), default=0) / max(total, 1), 6
        ),
    }
