"""A sentence with several steps as a sentence for each of them.

    sentences_of("a man walks forward, stops, bows and then waves")
    # ["a man walks forward, then stops", "a person bows", "a person waves"]

What only goes on from the step before it ("stops", "lowers them again", "stands up") stays
with that step: by itself nobody knows what it asks for.
"""

from __future__ import annotations

import re
from itertools import pairwise

from texedo.data.captions.asked.parse import parts_of
from texedo.data.captions.asked.tokens import plainer
from texedo.language.person import going_on
from texedo.language.vocabulary import caption_words

_GOES_ON = re.compile(
    r"(?:\w+ly )?"
    r"(?:(?:stops?|halts?|holds|stands|waits|pauses|freezes|rests|remains|stays"
    r"|rises|straightens|recovers|regains|returns|resumes|slows|lands|relaxes"
    r"|gets (?:back )?up|comes (?:back )?up|lowers|releases|repeats|goes back"
    r"|(?:puts|brings|lets|sets|takes|lifts|raises|holds|keeps|moves|drops|switches)"
    r" (?:it|them))\b"
    r"|(?:raises|lifts|uses|does) (?:both|the other)(?: one)?$"
    r"|(?:out|up|down|back|again|one|to|both)\b)"
)
_OPENING = re.compile(r"(?:(?:finally|first|firstly|lastly|again|also|once more),? )+")
_AROUND = re.compile(
    r"\b(?:turns?|spins?|pivots?|swings?|faces?) (?:a?round|about|back)\b|about face"
)
_BACK = re.compile(
    r"\bback(?! and\b)(?: (?:the (?:same )?way (?:\w+ )?(?:came|went)(?: from)?"
    r"|to (?:where \w+ (?:started|began|came from)|the (?:start|beginning)\w*)))?"
)
""" "Back" is ahead for whoever has turned around."""
_SURPLUS = re.compile(r" (?:first|again)\b| more(?= (?:step|time))")
_THIRD = re.compile(r"(?:\w+ly )?[a-z]+s\b")


def sentences_of(text: str) -> list[str]:
    """One for each step, in order; a sentence that is one step is alone, as it was."""
    told: list[str] = []
    for part in parts_of(plainer(text)):
        part = _OPENING.sub("", part.strip())
        if told and _GOES_ON.match(part):
            told[-1] = f"{told[-1]}, then {part}"
        else:
            told.append(part)
    if len(told) < 2:
        return [text]
    for at, (before, part) in enumerate(pairwise(told), 1):
        if _AROUND.search(before):
            told[at] = _BACK.sub("forward", part)
    first, *others = (" ".join(_SURPLUS.sub("", part).split()) for part in told)
    return [first, *map(_of_somebody, others)]


def _of_somebody(part: str) -> str:
    return f"a person {part}" if _THIRD.match(part) else told(part)


def told(text: str) -> str:
    """What is done, "waving" or "wave" or "waves", as what somebody does."""
    said = going_on(text, caption_words().__contains__)
    return said if said.startswith("a person ") else f"a person {said}"
