"""Linear layers whose weights are laid out once for a CPU's matrix kernels.

Torch hands a linear layer to a library that arranges the weights anew in every call; for
a few rows that costs more than the product. oneDNN takes weights in its own layout
instead, which also makes a row's bits the same in blocks of any size. Its operators are
no public part of torch: `packing_works` says whether this build has them, and right.
"""

from __future__ import annotations

from functools import cache

import torch
import torch.nn.functional as F
from torch import Tensor

_TOLERANCE = 1e-4
"""Largest difference to a plain product that is rounding."""


def pack_weight(weight: Tensor, rows: int) -> Tensor:
    """A float32 weight (out, in) in oneDNN's layout, made for blocks of `rows` rows.

    Blocks of other sizes work too, but not as fast.
    """
    packed: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight.detach(), rows)
    return packed


def packed_linear(x: Tensor, packed: Tensor, bias: Tensor | None = None) -> Tensor:
    """x (rows, in) to (rows, out) with a packed weight."""
    y: Tensor = torch.ops.mkldnn._linear_pointwise(x, packed, bias, "none", [], "")
    return y


@cache
@torch.inference_mode()
def packing_works() -> bool:
    """Whether the operators are there and right; it depends on the machine alone."""
    weight = torch.linspace(-1.0, 1.0, 48 * 32).view(48, 32)
    x = torch.linspace(-2.0, 2.0, 16 * 32).view(16, 32)
    bias = torch.linspace(-3.0, 3.0, 48)
    try:
        return all(
            torch.allclose(
                packed_linear(x, pack_weight(weight, rows), own),
                F.linear(x, weight, own),
                atol=_TOLERANCE,
            )
            for rows, own in ((16, None), (128, bias))
        )
    except (RuntimeError, AttributeError, NotImplementedError):
        return False
