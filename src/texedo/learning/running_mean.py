"""A running mean of weights beside those that are learnt: what is evaluated and ships."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn


@torch.no_grad()
def update_mean(
    mean: list[Tensor], parameters: Sequence[nn.Parameter], *, step: int, decay: float
) -> None:
    """One step of the mean, in place. A young mean forgets faster, so that it soon
    forgets the random start."""
    keep = min(decay, (1 + step) / (10 + step))
    torch._foreach_lerp_(mean, [p.detach() for p in parameters], 1 - keep)


@contextmanager
def weights_in_place(
    parameters: Sequence[nn.Parameter], values: list[Tensor]
) -> Iterator[None]:
    """Put other values into the parameters meanwhile."""
    own = [p.detach().clone() for p in parameters]
    _put(parameters, values)
    try:
        yield
    finally:
        _put(parameters, own)


@torch.no_grad()
def _put(parameters: Sequence[nn.Parameter], values: list[Tensor]) -> None:
    torch._foreach_copy_([p.detach() for p in parameters], values)
