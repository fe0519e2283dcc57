"""The networks of the paper's verifier; layers as in T2M, trained on the robot itself.

Everything is packed by length: what is beside a motion or a sentence in a batch, and how
far it is padded, changes nothing. (The released verifier reads its padding.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import leaky_relu
from torch.nn.utils.rnn import pack_padded_sequence

from texedo.see.semantics.paper.features import FRAMES_PER_CODE, NUM_FEATURES
from texedo.see.semantics.paper.words import TAGS, Tokens

_SLOPE = 0.2
_CLIP = 10.0
"""A number further from the mean [standard deviations] is an artefact, such as the
heading of a pelvis that looks straight up."""
_FRAMES_TOGETHER = 1 << 15
"""Of motions that are read at once, padding included; a longer one is read alone."""
_TEXTS_TOGETHER = 256

Float32 = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class PaperNetCfg:
    """Sizes of the networks."""

    words: int
    """Of the vocabulary."""
    size: int = 512
    """Of the common space."""
    latent: int = 512
    """Of a movement code, and channels of its encoder."""
    word_size: int = 300
    """Of a word vector."""
    motion_width: int = 384
    """Of the motion's GRU, each way; the released verifier has 1024."""
    text_width: int = 384
    """Of the sentence's GRU, each way; the released verifier has 512."""
    movement_dropout: float = 0.2
    dropout: float = 0.1
    """Before both GRUs and before the last layer."""


class MovementEncoder(nn.Module):
    """Normalised frames (B, T, 36) to movement codes (B, T / 4, latent)."""

    def __init__(self, cfg: PaperNetCfg) -> None:
        super().__init__()
        self.down1 = nn.Conv1d(NUM_FEATURES, cfg.latent, 4, 2, 1)
        self.down2 = nn.Conv1d(cfg.latent, cfg.latent, 4, 2, 1)
        self.out = nn.Linear(cfg.latent, cfg.latent)
        self.dropout = nn.Dropout(cfg.movement_dropout)

    def forward(self, frames: Tensor, lengths: Tensor) -> Tensor:
        """`lengths` (B,) are whole codes; frames past them are 0."""
        x = self._layer(self.down1, frames.transpose(1, 2))
        # Else the second layer would see the first one's bias past the end.
        x = x * _mask(lengths // 2, x.shape[2])[:, None]
        codes: Tensor = self.out(self._layer(self.down2, x).transpose(1, 2))
        return codes

    def _layer(self, conv: nn.Conv1d, x: Tensor) -> Tensor:
        return leaky_relu(self.dropout(conv(x)), _SLOPE)


class Reader(nn.Module):
    """Rows (B, L, inputs) of any lengths to vectors (B, size): a bidirectional GRU."""

    def __init__(self, inputs: int, width: int, size: int, dropout: float) -> None:
        super().__init__()
        self.into = nn.Linear(inputs, width)
        self.gru = nn.GRU(width, width, batch_first=True, bidirectional=True)
        self.start = nn.Parameter(torch.randn(2, 1, width))
        self.out = nn.Sequential(
            nn.Linear(2 * width, width),
            nn.LayerNorm(width),
            nn.LeakyReLU(_SLOPE),
            nn.Dropout(dropout),
            nn.Linear(width, size),
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, rows: Tensor, lengths: Tensor) -> Tensor:
        packed = pack_padded_sequence(
            self.into(self.dropout(rows)),
            lengths.cpu(),
            batch_first=True,
            enforce_sorted=False,
        )
        start = self.start.expand(-1, len(rows), -1).contiguous()
        _, last = self.gru(packed, start)
        vectors: Tensor = self.out(torch.cat((last[0], last[1]), dim=-1))
        return vectors


class PaperNet(nn.Module):
    """Both sides."""

    feature_mean: Tensor
    feature_std: Tensor

    def __init__(self, cfg: PaperNetCfg) -> None:
        super().__init__()
        self.cfg = cfg
        self.movement = MovementEncoder(cfg)
        self.motion = Reader(cfg.latent, cfg.motion_width, cfg.size, cfg.dropout)
        self.words = nn.Embedding(cfg.words, cfg.word_size)
        self.tags = nn.Embedding(len(TAGS), cfg.word_size)
        nn.init.normal_(self.tags.weight, std=0.1)
        self.text = Reader(cfg.word_size, cfg.text_width, cfg.size, cfg.dropout)
        self.register_buffer("feature_mean", torch.zeros(NUM_FEATURES))
        self.register_buffer("feature_std", torch.ones(NUM_FEATURES))

    @property
    def device(self) -> torch.device:
        return self.feature_mean.device

    def normalised(self, frames: Tensor, lengths: Tensor) -> Tensor:
        """Features (B, T, 36) around 0, and 0 past the end."""
        scaled = (frames - self.feature_mean) / self.feature_std
        return scaled.clamp(-_CLIP, _CLIP) * _mask(lengths, frames.shape[1])[..., None]

    def motions(self, frames: Tensor, lengths: Tensor) -> Tensor:
        """Vectors (B, size) of features (B, T, 36), of which `lengths` (B,) count."""
        codes = self.movement(self.normalised(frames, lengths), lengths)
        vectors: Tensor = self.motion(codes, lengths // FRAMES_PER_CODE)
        return vectors

    def texts(self, words: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        """Vectors (B, size) of numbers of words and of parts of speech, (B, L)."""
        vectors: Tensor = self.text(self.words(words) + self.tags(tags), lengths)
        return vectors


def motion_vectors(
    net: PaperNet, rows: Sequence[Float32], *, alone: bool = False
) -> Float32:
    """Vectors (N, size) of features (T_i, 36) of any lengths, like with like.

    `alone` reads each by itself: slower, and the last bit is the same whatever else is
    in the list.
    """
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    found = np.zeros((len(rows), net.cfg.size), dtype=np.float32)
    while order:
        longest = len(rows[order[-1]])
        batch = order[-1 if alone else -max(_FRAMES_TOGETHER // longest, 1) :]
        del order[-len(batch) :]
        frames, lengths = pad_rows([rows[i] for i in batch])
        vectors = net.motions(frames.to(net.device), lengths.to(net.device))
        found[batch] = vectors.detach().cpu().numpy()
    return found


def text_vectors(
    net: PaperNet, texts: Sequence[Tokens], *, alone: bool = False
) -> Float32:
    """Vectors (N, size) of sentences; `alone` as in `motion_vectors`."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i].words))
    found = np.zeros((len(texts), net.cfg.size), dtype=np.float32)
    together = 1 if alone else _TEXTS_TOGETHER
    for first in range(0, len(order), together):
        batch = order[first : first + together]
        tokens = (
            tensor.to(net.device) for tensor in pad_texts([texts[i] for i in batch])
        )
        found[batch] = net.texts(*tokens).detach().cpu().numpy()
    return found


def pad_rows(rows: Sequence[NDArray[Any]]) -> tuple[Tensor, Tensor]:
    """Rows (L_i, ...) as one tensor (B, L, ...), and their lengths (B,)."""
    lengths = torch.tensor([len(row) for row in rows])
    like = torch.from_numpy(rows[0])
    padded = like.new_zeros((len(rows), int(lengths.max()), *like.shape[1:]))
    for own, row in zip(padded, rows, strict=True):
        own[: len(row)] = torch.from_numpy(row)
    return padded, lengths


def pad_texts(texts: Sequence[Tokens]) -> tuple[Tensor, Tensor, Tensor]:
    """Words (B, L), parts of speech (B, L) and lengths (B,) of sentences."""
    words, lengths = pad_rows([text.words for text in texts])
    tags, _ = pad_rows([text.tags for text in texts])
    return words, tags, lengths


def _mask(lengths: Tensor, longest: int) -> Tensor:
    """1.0 where there is something, (B, longest)."""
    return (torch.arange(longest, device=lengths.device) < lengths[:, None]).float()
