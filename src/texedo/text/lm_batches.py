"""Batches for the language model, cut on the device out of data that stays there.

B clips of nearly one length, T inputs each (the start, then the codes), S word pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.text.lm_data import TokenData
from texedo.text.motion_decoder import MotionDecoder, remaining_buckets
from texedo.text.wordpiece import WordPiece

Int64 = NDArray[np.int64]

IGNORED = -100
"""Target of a place behind the end."""
_MULTIPLE = 8
"""Lengths are padded to multiples of this, which attention kernels like."""


class Batch(NamedTuple):
    """Inputs and targets of one step."""

    inputs: Tensor
    """Tokens, the start first, (B, T)."""
    targets: Tensor
    """What follows each input; `IGNORED` behind the end, (B, T)."""
    remaining: Tensor
    """Bucket of the number of tokens to come, or 0 for unknown, (B, T)."""
    pieces: Tensor
    """Word pieces of one caption each, (B, S)."""
    piece_mask: Tensor
    """True at word pieces, (B, S)."""


class DeviceData:
    """All clips and captions as padded tables on the device."""

    def __init__(
        self, data: TokenData, words: WordPiece, decoder: MotionDecoder, device: str
    ) -> None:
        longest = min(int(data.lengths.max()), decoder.cfg.max_tokens)
        self.lengths = np.minimum(data.lengths, longest)
        self.start, self.end = decoder.start, decoder.end
        tokens = np.full((len(data.lengths), longest + 1), self.end, dtype=np.int32)
        for row, first, length in zip(tokens, data.starts, self.lengths, strict=True):
            row[:length] = data.codes[first : first + length]
        self._tokens = torch.from_numpy(tokens).to(device)
        # The end is a target too, but not of a clip that was cut.
        self._last = self.lengths - 1 + (data.lengths <= longest)
        counts = [len(captions) for captions in data.captions]
        self.counts: Int64 = np.array(counts, dtype=np.int64)
        self._firsts = self.counts.cumsum() - self.counts
        texts = [text for captions in data.captions for text in captions]
        read = [pieces.ids for pieces in words.read_all(texts)]
        self._piece_counts: Int64 = np.array([len(ids) for ids in read], dtype=np.int64)
        pieces = np.zeros((len(read), _padded(self._piece_counts.max())), np.int32)
        for row, ids in zip(pieces, read, strict=True):
            row[: len(ids)] = ids
        self._pieces = torch.from_numpy(pieces).to(device)

    def batch(self, clips: Int64, captions: Int64, known: NDArray[np.bool_]) -> Batch:
        """Clips (B,) with one caption each, by number; `known` (B,) tells the length.

        Shapes follow from what the host knows, so that nothing waits for the device.
        """
        longest = _padded(int(self.lengths[clips].max()) + 1)
        numbers = self._firsts[clips] + captions % self.counts[clips]
        width = _padded(int(self._piece_counts[numbers].max()))
        index, told = self._send(clips), self._send(known)
        rows = self._tokens[index].long()
        rows = torch.nn.functional.pad(
            rows, (0, max(0, longest - rows.shape[1])), value=self.end
        )[:, :longest]
        at = torch.arange(longest, device=rows.device)
        lengths = self._send(self.lengths[clips])[:, None]
        last = self._send(self._last[clips])[:, None]
        inputs = rows.roll(1, dims=1)
        inputs[:, 0] = self.start
        buckets = remaining_buckets((lengths - at).clamp(min=0))
        sizes = self._send(self._piece_counts[numbers])[:, None]
        return Batch(
            inputs=inputs,
            targets=rows.masked_fill(at > last, IGNORED),
            remaining=torch.where(told[:, None], buckets, 0),
            pieces=self._pieces[self._send(numbers), :width].long(),
            piece_mask=torch.arange(width, device=rows.device) < sizes,
        )

    def _send(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(array).to(self._tokens.device, non_blocking=True)


def _padded(length: int) -> int:
    return -(-length // _MULTIPLE) * _MULTIPLE


def plan_epoch(
    lengths: NDArray[np.int64],
    clips: Sequence[int],
    *,
    batch_tokens: int,
    rng: np.random.Generator | None,
) -> list[NDArray[np.int64]]:
    """Clips in batches of about one length; shuffled unless `rng` is None."""
    chosen = np.asarray(clips, dtype=np.int64)
    size = lengths[chosen].astype(np.float64) + 1
    blur = rng.uniform(0, 8, len(chosen)) if rng else np.zeros(len(chosen))
    chosen = chosen[np.argsort(size + blur, kind="stable")]
    batches = list(_cut(lengths, chosen, batch_tokens))
    if rng:
        rng.shuffle(batches)
    return batches


def _cut(
    lengths: NDArray[np.int64], clips: NDArray[np.int64], batch_tokens: int
) -> Iterator[NDArray[np.int64]]:
    first, longest = 0, 0
    for i, clip in enumerate(clips):
        longest = max(longest, int(lengths[clip]) + 1)
        if i > first and longest * (i + 1 - first) > batch_tokens:
            yield clips[first:i]
            first, longest = i, int(lengths[clip]) + 1
    if first < len(clips):
        yield clips[first:]


class Noise(NamedTuple):
    """What is done to inputs so that the model does not learn the corpus by heart."""

    tokens: float
    """Mean share of input tokens that are changed."""
    pieces: float
    """Share of word pieces hidden."""
    drop: float
    """Share of captions left out whole."""
    hidden_piece: int
    """Word piece that stands for a hidden one."""
    last_piece: int
    """Word piece that ends a prompt."""


def disturb(batch: Batch, noise: Noise, decoder: MotionDecoder) -> Batch:
    """A batch with noise on tokens and words; targets stay."""
    inputs = disturb_tokens(batch.inputs, noise.tokens, decoder)
    pieces, mask = batch.pieces, batch.piece_mask
    inner = mask & (pieces != noise.last_piece)
    inner[:, 0] = False
    hidden = inner & (torch.rand(pieces.shape, device=pieces.device) < noise.pieces)
    pieces = pieces.masked_fill(hidden, noise.hidden_piece)
    dropped = torch.rand(len(pieces), 1, device=pieces.device) < noise.drop
    at = torch.arange(pieces.shape[1], device=pieces.device)
    pieces = torch.where(dropped & (at == 1), noise.last_piece, pieces)
    mask = torch.where(dropped, at < 2, mask)
    return batch._replace(inputs=inputs, pieces=pieces, piece_mask=mask)


def disturb_tokens(inputs: Tensor, share: float, decoder: MotionDecoder) -> Tensor:
    """Hide, replace, or change by one level; a third each. Clips differ in strength."""
    device = inputs.device
    codes = inputs < decoder.num_codes
    strength = 2 * share * torch.rand(len(inputs), 1, device=device)
    chosen = codes & (torch.rand(inputs.shape, device=device) < strength)
    way = torch.randint(3, inputs.shape, device=device)
    anything = torch.randint(decoder.num_codes, inputs.shape, device=device)
    changed = torch.where(way == 0, decoder.mask, anything)
    changed = torch.where(way == 1, change_level(inputs, decoder.cfg.levels), changed)
    return torch.where(chosen, changed, inputs)


def change_level(codes: Tensor, levels: Sequence[int]) -> Tensor:
    """Codes with one level of theirs moved to another one, at random."""
    sizes = torch.tensor(list(levels), device=codes.device)
    basis = torch.cat((sizes.new_ones(1), sizes[:-1].cumprod(0)))
    which = torch.randint(len(sizes), codes.shape, device=codes.device)
    size, unit = sizes[which], basis[which]
    old = codes // unit % size
    jump = 1 + (torch.rand(codes.shape, device=codes.device) * (size - 1)).long()
    return codes + ((old + jump) % size - old) * unit
