"""What can be measured, made false: sides, directions, counts, angles, speeds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texedo.data.captions.banks import load_tables
from texedo.data.captions.contrary.types import END, OWN, denied
from texedo.data.captions.grammar import inflect, number_word, times_word
from texedo.data.captions.quantities import Quantity, quantities
from texedo.data.captions.readings import verb_forms
from texedo.data.captions.sides import swap_sides

_ANY_SIDE = re.compile(
    r"\b(?:left|right|clockwise|(?:counter|anti)[- ]?clockwise)", re.I
)
_SAME_MIRRORED = re.compile(
    r"\b(?:alternat\w+|in turn|each|either|sides?|every|mirror\w*|taking turns|by turns|"
    r"switch\w*|opposite)\b"
    r"|\bleft(?:\W+\w+){0,2}?\W+right\b|\bright(?:\W+\w+){0,2}?\W+left\b"
    r"|\b(?:one|the other) (?:and|then) (?:the )?other\b"
    r"|\b(left|right)\b.*\b(?!\1)(left|right)\b.*\b\1\b.*\b\2\b",
    re.I,
)
"""What may be true of the mirror image as well."""


def names_a_side(text: str) -> bool:
    """Whether what is true of a motion is false of its mirror image.

    Not where nothing has a side, and not where it may be true of both: "turns left and
    right", "without turning left".
    """
    match = _ANY_SIDE.search(text)
    if match is None or _SAME_MIRRORED.search(text) or denied(text, match.start()):
        return False
    return swap_sides(text) != text


def sides(text: str) -> Iterator[str]:
    """Everything on the other side."""
    if names_a_side(text):
        yield swap_sides(text)


_BACK = re.compile(r"\b(?:back\w*|reverse\w*|retreat\w*|forth|fro)\b")
_FRONT = re.compile(r"\b(?:forwards?|ahead|advanc\w+|forth)\b")
_FORWARD = re.compile(r"\b(?:forward|forwards|ahead)\b(?! of\b| to it\b| at\b)")
_NOT_FORWARD = re.compile(
    r"\b(?:look\w*|star(?:es|ing|e)|fac(?:e|es|ing)|gaz\w+|point\w*|hunch\w*|stoop\w*|"
    r"bow\w*|fold\w*|slump\w*|doubl\w+|head|arms?|hands?|paws|eyes|reach\w*|held|"
    r"stretch\w*|extend\w*|wav\w+)(?: [a-z]+){0,3} $"
)
"""Ways in which nobody goes forward."""
_BACKWARD = re.compile(
    r"\b(?P<back>backwards?|rearward|in reverse)\b(?! and)"
    r"|(?P<off>\bback(?P<form>s|ing) (?:up|away|off)\b)"
    r"|(?<=\bstep )(?P<a>back)\b|(?<=\bsteps )(?P<b>back)\b|(?<=\bstepping )(?P<c>back)\b"
    r"|(?<=\bjump )(?P<d>back)\b|(?<=\bjumps )(?P<e>back)\b|(?<=\bjumping )(?P<f>back)\b"
)
_RETURN = re.compile(
    r" (?:to|up|down|into|onto|in|on|where|toward|towards|and forth|the other way)\b"
)
_SIDEWAYS = re.compile(
    r"(?<!turns )(?<!turn )(?<!turning )(?<!face )(?<!facing )(?<!leg )(?<!foot )"
    r"(?<!arm )(?<!arms )(?<!lean )(?<!leans )(?<!leaning )(?<!straight )\bsideways(?: to (?:the|his|her|their|its|your) (?:left|right)| left| right)?\b"
    r"|(?<=\bjump )to the (?:left|right)\b|(?<=\bjumps )to the (?:left|right)\b"
    r"|(?<=\bjumping )to the (?:left|right)\b|(?<=\bhops )to the (?:left|right)\b"
    r"|(?<=\bsteps )to the (?:left|right)\b|(?<=\bstep )to the (?:left|right)\b"
)


def directions(text: str) -> Iterator[str]:
    """Back for forward, forward for back or sideways."""
    if (match := _FORWARD.search(text)) and not _BACK.search(text):
        before = text[: match.start()]
        if not _NOT_FORWARD.search(before) and not denied(text, match.start()):
            s = "s" if match.group() == "forwards" else ""
            yield f"{before}backward{s}{text[match.end() :]}"
        return
    if _FRONT.search(text):
        return
    if match := _BACKWARD.search(text):
        if denied(text, match.start()) or _RETURN.match(text, match.end()):
            return
        forward = "forward"
        if match["off"]:
            forward = ("walks" if match["form"] == "s" else "walking") + " forward"
        yield f"{text[: match.start()]}{forward}{text[match.end() :]}"
    elif match := _SIDEWAYS.search(text):
        if not denied(text, match.start()):
            yield f"{text[: match.start()]}straight forward{text[match.end() :]}"


_OTHER_COUNT = {1: 3, 2: 4, 3: 5, 4: 2, 5: 3, 6: 3}
_ONLY = re.compile(r"\b(?:last|final|single|other|first|right|left|full|half)\b")


def counts(text: str) -> Iterator[str]:
    """Another number, two off or more."""
    for found in quantities(text):
        if found.kind not in ("times", "events") or found.hedged or found.value < 1:
            continue
        if denied(text, found.start) or (found.value == 1 and _ONLY.search(found.noun)):
            continue
        other = _OTHER_COUNT.get(found.value, 4)
        yield text[: found.start] + _counted(found, other, text) + text[found.end :]


def _counted(found: Quantity, other: int, text: str) -> str:
    said = text[found.start : found.end]
    if found.kind == "times":
        if said.endswith("x"):
            return f"{other}x"
        return f"{other} times" if found.digits else times_word(other)
    noun = found.noun
    if found.value == 1:
        noun = inflect(noun, "third")  # the plural of these nouns is made alike
    return f"{other if found.digits else number_word(other)} {noun}"


_PART = {90: "a quarter of a turn", 180: "half a turn", 270: "three quarters of a turn"}
_FRACTION = {90: "quarter", 180: "half", 270: "three-quarter"}
_ABOUT_FACE = re.compile(r"\b(?:about-face|about-turn|about turn|u-turn)\b", re.I)


def angles(text: str) -> Iterator[str]:
    """Another angle, at least a quarter turn away."""
    for found in quantities(text):
        if (
            found.kind in ("times", "events")
            or found.hedged
            or denied(text, found.start)
        ):
            continue
        said = text[found.start : found.end].lower()
        if not found.turning and "circle" not in said:
            continue
        yield text[: found.start] + _turned(found, said) + text[found.end :]
    if (match := _ABOUT_FACE.search(text)) and not denied(text, match.start()):
        yield f"{text[: match.start()]}quarter turn{text[match.end() :]}"


def _turned(found: Quantity, said: str) -> str:
    value = found.value
    other = 180 if value <= 67 or value > 315 else 270 if value <= 135 else 90
    if found.kind == "around":
        return "a quarter turn"
    if "circle" in said:
        return "a full circle" if "half" in said else "a half circle"
    if found.kind == "turn":
        if found.digits:
            return f"a {other} degree {found.noun}"
        return f"a {_FRACTION[other]} {found.noun}"
    if said.endswith("turn"):
        return _PART[other]
    return f"{other} degrees"


_SPEED: dict[str, str] = load_tables("contrary")["speed"]
_SPEEDS = re.compile(
    rf"\b(?:{'|'.join(_SPEED)})\b(?! down| to a| motion)(?!-)|\bin slow motion\b"
)
_ENDS = re.compile(END)
_GAIT = {
    form: other
    for verb, other_verb in (("walk", "run"), ("run", "walk"), ("jog", "walk"))
    for form, other in zip(verb_forms(verb), verb_forms(other_verb), strict=True)
}
_GAITS = re.compile(
    rf"(?<!-)\b(?:{'|'.join(_GAIT)})\b(?!-)"
    rf"(?! late| through| {OWN}\b| a\b| an\b| on\b| out\b| off\b| up\b| pace| stick| motion"
    r"| style| around in place)"
)
_NAMED = re.compile(
    r"\b(?:an?|the|of|into|to|with|from|[a-z]+like|[a-z]+y|normal|first) $"
)


def speeds(text: str) -> Iterator[str]:
    """Quickly for slowly; without such a word, running for walking."""
    found = list(_SPEEDS.finditer(text))
    if len(found) == 1:
        match = found[0]
        if denied(text, match.start()) or re.search(r"\b(?:slows?|speeds?)\b", text):
            return
        other = _SPEED.get(match.group(), "quickly")  # "in slow motion" has no entry
        if not _ENDS.match(text, match.end()):  # "fast steps", but "walks fast"
            other = {"fast": "slow", "leisurely": "hurried"}.get(match.group(), other)
        yield f"{text[: match.start()]}{other}{text[match.end() :]}"
        return
    gaits = list(_GAITS.finditer(text))
    if found or len(gaits) != 1 or re.search(r"\b(?:pace|speed|slow\w*)\b", text):
        return
    match = gaits[0]
    if not denied(text, match.start()) and not _NAMED.search(text[: match.start()]):
        yield text[: match.start()] + _GAIT[match.group()] + text[match.end() :]
