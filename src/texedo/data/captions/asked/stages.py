"""A sentence with several steps as a sentence for each of them.

    sentences_of("a man walks forward, stops, bows and then waves")
    # ["a man walks forward, then stops", "a person bows", "a person waves"]

What only goes on from the step before it ("stops", "lowers them again", "stands up") stays
with that step: by itself nobody knows what it asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
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
_PAUSE = re.compile(
    r"after (?:an?|some|one|two|three) (?:\w+ )?(?:pause|wait|while|moment|time|seconds?)$"
)
_THIRD = re.compile(r"(?:\w+ly )?[a-z]+s\b")
_SUBJECT = re.compile(r"(?:an?|the|some(?:one|body)|he|she|they|it|his|her|their)\b")
_DEED = re.compile(r"\b(?!his\b|always\b|towards\b)[a-z]+s\b")
_WHERE = re.compile(
    r"(?:(?:once|twice|\w+ times),? )?(?:on|in|at|over|above|behind|toward|into)\b"
)
""" "Stands on the left leg, then on the right one": what is done stays the same."""
_NOUN = re.compile(
    r"(?:an?|another|one more|one|two|three|four|five|six|seven|eight|nine|ten|\d+) "
    r"(?!person\b|man\b|woman\b|times\b|seconds?\b|more\b|of\b|with\b|on\b|to\b|leg\b|foot\b|hand\b|arm\b)"
)
""" "A squat, followed by a jump"."""
_STEPS = re.compile(r"\bsteps?\b")
_CARRIES = re.compile(r"\b(?:throws|takes|makes|gives|performs)\b")
_WAY = r"(?:left|right|forward|backward)"
_WAYS = re.compile(rf"(?P<deed>.*?\w) (?P<ways>{_WAY}(?:, (?:and )?{_WAY})+)")
""" "Steps forward, right, backward": a step in each direction."""
_AND_LAST = re.compile(rf"(?P<first>{_WAY}) and (?={_WAY}$)")


def sentences_of(
    text: str, *, alone: Callable[[str], bool] = lambda _: False
) -> list[str]:
    """One for each step, in order; a sentence that is one step is alone, as it was.

    What only goes on from the step before is a step by itself where `alone` says so.
    """
    told: list[str] = []
    for part in _parts(text):
        if told and _GOES_ON.match(part) and not alone(part):
            told[-1] = f"{told[-1]}, then {part}"
        else:
            told.append(_with_deed(part, told[-1] if told else ""))
    if len(told) < 2:
        return [text]
    for at, (before, part) in enumerate(pairwise(told), 1):
        if _AROUND.search(before):
            told[at] = _BACK.sub("forward", part)
    return [_of_somebody(" ".join(_SURPLUS.sub("", part).split())) for part in told]


def _parts(text: str) -> Iterator[str]:
    for part in parts_of(plainer(text)):
        part = _PAUSE.sub("pauses", _OPENING.sub("", part.strip()))
        ways = _AND_LAST.sub(r"\g<first>, ", part.replace(" again", ""))
        several = _WAYS.fullmatch(ways)
        if several is None:
            yield part
            continue
        for way in re.findall(_WAY, several["ways"]):
            yield f"{several['deed']} {way}"


def _with_deed(part: str, before: str) -> str:
    """With the verb of the step before it, where it has none."""
    if _NOUN.match(part):
        # "Throws two jabs and then one right cross" throws that, too.
        same = _CARRIES.search(before)
        verb = same.group() if same else "takes" if _STEPS.search(part) else "does"
        return f"{verb} {part}"
    deed = _DEED.search(before)
    return f"{deed.group()} {part}" if deed and _WHERE.match(part) else part


def _of_somebody(part: str) -> str:
    if _SUBJECT.match(part):
        return part
    return f"a person {part}" if _THIRD.match(part) else told(part)


def told(text: str) -> str:
    """What is done, "waving" or "wave" or "waves", as what somebody does."""
    said = going_on(text, caption_words().__contains__)
    return said if said.startswith("a person ") else f"a person {said}"
