"""Finite scalar quantisation: each of a few numbers is rounded to one of a few levels.

The codebook is the grid of all combinations; there is nothing to learn in it and nothing
to collapse. Codes count the first number fastest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

LEVELS = (3, 3, 3, 3, 3, 2, 2, 2, 2, 2)
"""7,776 codes."""
_SPREAD = 1.2
"""Standard deviation at which three levels are used about evenly."""


class FSQ(nn.Module):
    """Vectors of `width` to grid points and back, with linear maps on both sides."""

    _top: Tensor
    _basis: Tensor

    def __init__(self, width: int, levels: Sequence[int] = LEVELS) -> None:
        super().__init__()
        if len(levels) < 1 or min(levels) < 2:
            raise ValueError(f"levels must be 2 or more each, got {tuple(levels)}.")
        self.num_codes = math.prod(levels)
        self.project_in = nn.Linear(width, len(levels))
        self.project_out = nn.Linear(len(levels), width)
        basis = [math.prod(levels[:i]) for i in range(len(levels))]
        self.register_buffer("_basis", torch.tensor(basis), persistent=False)
        top = torch.tensor([n - 1.0 for n in levels])
        self.register_buffer("_top", top, persistent=False)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Quantised vectors (..., width), and the free numbers before them (..., D).

        The gradient passes the rounding as if it were not there.
        """
        z: Tensor = self.project_in(x)
        bound = self.bound(z)
        level = bound + (bound.floor() - bound).detach()
        return self.project_out(self._values(level)), z

    def bound(self, z: Tensor) -> Tensor:
        """Free numbers (..., D) to numbers whose floor is the level index."""
        return self._top * (z.tanh() + 1.0) / 2.0 + 0.5

    def usage_loss(self, z: Tensor) -> Tensor:
        """How far free numbers (..., D) are from using all codes evenly.

        That is centred, with a spread of `_SPREAD`, and none related to another; the
        loss is made of logarithms and ratios, so it also pulls back what has run away.
        """
        z = z.flatten(0, -2).float()
        mean, std = z.mean(0), z.std(0).clamp(min=1e-3)
        scaled = (z - mean) / std
        related = scaled.T @ scaled / len(z)
        aside = related - torch.diag(related.diagonal())
        off = (mean / _SPREAD).square() + (std / _SPREAD).log().square()
        return off.mean() + aside.square().sum() / len(aside)

    @torch.no_grad()
    def spread(self, x: Tensor) -> None:
        """Scale `project_in` so that vectors x (N, width) use many codes.

        Fresh weights give nearly one and the same code to everything.
        """
        z = self.project_in(x)
        scale = _SPREAD / z.std(0).clamp(min=1e-6)
        self.project_in.weight.mul_(scale[:, None])
        self.project_in.bias.sub_(z.mean(0)).mul_(scale)

    def codes(self, x: Tensor) -> Tensor:
        """Codes (...) of vectors (..., width), int64."""
        return self.codes_of_free(self.project_in(x))

    def codes_of_free(self, z: Tensor) -> Tensor:
        """Codes (...) of free numbers (..., D)."""
        return (self.bound(z).floor().to(torch.int64) * self._basis).sum(-1)

    def vectors(self, codes: Tensor) -> Tensor:
        """Quantised vectors (..., width) of codes (...)."""
        sizes = self._top.to(torch.int64) + 1
        level = codes[..., None] // self._basis % sizes
        out: Tensor = self.project_out(self._values(level.to(self._top.dtype)))
        return out

    def _values(self, level: Tensor) -> Tensor:
        """Level indices to numbers in [-1, 1]."""
        return 2.0 * level / self._top - 1.0
