"""Which sentences say the same, by their vectors and by their words.

Left and right lie close together among sentence vectors (`language.vectors`), so two
sentences say the same only if their words for a direction are the same too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Int64 = NDArray[np.int64]

ALIKE = 0.95
"""Cosine of two sentence vectors from which on they say the same."""
DIRECTIONS = frozenset(
    "left right clockwise counterclockwise anticlockwise forward forwards ahead "
    "backward backwards back reverse rearward up down upward downward upwards "
    "downwards sideways not".split()
)
_OTHER_SIDE = {"left": "right", "right": "left"}


def plain(text: str) -> str:
    """The words alone: lower case, no punctuation, one space between."""
    return " ".join(re.findall(r"\w+", text.lower()))


def swap_sides(text: str) -> str:
    """The text with left and right exchanged, in small letters and capitals."""
    return re.sub(
        r"\b(left|right)\b",
        lambda word: _match_case(_OTHER_SIDE[word[0].lower()], word[0]),
        text,
        flags=re.IGNORECASE,
    )


def _match_case(text: str, like: str) -> str:
    return text.capitalize() if like[0].isupper() else text


def sentence_keys(texts: Sequence[str]) -> Int64:
    """A number (N,) for each text: the same for the same words."""
    return _keys([plain(text) for text in texts])


def direction_keys(texts: Sequence[str]) -> Int64:
    """A number (N,) for each text: the same for the same words of `DIRECTIONS`."""
    return _keys(
        [" ".join(w for w in plain(t).split() if w in DIRECTIONS) for t in texts]
    )


def _keys(texts: Sequence[str]) -> Int64:
    # A hash and not a count: keys of separate calls compare.
    digests = [hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts]
    return np.array(
        [int.from_bytes(digest, "little", signed=True) for digest in digests],
        dtype=np.int64,
    )


def say_the_same(
    texts: Sequence[str], vectors: NDArray[np.floating]
) -> NDArray[np.bool_]:
    """Which pairs of texts say the same, (N, N)."""
    words, ways = sentence_keys(texts), direction_keys(texts)
    near = (vectors @ vectors.T > ALIKE) & (ways[:, None] == ways)
    return np.asarray(near | (words[:, None] == words))
