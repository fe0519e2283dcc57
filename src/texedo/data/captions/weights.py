"""How often a trainer hears which caption of a clip.

Only the ratio within a clip counts. A caption that somebody wrote about these seconds
says what a person would; one from the banks is true but sounds like the banks, and where
a label names an activity ("salsa") one that lists steps and raised arms misses the point.
"""

from __future__ import annotations

from collections.abc import Sequence

from texedo.data.captions.banks.actions import action_of
from texedo.data.captions.types import Annotation, Caption

WRITTEN = 1.0
GENERATED = 0.25
BESIDE_THE_POINT = 0.1
"""Of a generated caption without the activity that the label names."""


def generated_weight(caption: Caption, label: Annotation) -> float:
    """The weight of a caption that `captions` made for a motion with this label."""
    named = action_of(label.description) is not None
    return BESIDE_THE_POINT if named and caption.measured else GENERATED


def part_weight(written: Sequence[bool]) -> float:
    """The weight of a sentence about several motions, by whose words each part has."""
    each = [WRITTEN if own else GENERATED for own in written]
    return sum(each) / len(each)
