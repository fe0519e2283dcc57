"""All sentences of a training run: the true ones, other wordings, and false ones.

Every sentence has a number. Tables say which other sentences mean the same, which are
false where it is true, and which one is true of the mirrored motion.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.pool import map_unordered
from texedo.data.captions.choice import Choice
from texedo.data.captions.contrary import contraries, names_a_side
from texedo.data.captions.paraphrase import paraphrases
from texedo.data.captions.sides import swap_sides
from texedo.language.normal import normalize

REWORDED, FALSE = 2, 4
"""At most so many other wordings and false sentences of each."""
STATING = frozenset(("order", "count", "angle", "negation"))
"""Changes that are learnt slowly, for few sentences can be changed so."""
_CHUNK = 2000
_TIMED = re.compile(
    r"\b(forwards?|ahead|backwards?|then|before|after(?:wards?)?|first|finally|followed)\b"
    r"|\b(?:turn|spin|spun|rotat|pivot|veer|circl)\w*\b.*\b(?:left|right|\w*clockwise)\b"
)
"""A motion played backwards goes the other way round, and ends where it began."""
_BOTH_WAYS = re.compile(r"\bback\b|\bforth\b|\breturn|\bagain\b|\bforward.*\bbackward")
"""There and back is the same both ways."""

Int64 = NDArray[np.int64]


class Variants(NamedTuple):
    """What can be made of a sentence."""

    reworded: tuple[str, ...]
    false: tuple[tuple[str, str], ...]
    """Kind of the change and the sentence."""


class Texts:
    """Numbered sentences with their tables."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._number: dict[str, int] = {}
        self.false_kinds: dict[int, list[tuple[str, int]]] = {}
        self._reworded: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self.all)

    def add(self, text: str) -> int:
        """The number of a sentence, a new one if need be."""
        number = self._number.setdefault(text, len(self.all))
        if number == len(self.all):
            self.all.append(text)
        return number

    def vary(self, texts: Iterable[str], *, seed: int, workers: int | None) -> None:
        """Add variants of sentences that are there, on several processes."""
        wanted = list(dict.fromkeys(texts))
        chunks = [
            (i, wanted[i : i + _CHUNK], seed) for i in range(0, len(wanted), _CHUNK)
        ]
        found: dict[int, list[Variants]] = {}
        few = len(wanted) < 2 * _CHUNK
        for start, made in map_unordered(
            _vary_chunk, chunks, workers=1 if few else workers
        ):
            found[start] = made
        for start, chunk, _ in chunks:
            for text, variants in zip(chunk, found[start], strict=True):
                number = self.add(text)
                self._reworded[number] = [self.add(t) for t in variants.reworded]
                self.false_kinds[number] = [
                    (kind, self.add(t)) for kind, t in variants.false
                ]

    def reworded_table(self) -> Int64:
        """Numbers of other wordings, (texts, REWORDED); the own number where there are
        fewer."""
        table = np.repeat(np.arange(len(self.all))[:, None], REWORDED, axis=1)
        for number, others in self._reworded.items():
            for k in range(REWORDED):
                if others:
                    table[number, k] = others[k % len(others)]
        return table

    def false_table(self) -> Int64:
        """Numbers of false sentences, (texts, FALSE), -1 where there are fewer."""
        table = np.full((len(self.all), FALSE), -1, dtype=np.int64)
        for number, others in self.false_kinds.items():
            for k, (_, other) in enumerate(others[:FALSE]):
                table[number, k] = other
        return table

    def mirror_table(self) -> Int64:
        """Number of the sentence about the mirrored motion, (texts,); adds them."""
        numbers = [self.add(swap_sides(text)) for text in list(self.all)]
        # What was added by this is the mirror image of what it was made of.
        table = np.arange(len(self.all))
        table[: len(numbers)] = numbers
        for number, other in enumerate(numbers):
            if other >= len(numbers):
                table[other] = number
        return table

    def normalized(self, *, workers: int | None) -> list[str]:
        """All sentences in one form, (texts,); on several processes if there are many."""
        return self._each(_normal_chunk, workers)

    def sided(self, *, workers: int | None) -> NDArray[np.bool_]:
        """Sentences that are false of the mirrored motion, (texts,); of the others with a
        side in them, such as "left and right", nobody can tell."""
        return np.array(self._each(_sided_chunk, workers), dtype=np.bool_)

    def stating(self) -> NDArray[np.bool_]:
        """Sentences with an order, a count, an angle or a refusal in them, (texts,)."""
        found = np.zeros(len(self.all), dtype=np.bool_)
        for number, others in self.false_kinds.items():
            found[number] = any(kind in STATING for kind, _ in others)
        return found

    def _each(self, of_chunk: Callable[..., Any], workers: int | None) -> list[Any]:
        """What a function says of chunks of sentences, one after the other, (texts,)."""
        size = 10 * _CHUNK
        chunks = [(i, self.all[i : i + size]) for i in range(0, len(self.all), size)]
        few = len(chunks) < 2
        found = dict(map_unordered(of_chunk, chunks, workers=1 if few else workers))
        return [one for start, _ in chunks for one in found[start]]

    def timed(self) -> NDArray[np.bool_]:
        """Sentences that a motion played backwards may not show, (texts,)."""
        return np.array([is_timed(text.lower()) for text in self.all])


def _normal_chunk(start: int, texts: Sequence[str]) -> tuple[int, list[str]]:
    return start, [normalize(text) for text in texts]


def _sided_chunk(start: int, texts: Sequence[str]) -> tuple[int, list[bool]]:
    return start, [names_a_side(text.lower()) for text in texts]


def is_timed(text: str) -> bool:
    """Whether a motion that shows it does not show it when it is played backwards."""
    return bool(_TIMED.search(text)) and not _BOTH_WAYS.search(text)


def _vary_chunk(
    start: int, texts: Sequence[str], seed: int
) -> tuple[int, list[Variants]]:
    return start, [variants_of(text, seed) for text in texts]


def variants_of(text: str, seed: int) -> Variants:
    """Other wordings and false sentences, kinds taking turns."""
    choice = Choice(seed, "variants", text)
    reworded = paraphrases(text, number=REWORDED, choice=choice)
    by_kind: dict[str, list[str]] = {}
    for contrary in contraries(text):
        by_kind.setdefault(contrary.kind, []).append(contrary.text)
    false: list[tuple[str, str]] = []
    kinds = choice.shuffled(sorted(by_kind))
    while len(false) < FALSE and kinds:
        for kind in list(kinds):
            options = by_kind[kind]
            false.append((kind, options.pop(int(choice.one(range(len(options)))))))
            if not options:
                kinds.remove(kind)
    return Variants(tuple(reworded), tuple(false[:FALSE]))
