"""Captions for clips of a corpus."""

from __future__ import annotations

from typing import cast

from texedo.data.captions.generate import captions
from texedo.data.captions.types import Caption, Label, Scope
from texedo.data.capture.cmu import TrialLabel
from texedo.data.corpus.store import Clip
from texedo.data.events import measure
from texedo.motion import Motion


def label_of(clip: Clip, source: TrialLabel | None = None) -> Label:
    """What is known about a clip in words; `source` brings its recording's captions."""
    return Label(
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
    return captions(measure(motion), label_of(clip, source), seed=(seed, clip.id))
