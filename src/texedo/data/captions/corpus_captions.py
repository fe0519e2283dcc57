"""Captions for clips of a corpus: generated, and those that somebody wrote."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from texedo.data.captions.generate import captions, verb_phrases
from texedo.data.captions.types import Annotation, Caption, Scope
from texedo.data.capture.dataset import TrialLabel, WrittenCaptions
from texedo.data.corpus.store import Clip
from texedo.data.events import measure
from texedo.motion import Motion

SAME_SECONDS = 0.8
"""Part that a clip and the seconds of a caption must share, of all that either covers:
where screening cut more away, what was written may have gone with it."""


def annotation_of(clip: Clip, source: TrialLabel | None = None) -> Annotation:
    """What is known about a clip in words; `source` brings its recording's captions."""
    return Annotation(
        family=clip.family,
        description=clip.description,
        style=clip.style,
        captions=source.captions if source is not None else (),
        scope=cast(Scope, clip.label_scope),
    )


def clip_captions(
    clip: Clip, motion: Motion, source: TrialLabel | None = None, *, seed: int = 0
) -> list[Caption]:
    """Captions of a captured clip, from its motion and its label.

    They depend on the seed and the clip's id, not on the company. A mirrored clip gets
    those of its source through `swap_sides`.
    """
    return captions(measure(motion), annotation_of(clip, source), seed=(seed, clip.id))


def clip_phrases(
    clip: Clip, motion: Motion, source: TrialLabel | None = None, *, seed: int = 0
) -> tuple[str, ...]:
    """Verb phrases of a captured clip, for sentences about it and others."""
    label = annotation_of(clip, source)
    return tuple(verb_phrases(measure(motion), label, seed=(seed, clip.id)))


def written_about(clip: Clip, written: Iterable[WrittenCaptions]) -> tuple[str, ...]:
    """What somebody wrote about the seconds of a captured clip, without repetition.

    A caption of the whole recording is about a clip that is all of it.
    """
    texts: list[str] = []
    for said in written:
        whole = said.end < 0 and said.start == 0
        if clip.label_scope == "trial" if whole else _same_seconds(clip, said):
            texts += said.texts
    return tuple(dict.fromkeys(texts))


def _same_seconds(clip: Clip, said: WrittenCaptions) -> bool:
    end = clip.end if said.end < 0 else said.end
    shared = min(clip.end, end) - max(clip.start, said.start)
    covered = max(clip.end, end) - min(clip.start, said.start)
    return shared >= SAME_SECONDS * covered
