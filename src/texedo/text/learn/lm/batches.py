"""Batches for the language model, cut on the device out of data that stays there.

B rows of nearly one length, T inputs each (the start, then the codes), S word pieces. A
row is one view of a clip; the first rows are view 0 of each clip, so that the number of a
clip is a row as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.language.word_pieces import WordPiece
from texedo.text.learn.captions import (
    CaptionTable,
    WordNoise,
    disturb_words,
    padded,
    to_device,
)
from texedo.text.learn.lm.data import TokenData, row_clips
from texedo.text.lm.decoder import MotionDecoder, remaining_buckets

Int64 = NDArray[np.int64]

IGNORED = -100
"""Target of a place behind the end."""
_WHOLE_ROWS = 8
"""Batches of more rows than this have a multiple of it."""


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
        self.num_views = data.num_views
        self._more = len(self.num_views) + (self.num_views - 1).cumsum()
        self._clip_of, _ = row_clips(self.num_views)
        tokens = np.full((len(data.lengths), longest + 1), self.end, dtype=np.int32)
        for row, first, length in zip(tokens, data.starts, self.lengths, strict=True):
            row[:length] = data.codes[first : first + length]
        self._tokens = torch.from_numpy(tokens).to(device)
        # The end is a target too, but not of a clip that was cut.
        self._last = self.lengths - 1 + (data.lengths <= longest)
        self.captions = CaptionTable(data.captions, data.weights, words, device)
        self.counts = self.captions.counts

    def rows(self, clips: Int64, turns: Int64) -> Int64:
        """Rows (B,) of clips (B,), each with its view number `turns` modulo their count."""
        view = turns % self.num_views[clips]
        # `_more` is where the next clip's further views begin.
        later = self._more[clips] - self.num_views[clips] + view
        return np.where(view == 0, clips, later)

    def draw(self, rows: Int64, numbers: Int64) -> Int64:
        """Captions (B,) of rows (B,) by random `numbers` (B,) below 2 ** 30.

        In proportion to their weights; where there are none, all alike.
        """
        return self.captions.draw(self._clip_of[rows], numbers)

    def batch(self, rows: Int64, captions: Int64, known: NDArray[np.bool_]) -> Batch:
        """Rows (B,) with one caption each, by number; `known` (B,) tells the length.

        Shapes follow from what the host knows, so that nothing waits for the device.
        """
        clips, lengths = self._clip_of[rows], self.lengths[rows]
        numbers = self.captions.number(clips, captions)
        sizes = self.captions.sizes[numbers]
        longest, width = padded(int(lengths.max()) + 1), padded(int(sizes.max()))
        columns = (rows, lengths, self._last[rows], numbers, sizes, known)
        index, length, last, text, size, told = to_device(columns, self._tokens.device)
        pieces, mask = self.captions.pieces(text, size, width)
        return Batch(
            **self._motion(index, longest, length[:, None], last[:, None], told),
            pieces=pieces,
            piece_mask=mask,
        )

    def _motion(
        self, index: Tensor, longest: int, length: Tensor, last: Tensor, told: Tensor
    ) -> dict[str, Tensor]:
        """The parts of a batch that are not about words."""
        rows = self._tokens[index].long()
        rows = torch.nn.functional.pad(
            rows, (0, max(0, longest - rows.shape[1])), value=self.end
        )[:, :longest]
        at = torch.arange(longest, device=rows.device)
        inputs = rows.roll(1, dims=1)
        inputs[:, 0] = self.start
        buckets = remaining_buckets((length - at).clamp(min=0))
        return {
            "inputs": inputs,
            "targets": rows.masked_fill(at > last, IGNORED),
            "remaining": torch.where(told[:, None] > 0, buckets, 0),
        }


def epoch_rows(data: DeviceData, clips: Sequence[int], key: tuple[int, int]) -> Int64:
    """One view of each clip, by (seed, epoch): all its views in turn, from a random one."""
    seed, epoch = key
    chosen = np.asarray(clips, dtype=np.int64)
    first = np.random.default_rng((seed, 7)).integers(1 << 30, size=len(chosen))
    return data.rows(chosen, first + epoch)


def plan_epoch(
    lengths: Int64,
    rows: Sequence[int] | Int64,
    *,
    batch_tokens: int,
    rng: np.random.Generator | None,
) -> list[Int64]:
    """Rows in batches of about one length; shuffled unless `rng` is None."""
    chosen = np.asarray(rows, dtype=np.int64)
    size = lengths[chosen].astype(np.float64) + 1
    blur = rng.uniform(0, 8, len(chosen)) if rng else np.zeros(len(chosen))
    chosen = chosen[np.argsort(size + blur, kind="stable")]
    batches = list(_cut(lengths, chosen, batch_tokens))
    if rng:
        rng.shuffle(batches)
    return batches


def _cut(lengths: Int64, rows: Int64, batch_tokens: int) -> Iterator[Int64]:
    """From the long end: the length of the longest says how many rows go with it.

    So there is one shape per padded length, and one that holds what is left.
    """
    # The blur may have put a longer row before: look at all that are left.
    longest = np.maximum.accumulate(lengths[rows] + 1)
    last = len(rows)
    while last:
        fitting = max(1, batch_tokens // padded(int(longest[last - 1])))
        if fitting > _WHOLE_ROWS:
            fitting -= fitting % _WHOLE_ROWS
        first = max(0, last - fitting)
        yield rows[first:last]
        last = first


class Noise(NamedTuple):
    """What is done to inputs so that the model does not learn the corpus by heart."""

    tokens: float
    """Mean share of input tokens that are changed."""
    words: WordNoise


def disturb(batch: Batch, noise: Noise, decoder: MotionDecoder) -> Batch:
    """A batch with noise on tokens and words; targets stay."""
    inputs = disturb_tokens(batch.inputs, noise.tokens, decoder)
    pieces, mask = disturb_words(batch.pieces, batch.piece_mask, noise.words)
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
    sizes, basis = _levels(tuple(levels), codes.device)
    which = torch.randint(len(sizes), codes.shape, device=codes.device)
    size, unit = sizes[which], basis[which]
    old = codes // unit % size
    jump = 1 + (torch.rand(codes.shape, device=codes.device) * (size - 1)).long()
    return codes + ((old + jump) % size - old) * unit


@cache
def _levels(levels: tuple[int, ...], device: torch.device) -> tuple[Tensor, Tensor]:
    """Sizes and units of the levels, (D,); made once, since the copy waits."""
    sizes = torch.tensor(levels, device=device)
    return sizes, torch.cat((sizes.new_ones(1), sizes[:-1].cumprod(0)))
