"""Pre-norm Transformer layers that look back, shared by both variants.

Parameters are named as in torch's own encoder layer, so that released weights fit.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Attention(nn.Module):
    """States (B, L, W) that look at themselves."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.in_proj_weight = nn.Parameter(torch.empty(3 * width, width))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * width))
        self.out_proj = nn.Linear(width, width)
        nn.init.xavier_uniform_(self.in_proj_weight)
        nn.init.zeros_(self.out_proj.bias)

    def forward(self, x: Tensor, mask: Tensor | None, turns: Tensor | None) -> Tensor:
        mixed = F.linear(x, self.in_proj_weight, self.in_proj_bias)
        mixed = mixed.view(*x.shape[:2], 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = mixed.unbind(0)
        if turns is not None:
            query, key = rotated(query, turns), rotated(key, turns)
        seen = F.scaled_dot_product_attention(
            query,
            key,
            value,
            attn_mask=mask,
            dropout_p=self.dropout if self.training else 0.0,
            is_causal=mask is None,
        )
        out: Tensor = self.out_proj(seen.transpose(1, 2).flatten(2))
        return out


class Layer(nn.Module):
    """Attention and a feed-forward part, each after its norm."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.self_attn = Attention(width, heads, dropout)
        self.linear1 = nn.Linear(width, 4 * width)
        self.linear2 = nn.Linear(4 * width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.drop = nn.Dropout(dropout)

    def forward(
        self, x: Tensor, mask: Tensor | None = None, turns: Tensor | None = None
    ) -> Tensor:
        """Without a mask each state sees itself and those before it.

        `mask` (B or 1, 1, L, L) is True where a state sees another; `turns` (L, D, 2)
        tell how far apart they are.
        """
        x = x + self.drop(self.self_attn(self.norm1(x), mask, turns))
        inner = self.drop(F.gelu(self.linear1(self.norm2(x))))
        out: Tensor = x + self.drop(self.linear2(inner))
        return out


def turns_of(count: int, size: int, device: torch.device) -> Tensor:
    """Cosines and sines by place, (count, size / 2, 2), for heads of this size."""
    rates = 1000.0 ** (-torch.arange(0, size, 2, device=device) / size)
    angle = torch.arange(count, device=device)[:, None] * rates
    return torch.stack((angle.cos(), angle.sin()), dim=-1)


def rotated(x: Tensor, turns: Tensor) -> Tensor:
    """Pairs of numbers of (B, H, L, D) turned by their place."""
    cosine, sine = turns.unbind(-1)
    # In float32 also where the rest is rounded to bfloat16, as learning does.
    a, b = x.float().chunk(2, dim=-1)
    turned = torch.cat((a * cosine - b * sine, a * sine + b * cosine), dim=-1)
    return turned.to(x.dtype)
