"""Words and company for captured clips: captions, and everything made from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from texedo.data.captions import (
    annotation_of,
    captions,
    skeleton,
    verb_phrases,
    written_about,
)
from texedo.data.captions.chains import written_phrases
from texedo.data.captions.claims import contradicted_claims
from texedo.data.captions.types import Annotation
from texedo.data.captions.weights import WRITTEN, generated_weight
from texedo.data.capture.dataset import CaptionSource, Dataset
from texedo.data.corpus.assemble import Assembly
from texedo.data.corpus.splits import SplitCfg
from texedo.data.corpus.store import Clip, Corpus
from texedo.data.events import Facts, measure
from texedo.data.synth.author import AUTHOR_VERSION
from texedo.data.synth.compose.corpus import COMPOSE_VERSION, DeriveCfg, derive
from texedo.data.synth.compose.words import WORDS_VERSION
from texedo.motion import Motion

CAPTION_VERSION = 3
"""Raise when measured facts, phrase banks, claims or weights change."""
ENRICH_VERSION = f"{CAPTION_VERSION}.{AUTHOR_VERSION}.{COMPOSE_VERSION}.{WORDS_VERSION}"

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
        if info.written_checked:
            texts = _true_of(texts, facts, assembly.contradicted)
        own = written_phrases(texts)
        phrases = [*own, *verb_phrases(facts, label, seed=(seed, clip.id))]
        assembly.phrases[clip.id] = tuple(dict.fromkeys(phrases))
        assembly.written_phrases[clip.id] = len(own)
        weights = dict.fromkeys(texts, WRITTEN)
        if source != "written" or not texts:
            weights = _generated(facts, label, (seed, clip.id)) | weights
        assembly.clips[i] = _said(clip, texts, weights)
        report(i + 1, total)
    if source != "generated":
        _count_written(assembly, dataset)


def _true_of(
    texts: Sequence[str], facts: Facts, contradicted: Counter[str]
) -> tuple[str, ...]:
    """Those of the texts that the motion does not contradict; the others are counted."""
    kept = []
    for text in texts:
        wrong = contradicted_claims(text, facts, watched=True)
        contradicted.update(wrong[:1])
        if not wrong:
            kept.append(text)
    return tuple(kept)


def _generated(facts: Facts, label: Annotation, seed: object) -> dict[str, float]:
    said = captions(facts, label, seed=seed)
    return {caption.text: generated_weight(caption, label) for caption in said}


def _said(clip: Clip, first: Sequence[str], weights: Mapping[str, float]) -> Clip:
    """The clip with captions and weights, those somebody wrote first."""
    texts = tuple(dict.fromkeys((*first, *weights)))
    own = tuple(weights[text] for text in texts)
    return replace(
        clip, captions=texts, caption_weights=own if len(set(own)) > 1 else ()
    )


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
        written_of=assembly.written_phrases,
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
