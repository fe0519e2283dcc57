"""All phrases for postures."""

from __future__ import annotations

from functools import cache

from texedo.data.captions.postures.arms import arm_phrases
from texedo.data.captions.postures.legs import leg_phrases
from texedo.data.captions.postures.patterns import (
    THE,
    Phrase,
    by_side,
    compiled,
    posture_words,
)
from texedo.data.captions.postures.trunk import trunk_phrases


@cache
def phrases() -> tuple[Phrase, ...]:
    """Those that say most first."""
    return (*_named(), *arm_phrases(), *leg_phrases(), *trunk_phrases())


def _named() -> list[Phrase]:
    on = rf"(?:,? (?:on|with|to) {THE}(?P<side>left|right)(?: (?:leg|foot|side|knee|arm))?)?"
    verb = (
        r"(?:(?:does|holds|strikes|takes|makes|gets? in|goes in|stands in|stands like|poses like"
        r"|stands|in|like|as)(?:to)? )?"
    )
    return [
        Phrase(compiled(f"{verb}(?:{words}){on}"), by_side(posture), deed=True)
        for posture, words in posture_words()["named"]
    ]
