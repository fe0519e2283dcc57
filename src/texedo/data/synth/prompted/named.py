"""Specs by what authored motions are called: "a half squat", "a left back kick".

The phrases that captions of authored motions are made of name more than the requests do.
A sentence and a phrase are compared by their words alone, without sides and numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from texedo.data.captions.asked.tokens import Token, tokens_of
from texedo.data.synth.author.phrases import phrases
from texedo.data.synth.author.requested import plain_specs
from texedo.data.synth.author.routines import corpus_routines
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.prompted.table import (
    MOST,
    Parts,
    counted,
    on_each_side,
    with_side,
)

ALIKE = 0.75
"""Part of their words that a sentence and a phrase must share."""
_SILENT = frozenset(("pos", "refl", "person", "someon", "man", "woman", "robot"))
_SIDES = frozenset(("left", "right", "both", "one"))
_KINDS = ("half_squat", "wide_stance")
"""Kinds that are for no request."""

Words = frozenset[str]


class Named(NamedTuple):
    """What a phrase names."""

    parts: Parts
    alike: float
    """Part of the words that sentence and phrase share."""
    words: int
    """How many the phrase has."""


def named_ways(sentence: str) -> list[Named]:
    """Specs whose phrases are like the sentence, best first."""
    tokens = tokens_of(sentence)
    words = _words(tokens)
    found: list[tuple[float, int, Spec]] = []
    for spec, own in _index():
        alike, said = max(
            ((len(p & words) / len(p | words), len(p)) for p in own), default=(0.0, 0)
        )
        if alike >= ALIKE:
            found.append((alike, said, spec))
    found.sort(key=lambda row: -row[0])
    side, count = _side(tokens), _count(tokens)
    ways: list[Named] = []
    for alike, said, spec in found:
        parts: Parts = (spec,)
        if count and not (parts := counted(parts, count)):
            continue
        ways += [Named((one,), alike, said) for one in on_each_side(parts[0], side)]
    return ways


@cache
def _index() -> tuple[tuple[Spec, tuple[Words, ...]], ...]:
    """Each spec and the words of its phrases."""
    rows = []
    for spec in _specs():
        # Phrases want a side and a number; neither is compared.
        shown = replace(spec, side="left" if "{" in spec.side else spec.side)
        own = {_words(tokens_of(text)) for text in phrases(shown)}
        rows.append((spec, tuple(own - {frozenset()})))
    return tuple(rows)


def _specs() -> Iterator[Spec]:
    for name, routine in corpus_routines().items():
        if "stand" in routine.bases:
            spec = Spec(kind="routine", way=name, count=routine.counts[0])
            yield with_side(spec)
    known = dict.fromkeys(spec for _, spec in plain_specs())
    for spec in (*known, *(Spec(kind=kind) for kind in _KINDS)):
        if spec.kind != "walk":
            yield with_side(spec)


def _words(tokens: Iterable[Token]) -> Words:
    """Without sides, numbers, and owners."""
    said = (token.word.rpartition("_")[2] for token in tokens)
    plain = (word.rstrip("e") for word in said if not word.isdigit())
    return frozenset(word for word in plain if word not in _SILENT | _SIDES)


def _side(tokens: Iterable[Token]) -> str | None:
    said = {token.word.partition("_")[0] for token in tokens} & {"left", "right"}
    return said.pop() if len(said) == 1 else None


def _count(tokens: Iterable[Token]) -> int:
    numbers = [int(token.word) for token in tokens if token.word.isdigit()]
    return numbers[0] if len(numbers) == 1 and 1 < numbers[0] <= MOST else 0
