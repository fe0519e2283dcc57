"""A sentence about two things at once as a sentence for each of them.

at_once_of("a man walks forward while waving with his left hand")
# ["a man walks forward", "a person waves with his left hand"]
"""

from __future__ import annotations

import re

from texedo.data.captions.asked.stages import told
from texedo.data.captions.asked.tokens import plainer

_HE = r"(?:he|she|they|it|the \w+)"
_LIMB = r"(?:arms?|hands?|fists?|elbows?|palms?|legs?|knees?|wings?)"
_WHOSE = r"(?:(?:both|one|the|his|her|their|its|your|left|right|other|open|straight) )*"
_WHERE = (
    r"(?:up|out|raised|lifted|on|in|at|over|above|behind|by|to|crossed|folded|spread|wide"
    r"|stretched|outstretched|extended|overhead|high|held|swinging|together|apart|straight)"
)
_DOING = (
    r"(?:waving|holding|clapping|swinging|raising|punching|kicking|pointing|lifting|shaking"
    r"|rotating|circling|stretching|nodding|pumping|flapping|beating|saluting|boxing"
    r"|keeping|moving|rubbing|covering|touching|patting|rolling|shrugging)"
)
_WHILE = re.compile(rf"(?P<one>.+?),? (?:while|whilst) (?:{_HE} )?(?P<two>.+)")
_AS_HE = re.compile(rf"(?P<one>.+?),? as {_HE} (?!can\b|could\b|would\b)(?P<two>.+)")
_AS_MUCH = re.compile(r"\bas \w+$")
""" "As high as": of what follows "as" it is a measure."""
_OPENS = re.compile(rf"(?:while|whilst|as) (?:{_HE} )?(?P<two>[^,]+), (?P<one>.+)")
_TOGETHER = re.compile(
    r"(?P<one>.+?) and (?P<two>.+?),? (?:at (?:the|one and the) same time|at once"
    r"|simultaneously)"
)
_TOGETHER_FIRST = re.compile(
    r"(?P<one>.+?) and (?:at the same time|simultaneously) (?P<two>.+)"
)
_GOING_ON = re.compile(rf"(?P<one>.+?),? (?P<two>{_DOING} .+)")
_HOLDING = re.compile(rf"(?P<one>.+?),? with (?P<two>{_WHOSE}{_LIMB} {_WHERE}\b.*)")
_HELD = re.compile(r"\b(?:held|kept) ")
_DEED = re.compile(r"\b[a-z]+s\b")
"""Somebody does something: the verb of the first sentence."""


def at_once_of(text: str) -> list[str]:
    """One for each thing; a sentence about one thing is alone, as it was."""
    said = plainer(text)
    for pattern in (_OPENS, _TOGETHER_FIRST, _TOGETHER, _WHILE, _AS_HE):
        match = pattern.fullmatch(said)
        if match is not None and not _AS_MUCH.search(match["one"]):
            return _both(match, match["two"])
    if match := _HOLDING.fullmatch(said):
        return _both(match, f"holds {_HELD.sub('', match['two'])}")
    if (match := _GOING_ON.fullmatch(said)) and _DEED.search(match["one"]):
        return _both(match, match["two"])
    return [text]


def _both(match: re.Match[str], two: str) -> list[str]:
    return [match["one"].strip(" ,"), told(two.strip(" ,."))]
