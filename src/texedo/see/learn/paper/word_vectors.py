"""Lexicon, vocabulary and word vectors, all from the training captions themselves.

No vectors of others are used. Half of a word's vector tells which words it stands
beside: the singular vectors of the positive pointwise mutual information, counted within
five words and weighted by one over the distance. The other half is its own, drawn at
random: by their company alone "left" and "right" would be one word, for each caption is
there mirrored too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from texedo.data.captions.tagging import tag_tokens
from texedo.see.semantics.paper.words import SPECIAL, Words, classify, words_of

WINDOW = 5
"""Words to either side that count as company."""
ENOUGH = 20
"""Tagged occurrences of a word after which no caption is tagged for its sake."""
LENGTH = 5.0
"""Of a word vector, about that of GloVe's."""
_CONTEXT_POWER = 0.75
"""Evens out the frequencies of the company, so that rare words do not rule."""

Lexicon = dict[str, tuple[str, str]]
Float32 = NDArray[np.float32]
Tag = Callable[[str], Sequence[str]]
"""A sentence to "lemma/POS" of its alphabetic words."""


def make_lexicon(captions: Iterable[str], tag: Tag = tag_tokens) -> Lexicon:
    """Lemma and most frequent part of speech of each word of the captions."""
    seen: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for caption in captions:
        words = [word for word in words_of(caption) if word.isalpha()]
        if all(seen[word].total() >= ENOUGH for word in words):
            continue
        # Read as the tagger does: with the commas, which tell it where a clause ends.
        tokens = tag(caption)
        if len(tokens) != len(words):
            continue  # A small number that is a word here.
        for word, token in zip(words, tokens, strict=True):
            lemma, _, pos = token.rpartition("/")
            seen[word][lemma, classify(lemma, pos)] += 1
    # Of equally frequent ones the first in the alphabet, whatever the order of captions.
    return {
        word: min(counts, key=lambda entry: (-counts[entry], entry))
        for word, counts in sorted(seen.items())
        if counts
    }


def make_words(
    captions: Iterable[str],
    lexicon: Mapping[str, tuple[str, str]],
    *,
    min_count: int,
) -> Words:
    """A vocabulary of the lemmas that are in at least `min_count` captions."""
    bare = Words(SPECIAL, lexicon)
    counts: Counter[str] = Counter()
    for caption in captions:
        counts.update({bare.entry(word)[0] for word in words_of(caption)})
    kept = sorted(lemma for lemma, count in counts.items() if count >= min_count)
    return Words((*SPECIAL, *kept), lexicon)


def make_vectors(
    words: Words, captions: Iterable[str], *, size: int = 300, seed: int = 0
) -> Float32:
    """A vector (V, size) for each word of the vocabulary."""
    company = _by_company(_co_occurrence(words, captions), size)
    own = np.random.default_rng(seed).normal(size=company.shape)
    both = _unit(company) + _unit(own)
    return np.asarray(LENGTH * _unit(both), dtype=np.float32)


def _co_occurrence(words: Words, captions: Iterable[str]) -> NDArray[np.float64]:
    """How often two words are near each other, (V, V)."""
    counts = np.zeros((len(words), len(words)))
    for caption in captions:
        row = words.read(caption).words
        for distance in range(1, min(WINDOW + 1, len(row))):
            np.add.at(counts, (row[:-distance], row[distance:]), 1.0 / distance)
    return counts + counts.T


def _by_company(counts: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    total = max(counts.sum(), 1.0)
    row = counts.sum(axis=1, keepdims=True) / total
    column = row.T**_CONTEXT_POWER
    column /= max(column.sum(), 1e-12)
    expected = np.maximum(row * column, 1e-30)
    ratio = np.where(counts > 0, counts / total / expected, 1.0)
    left, values, _ = np.linalg.svd(np.maximum(np.log(ratio), 0.0))
    found = (left * np.sqrt(values))[:, :size]
    return np.pad(found, ((0, 0), (0, size - found.shape[1])))


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    norm = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(norm, 1e-12))
