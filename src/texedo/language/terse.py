"""Requests in as few signs as will do: "fwd 2, turn L 90" and numbered lists."""

from __future__ import annotations

import re

from texedo.language.rewriting import rules

_LIMB = r"(?:hand|arm|elbow|fist|leg|foot|knee|hip|shoulder|side|turn|hook|jab|kick|punch)s?"
_DEED = (
    r"(?:turn|rotate|spin|pivot|step|sidestep|shuffle|lean|bend|kick|punch|jab|hop|jump|wave"
    r"|raise|lift|lower|swing|look|face|go|move|walk|strafe|twist)(?:s|es|ing)?"
)
_SIDES = {"l": "left", "r": "right"}
_COUNT = r"(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_WAYS = {"forward": "forward", "ahead": "forward", "back": "backward"}
_START = r"(?:^|(?<=, )|(?<=then )|(?<=\. ))"
_GOES = re.compile(
    rf"{_START}(?P<way>forward|backward|back|ahead) (?P<count>{_COUNT}|one)\b"
    r"(?: (?P<unit>steps?|meters?))?(?=$|[,.]| (?:and|then)\b)"
)
_SOMEBODY = r"\b(?:the|an?|he|she|they|someone|somebody)\b"
"""Where it is told of somebody "forward two" is no order."""
_ITEM = re.compile(r"(?:^|[\s,;]+)\(?(\d{1,2})[.):]\s+(?=[a-z])")


def _side(match: re.Match[str]) -> str:
    return _SIDES[match[0]]


def _sided(match: re.Match[str]) -> str:
    return f"{match['deed']} {_SIDES[match['side']]}"


def _goes(match: re.Match[str]) -> str:
    way = _WAYS.get(match["way"], match["way"])
    unit = match["unit"] or ("step" if match["count"] in ("1", "one") else "steps")
    return f"walk {way} {match['count']} {unit}"


def _all_go(match: re.Match[str]) -> str:
    return _GOES.sub(_goes, match[0])


def _items(match: re.Match[str]) -> str:
    """ "1. walk 2. turn" as "walk, turn", where the numbers count from one."""
    numbers = [int(number) for number in _ITEM.findall(match[0])]
    if len(numbers) < 2 or numbers != list(range(1, len(numbers) + 1)):
        return match[0]
    return _ITEM.sub(", ", match[0])


NUMBERED = rules(("1. 1) 1:", r"(?s)^\(?1[.):]\s.*$", _items))
"""Before numbers become words."""
TERSE = rules(
    ("l r", rf"\b[lr]\b(?= (?:{_LIMB}|\d|ninety|forty|\w+ degrees))", _side),
    ("l r", rf"\b(?P<deed>{_DEED}(?: to)?) (?P<side>[lr])\b(?!')", _sided),
    ("forward back ahead", rf"^(?!.*{_SOMEBODY}).*$", _all_go),
    ("one", r"\b(one (?:meter|second|minute))s\b", r"\1"),
)
"""Beside the other rules: one may make work for another."""
