"""Lengths in a sentence, said in meters: "half a meter", "50 centimeters", "six feet".

A foot is a length only where somebody goes so many feet or goes them somewhere; on two feet
one stands.
"""

from __future__ import annotations

import re

from texedo.data.captions.grammar import number_word

_METERS = {
    "meter": 1.0,
    "metre": 1.0,
    "centimeter": 0.01,
    "centimetre": 0.01,
    "foot": 0.3048,
    "feet": 0.3048,
    "inch": 0.0254,
    "yard": 0.9144,
}
_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
_NUMBERS = {
    **{number_word(number): float(number) for number in range(13)},
    **{word: float(number) for number, word in enumerate(_TEENS, 13)},
    **{"a": 1.0, "an": 1.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0},
    **{"sixty": 60.0, "seventy": 70.0, "eighty": 80.0, "ninety": 90.0},
    **{"a couple of": 2.0, "a hundred": 100.0, "half a": 0.5, "a half": 0.5},
    **{"half": 0.5, "quarter of a": 0.25, "a quarter of a": 0.25},
}
_NUMBER = rf"\d+(?:\.\d+)?|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}"
_UNIT = r"(?P<unit>(?:centi)?met(?:er|re)|inch(?=es|\b)|yard|foot|feet)(?:e?s)?\b"
_LENGTH = re.compile(
    rf"\b(?P<number>{_NUMBER})(?P<half> and (?:a|one) half)?[ -]{_UNIT}"
    r"(?P<half_after> and a half)?",
    re.I,
)
_GOES = re.compile(
    r"\b(?:walk|go|mov|step|run|jog|travel|advanc|march|crawl|shuffl|sidestep|stroll|hop|jump)"
    r"(?:p|n|g)?(?:e|s|es|d|ed|ing)?(?: back| up)?(?: (?:about|around|for|by|roughly))*\s*$",
    re.I,
)
_SOMEWHERE = re.compile(
    r"^\s*(?:straight )?(?:forwards?|ahead|backwards?|back\b(?! leg| foot)|to (?:the|your|his|"
    r"her|its) (?:left|right|side)|sideways|away|in front)",
    re.I,
)
_SIDE_FIRST = re.compile(r"(?<!the )(?<!your )\b(left|right) ([\d.]+ meters)\b")
_SIDE_LAST = re.compile(r"\b([\d.]+ meters) to (?:the|your|his|her) (left|right)\b")


def in_meters(text: str) -> str:
    """The same sentence with every length a number of meters."""
    found, end = [], 0
    for match in _LENGTH.finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        unit = match["unit"].lower()
        several = unit == "feet" and bool(_SOMEWHERE.match(after))
        if unit in ("foot", "feet") and not (several or _GOES.search(before)):
            continue
        number = _number(match["number"])
        number += 0.5 * bool(match["half"] or match["half_after"])
        found += [text[end : match.start()], f"{number * _METERS[unit]:.3g} meters"]
        end = match.end()
    said = "".join((*found, text[end:]))
    # "Left 1 meters" is no left one, and who moves moves somewhere.
    said = _SIDE_FIRST.sub(r"to the \1 by \2", said)
    return _SIDE_LAST.sub(r"to the \2 by \1", said)


def _number(said: str) -> float:
    known = _NUMBERS.get(said.lower())
    return float(said) if known is None else known
