"""The network that takes noise out of a motion: a transformer over short pieces of time.

    x_hat = f(z, t, text, length),  z = cos(t pi/2) x + sin(t pi/2) noise

x are normalized features (`learning.features`) at 25 frames per second. Two frames are a
place of the transformer; pieces overlap on their way in and out, so that there are no
seams. A place knows how far it is from both ends of the motion. Time, length and the
sense of the whole sentence scale and shift every layer; single words are looked up by
attention.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from texedo.language.encoder import attention_mask
from texedo.learning.features import NUM_FEATURES

_SIX = 6
"""Shift, scale and gate, of attention and of the feed-forward part."""
_SLOWEST = 1000.0
"""Longest wave of a sinusoidal code, over two pi."""


@dataclass(frozen=True, kw_only=True)
class DenoiserCfg:
    """Sizes of the network."""

    width: int = 384
    layers: int = 8
    heads: int = 6
    feed_forward: int = 1024
    """Width of the gated feed-forward layers."""
    text_size: int = 384
    """Numbers of a state of the text encoder."""
    stride: int = 2
    """Frames of a place of the transformer; even."""
    max_tokens: int = 144
    """Places of the longest motion."""
    length_bins: int = 48
    """Classes of lengths that a sentence is told to last."""
    dropout: float = 0.1

    def __post_init__(self) -> None:
        if self.width % self.heads or self.width // self.heads % 2:
            raise ValueError(
                f"width {self.width} must be an even number for each of {self.heads} "
                "heads."
            )
        if self.stride < 2 or self.stride % 2:
            raise ValueError(f"stride must be 2, 4, ..., got {self.stride}.")


class Denoiser(nn.Module):
    """Features (B, T, 37) at a noise level to features without noise."""

    def __init__(self, cfg: DenoiserCfg) -> None:
        super().__init__()
        self.cfg = cfg
        width, kernel = cfg.width, 2 * cfg.stride
        pad = cfg.stride // 2
        self.stem = nn.Conv1d(NUM_FEATURES, width, kernel, cfg.stride, pad)
        self.place = nn.Linear(2 * width, width)
        self.text = nn.Sequential(
            nn.Linear(cfg.text_size, width),
            nn.LayerNorm(width),
            nn.Dropout(cfg.dropout),
        )
        self.moment = _mlp(2 * width, width)
        self.sense = _mlp(cfg.text_size, width)
        self.modulation = nn.Linear(width, _SIX * width)
        self.blocks = nn.ModuleList(Block(cfg) for _ in range(cfg.layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.ConvTranspose1d(width, NUM_FEATURES, kernel, cfg.stride, pad)
        self.length = nn.Sequential(
            nn.Linear(cfg.text_size, 128),
            nn.SiLU(),
            nn.Dropout(0.3),
            nn.Linear(128, cfg.length_bins),
        )
        # Every layer begins as nothing, and the answer as the mean motion.
        nn.init.zeros_(self.modulation.weight)
        nn.init.zeros_(self.modulation.bias)
        nn.init.zeros_(self.head.weight)

    def forward(
        self, noisy: Tensor, time: Tensor, tokens: Tensor, text: Tensor, mask: Tensor
    ) -> Tensor:
        """`noisy` (B, L * stride, 37) at times (B,) in [0, 1], of motions of `tokens`
        (B,) places each; states of the text (B, S, text_size) and where they are."""
        length = noisy.shape[1] // self.cfg.stride
        at = torch.arange(length, device=noisy.device)
        inside = at < tokens[:, None]  # (B, L)
        frames = inside.repeat_interleave(self.cfg.stride, dim=1)[..., None]
        x = self.stem((noisy * frames).transpose(1, 2)).transpose(1, 2)
        left = (tokens[:, None] - 1 - at).clamp(min=0)
        first = waves(at.float(), self.cfg.width).expand(len(noisy), -1, -1)
        x = x + self.place(torch.cat((first, waves(left.float(), self.cfg.width)), -1))
        change = self._change(time, tokens, text, mask)
        words = self.text(text)
        seen = attention_mask(inside, x.dtype)[:, None, None, :]
        read = attention_mask(mask, x.dtype)[:, None, None, :]
        turn = rotary(length, self.cfg.width // self.cfg.heads, x.device)
        for block in self.blocks:
            x = block(x, change, turn, seen, words, read)
        x = self.norm(x) * inside[..., None]
        out: Tensor = self.head(x.transpose(1, 2)).transpose(1, 2)
        return out

    def _change(
        self, time: Tensor, tokens: Tensor, text: Tensor, mask: Tensor
    ) -> Tensor:
        """What is common to all places: shifts, scales and gates, (B, 6, width)."""
        # A thousandth of the way from motion to noise is a step of one.
        moment = waves(torch.stack((1000.0 * time, tokens.float()), 1), self.cfg.width)
        common = self.moment(moment.flatten(1)) + self.sense(pooled(text, mask))
        change: Tensor = self.modulation(F.silu(common))
        return change.view(len(change), _SIX, -1)

    def length_logits(self, text: Tensor, mask: Tensor) -> Tensor:
        """How long a sentence takes: logits of classes of equal width up to the longest
        motion, (B, length_bins)."""
        logits: Tensor = self.length(pooled(text, mask))
        return logits


class Block(nn.Module):
    """Places look at each other, then at the words, then think."""

    def __init__(self, cfg: DenoiserCfg) -> None:
        super().__init__()
        width = cfg.width
        self.heads = cfg.heads
        self.own = nn.Parameter(torch.zeros(_SIX, width))
        self.norm = nn.LayerNorm(width, elementwise_affine=False)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.word_norm = nn.LayerNorm(width)
        self.word_query = nn.Linear(width, width)
        self.word_key_value = nn.Linear(width, 2 * width)
        self.word_out = nn.Linear(width, width)
        self.up = nn.Linear(width, 2 * cfg.feed_forward)
        self.down = nn.Linear(cfg.feed_forward, width)
        self.drop = nn.Dropout(cfg.dropout)
        nn.init.zeros_(self.word_out.weight)
        nn.init.zeros_(self.word_out.bias)

    def forward(
        self,
        x: Tensor,
        change: Tensor,
        turn: tuple[Tensor, Tensor],
        seen: Tensor,
        words: Tensor,
        read: Tensor,
    ) -> Tensor:
        shift, scale, gate, shift_2, scale_2, gate_2 = (
            part[:, None] for part in (change + self.own).unbind(1)
        )
        q, k, v = self._heads(self.qkv(self.norm(x) * (1 + scale) + shift), 3)
        mixed = F.scaled_dot_product_attention(
            turned(q, turn), turned(k, turn), v, attn_mask=seen
        )
        x = x + gate * self.drop(self.out(mixed.transpose(1, 2).flatten(2)))
        (q,) = self._heads(self.word_query(self.word_norm(x)), 1)
        k, v = self._heads(self.word_key_value(words), 2)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=read)
        x = x + self.drop(self.word_out(mixed.transpose(1, 2).flatten(2)))
        up, gate_up = self.up(self.norm(x) * (1 + scale_2) + shift_2).chunk(2, dim=-1)
        out: Tensor = x + gate_2 * self.drop(self.down(up * F.silu(gate_up)))
        return out

    def _heads(self, x: Tensor, parts: int) -> tuple[Tensor, ...]:
        """(B, L, parts * width) as so many (B, heads, L, width of a head)."""
        rows, length = x.shape[:2]
        split = x.view(rows, length, parts, self.heads, -1).permute(2, 0, 3, 1, 4)
        return split.unbind(0)


def waves(values: Tensor, width: int) -> Tensor:
    """Sinusoidal codes (..., width) of numbers (...)."""
    half = torch.arange(width // 2, device=values.device, dtype=torch.float32)
    angles = values[..., None] * torch.exp(-math.log(_SLOWEST) * half / (width // 2))
    return torch.cat((angles.cos(), angles.sin()), dim=-1)


def rotary(length: int, width: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Cosines and sines (L, width / 2) by which queries and keys of a head are turned."""
    angles = waves(torch.arange(length, device=device, dtype=torch.float32), width)
    cosine, sine = angles.chunk(2, dim=-1)
    return cosine, sine


def turned(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """(B, heads, L, width): the two halves turned into each other, place by place."""
    cosine, sine = (part.to(x.dtype) for part in turn)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cosine - b * sine, a * sine + b * cosine), dim=-1)


def pooled(text: Tensor, mask: Tensor) -> Tensor:
    """The mean state of a sentence, (B, text_size)."""
    weight = mask[..., None].to(text.dtype)
    return (text * weight).sum(1) / weight.sum(1).clamp(min=1.0)


def _mlp(given: int, width: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(given, width), nn.SiLU(), nn.Linear(width, width))
