"""Sentences as vectors, and which of them say the same.

A sentence vector is the mean of the text encoder's states over the word pieces, of
length 1. Left and right lie close together there, so two sentences say the same only if
their words for a direction are the same too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from texedo.language.encoder import TextEncoder
    from texedo.language.word_pieces import WordPiece

Float32 = NDArray[np.float32]
Int64 = NDArray[np.int64]

ALIKE = 0.95
"""Cosine of two sentence vectors from which on they say the same."""
DIRECTIONS = frozenset(
    "left right clockwise counterclockwise anticlockwise forward forwards ahead "
    "backward backwards back reverse rearward up down upward downward upwards "
    "downwards sideways not".split()
)
_OTHER_SIDE = {"left": "right", "right": "left"}
_BATCH = 64

Progress = Callable[[int, int], None]
"""Called with the number done and of all."""


def sentence_vectors(
    encoder: TextEncoder,
    words: WordPiece,
    texts: Sequence[str],
    *,
    progress: Progress = lambda done, total: None,
) -> Float32:
    """Unit vectors (N, hidden) of texts."""
    import torch

    from texedo.language.encoder import padded_ids

    ids = [words.read(text).ids for text in texts]
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    found = np.empty((len(ids), encoder.cfg.hidden_size), dtype=np.float32)
    for first in range(0, len(order), _BATCH):
        batch = order[first : first + _BATCH]
        rows = [ids[i] for i in batch]
        padded, mask = padded_ids(rows, max(map(len, rows)))
        with torch.inference_mode():
            states = encoder(padded, mask) * mask[..., None]
            mean = torch.nn.functional.normalize(states.sum(1), dim=-1)
        found[batch] = mean.numpy()
        progress(first + len(batch), len(order))
    return found


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
