"""Philox 4x64 as one Warp kernel: on a GPU a torch operator per addition is too slow.

Imports Warp: import this module only where Warp simulates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import warp as wp
from torch import Tensor

_ROUNDS = 10
_MULTIPLY_0 = wp.constant(wp.uint64(0xD2E7470EE14C6C93))
_MULTIPLY_1 = wp.constant(wp.uint64(0xCA5A826395121157))
_WEYL_0 = wp.constant(wp.uint64(0x9E3779B97F4A7C15))
_WEYL_1 = wp.constant(wp.uint64(0xBB67AE8584CAA73B))
_LOW = wp.constant(wp.uint64(0xFFFFFFFF))
_HALF = wp.constant(wp.uint64(32))


@wp.func  # type: ignore[untyped-decorator]
def _high(a: wp.uint64, b: wp.uint64) -> wp.uint64:
    """Upper half of the 128 bits of a product."""
    a0, a1 = a & _LOW, a >> _HALF
    b0, b1 = b & _LOW, b >> _HALF
    middle = a1 * b0 + ((a0 * b0) >> _HALF)
    other = a0 * b1 + (middle & _LOW)
    return a1 * b1 + (middle >> _HALF) + (other >> _HALF)


@wp.kernel(enable_backward=False)  # type: ignore[untyped-decorator]
def _blocks(  # type: ignore[no-untyped-def]  # Warp reads types of its own.
    keys: wp.array2d(dtype=wp.int64),  # type: ignore[valid-type]
    frame: wp.array(dtype=wp.int64),  # type: ignore[valid-type]
    width: wp.int64,
    out: wp.array2d(dtype=wp.int64),  # type: ignore[valid-type]
):
    row, block = wp.tid()  # type: ignore[misc]
    # numpy counts before it computes: its first block has number 1.
    number = frame[row] * width / wp.int64(4) + wp.int64(block) + wp.int64(1)
    c0 = wp.uint64(number)
    c1 = wp.uint64(0)
    c2 = wp.uint64(0)
    c3 = wp.uint64(0)
    k0 = wp.uint64(keys[row, 0])
    k1 = wp.uint64(keys[row, 1])
    for _ in range(_ROUNDS):
        h0 = _high(_MULTIPLY_0, c0)
        l0 = _MULTIPLY_0 * c0
        h1 = _high(_MULTIPLY_1, c2)
        l1 = _MULTIPLY_1 * c2
        c0 = h1 ^ c1 ^ k0
        c1 = l1
        c2 = h0 ^ c3 ^ k1
        c3 = l0
        k0 = k0 + _WEYL_0
        k1 = k1 + _WEYL_1
    out[row, 4 * block] = wp.int64(c0)
    out[row, 4 * block + 1] = wp.int64(c1)
    out[row, 4 * block + 2] = wp.int64(c2)
    out[row, 4 * block + 3] = wp.int64(c3)


def block_reader(
    keys: Tensor, frame: Tensor, out: Tensor, *, width: int
) -> Callable[[], None]:
    """What fills `out` (n, 4 blocks) from the `keys` and the `frame` of that moment."""
    wp.init()
    arrays: list[Any] = [wp.from_torch(part) for part in (keys, frame, out)]
    launch = wp.launch(
        _blocks,
        dim=(len(keys), out.shape[1] // 4),
        inputs=[*arrays[:2], width],
        outputs=arrays[2:],
        device=arrays[0].device,
        record_cmd=True,
    )

    def read() -> None:
        assert arrays  # They hold the memory that the launch refers to.
        launch.launch()

    return read
