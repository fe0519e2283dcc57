"""Sentences for authored motions."""

from __future__ import annotations

import re

from texedo.data.captions.choice import Choice
from texedo.data.captions.grammar import number_word
from texedo.data.captions.sentences import Part, sentence
from texedo.data.synth.author.phrases import phrases, simple_phrases
from texedo.data.synth.author.spec import Spec


def spec_captions(spec: Spec, *, number: int = 4, seed: int = 0) -> tuple[str, ...]:
    """Different true sentences about the motion of a spec."""
    choice = Choice(seed, spec.id, "captions")
    if spec.kind == "sequence":
        return _of_parts(spec, number, choice)
    chosen = choice.shuffled(phrases(spec))
    if spec.free:
        # Three of four say the number or the angle, where there is one.
        chosen.sort(key=lambda phrase: not _EXACT.search(phrase))
        chosen.insert(0, chosen.pop())
        chosen = [digits(phrase, choice) for phrase in chosen]
    chosen = chosen[:number]
    return tuple(sentence([Part(phrase)], choice) for phrase in chosen)


def _of_parts(spec: Spec, number: int, choice: Choice) -> tuple[str, ...]:
    """Sentences that tell the parts in order."""
    drawn = [choice.shuffled(simple_phrases(part)) for part in spec.parts]
    out: list[str] = []
    for i in range(number):
        chosen = [Part(digits(said[i % len(said)], choice)) for said in drawn]
        out.append(sentence(chosen, choice))
    return tuple(dict.fromkeys(out))


_NUMBERS = {number_word(n): str(n) for n in range(2, 11)}
_COUNTED = re.compile(rf"\b({'|'.join(_NUMBERS)})\b")

_EXACT = re.compile(rf"\b({'|'.join(_NUMBERS)}|twice|once|one|single|degrees|turn)\b")


def digits(phrase: str, choice: Choice) -> str:
    """The phrase, now and then with its number as a digit: "4 times"."""
    if not choice.chance(0.25):
        return phrase
    phrase = phrase.replace("twice", "two times")
    return _COUNTED.sub(lambda match: _NUMBERS[match[0]], phrase)
