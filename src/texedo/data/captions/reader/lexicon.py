"""The word lists of the reader, and a text made plain by them.

Plain text has lemmas for words, digits for numbers, no articles and no owners: "She slowly
raised both of her hands" is "she slow raise both hand". Patterns over it stay short.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from texedo.data.captions.grammar import Form, inflect

_SIDE = "left|right|both|1|either|other"
_LOOK = r"(?:raise |straight |stretch |outstretched |bend |extend )?"
_ARMS = "(?:hand|arm|fist|forearm|palm|wing|paw|claw)"
_LEGS = "(?:foot|leg|heel|toe)"
_DROPPED = frozenset("a an the his her their its your my our".split())
_FORMS: tuple[Form, ...] = ("third", "ing", "past")
_DOUBLED = re.compile(r"[^aeiou][aeiou][bdgklmnprt]$")


def _load(name: str) -> dict[str, Any]:
    text = (files(__package__) / f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


_WORDS = _load("words")
_ACTIONS = _load("actions")
ACTIONS: tuple[str, ...] = tuple(_ACTIONS["order"]["names"])
"""Everything that a clause may ask for and that may be measured."""
PLAIN = frozenset(_WORDS["plain"].split())
"""Words that say nothing measurable, or only repeat a verb."""


def _limb(nouns: str, *, capture: bool) -> str:
    side = f"(?:({_SIDE}) )?" if capture else f"(?:(?:{_SIDE}) )?"
    return f"{side}{_LOOK}{nouns}"


def _compiled(pattern: str, *, capture: bool = False) -> re.Pattern[str]:
    for name, nouns in (("ARMS", _ARMS), ("LEGS", _LEGS)):
        pattern = pattern.replace(name, nouns)
    for name, nouns in (("ARM", _ARMS), ("LEG", _LEGS), ("KNEE", "knee")):
        pattern = pattern.replace(name, _limb(nouns, capture=capture))
    pattern = pattern.replace("~", r"(?: \w+){0,3}?")
    return re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])")


IDIOMS = tuple(
    (_compiled(pattern, capture=True), new) for pattern, new in _ACTIONS["idioms"]
)
PATTERNS: tuple[tuple[str, tuple[re.Pattern[str], ...]], ...] = tuple(
    (name, tuple(_compiled(p) for p in _ACTIONS["actions"][name])) for name in ACTIONS
)
LIMB_SIDE = re.compile(
    rf"\b({_SIDE}) {_LOOK}(?:{_ARMS}|{_LEGS}|knee|hip|shoulder|side of)\b"
)


def _forms(verb: str) -> set[str]:
    """All forms, and some that do not exist."""
    found = {inflect(verb, form) for form in _FORMS}
    stem = verb[:-1] if verb.endswith("e") else verb
    found |= {stem + "ing", stem + "ed", verb + "s", verb + "es"}
    if _DOUBLED.search(verb):
        found |= {verb + verb[-1] + "ing", verb + verb[-1] + "ed"}
    return found


@cache
def _lemmas() -> dict[str, str]:
    lemmas: dict[str, str] = {}
    for verb in _WORDS["verbs"].split():
        lemmas |= dict.fromkeys(_forms(verb), verb)
    for noun in _WORDS["nouns"].split():
        lemmas[noun + "s"] = noun
        lemmas[noun + "es"] = noun
    for limb in _WORDS["limbs"].split():
        lemmas[limb + "s"] = f"both {limb}"
    for base in (*_WORDS["verbs"].split(), *_WORDS["nouns"].split()):
        lemmas[base] = base
    lemmas |= {word: str(number) for word, number in _WORDS["numbers"].items()}
    lemmas |= _WORDS["irregular"]
    return lemmas


_TOKEN = re.compile(r"\d+(?:\.\d+)?|[a-z]+(?:[-'][a-z]+)*|[,;.:!?]")


def plain_text(text: str) -> str:
    """The text in lemmas; commas and stops stay as words of their own."""
    text = text.lower().replace("\u2019", "'").replace("counter-clock", "counterclock")
    text = text.replace("anti-clock", "anticlock").replace("°", " degrees")
    text = text.replace("side-step", "sidestep")
    text = re.sub(r"(\d)-(?=[a-z])", r"\1 ", text)
    text = re.sub(
        r"\b(left|right|both|one|two)-(?=(?:hand|arm|foot|leg)ed)", r"\1 ", text
    )
    text = re.sub(
        r"\b(three)-(?=quarter)|\b(half|full|quarter)-(?=turn)", r"\1\2 ", text
    )
    text = re.sub(r"\b(?:in|into) circles\b", "around_around", text)
    text = text.replace("around_around", "around and around")
    lemmas = _lemmas()
    words = [w for w in _TOKEN.findall(text) if w not in _DROPPED]
    plain = " ".join(lemmas.get(w, w.removesuffix("'s")) for w in words)
    plain = re.sub(r"\b(both|left|right|2) (?:of )?both\b", r"\1", plain)
    plain = re.sub(rf"\b2 (?={_ARMS}|{_LEGS}|knee)", "both ", plain)
    for pattern, new in IDIOMS:
        plain = " ".join(pattern.sub(new, plain).split())
    return plain
