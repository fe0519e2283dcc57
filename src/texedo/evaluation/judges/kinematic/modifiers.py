"""Words that say how an action is done: limb, direction, angle, number, height, pace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_ARM = frozenset(
    "hand arm fist elbow wrist paw wing palm forearm glove shoulder".split()
)
_LEG = frozenset("leg foot knee heel toe thigh ankle".split())
_SIDES = {"left": "left", "right": "right", "leftward": "left", "rightward": "right"}
_ROUND = {"clockwise": "right", "counterclockwise": "left", "anticlockwise": "left"}
_WAYS = {
    "forward": "forward", "ahead": "forward", "onward": "forward",
    "backward": "backward", "rearward": "backward", "reverse": "backward",
    "rear": "backward", "sideways": "side", "aside": "side", "laterally": "side",
}  # fmt: skip
_ADJECTIVES = frozenset(
    "quick fast slow small big large little tiny huge sharp deep wide high long short "
    "low slight brisk lively full straight outstretched raised lower upper own".split()
)
_NUMBERS = {
    word: str(n)
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {str(n): str(n) for n in range(31)}
_TIMES = {"once": "1", "twice": "2", "thrice": "3"}
_SEVERAL = frozenset("several few repeatedly multiple many repeat".split())
_DEGREES = {
    "forty five": 45.0, "forty five degree": 45.0, "ninety": 90.0, "ninety degree": 90.0,
    "hundred eighty": 180.0, "one eighty": 180.0, "three sixty": 360.0,
    "two seventy": 270.0, "right angle": 90.0, "one hundred eighty": 180.0,
    "hundred and eighty": 180.0, "one hundred and eighty": 180.0, "thirty degree": 30.0,
    "sixty degree": 60.0, "hundred twenty": 120.0,
}  # fmt: skip
_FRACTIONS = {
    r"three quarter": 270.0, r"quarter": 90.0, r"half (?:a )?(?:turn|circle|spin|rotation|pivot)": 180.0,
    r"half (?:around|round)": 180.0, r"halfway (?:around|round)": 180.0, r"eighth": 45.0,
    r"(?:full|complete|whole|entire|single) (?:turn|circle|spin|rotation|revolution|loop|pirouette|round)": 360.0,
    r"all the way (?:around|round)": 360.0, r"all (?:around|round)": 360.0,
    r"(?:the )?other way": 180.0, r"semicircle": 180.0,
}  # fmt: skip
_LEVELS = {
    r"overhead": "overhead", r"(?:above|over) (?:their |the )?head": "overhead",
    r"(?:to |at )?head (?:height|high|level)": "head", r"beside their head": "head",
    r"shoulder (?:height|high|level)": "shoulder", r"to their shoulder": "shoulder",
    r"chest (?:height|high|level)": "chest", r"waist (?:height|high|level)": "waist",
}  # fmt: skip
_FAST = frozenset(
    "quickly quick fast rapidly rapid hurriedly hurry brisk briskly swiftly swift "
    "energetically frantically speedily lively abruptly vigorously suddenly".split()
)
_SLOW = frozenset(
    "slowly slow leisurely unhurried unhurriedly gradually sluggishly wearily "
    "lazily slowing carefully cautiously gentle gently".split()
)
_SMALL = frozenset(
    "small tiny little slight slightly short barely minor shallow".split()
)
_LARGE = frozenset("big large huge wide long deep deeply giant exaggerated far".split())
_BENDS = [[word] for word in ("turn", "rotation", "arc", "loop", "curve", "bend")]
"""A left-hand turn is no business of the hand."""
_TOWARD = frozenset(
    "to toward on from at of in into off facing face onto over through".split()
)
"""Before "the left": a direction."""
_FIRST = frozenset("first lead leading start begin".split())
"""Near a foot: the one that goes first."""
_PLACE = r"(?:in place|on the spot|on (?:one|the same) spot|in (?:one|the same) place|without (?:move|walk|travel|go|step)(?: \w+)?|where they be)"


class Modifier(NamedTuple):
    """Something said of an action."""

    kind: str
    """limb, lead, side, both, way, angle, count, several, metres, level, pace, size, place."""
    value: str
    at: int
    """Its first word."""
    end: int
    """The word after its last."""
    attributive: bool = False
    """It may stand before the word that it speaks of."""
    toward: bool = False
    """A side with a word such as "to" before it: a direction, never a limb."""


def find_modifiers(words: list[str]) -> Iterator[Modifier]:
    """All of them, in any order."""
    for i, word in enumerate(words):
        yield from _one(words, i, word)
    yield from _phrases(words)


def _one(words: list[str], i: int, word: str) -> Iterator[Modifier]:
    if word in _SIDES:
        yield _sided(words, i, _SIDES[word])
    elif word in _ROUND:
        yield Modifier("side", _ROUND[word], i, i + 1, True)
    elif word in _WAYS:
        yield Modifier("way", _WAYS[word], i, i + 1)
    elif word == "straight" and words[i + 1 : i + 2] not in (["up"], ["out"], ["arm"]):
        yield Modifier("straight", "straight", i, i + 1)
    elif word == "both":
        limb = _limb_after(words, i)
        yield Modifier("limb", f"both {limb or 'arm'}", i, i + 1)
    elif word in ("alternately", "alternate"):
        yield Modifier("limb", "both any", i, i + 1, True)
    elif word in _TIMES and words[i + 1 : i + 2] not in (["more"], ["again"]):
        yield Modifier("count", _TIMES[word], i, i + 1)
    elif word == "half" and words[i + 1 : i + 3] == ["a", "metre"]:
        yield Modifier("metres", "0.5", i, i + 3)
    elif "." in word and words[i + 1 : i + 2] == ["metre"]:
        yield Modifier("metres", word, i, i + 2)
    elif word in _NUMBERS:
        yield from _numbered(words, i, _NUMBERS[word])
    elif word in _SEVERAL and "second" not in words[i : i + 2]:
        yield Modifier("several", word, i, i + 1, True)
    elif word == "couple" and "second" not in words[i : i + 3]:
        yield Modifier("several", word, i, i + 1, True)
    for name, group in (("fast", _FAST), ("slow", _SLOW)):
        if word in group and words[max(i - 1, 0)] != "without":
            yield Modifier("pace", name, i, i + 1, True)
    if word == "hurry" and i and words[i - 1] == "without":
        yield Modifier("pace", "slow", i, i + 1)
    for name, group in (("small", _SMALL), ("large", _LARGE)):
        if word in group:
            yield Modifier("size", name, i, i + 1, True)


def _sided(words: list[str], i: int, side: str) -> Modifier:
    """Of a limb, or a direction."""
    limb = _limb_after(words, i)
    after = _after(words, i)
    if limb is None and words[i + 1 : i + 2] in (["and"], ["or"]):
        if words[i + 2 : i + 3] in (["left"], ["right"]):
            # "The left and right leg": both have the noun.
            limb, after = _limb_after(words, i + 2), i
    if words[max(i - 2, 0) : i] in (["over", "the"], ["over", "their"]):
        if words[i + 1 : i + 2] == ["shoulder"]:
            return Modifier("side", side, i, i + 2, False, True)
    if limb is not None and words[after + 1 : after + 2] not in _BENDS:
        first = bool(_FIRST & set(words[max(i - 4, 0) : after + 2]))
        kind = "lead" if first and limb == "leg" else "limb"
        return Modifier(kind, f"{side} {limb}", i, after + 1)
    lead = i - 1
    while lead >= 0 and words[lead] in ("the", "their", "a", "an"):
        lead -= 1
    before = words[lead] if lead >= 0 else ""
    named = lead < i - 1 and words[i - 1] in ("the", "their")
    article = words[max(i - 1, 0)] in ("a", "an")
    if (before in ("with", "use") and not article) or words[i + 1 : i + 2] == [
        "handed"
    ]:
        return Modifier("limb", f"{side} any", i, i + 1)
    if named and before not in _TOWARD and words[i + 1 : i + 2] not in _BENDS:
        # "The left arm, then the right": the noun is that of the one before.
        if words[i + 1 : i + 2] != ["side"]:
            return Modifier("limb", f"{side} {_limb_before(words, i)}", i, i + 1)
    return Modifier("side", side, i, i + 1, True, before in _TOWARD)


def _limb_before(words: list[str], i: int) -> str:
    """The limb that was spoken of last; any if none was."""
    for word in reversed(words[:i]):
        if word in _ARM or word in _LEG:
            return "arm" if word in _ARM else "leg"
    return "any"


def _after(words: list[str], i: int) -> int:
    """The next word that is no adjective."""
    k = i + 1
    while k < len(words) and words[k] in _ADJECTIVES:
        k += 1
    return k


def _limb_after(words: list[str], i: int) -> str | None:
    k = _after(words, i)
    if k >= len(words):
        return None
    if words[k] == "of" or words[k] in ("their", "the"):
        k += 1
    word = words[k] if k < len(words) else ""
    return "arm" if word in _ARM else "leg" if word in _LEG else None


def _numbered(words: list[str], i: int, number: str) -> Iterator[Modifier]:
    following = words[i + 1] if i + 1 < len(words) else ""
    if words[i + 1 : i + 4] == ["and", "a", "half"]:
        if words[i + 4 : i + 5] in (["turn"], ["time"], ["rotation"], ["round"]):
            yield Modifier("angle", str(360 * int(number) + 180), i, i + 5)
        elif words[i + 4 : i + 5] == ["metre"]:
            yield Modifier("metres", f"{number}.5", i, i + 5)
        return
    if i and words[i - 1] in ("left", "right", "the", "other", "no", "figure", "a"):
        return
    if following == "degree":
        yield Modifier("angle", number, i, i + 2)
    elif following in ("metre", "m"):
        yield Modifier("metres", number, i, i + 2)
    elif following in ("second", "hundred", "eighty", "sixty", "seventy"):
        return
    elif following in _ARM | _LEG or following in ("side", "spot", "place", "another"):
        return
    elif following in ("quarter", "side", "people", "eighty"):
        return
    elif following == "time":
        yield Modifier("count", number, i, i + 2)
    elif number != "0":
        yield Modifier("count", number, i, i + 1, True)


def _phrases(words: list[str]) -> Iterator[Modifier]:
    """Those of several words."""
    text = " " + " ".join(words)
    rows: list[tuple[str, str, str]] = [("place", "place", _PLACE)]
    rows += [("level", level, pattern) for pattern, level in _LEVELS.items()]
    angles = {**_DEGREES, **_FRACTIONS}
    rows += [("angle", f"{value:g}", pattern) for pattern, value in angles.items()]
    seen: set[int] = set()
    for kind, value, pattern in sorted(rows, key=lambda row: -len(row[2])):
        for match in re.finditer(rf" {pattern}(?= |$)", text):
            first = text[: match.start()].count(" ")
            last = text[: match.end()].count(" ")
            if {"more", "less"} & set(words[max(first - 3, 0) : first]):
                continue  # "More than a quarter" is no angle.
            if not seen & set(range(first, last)):
                seen |= set(range(first, last))
                yield Modifier(kind, value, first, last, kind == "angle")
    for match in re.finditer(r" (\d{2,3})(?: degree)?(?= |$)", text):
        first = text[: match.start()].count(" ")
        if int(match[1]) >= 30 and first not in seen:
            yield Modifier("angle", match[1], first, first + 1, True)
