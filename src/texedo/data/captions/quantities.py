"""Counts and angles in a sentence: where they stand, how they are put, what they mean.

"Twice", "two times" and "2x" are one count; "90 degrees", "a quarter turn" and "90°" are
one angle. Paraphrases put them in other words, contraries put others in their place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_ONES = "zero one two three four five six seven eight nine ten eleven twelve".split()
_NUMBERS = {word: n for n, word in enumerate(_ONES) if n} | {"a single": 1}
_DEGREES = {
    "thirty": 30,
    "forty-five": 45,
    "forty five": 45,
    "sixty": 60,
    "ninety": 90,
    "one hundred eighty": 180,
    "one hundred and eighty": 180,
    "a hundred and eighty": 180,
    "two hundred seventy": 270,
    "two hundred and seventy": 270,
    "three hundred sixty": 360,
    "three hundred and sixty": 360,
}
_FRACTIONS = {
    "eighth": 45,
    "quarter": 90,
    "half": 180,
    "three-quarter": 270,
    "three quarter": 270,
    "three-quarters": 270,
    "three quarters": 270,
    "full": 360,
    "complete": 360,
    "whole": 360,
}
_NOUNS = (
    r"(?:(?:side-?)?steps?|strides?|paces|jumps?|hops?|leaps?|claps?|punch(?:es)?|kicks?|squats?|"
    r"bows?|jabs?|hooks?|lunges?|spins?|jumping[ -]jacks?|uppercuts?|push-ups|bounces|"
    r"strokes|swings|knee raises)"
)
_NUMBER = rf"(?:{'|'.join(_ONES[1:])}|\d+)"
_LOOSE = (
    r"(?:more than|over|less than|under|at least|at most|up to|nearly|almost|not quite|"
    r"past|beyond|well|every|each|first|last|another|most of|all|and) (?:a |an )?$"
)
HEDGED = re.compile(_LOOSE)
"""What makes a bound of a number: "more than half a turn"."""
_TURNS = (
    r"\b(?:turn|rotat|spin|spun|pivot|swivel|whirl|twirl|revolv|wheel)\w*"
    r"(?: (?!and\b|then\b|with\b|while\b|, )[a-z]+){0,4} $"
)
AFTER_TURNING = re.compile(_TURNS)
"""Before an angle that says how far somebody turns."""

Kind = Literal["times", "events", "angle", "turn", "around"]
_KINDS: tuple[Kind, ...] = ("times", "events", "turn", "angle", "around")
_FOUND = re.compile(
    rf"(?P<times>\b(?:once|twice|thrice|{_NUMBER} times|one time|\d+ ?x)\b(?! as (?:high|far|fast|long|much|many|big|wide|hard)\b| in a\b| a\b| more\b))"
    rf"|(?P<events>\b(?P<n>a single|{_NUMBER}) (?P<how>(?:(?!and |degrees? )[a-z]+(?:-[a-z]+)? ){{0,2}}?)"
    rf"(?P<noun>{_NOUNS})\b(?! at a time| each| apart| after (?:another|the other)))"
    r"|(?P<turn>\b(?P<art>an?|one) (?:(?P<frac>quarter|half|three[- ]quarters?|full|"
    rf"complete|whole)[ -]|(?P<deg>\d+|{'|'.join(_DEGREES)})(?:[ -]degree |° ))"
    r"(?P<what>turn|spin|rotation|pivot)\b)"
    r"|(?P<angle>\b(?:(?P<d>\d+|" + "|".join(_DEGREES) + r")(?: ?degrees\b| ?deg\b|°)"
    r"|(?P<part>a quarter of a turn|half a turn|three quarters of a turn|"
    r"an eighth of a turn|(?P<circle>a (?:full|complete|whole|half) circle))\b))"
    r"|(?P<around>(?<=\bturn )around|(?<=\bturns )around|(?<=\bturning )around)"
    r"(?=$|[.,!]| (?:to the (?:left|right)|to (?:his|her|their|its|your) (?:left|right)|"
    r"and (?!around)|then|left|right|clockwise|counterclockwise|while|before|slowly|quickly)\b)"
)
_HINTS = (
    frozenset(_NUMBERS)
    | frozenset(
        "once twice thrice quarter quarters half full complete whole degrees degree deg around "
        "eighth circle single".split()
    )
    | frozenset("0123456789°")
)
_WORD = re.compile(r"[a-z]+|[0-9°]")
_ORDERED = re.compile(
    r"(?:^|[,;:] |\b(?:and|then|to|you|should|please|now|they|[a-z]+ly) )turn $"
)
_NO_AMOUNT = ("-", " a half ", "and a ", "a turn ")
_PARTS = {"an eighth": 45, "a quarter": 90, "half": 180, "three quarters": 270}


@dataclass(frozen=True)
class Quantity:
    """A count or an angle."""

    kind: Kind
    value: int
    """How often, or how far [degrees]."""
    start: int
    end: int
    noun: str = ""
    """What is counted, as it is written: "steps", with the words before it."""
    turning: bool = False
    """An angle by which somebody turns."""
    hedged: bool = False
    """A bound, not a value."""
    digits: bool = False


def quantities(text: str) -> list[Quantity]:
    """The counts and angles of a sentence, in order."""
    lower = text.lower()
    found: list[Quantity] = []
    if _HINTS.isdisjoint(_WORD.findall(lower)):
        return found  # most sentences have none, and this is the quicker look
    for match in _FOUND.finditer(lower):
        kind = next(kind for kind in _KINDS if match[kind])
        value = _value(match, kind)
        before = lower[: match.start()]
        after = lower[match.end() : match.end() + 12]
        if value is None or before.endswith(_NO_AMOUNT):
            continue
        if (
            kind == "around"
            and before.endswith("turn ")
            and not _ORDERED.search(before)
        ):
            continue  # "a slow turn around" is a thing
        if after.startswith((" and a half", " or ", " to ", "-")) and kind != "around":
            if not after.startswith(" to ") or after[4:6].isdigit():
                continue
        found.append(
            Quantity(
                kind,
                value,
                match.start(),
                match.end(),
                noun=(match["how"] or "") + (match["noun"] or match["what"] or ""),
                turning=kind in ("turn", "around")
                or AFTER_TURNING.search(before) is not None,
                hedged=HEDGED.search(before) is not None,
                digits=any(c.isdigit() for c in match.group()),
            )
        )
    return found


def _value(match: re.Match[str], kind: Kind) -> int | None:
    said = match.group()
    if kind == "times":
        known = {"once": 1, "twice": 2, "thrice": 3}
        return known.get(said) or number(said.removesuffix("x").split()[0])
    if kind == "events":
        return number(match["n"])
    if kind == "around":
        return 180
    if kind == "turn":
        return _FRACTIONS[match["frac"]] if match["frac"] else _degrees(match["deg"])
    if match["circle"]:
        return 180 if "half" in said else 360
    if match["part"]:
        return _PARTS[said.removesuffix(" a turn").removesuffix(" of")]
    return _degrees(match["d"])


def number(word: str) -> int:
    """ "three" or "3"."""
    return int(word) if word.isdigit() else _NUMBERS[word]


def _degrees(said: str) -> int:
    return int(said) if said.isdigit() else _DEGREES[said]
