"""The network: motion and sentence are read apart, then every word looks at the motion.

    motion   patches of 0.16 s, a transformer: states, and one vector of length 1
    text     states of the generator's text encoder, one layer: the same
    pair     a transformer over the words that looks at the motion's states; a number

Both readings are made once, however many pairs they are in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from texedo.language.encoder import attention_mask
from texedo.see.semantics.cross.frames import FRAME_SIZE


@dataclass(frozen=True, kw_only=True)
class CrossCfg:
    """Sizes of the network."""

    width: int = 256
    heads: int = 4
    feed_forward: int = 1024
    motion_layers: int = 3
    text_layers: int = 1
    pair_layers: int = 3
    patch: int = 4
    """Frames of 0.04 s that are read together."""
    text_size: int = 384
    """Of a state of the text encoder."""
    dropout: float = 0.1


class Read(NamedTuple):
    """B sentences or motions as the network has them."""

    states: Tensor
    """(B, L, width)."""
    mask: Tensor
    """True where there is something, (B, L)."""
    vectors: Tensor
    """One for the whole, of length 1, (B, width)."""

    def take(self, rows: Tensor) -> Read:
        """Some of them, in the given order."""
        return Read(*(part.index_select(0, rows) for part in self))

    def repeat(self, count: int) -> Read:
        """A single one, so many times, in the memory of one."""
        return Read(*(part.expand(count, *part.shape[1:]) for part in self))


class Attention(nn.Module):
    """Queries (B, Q, W) that look at states (B, K, W)."""

    def __init__(self, cfg: CrossCfg) -> None:
        super().__init__()
        self.heads, self.dropout = cfg.heads, cfg.dropout
        self.query = nn.Linear(cfg.width, cfg.width)
        self.key_value = nn.Linear(cfg.width, 2 * cfg.width)
        self.out = nn.Linear(cfg.width, cfg.width)

    def forward(self, x: Tensor, states: Tensor, mask: Tensor) -> Tensor:
        def split(values: Tensor) -> Tensor:
            parts = values.view(*values.shape[:2], self.heads, -1)
            return parts.transpose(1, 2)

        key, value = self.key_value(states).chunk(2, dim=-1)
        drop = self.dropout if self.training else 0.0
        seen = F.scaled_dot_product_attention(
            split(self.query(x)),
            split(key),
            split(value),
            attn_mask=mask[:, None, None, :],
            dropout_p=drop,
        )
        out: Tensor = self.out(seen.transpose(1, 2).flatten(2))
        return out


class Layer(nn.Module):
    """Attention to itself, perhaps to something else, and a feed-forward part."""

    def __init__(self, cfg: CrossCfg, *, looks: bool = False) -> None:
        super().__init__()
        self.own_norm, self.own = nn.LayerNorm(cfg.width), Attention(cfg)
        self.look_norm = nn.LayerNorm(cfg.width) if looks else None
        self.look = Attention(cfg) if looks else None
        self.feed = nn.Sequential(
            nn.LayerNorm(cfg.width),
            nn.Linear(cfg.width, cfg.feed_forward),
            nn.GELU(),
            nn.Dropout(cfg.dropout),
            nn.Linear(cfg.feed_forward, cfg.width),
        )
        self.drop = nn.Dropout(cfg.dropout)

    def forward(self, x: Tensor, mask: Tensor, other: Read | None = None) -> Tensor:
        y = self.own_norm(x)
        x = x + self.drop(self.own(y, y, mask))
        if self.look is not None and self.look_norm is not None and other is not None:
            x = x + self.drop(self.look(self.look_norm(x), other.states, other.mask))
        out: Tensor = x + self.drop(self.feed(x))
        return out


class CrossNet(nn.Module):
    """Frames and text states to logits of pairs."""

    frame_mean: Tensor
    frame_std: Tensor

    def __init__(self, cfg: CrossCfg) -> None:
        super().__init__()
        self.cfg = cfg
        self.patches = nn.Linear(cfg.patch * FRAME_SIZE, cfg.width)
        self.motion = nn.ModuleList(Layer(cfg) for _ in range(cfg.motion_layers))
        self.motion_norm = nn.LayerNorm(cfg.width)
        self.motion_out = nn.Linear(2 * cfg.width, cfg.width)
        self.words = nn.Linear(cfg.text_size, cfg.width)
        self.text = nn.ModuleList(Layer(cfg) for _ in range(cfg.text_layers))
        self.text_norm = nn.LayerNorm(cfg.width)
        self.text_out = nn.Linear(2 * cfg.width, cfg.width)
        self.pair = nn.ModuleList(
            Layer(cfg, looks=True) for _ in range(cfg.pair_layers)
        )
        self.head = nn.Sequential(
            nn.LayerNorm(3 * cfg.width),
            nn.Linear(3 * cfg.width, cfg.width),
            nn.GELU(),
            nn.Linear(cfg.width, 1),
        )
        self.scale = nn.Parameter(torch.tensor(2.5))
        """Logarithm of how much the likeness of the two vectors counts in training."""
        self.likeness = nn.Parameter(torch.tensor(2.0))
        """How much it counts in a pair's logit."""
        self.register_buffer("frame_mean", torch.zeros(FRAME_SIZE))
        self.register_buffer("frame_std", torch.ones(FRAME_SIZE))

    def read_motions(self, frames: Tensor, lengths: Tensor) -> Read:
        """Of frames (B, T, 80), the first `lengths` (B,) of which are there."""
        patch = self.cfg.patch
        frames = (frames - self.frame_mean) / self.frame_std
        inside = torch.arange(frames.shape[1], device=frames.device) < lengths[:, None]
        frames = (frames * inside[..., None]).clamp(-8.0, 8.0)
        frames = F.pad(frames, (0, 0, 0, -frames.shape[1] % patch))
        count = len(frames)
        x = self.patches(frames.reshape(count, -1, patch * FRAME_SIZE))
        mask = (
            F.pad(inside, (0, -inside.shape[1] % patch)).view(count, -1, patch).any(-1)
        )
        x, seen = x + _positions(x), attention_mask(mask, x.dtype)
        for layer in self.motion:
            x = layer(x, seen)
        x = self.motion_norm(x)
        return Read(x, mask, self._vector(self.motion_out, x, mask))

    def read_texts(self, states: Tensor, mask: Tensor) -> Read:
        """Of states (B, S, text_size) of the text encoder and where they are, (B, S)."""
        x = self.words(states)
        seen = attention_mask(mask, x.dtype)
        for layer in self.text:
            x = layer(x, seen)
        x = self.text_norm(x)
        return Read(x, mask, self._vector(self.text_out, x, mask))

    def logits(self, texts: Read, motions: Read) -> Tensor:
        """How sure it is of each of P pairs, (P,); 0 is even."""
        x = texts.states
        words = attention_mask(texts.mask, x.dtype)
        looked = motions._replace(mask=attention_mask(motions.mask, x.dtype))
        for layer in self.pair:
            x = layer(x, words, looked)
        mean, highest = _mean(x, texts.mask), _highest(x, texts.mask)
        both = torch.cat((x[:, 0], mean, highest), dim=-1)
        alike = (texts.vectors * motions.vectors).sum(-1)
        out: Tensor = self.head(both).squeeze(-1) + self.likeness * alike
        return out

    def _vector(self, out: nn.Linear, x: Tensor, mask: Tensor) -> Tensor:
        both = torch.cat((_mean(x, mask), _highest(x, mask)), dim=-1)
        return F.normalize(out(both), dim=-1)


def _mean(x: Tensor, mask: Tensor) -> Tensor:
    weight = mask[..., None].to(x.dtype)
    return (x * weight).sum(1) / weight.sum(1).clamp(min=1.0)


def _highest(x: Tensor, mask: Tensor) -> Tensor:
    return x.masked_fill(~mask[..., None], -1e4).amax(1)


def _positions(x: Tensor) -> Tensor:
    """Sines and cosines of the patch's number, (L, width)."""
    at = torch.arange(x.shape[1], device=x.device, dtype=torch.float32)[:, None]
    rates = torch.logspace(0, -2.7, x.shape[2] // 2, device=x.device)
    return torch.cat(((at * rates).sin(), (at * rates).cos()), dim=-1).to(x.dtype)
