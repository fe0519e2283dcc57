"""Distances of all pairs, and the paper's loss on them."""

from __future__ import annotations

import torch
from torch import Tensor

_TINY = 1e-10
"""The root of 0 has no slope."""


def distances(texts: Tensor, motions: Tensor) -> Tensor:
    """L2 distance of each text (B, D) to each motion (C, D), (B, C)."""
    squares = texts.square().sum(1)[:, None] + motions.square().sum(1)
    return (squares - 2 * texts @ motions.T).clamp(min=_TINY).sqrt()


def match_loss(
    distance: Tensor, *, margin: float = 2.0, same: Tensor | None = None
) -> Tensor:
    """Mean d_ii^2 + mean over i != j of max(0, margin - d_ij)^2, of distances (B, B).

    `same` (B, B) is True where text i says what motion j's own text says; such a pair
    is not pushed apart.
    """
    own = distance.diagonal().square().mean()
    others = ~torch.eye(len(distance), dtype=torch.bool, device=distance.device)
    if same is not None:
        others = others & ~same
    pushed = (margin - distance).clamp(min=0.0).square() * others
    return own + pushed.sum() / others.sum().clamp(min=1)
