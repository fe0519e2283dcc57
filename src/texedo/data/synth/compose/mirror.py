"""Mirrored clips: left and right swapped in the motion and in every word."""

from __future__ import annotations

from dataclasses import replace

from texedo.data.captions import swap_sides
from texedo.data.corpus.store import Clip

MIRRORED = "mirrored"


def mirror_clip(clip: Clip) -> Clip:
    """The record of the mirrored clip; it stays in the split and group of its source."""
    return replace(
        clip,
        id=f"{clip.id}-m",
        kind=MIRRORED,
        parents=(clip.id,),
        style=tuple(swap_sides(style) for style in clip.style),
        description=swap_sides(clip.description),
        captions=tuple(swap_sides(caption) for caption in clip.captions),
    )
