"""Wordings of requests as patterns, and which of them are in a row of words."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from texedo.data.captions.activities.phrasing import order
from texedo.data.captions.activities.table import (
    Asked,
    Request,
    asked_of,
    load_requests,
    read_request,
)
from texedo.data.captions.asked.tokens import (
    FAST,
    LIGHT,
    LIMBS,
    PARTICLES,
    SIDES,
    SLOW,
    THINGS,
    UNREAD,
    VAGUE,
    Token,
    tokens_of,
)

_UNKNOWN = 2.5
"""Weight of a word that no wording has."""
_LIGHT = 0.3
"""Weight of a particle."""
_GAP = 5
"""Words that may stand between those of a wording."""


@dataclass(frozen=True)
class Pattern:
    """One wording of a request of one side."""

    words: tuple[str, ...]
    asked: Asked
    verbal: bool
    """It is a verb alone: no match where the word names a thing."""


@dataclass(frozen=True)
class Match:
    """A pattern in a row of words."""

    pattern: Pattern
    places: tuple[int, ...]
    weight: float
    """How much its words say."""


@cache
def reading_requests() -> tuple[Request, ...]:
    """Those that prompts are made of, and more that are only read."""
    found = {request.id: request for request in load_requests()}
    text = (files(__package__) / "more.txt").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            request = read_request(line, f"more.txt, line {number}")
            found[request.id] = request
    return tuple(found.values())


@cache
def patterns() -> tuple[Pattern, ...]:
    """Of all requests that can be measured, each once."""
    whole: dict[tuple[str, ...], Pattern] = {}
    short: dict[tuple[str, ...], Pattern] = {}
    for request in reading_requests():
        if not request.measurable or request.id in UNREAD:
            continue
        for asked in asked_of(request):
            for wording in asked.wordings:
                text = order(wording) if "~" in wording else wording
                shapes = _shapes(text.replace("{poss}", ""))
                for words in (*shapes, *_without_particles(shapes)):
                    verbal = len(words) == 1 and words[0] in THINGS
                    found = whole if words in shapes else short
                    # Of two things that are said alike the first told is meant.
                    found.setdefault(words, Pattern(words, asked, verbal))
    # "Walks three steps" is no "walks with long steps" without the "long".
    return tuple((short | whole).values())


_WITH_LIMB = re.compile(
    r" with (?:both |the |a |your )*(?:hands?|arms?|foot|feet|legs?)$"
)


def _shapes(text: str) -> list[tuple[str, ...]]:
    """The words of a wording, and without what goes without saying."""
    found = []
    for said in dict.fromkeys((text, _WITH_LIMB.sub("", text))):
        words = tuple(token.word for token in tokens_of(said))
        heavy = [word for word in words if _tells(word)]
        changed = said != text or any(word in LIGHT for word in words)
        if len(heavy) > 1 or (heavy and not (changed and _vague(heavy[0]))):
            found.append(tuple(word for word in words if word not in LIGHT))
    return found


def _without_particles(shapes: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    short = [tuple(w for w in words if w not in PARTICLES) for words in shapes]
    return [words for words in short if len(words) > 1]


def _vague(word: str) -> bool:
    """Alone, without its verb, it may be about anything."""
    return word in VAGUE or word.rpartition("_")[2] in LIMBS


def _tells(word: str) -> bool:
    if word.isdigit() or word in PARTICLES or word in SIDES or word in LIGHT:
        return False
    return word not in (FAST, SLOW)


@cache
def _weights() -> dict[str, float]:
    told: Counter[str] = Counter()
    for pattern in patterns():
        told.update(set(pattern.words))
    total = len(patterns())
    found = {word: math.log(total / count) for word, count in told.items()}
    return {word: _LIGHT if word in PARTICLES else w for word, w in found.items()}


@lru_cache(65536)
def weight_of(word: str) -> float:
    """How much a word says."""
    if word in PARTICLES or word in LIGHT:
        return _LIGHT
    return _weights().get(word, _UNKNOWN)


@cache
def _by_word() -> dict[str, tuple[Pattern, ...]]:
    """Patterns by their rarest word."""
    found: dict[str, list[Pattern]] = defaultdict(list)
    for pattern in patterns():
        found[max(pattern.words, key=weight_of)].append(pattern)
    return {word: tuple(rows) for word, rows in found.items()}


def best_match(tokens: Sequence[Token], free: Sequence[bool]) -> Match | None:
    """The pattern that accounts for most of the words that are still free."""
    best: Match | None = None
    tried: set[int] = set()
    for i, token in enumerate(tokens):
        if not free[i]:
            continue
        known = _by_word()
        word = token.word
        for pattern in (
            *known.get(word, ()),
            *known.get(word.removeprefix("one_"), ()),
        ):
            if id(pattern) in tried:
                continue
            tried.add(id(pattern))
            match = _match(pattern, tokens, free)
            if match and (best is None or _rank(match) > _rank(best)):
                best = match
    return best


def _rank(match: Match) -> tuple[float, int]:
    spread = max(match.places) - min(match.places) - len(match.places)
    return match.weight - 0.2 * spread, -len(match.pattern.words)


def _is(word: str, wanted: str) -> bool:
    """ "One hand" is any hand."""
    return word == wanted or (word == f"one_{wanted}" and wanted in LIMBS)


def _match(
    pattern: Pattern, tokens: Sequence[Token], free: Sequence[bool]
) -> Match | None:
    """All its words, in any order, not far from each other."""
    places: list[int] = []
    for word in pattern.words:
        start = places[-1] + 1 if places else 0
        later = [*range(start, len(tokens)), *range(start)]
        found = next(
            (
                i
                for i in later
                if free[i] and i not in places and _is(tokens[i].word, word)
            ),
            None,
        )
        if found is None:
            return None
        places.append(found)
    if pattern.verbal and tokens[places[0]].named:
        return None
    clauses = {tokens[place].clause for place in places}
    if len(clauses) > 1 and not SIDES.keys().isdisjoint(pattern.words):
        return None  # "Takes a step and turns right" is no step to the right.
    ordered = sorted(places)
    if any(b - a > _GAP for a, b in zip(ordered, ordered[1:], strict=False)):
        return None
    weight = sum(weight_of(word) for word in pattern.words)
    return Match(pattern, tuple(places), weight)
