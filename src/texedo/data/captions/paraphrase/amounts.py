"""Counts and angles in other words: "90 degrees" is "a quarter turn"."""

from __future__ import annotations

import re

from texedo.data.captions.choice import Choice
from texedo.data.captions.grammar import Form, inflect, number_word, times_word
from texedo.data.captions.quantities import Quantity, number, quantities

_CHANCE = 0.6
"""How often an amount is put in other words: a paraphrase need not change them all."""
_TURNED: dict[int, tuple[str, ...]] = {
    45: ("an eighth of a turn",),
    90: ("a quarter turn", "a quarter of a turn", "ninety degrees"),
    180: ("a half turn", "half a turn"),
    270: ("three quarters of a turn",),
    360: ("a full turn", "a full circle"),
}
_TURN = {90: "quarter", 180: "half", 270: "three-quarter", 360: "full"}
_WORDS = {45: "forty-five", 90: "ninety"}
_DIRECTLY = re.compile(r"\b(?:turn|rotat|spin|pivot)(?:s|e|es|ing|ning|)? $")
_TURNS_DIRECTLY = re.compile(r"\bturn(?:s|ing)? $")
_COUNTED = ("jump", "hop", "clap", "punch", "squat", "kick", "bow", "lunge")
_FORMS: dict[str, tuple[str, Form]] = {
    inflect(verb, form): (verb, form)
    for verb in _COUNTED
    for form in ("base", "third", "ing")
}
_WAY = r"(?: (?P<way>forwards?|backwards?|up|in place|on the spot))?"
_TIMES = r"(?P<times>once|twice|thrice|(?P<n>\w+) times|(?P<x>\d+)x)"
_DOES_IT = re.compile(
    rf"\b(?P<verb>{'|'.join(_FORMS)}){_WAY} {_TIMES}\b(?! as| a\b| more\b| in a\b)"
)
_DOES_SOME = re.compile(
    r"\b(?P<do>do|does|doing|perform|performs|performing) (?P<n>two|three|four|five|six|"
    rf"seven|eight|[2-8]) (?P<noun>{'|'.join(inflect(v, 'third') for v in _COUNTED)})\b"
)
_TAKES_STEPS = re.compile(
    r"\b(?P<verb>take|takes|taking) (?P<steps>(?:two|three|four|five|six|seven|eight|\d) "
    r"steps (?:forwards?|ahead|backwards?|straight))\b"
)


def reword_amounts(text: str, choice: Choice) -> str:
    """The sentence with some of its counts and angles put another way."""
    if " steps" in text and choice.chance(0.4):
        text = _TAKES_STEPS.sub(_walks, text)
    if choice.chance(0.5):
        text, changed = _DOES_IT.subn(_does_some, text)
        text = text if changed else _DOES_SOME.sub(_does_it, text)
    for found in reversed(quantities(text)):
        if choice.chance(_CHANCE):
            ways = _ways(found, text)
            if ways:
                text = text[: found.start] + choice.one(ways) + text[found.end :]
    return text


def _ways(found: Quantity, text: str) -> list[str]:
    value = found.value
    before = text[: found.start].lower()
    if found.kind == "times":
        return _times(value)
    if found.kind == "events":
        if value == 1:
            return [f"a single {found.noun}", f"one {found.noun}"]
        return [f"{number_word(value)} {found.noun}", f"{value} {found.noun}"]
    if found.kind == "turn" and not _DIRECTLY.search(before):
        ways = [f"a {value}-degree {found.noun}", f"a {value} degree {found.noun}"]
        return ways + ([f"a {_TURN[value]} {found.noun}"] if value in _TURN else [])
    if found.kind == "around":
        return ["around", "180 degrees", "halfway around", "180°", "half around"]
    if text[found.start : found.end].endswith("circle") and not found.turning:
        return []
    ways = [f"{value} degrees", f"{value}°", f"{value} deg"]
    if value in _WORDS:
        ways.append(f"{_WORDS[value]} degrees")
    if found.turning and not re.search(r"\bof (?:about |roughly )?$", before):
        ways += _TURNED.get(value, ())
        if value == 180 and _TURNS_DIRECTLY.search(before):
            ways.append("around")
        if value == 360 and _DIRECTLY.search(before):
            ways.append("all the way around")
    return ways


def _times(value: int) -> list[str]:
    if value == 1:
        return ["once", "one time"]
    ways = [f"{number_word(value)} times", f"{value} times", f"{value}x"]
    return ways + {2: ["twice"], 3: ["thrice"]}.get(value, [])


def _count(match: re.Match[str]) -> int | None:
    word = match["n"] or match["x"]
    if word is None:
        return {"once": 1, "twice": 2, "thrice": 3}[match["times"]]
    try:
        return number(word)
    except (KeyError, ValueError):
        return None


def _does_some(match: re.Match[str]) -> str:
    """ "Jumps three times" into "does three jumps"."""
    verb, form = _FORMS[match["verb"]]
    count = _count(match)
    if count is None:
        return match.group()
    noun = verb if count == 1 else inflect(verb, "third")
    way = f" {match['way']}" if match["way"] else ""
    some = "one" if count == 1 else number_word(count)
    return f"{inflect('do', form)} {some} {noun}{way}"


def _does_it(match: re.Match[str]) -> str:
    """ "Does three jumps" into "jumps three times"."""
    verb, _ = _FORMS[match["noun"]]
    does = match["do"]
    form: Form = "ing" if does.endswith("ing") else "base"
    form = "third" if does in ("does", "performs") else form
    return f"{inflect(verb, form)} {times_word(number(match['n']))}"


def _walks(match: re.Match[str]) -> str:
    walk = {"take": "walk", "takes": "walks", "taking": "walking"}[match["verb"]]
    return f"{walk} {match['steps']}"
