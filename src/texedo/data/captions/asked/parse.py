"""What a sentence asks for, unit by unit, as rules that can be measured.

A sentence is cut into steps where it says "then"; a step into units, each the wording of
a request with its side and count; what is left over of a step are manners ("slowly", "on
the spot"), refusals ("without ..."), or words that nobody knows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from texedo.data.captions.activities.rules import Rule, names_of, parse
from texedo.data.captions.activities.table import Asked
from texedo.data.captions.asked.patterns import (
    best_match,
    reading_requests,
    weight_of,
)
from texedo.data.captions.asked.tokens import (
    FAST,
    SLOW,
    WORDS,
    Token,
    tokens_of,
    with_phrases,
)
from texedo.data.captions.grammar import inflect

_THEN = re.compile(
    r"[,.;]?\s*\b(?:and )?(?:then|after that|after which|afterwards|subsequently|next|"
    r"finally|followed by|before)\b,?|[.;](?=\s|$)"
)
_NOT = re.compile(
    r"\b(?:without|(?:(?:does|do|is|are|did) )?not|do ?n.?t|doesn.?t|never|instead of|"
    r"rather than)\b"
)
_MOST = 20
"""Nobody asks for more of one thing."""
_LEAST = 2.0
"""A unit whose words say less is none."""


@dataclass(frozen=True)
class Unit:
    """One thing that is asked for."""

    asked: Asked
    negated: bool = False
    words: tuple[str, ...] = ()

    @property
    def rule(self) -> Rule:
        return self.asked.bare


@dataclass(frozen=True)
class Step:
    """What is to be done at a time."""

    units: tuple[Unit, ...]
    manners: tuple[Rule, ...]
    known: float
    """Part of its words that is accounted for, by what they say."""


def steps_of(text: str) -> tuple[Step, ...]:
    """In order; steps of which nothing is known are there, without units."""
    said = with_phrases(text)
    steps = tuple(_step(part) for part in parts_of(said))
    if len(steps) > 1 and not any(step.units for step in steps):
        # "Celebrating after scoring a goal" is one thing that people do.
        whole = _step(said)
        return (whole,) if whole.units else steps
    return steps


def parts_of(text: str) -> list[str]:
    """The steps of a sentence, one after the other in time."""
    if match := _FIRST.fullmatch(text.strip(" .;")):
        earlier, later = match["one"], match["two"]
        if match["when"] == "before":
            earlier, later = later, earlier
        text = f"{earlier} then {later}"
    elif match := _PRECEDED.fullmatch(text.strip(" .;")):
        text = f"{match['two']} then {match['one']}"
    elif match := _LAST.fullmatch(text.strip(" .;")):
        text = f"{match['two']} then {match['one']}"
    steps = (step for part in _THEN.split(text) for step in _series(part.strip(" ,.;")))
    parts = [part.strip(" ,.;") for part in steps]
    return _with_verbs([part for part in parts if part])


def _series(text: str) -> list[str]:
    """ "Walks, turns and waves": three steps, for a comma stands before a verb."""
    if _AT_ONCE.search(text):
        return [text]
    first, *others = _before_verbs(text, _COMMA)
    if not others:
        return _one_after_the_other(text)
    last = _before_verbs(others[-1], _AND)
    return [first, *others[:-1], *last]


def _one_after_the_other(text: str) -> list[str]:
    """ "Turns around and walks", "walks and stops": nobody does the two at once."""
    for first, second in _NOT_AT_ONCE:
        match = re.search(rf"{first}(?P<and> and ){second}", text)
        if match is not None:
            return [text[: match.start("and")], text[match.end("and") :]]
    return [text]


_GOES = r"\b(?:walk|run|jog|step|go|march|move)(?:e?s)\b"
_TURNS = r"\b(?:turn|rotate|pivot|spin)s\b"
_BETWEEN = r"(?:(?!,| and | while | as | with ).)*"
_NOT_AT_ONCE = (
    (_TURNS + _BETWEEN, _GOES),
    (
        _GOES + _BETWEEN,
        r"(?:stops|bows|kneels|squats|crouches|turns around|turns back)\b",
    ),
)


def _before_verbs(text: str, mark: re.Pattern[str]) -> list[str]:
    """Cut at the marks that a verb follows."""
    cuts = [match for match in mark.finditer(text) if match["verb"] in _verbs()]
    starts = [0, *(match.end() for match in cuts)]
    ends = [*(match.start() for match in cuts), len(text)]
    return [text[a:b] for a, b in zip(starts, ends, strict=True)]


_COMMA = re.compile(r"\s*,\s*(?:and )?(?=(?:[a-z]+ly )?(?P<verb>[a-z]+))")
_AND = re.compile(r"\s+and (?=(?:[a-z]+ly )?(?P<verb>[a-z]+))")
_AT_ONCE = re.compile(
    r"^(?:while|as|when|with)\b|\b(?:same time|meanwhile|simultaneously)\b"
)


@cache
def _verbs() -> frozenset[str]:
    """What requests ask for, as it is told of somebody: "walks", "raises"."""
    wordings = (text for request in reading_requests() for text in request.wordings)
    found = {verb for text in wordings for verb in re.findall(r"~([a-z]+)", text)}
    return frozenset(inflect(verb, "third") for verb in found)


def says_verb(word: str) -> bool:
    """Whether it is what requests ask for, as it is told of somebody."""
    return word in _verbs()


_FIRST = re.compile(
    r"(?:shortly |right |immediately )?(?P<when>after|before) (?P<one>[^,]+), (?P<two>.+)"
)
_PRECEDED = re.compile(r"(?P<one>[^,]+?),? preceded by (?P<two>.+)")
_LAST = re.compile(
    r"(?P<one>.+?),? (?:right |shortly |immediately )?after (?P<two>\w+ing\b.+|\w+ing)"
)
_ELLIPTIC = re.compile(
    r"(?:(?:and|back|again|to|the|his|her|their|your|its|a|one|once|left|right|forwards?|"
    r"backwards?|sideways|ahead|other|way|side|up|down|twice|three|two|times|hands?|arms?|"
    r"legs?|foot|feet|knees?|with|both)[ ,]*)+"
)
_LIMB = re.compile(r"\b(?:hand|arm|leg|foot|knee)\b")
_SIDE = re.compile(r"\b(?:left|right|other)$")
_DIRECTION = re.compile(
    r"\b(?:(?:to|with) )?(?:(?:the|his|her|their|your|its) )?(?:left|right|forwards?|"
    r"backwards?|sideways|ahead|once|twice)\b.*"
)


def _with_verbs(parts: list[str]) -> list[str]:
    """ "Walks backward, then forward": the second walks too."""
    told: list[str] = []
    for part in parts:
        if told and _ELLIPTIC.fullmatch(part.strip(" ,.;")):
            limb = _LIMB.search(told[-1])
            bare = limb is not None and _LIMB.search(part) is None
            part = f"{_DIRECTION.sub('', told[-1])} {part}"
            if limb is not None and bare and _SIDE.search(part):
                part = f"{part} {limb.group()}"
        told.append(part)
    return told


def _step(text: str) -> Step:
    manners: list[Rule] = []
    head, *refused = _NOT.split(text)
    # What comes after the refusal is asked for again: "do not run, just walk".
    cut = [_AFTER_REFUSAL.split(part, maxsplit=1) for part in refused]
    head = " ".join([head, *(rest for _, *more in cut for rest in more)])
    refused = [part for part, *_ in cut]
    tokens = tokens_of(head)
    units, free = _units(tokens, negated=False)
    manners += _manners(tokens, free, units)
    weights = [weight_of(token.word) for token in tokens]
    known = sum(w for w, f in zip(weights, free, strict=True) if not f)
    total = sum(weights)
    for part in refused:
        rule = _refusal(part.strip(" ,.;"), alone=not units)
        total += _REFUSED
        if rule is not None:
            manners.append(rule)
            known += _REFUSED
            continue
        tokens = tokens_of(part)
        denied, free = _units(tokens, negated=True)
        units += denied
        known += _REFUSED * bool(denied)
    return Step(tuple(units), tuple(manners), known / total if total else 0.0)


_AFTER_REFUSAL = re.compile(r",|\b(?:but|just|only)\b")
_REFUSED = 2.5
"""What a refusal weighs."""


def _refusal(text: str, *, alone: bool) -> Rule | None:
    if alone and re.fullmatch(WORDS["nothing"], text):
        return _rule("still(0.7)")
    for pattern, rule in WORDS["refusals"]:
        if re.match(rf"(?:{pattern})\b", text):
            return _rule(rule)
    return None


def _units(tokens: list[Token], *, negated: bool) -> tuple[list[Unit], list[bool]]:
    free = [True] * len(tokens)
    found: list[Unit] = []
    while (match := best_match(tokens, free)) is not None:
        if match.weight < _LEAST and len(match.places) > 1:
            break
        for place in match.places:
            free[place] = False
        asked = _with_slots(match.pattern.asked, tokens, free, match.places)
        found.append(Unit(asked, negated, words=match.pattern.words))
    return found, free


def _with_slots(
    asked: Asked, tokens: list[Token], free: list[bool], places: tuple[int, ...]
) -> Asked:
    """With the side and the count that the words around it tell."""
    if asked.request.sided and not asked.side:
        for i, token in enumerate(tokens):
            side, _, limb = token.word.partition("_")
            taken = i in places and side == "one"
            if taken or (free[i] and side in ("left", "right", "one") and limb):
                asked = replace(asked, side=side)
                free[i] = False
                break
    if asked.request.counted and not asked.count:
        for i, token in enumerate(tokens):
            if free[i] and _is_count(tokens, i):
                asked = replace(asked, count=int(token.word))
                free[i] = False
                break
    return asked


def _is_count(tokens: list[Token], at: int) -> bool:
    """Whether a number says how often, and not for how many seconds."""
    word = tokens[at].word
    unit = tokens[at + 1].word if at + 1 < len(tokens) else ""
    return word.isdigit() and 0 < int(word) <= _MOST and not unit.startswith(_UNITS)


_UNITS = ("second", "minut", "hour", "met", "centimet", "degre", "feet")


@cache
def _rule(text: str) -> Rule:
    return parse(text)


def _manners(tokens: list[Token], free: list[bool], units: list[Unit]) -> list[Rule]:
    """Rules of words that say how; they are accounted for."""
    found: list[Rule] = []
    for i, token in enumerate(tokens):
        if free[i] and token.word in _MANNERS:
            free[i] = False
            found.append(_rule(_MANNERS[token.word][_moved(units)]))
    return found


def _moved(units: list[Unit]) -> str:
    """What a unit moves: whose speed its adverb is about."""
    for unit in units:
        names = names_of(unit.rule)
        if names & _GOING:
            return "way"
        for part, own in _PARTS.items():
            if names & own:
                return part
    return "way" if any(u.asked.request.kind in "WG" for u in units) else "hands"


_GOING = frozenset("travel walk run pace circle steps".split())
_PARTS = {
    "turn": frozenset("turn turns spins twirls pivots".split()),
    "feet": frozenset("lifts_feet high_knees stomp taps kick knee_raise".split()),
    "body": frozenset("squat bow bent low leans sways kneel rises twists".split()),
}
_MANNERS = {
    "in_plac": dict.fromkeys(("way", "turn", "feet", "body", "hands"), "stay(0.55)"),
    SLOW: {
        "way": "pace(max=0.45)",
        "turn": "slow_turn(60)",
        "feet": "slow_steps(1.6)",
        "body": "slow_body(0.3)",
        "hands": "calm_hands(0.45)",
    },
    FAST: {
        "way": "pace(min=0.62)",
        "turn": "quick_turn(110)",
        "feet": "quick_steps(2.6)",
        "body": "quick_body(0.5)",
        "hands": "quick_hands(0.9)",
    },
}
"""What a word asks for, by what is moved."""
