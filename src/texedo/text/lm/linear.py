"""A linear layer without bias for a fixed small number of rows, as fast as it gets.

On a CPU the weights are reordered once for oneDNN, which for 16 rows is two to three
times faster than a plain product. Where that is not to be had, a plain product it is.
"""

from __future__ import annotations

from functools import cache

import torch
import torch.nn.functional as F
from torch import Tensor


class FixedLinear:
    """x (rows, in) to (rows, out), with an optional sum: y + W x.

    On a GPU the sum is written over y: a fresh one costs a copy, which there takes
    nearly as long as the product.
    """

    def __init__(self, weight: Tensor, rows: int) -> None:
        self._weight = weight.detach().contiguous()
        self._packed = None
        if weight.device.type == "cpu" and weight.dtype == torch.float32:
            self._packed = _pack(self._weight, rows)
        self._transposed = self._weight.t()

    def __call__(self, x: Tensor, plus: Tensor | None = None) -> Tensor:
        if self._packed is not None:
            y = _product(x, self._packed)
            return y if plus is None else y.add_(plus)
        if plus is None:
            return F.linear(x, self._weight)
        if plus.is_cuda:
            return plus.addmm_(x, self._transposed)
        return torch.addmm(plus, x, self._transposed)


@torch.inference_mode()
def _pack(weight: Tensor, rows: int) -> Tensor | None:
    """The weight in oneDNN's own order, or None where this build cannot."""
    if not _packing_works():
        return None
    packed: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight, rows)
    return packed


@cache
def _packing_works() -> bool:
    """Whether the operators are there and right; they are no public part of torch."""
    weight = torch.linspace(-1.0, 1.0, 48 * 32).view(48, 32)
    x = torch.linspace(-2.0, 2.0, 16 * 32).view(16, 32)
    try:
        packed = torch.ops.mkldnn._reorder_linear_weight(weight, 16)
        return torch.allclose(_product(x, packed), F.linear(x, weight), atol=1e-4)
    except (RuntimeError, AttributeError, NotImplementedError):
        return False


def _product(x: Tensor, packed: Tensor) -> Tensor:
    y: Tensor = torch.ops.mkldnn._linear_pointwise(x, packed, None, "none", [], "")
    return y
