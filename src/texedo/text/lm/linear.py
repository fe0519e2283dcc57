"""A linear layer without bias for a fixed small number of rows, as fast as it gets.

On a CPU the weights are reordered once for oneDNN, which for 16 rows is two to three
times faster than a plain product. Where that is not to be had, a plain product it is.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from texedo.learning.packed_linear import pack_weight, packed_linear, packing_works


class FixedLinear:
    """x (rows, in) to (rows, out), with an optional sum: y + W x.

    On a GPU the sum is written over y: a fresh one costs a copy, which there takes
    nearly as long as the product.
    """

    def __init__(self, weight: Tensor, rows: int) -> None:
        self._weight = weight.detach().contiguous()
        self._packed: Tensor | None = None
        on_cpu = weight.device.type == "cpu" and weight.dtype == torch.float32
        if on_cpu and packing_works():
            with torch.inference_mode():
                self._packed = pack_weight(self._weight, rows)
            self._weight = self._weight.new_empty(0, 0)  # One copy is enough.
        self._transposed = self._weight.t()

    def __call__(self, x: Tensor, plus: Tensor | None = None) -> Tensor:
        if self._packed is not None:
            y = packed_linear(x, self._packed)
            return y if plus is None else y.add_(plus)
        if plus is None:
            return F.linear(x, self._weight)
        if plus.is_cuda:
            return plus.addmm_(x, self._transposed)
        return torch.addmm(plus, x, self._transposed)
