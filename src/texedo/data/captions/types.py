"""A caption, and what is known of a motion apart from its numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from texedo.data.captions.sides import swap_sides

Scope = Literal["trial", "window", "part"]


@dataclass(frozen=True, kw_only=True)
class Caption:
    """A sentence about a motion, or about a part of it."""

    text: str
    tokens: tuple[str, ...] = ()
    """Lemmas with their part of speech, "walk/VERB"; empty until tagged."""
    start: float = 0.0
    end: float = 0.0
    """What it is about [s]; 0 and 0 mean the whole motion."""
    measured: bool = False
    """It tells of measured events alone, whatever the label says."""


@dataclass(frozen=True, kw_only=True)
class Annotation:
    """What somebody has written down about a motion."""

    family: str = "unlabelled"
    """The kind of action: "walk", "dance", ..."""
    description: str = ""
    style: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    scope: Scope = "part"
    """What it is of: "trial" (all of this motion), "window" (it holds for every part of a
    longer recording), "part" (this motion may show only some of it)."""


def mirror_annotation(label: Annotation) -> Annotation:
    """The label of the mirrored motion."""
    return replace(
        label,
        description=swap_sides(label.description),
        style=tuple(swap_sides(style) for style in label.style),
        captions=tuple(swap_sides(caption) for caption in label.captions),
    )
