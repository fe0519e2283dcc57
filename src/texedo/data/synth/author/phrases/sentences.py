"""Sentences for authored motions."""

from __future__ import annotations

from texedo.data.captions.choice import Choice
from texedo.data.captions.sentences import Part, sentence
from texedo.data.synth.author.phrases import phrases
from texedo.data.synth.author.spec import Spec


def spec_captions(spec: Spec, *, number: int = 4, seed: int = 0) -> tuple[str, ...]:
    """Different true sentences about the motion of a spec."""
    choice = Choice(seed, spec.id, "captions")
    chosen = choice.shuffled(phrases(spec))[:number]
    return tuple(sentence([Part(phrase)], choice) for phrase in chosen)
