"""One vector per motion token, as a sum over the levels of its code.

A code of the tokenizer is a small vector of levels. Codes that share levels look alike,
so each token's vector is the sum of one vector per dimension and level, and a free part
of its own for what the sum cannot say. Rare codes then learn from frequent ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

NUM_SPECIALS = 3
"""End, start and mask, numbered behind the codes in this order."""


def level_indicator(levels: Sequence[int]) -> Tensor:
    """1 where a code has a level, (codes, sum of levels)."""
    code = torch.arange(math.prod(levels), device="cpu")
    columns = []
    for size in levels:
        columns.append(torch.nn.functional.one_hot(code % size, size))
        code = code // size
    return torch.cat(columns, dim=1).float()


class CodeTable(nn.Module):
    """Vectors of all motion tokens; `table()` is (codes + 3, size)."""

    indicator: Tensor

    def __init__(self, levels: Sequence[int], size: int, *, std: float) -> None:
        super().__init__()
        indicator = level_indicator(levels)
        self.register_buffer("indicator", indicator, persistent=False)
        num_codes, num_levels = indicator.shape
        self.num_codes = num_codes
        self.free = nn.Parameter(torch.randn(num_codes + NUM_SPECIALS, size))
        self.by_level = nn.Parameter(torch.randn(num_levels, size))
        with torch.no_grad():
            self.by_level.mul_(std * len(levels) ** -0.5)
            self.free[:num_codes].mul_(0.1 * std)
            self.free[num_codes:].mul_(std)

    def table(self) -> Tensor:
        # Outside of autocast: a sum of parts is no place to round.
        with torch.autocast(self.free.device.type, enabled=False):
            shared = self.indicator @ self.by_level
            return self.free + nn.functional.pad(shared, (0, 0, 0, NUM_SPECIALS))
