"""The same deeds in another order."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texedo.data.captions.contrary.types import denied
from texedo.data.captions.grammar import Subject, conjugate
from texedo.data.captions.readings import read, verb_of_ing
from texedo.data.captions.sequence import sequence

_TIME = re.compile(r"\b(?P<when>before|after|followed by) (?=(?P<verb>[a-z]+ing)\b)")
_OTHER_TIME = {"before": "after", "after": "before", "followed by": "preceded by"}
# What ends a movement or only goes on may well come at both ends of it; what speaks of
# something told before ("it", "again") cannot be told first.
_TIED = re.compile(
    r"\b(?:again|back|return\w*|other|same|it|them|still|more|another|stop\w*|continu\w+|"
    r"ke(?:ep|pt)\w*|finish\w*|straighten\w*|st[ao][no]d\w*|settl\w+|h[oe]ld\w*|lower\w*|"
    r"drop\w*|rest\w*|relax\w*|wait\w*|paus\w+|end\w*|com(?:e|es|ing)|ris(?:e|es|ing)|"
    r"repeat\w*|resum\w+|remain\w*|stay\w*|there|halt\w*|freez\w+|once|opposite|finally|"
    r"slow(?:s|ing)? down|speed\w* up|begin\w*|start\w*|over and over|land\w*|gets?|"
    r"getting|next|first|last|chang\w+|rock\w*|sway\w*|also|recover\w*|"
    r"carr(?:y|ies|ying) on)\b"
)
_IDLE = re.compile(
    r"\b(?:stand\w*|st[ao]y\w*|still|wait\w*|paus\w+|remain\w*|rest\w*)\b"
)
"""What comes before a movement and after it alike."""
_CYCLES = re.compile(
    r"\b(?:repeat\w*|over and over|again|alternat\w+|back and forth|in turn|several times|"
    r"and so on|in any order)\b"
)
_OWNER = re.compile(r"\b(?:his|her|their|its|your)\b")


def orders(text: str) -> Iterator[str]:
    """What came first comes last."""
    if _CYCLES.search(text):
        return
    if match := _TIME.search(text):
        verb, rest = match["verb"], text[match.end() :]
        if not verb_of_ing(verb) or _TIED.search(rest) or _IDLE.search(text):
            return
        if not denied(text, match.start()):
            other = _OTHER_TIME[match["when"]]
            yield f"{text[: match.start()]}{other} {rest}"
        return
    if " then " not in text and " after that " not in text:
        return
    reading = read(text)
    if reading is None or reading.lead or "{refl}" in reading.phrase:
        return
    parts = sequence(reading)
    if not 2 <= len(parts) <= 3 or len({*parts}) < len(parts):
        return
    if any(_TIED.search(part) for part in parts):
        return
    if reading.told == "ing" and ", " in parts[0]:
        return  # "acting like a bird, crouching, then flapping": who knows what goes on
    owner = _OWNER.search(text)
    subject = Subject("", "", owner.group() if owner else "the", "")
    told = [conjugate(_listed(part), reading.told, subject) for part in parts]
    told[0], told[1] = told[1], told[0]
    stop = text[len(text.rstrip(".!")) :]
    yield reading.opening + ", then ".join(told) + stop


def _listed(part: str) -> str:
    """A part of several deeds that can stand last: "walks, turns" is "walks and turns"."""
    if " and ~" in part or ", ~" not in part:
        return part
    return " and ~".join(part.rsplit(", ~", 1))
