"""A network whose answer for a row does not depend on the rows beside it, bit for bit.

Matrix products pick their inner loops by shape: a row computed alone, or in a batch of
another size, or at the ragged end of one, may be summed in another order. So rows are
evaluated in blocks of fixed sizes, padded with zeros, and before the first use it is
tried out on this very network and machine which sizes agree with each other in every
row. Usually all do; where none does, rows go one by one, which is slow but keeps the
promise. Operators must run on one thread (`texedo.core.threads`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

SIZES: tuple[tuple[int, ...], ...] = (
    (1, 2, 4, 8, 16, 24, 32, 48, 64, 80, 96, 112, 128),
    (4, 8, 16, 32, 64, 96, 128),
    (8, 16, 32, 64, 96, 128),
    (32,),
    (1,),
)
"""Sets of block sizes, from the fastest to the safest."""

Network = Callable[[Tensor], Tensor]


def stable_sizes(network: Network, num_inputs: int) -> tuple[int, ...]:
    """The first of `SIZES` in which a row gives the same bits wherever it stands."""
    generator = torch.Generator().manual_seed(0)
    rows = torch.randn(3, num_inputs, generator=generator)
    others = torch.randn(max(map(max, SIZES)), num_inputs, generator=generator)
    for sizes in SIZES[:-1]:
        if all(_agrees(network, row, others, sizes) for row in rows):
            return sizes
    return SIZES[-1]


@torch.inference_mode()
def _agrees(
    network: Network, row: Tensor, others: Tensor, sizes: tuple[int, ...]
) -> bool:
    expected = None
    for size in sizes:
        everywhere = network(row.repeat(size, 1))
        mixed = others[:size].clone()
        mixed[size // 2] = row
        answers = torch.cat((everywhere, network(mixed)[size // 2 :][:1]))
        expected = answers[0] if expected is None else expected
        if not torch.equal(answers, expected.expand_as(answers)):
            return False
    return True


class BlockEvaluator:
    """Evaluates any number of rows in blocks of the given sizes."""

    def __init__(
        self, network: Network, num_inputs: int, sizes: tuple[int, ...]
    ) -> None:
        self._network = network
        self._sizes = sizes
        # Kept and reused, for the sums may also depend on how memory is aligned.
        self._inputs = {size: torch.zeros(size, num_inputs) for size in sizes}

    @torch.inference_mode()
    def __call__(self, rows: NDArray[Any] | Tensor) -> NDArray[np.float32]:
        """Outputs (n, .) for inputs (n, num_inputs)."""
        rows = torch.as_tensor(rows)
        parts = []
        for start in range(0, len(rows), self._sizes[-1]):
            part = rows[start : start + self._sizes[-1]]
            size = next(s for s in self._sizes if s >= len(part))
            block = self._inputs[size]
            block[: len(part)] = part
            block[len(part) :] = 0.0
            parts.append(self._network(block)[: len(part)])
        return (parts[0] if len(parts) == 1 else torch.cat(parts)).numpy()
