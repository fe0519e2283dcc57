"""Sentences for authored motions."""

from __future__ import annotations

from texedo.data.author.phrases import phrases
from texedo.data.author.spec import Spec
from texedo.data.captions.choice import Choice
from texedo.data.captions.sentences import Part, sentence


def spec_captions(spec: Spec, *, number: int = 4, seed: int = 0) -> tuple[str, ...]:
    """Different true sentences about the motion of a spec."""
    choice = Choice(seed, spec.id, "captions")
    chosen = choice.shuffled(phrases(spec))[:number]
    return tuple(sentence([Part(phrase)], choice) for phrase in chosen)
