"""Sentences as vectors: the mean of the text encoder's states over the word pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from texedo.language.encoder import TextEncoder
    from texedo.language.word_pieces import WordPiece

Float32 = NDArray[np.float32]
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
