"""Captions of all clips as word pieces on the device, and which one a clip is given.

Clips are drawn again and again in a training run; each time another caption is read,
in proportion to its weight, with some of its words hidden or without any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.language.word_pieces import WordPiece

Int64 = NDArray[np.int64]

_MULTIPLE = 16


def padded(length: int) -> int:
    """Lengths are padded to multiples of 16: few shapes, and such as kernels like."""
    return -(-length // _MULTIPLE) * _MULTIPLE


def to_device(
    columns: Sequence[NDArray[Any]], device: torch.device
) -> Sequence[Tensor]:
    """Whole numbers, all columns at once, and without waiting for the device."""
    table = torch.from_numpy(np.stack(columns).astype(np.int64))
    if device.type == "cuda":
        table = table.pin_memory()
    return table.to(device, non_blocking=True).unbind()


class CaptionTable:
    """All captions of C clips as one padded table."""

    def __init__(
        self,
        captions: Sequence[Sequence[str]],
        weights: Sequence[Sequence[float]] | None,
        words: WordPiece,
        device: str | torch.device,
    ) -> None:
        """`weights` beside the captions say how often each is drawn; None: all alike."""
        self.counts: Int64 = np.array([len(own) for own in captions], dtype=np.int64)
        """Captions of each clip, (C,)."""
        self._firsts = self.counts.cumsum() - self.counts
        self._shares = None if weights is None else _shares(weights)
        texts = [text for own in captions for text in own]
        read = [pieces.ids for pieces in words.read_all(texts)]
        self.sizes: Int64 = np.array([len(ids) for ids in read], dtype=np.int64)
        """Word pieces of each caption, in the order of `number`."""
        table = np.zeros((len(read), padded(int(self.sizes.max()))), np.int32)
        for row, ids in zip(table, read, strict=True):
            row[: len(ids)] = ids
        self._pieces = torch.from_numpy(table).to(device)

    def draw(self, clips: Int64, numbers: Int64) -> Int64:
        """Captions (B,) of clips (B,) by random `numbers` (B,) below 2 ** 30.

        In proportion to their weights; where there are none, all alike.
        """
        if self._shares is None:
            return numbers % self.counts[clips]
        # Row by row: the first caption whose running share exceeds the number.
        above = self._shares[clips] <= (numbers / (1 << 30))[:, None]
        drawn: Int64 = np.minimum(above.sum(axis=1), self.counts[clips] - 1)
        return drawn

    def number(self, clips: Int64, captions: Int64) -> Int64:
        """Rows of the table (B,) of the captions (B,) of clips (B,)."""
        rows: Int64 = self._firsts[clips] + captions % self.counts[clips]
        return rows

    def pieces(self, rows: Tensor, sizes: Tensor, width: int) -> tuple[Tensor, Tensor]:
        """Word pieces (B, width) of rows (B,) of the table, and where they are."""
        at = torch.arange(width, device=rows.device)
        return self._pieces[rows, :width].long(), at < sizes[:, None]


class WordNoise(NamedTuple):
    """What is done to captions so that they are not learnt by heart."""

    pieces: float
    """Share of word pieces hidden."""
    drop: float
    """Share of captions left out whole."""
    hidden_piece: int
    """Word piece that stands for a hidden one."""
    last_piece: int
    """Word piece that ends a prompt."""


def word_noise(words: WordPiece, *, pieces: float, drop: float) -> WordNoise:
    """The noise for a vocabulary."""
    number = {piece: i for i, piece in enumerate(words.vocabulary)}
    hidden = number.get("[MASK]", number["[UNK]"])
    return WordNoise(pieces, drop, hidden, number["[SEP]"])


def disturb_words(
    pieces: Tensor, mask: Tensor, noise: WordNoise
) -> tuple[Tensor, Tensor]:
    """Captions (B, S) with words hidden; one left out reads like an empty prompt."""
    inner = mask & (pieces != noise.last_piece)
    inner[:, 0] = False
    hidden = inner & (torch.rand(pieces.shape, device=pieces.device) < noise.pieces)
    pieces = pieces.masked_fill(hidden, noise.hidden_piece)
    dropped = torch.rand(len(pieces), 1, device=pieces.device) < noise.drop
    at = torch.arange(pieces.shape[1], device=pieces.device)
    pieces = torch.where(dropped & (at == 1), noise.last_piece, pieces)
    return pieces, torch.where(dropped, at < 2, mask)


def _shares(weights: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Running shares of the captions of each clip, (C, most captions); 1 behind them."""
    shares = np.ones((len(weights), max(map(len, weights), default=0)))
    for row, own in zip(shares, weights, strict=True):
        row[: len(own)] = np.cumsum(own) / max(sum(own), 1e-12)
    return shares
