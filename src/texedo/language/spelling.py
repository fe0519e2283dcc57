"""Typos in prompts, put right by the words of the captions.

A word that exists stays, be it the wrong one. One that does not becomes the nearest word
of the captions: one slip of the finger away from four letters on, two from seven on. A
slip is a letter too many, too few or another, or two letters swapped. Among several the
likelier slip wins (swapped, doubled, a neighbour on the keyboard), then the commoner word.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple

from texedo.language.vocabulary import lemmas

_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_FORMS = ("s", "es", "ed", "ing", "ly", "er")
_VOWELS = frozenset("aeiouy")

_TWO_SLIPS = 7
"""Letters from which on a word may have two."""
_SWAPPED, _DOUBLED, _NEIGHBOUR, _VOWEL, _MISSING, _FIRST = (
    0.6,
    0.5,
    0.7,
    0.85,
    0.85,
    0.3,
)
"""What slips cost where any other costs 1; `_FIRST` comes on top at the first letter."""
_SHORT, _FREQUENT = 3, 300
"""Words of three letters are too many to guess: only the commonest words are meant."""
_COMMON = 0.16
"""What ten times as common a word may cost more."""
_DOUBT = (0.8, 1.15)
"""What one and two slips may cost, less that: beyond it a rare word is more likely."""
_LONGEST = 30
"""Letters; more of them are no word."""
_JOINED, _SPLIT = 50, 100
"""How common a word is that two are joined to, or that one is split into."""


class Correction(NamedTuple):
    """What was written, and what was read."""

    given: str
    read: str


class Spelling:
    """Corrects against words with counts; `real` words are no typos either."""

    def __init__(
        self, counts: Mapping[str, int], real: Collection[str] = frozenset()
    ) -> None:
        self.counts = counts
        self._real = frozenset(word for word in real if len(word) >= 3)
        self._by_length: defaultdict[int, list[str]] = defaultdict(list)
        for word in counts:
            self._by_length[len(word)].append(word)
        self._found: dict[str, str] = {}

    def knows(self, word: str) -> bool:
        """Whether it is a word of the captions, a form of one, or one has a form of it."""
        if word in self.counts:
            return True
        word = word.removesuffix("'s")
        forms = lemmas(word)
        if len(word) > _SHORT:
            forms |= {word + ending for ending in _FORMS}
        return any(form in self.counts for form in forms)

    def exists(self, word: str) -> bool:
        """Whether it is a word at all, as far as can be told."""
        return word in self._real or self.knows(word)

    def correct(
        self, text: str, *, keep: Collection[str] = ()
    ) -> tuple[str, tuple[Correction, ...]]:
        """The text with its typos put right, and what was changed; `keep` stays."""
        text, made = self._join(text, keep)

        def spelled(match: re.Match[str]) -> str:
            word = match[0]
            better = word if word in keep else self.word(word)
            if better != word:
                made.append(Correction(word, better))
            return better

        return _TOKEN.sub(spelled, text), tuple(dict.fromkeys(made))

    def word(self, word: str) -> str:
        """The word itself if it exists or nothing is near, else what was meant."""
        if len(word) > _LONGEST or not word.isascii() or "'" in word:
            return word
        if self.exists(word):
            return word
        if word not in self._found:
            self._found[word] = self._meant(word)
        return self._found[word]

    def _meant(self, word: str) -> str:
        for shorter in _without_runs(word):
            if shorter != word and self.exists(shorter):
                return shorter
        if parts := self._parts(word):
            return parts
        return self._nearest(word)

    def _nearest(self, word: str) -> str:
        """The best word of the captions within reach, or the word."""
        slips = 2 if len(word) >= _TWO_SLIPS else 1
        best, least = word, _DOUBT[slips - 1]
        for length in range(len(word) - slips, len(word) + slips + 1):
            for other in self._by_length.get(length, ()):
                if not self._may_mean(word, other, slips):
                    continue
                slip = slip_cost(word, other)
                cost = slip.cost - _COMMON * math.log10(self.counts[other])
                # One slip is held to its own limit however long the word is.
                if slip.slips <= slips and cost < min(least, _DOUBT[slip.slips - 1]):
                    best, least = other, cost
        return best

    def _may_mean(self, word: str, other: str, slips: int) -> bool:
        """A quick look: whether so few slips could be enough."""
        if len(word) < _SHORT:
            return False
        if len(word) == _SHORT:
            longer = len(other) > _SHORT and other[0] == word[0]
            swapped = sorted(word) == sorted(other)
            return (longer or swapped) and self.counts[other] >= _FREQUENT
        return len(set(word) ^ set(other)) <= 2 * slips

    def _parts(self, word: str) -> str | None:
        """ "turn left" of "turnleft": two common words without a space."""
        found = [
            (min(self.counts[word[:i]], self.counts[word[i:]]), i)
            for i in range(3, len(word) - 2)
            if word[:i] in self.counts and word[i:] in self.counts
        ]
        common, i = max(found, default=(0, 0))
        return f"{word[:i]} {word[i:]}" if common >= _SPLIT else None

    def _join(self, text: str, keep: Collection[str]) -> tuple[str, list[Correction]]:
        """ "forward" of "for ward", where a part is no word of the captions."""
        made: list[Correction] = []
        words = text.split(" ")
        i = 0
        while i + 1 < len(words):
            first, second = words[i], words[i + 1]
            bare = second.rstrip(",.:")
            joined = first + bare
            if (
                self.counts.get(joined, 0) >= _JOINED
                and not (first in self.counts and bare in self.counts)
                and not {first, bare} & set(keep)
                and bare.isalpha()
            ):
                made.append(Correction(f"{first} {bare}", joined))
                words[i : i + 2] = [first + second]
            i += 1
        return " ".join(words), made


class Slips(NamedTuple):
    """How a word becomes another."""

    cost: float
    slips: int


def slip_cost(word: str, other: str) -> Slips:
    """The likeliest way to have meant `other`: their optimal string alignment."""
    start = Slips(0.0, 0)
    rows = [[start, *(Slips(_FIRST + j, j) for j in range(1, len(other) + 1))]]
    for i in range(1, len(word) + 1):
        row = [Slips(_FIRST + i, i)]
        for j in range(1, len(other) + 1):
            row.append(_cheapest(word, other, i, j, rows, row))
        rows.append(row)
    return rows[-1][-1]


def _cheapest(
    word: str, other: str, i: int, j: int, rows: list[list[Slips]], row: list[Slips]
) -> Slips:
    """Cost and slips of the first i letters of `word` against j of `other`."""
    a, b = word[i - 1], other[j - 1]
    if a == b:
        return rows[i - 1][j - 1]
    extra = _DOUBLED if a in (word[i - 2 : i - 1], word[i : i + 1]) else 1.0
    missing = _DOUBLED if b in (other[j - 2 : j - 1], other[j : j + 1]) else _MISSING
    ways = [
        (rows[i - 1][j], extra),
        (row[j - 1], missing),
        (rows[i - 1][j - 1], _change(a, b) + (_FIRST if i == j == 1 else 0.0)),
    ]
    if i > 1 and j > 1 and a == other[j - 2] and word[i - 2] == b:
        ways.append((rows[i - 2][j - 2], _SWAPPED))
    return min(Slips(before.cost + more, before.slips + 1) for before, more in ways)


def _change(a: str, b: str) -> float:
    if (a, b) in _NEXT_TO:
        return _NEIGHBOUR
    return _VOWEL if a in _VOWELS and b in _VOWELS else 1.0


def _neighbours() -> frozenset[tuple[str, str]]:
    at = {c: (x + y / 2, y) for y, row in enumerate(_ROWS) for x, c in enumerate(row)}
    return frozenset(
        (a, b)
        for a, (ax, ay) in at.items()
        for b, (bx, by) in at.items()
        if a != b and abs(ax - bx) <= 1 and abs(ay - by) <= 1
    )


_NEXT_TO = _neighbours()


def _without_runs(word: str) -> list[str]:
    """The word with letters that come three times or more in a row once or twice."""
    if not re.search(r"(.)\1\1", word):
        return []
    return [re.sub(r"(.)\1\1+", new, word) for new in (r"\1\1", r"\1")]
