"""The random numbers of `perturb.draw` made on the device where they are needed.

numpy's Philox 4x64 computes its n-th number from the key and n alone. So thousands of
robots read their own streams at their own frames without any of them being stored, and
the numbers are numpy's, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

PER_BLOCK = 4
"""64-bit numbers that the generator makes at a time."""
_ROUNDS = 10
_MULTIPLY = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
_WEYL = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
_LOW = 0xFFFFFFFF
_MANTISSA = (1 << 53) - 1


class Streams:
    """Streams of n robots, each read where its robot is.

    The tensors given stay the caller's: what is written to them counts from the next
    `read` on. A frame takes `width` numbers, an even number of them.
    """

    def __init__(self, keys: Tensor, frame: Tensor, *, width: int) -> None:
        """`keys` (n, 2) and `frame` (n,), int64."""
        self._frame, self._width = frame, width
        # Two more than the width: a frame may begin in the middle of a block.
        blocks = -(-(width + PER_BLOCK // 2) // PER_BLOCK)
        shape = (len(keys), PER_BLOCK * blocks)
        self._bits = torch.zeros(shape, dtype=torch.int64, device=keys.device)
        self._read: Callable[[], None]
        self._read = partial(read_blocks, keys, frame, self._bits, width=width)
        if keys.device.type == "cuda":
            from texedo.tracker.sim.philox_warp import block_reader

            self._read = block_reader(keys, frame, self._bits, width=width)

    def read(self) -> None:
        """Make the numbers of the frames where the robots are now."""
        self._read()

    def bits(self, frame: Tensor | None = None) -> Tensor:
        """What was read, 64 random bits a number, (n, width) int64."""
        frame = self._frame if frame is None else frame
        skip = (frame * self._width) % PER_BLOCK
        late, width = self._bits[:, PER_BLOCK // 2 :], self._width
        return torch.where((skip > 0)[:, None], late[:, :width], self._bits[:, :width])

    def uniform(self, frame: Tensor | None = None) -> Tensor:
        """The same as numbers from 0 to 1, (n, width) float64."""
        return unit_interval(self.bits(frame))


def unit_interval(bits: Tensor) -> Tensor:
    """Random bits as numbers from 0 to 1 as numpy makes them of their upper 53."""
    return ((bits >> 11) & _MANTISSA).double() * 2.0**-53


def first_numbers(keys: Tensor, count: int) -> Tensor:
    """The first `count` numbers of each stream of `keys` (n, 2), (n, count) as bits."""
    start = torch.zeros(len(keys), dtype=torch.int64, device=keys.device)
    streams = Streams(keys, start, width=count)
    streams.read()
    return streams.bits()


def read_blocks(keys: Tensor, frame: Tensor, out: Tensor, *, width: int) -> None:
    """Fill `out` (n, 4 blocks) with the blocks of `frame` (n,) and those after it."""
    block = torch.arange(out.shape[1] // PER_BLOCK, device=keys.device)
    # numpy counts before it computes: its first block has number 1.
    c0 = (frame * width // PER_BLOCK)[:, None] + block + 1
    c1 = c2 = c3 = torch.zeros_like(c0)
    k0, k1 = (keys[:, i, None].clone() for i in (0, 1))
    for _ in range(_ROUNDS):
        high0, low0 = _product(c0, _MULTIPLY[0])
        high1, low1 = _product(c2, _MULTIPLY[1])
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = k0 + _signed(_WEYL[0]), k1 + _signed(_WEYL[1])
    out.copy_(torch.stack((c0, c1, c2, c3), dim=-1).flatten(1))


def _product(a: Tensor, b: int) -> tuple[Tensor, Tensor]:
    """Upper and lower half of the 128 bits of products; int64 stands for uint64."""
    a0, a1 = a & _LOW, _upper(a)
    b0, b1 = b & _LOW, b >> 32
    middle = a1 * b0 + _upper(a0 * b0)
    other = a0 * b1 + (middle & _LOW)
    return a1 * b1 + _upper(middle) + _upper(other), a * _signed(b)


def _upper(x: Tensor) -> Tensor:
    """The upper 32 of 64 bits, without the sign."""
    return (x >> 32) & _LOW


def _signed(value: int) -> int:
    """The int64 with the bits of a uint64."""
    return value - (1 << 64) if value >> 63 else value
