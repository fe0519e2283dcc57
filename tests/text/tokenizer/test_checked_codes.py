"""Codes that are checked by decoding them."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.motions import random_motion
from texedo.text.tokenizer.checked_codes import _smooth, closed_loop_codes

torch = pytest.importorskip("torch")

from texedo.text.tokenizer.net import NetSpec, TokenizerNet  # noqa: E402
from texedo.text.tokenizer.tokenizer import MotionTokenizer  # noqa: E402

Float32 = NDArray[np.float32]
Int64 = NDArray[np.int64]


def walk(degrees: float, speed: float) -> Float32:
    """Features (200, 37) of a walk that faces one way all the time."""
    row = np.zeros((200, 37), dtype=np.float32)
    row[:, 3] = 1.0
    row[:, 4], row[:, 5] = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    row[:, 6] = speed
    return row


def hundredths_of_degrees(rows: Sequence[Float32]) -> list[Int64]:
    yaws = [np.degrees(np.arctan2(row[:, 5], row[:, 4])) for row in rows]
    return [np.round(100.0 * yaw).astype(np.int64) for yaw in yaws]


def half_as_far_turned(codes: Sequence[Int64]) -> list[Float32]:
    return [
        np.concatenate([walk(code / 200.0, 0.0)[:1] for code in row]) for row in codes
    ]


def millimetres_per_second(rows: Sequence[Float32]) -> list[Int64]:
    return [np.round(1000.0 * row[:, 6]).astype(np.int64) for row in rows]


def half_as_fast(codes: Sequence[Int64]) -> list[Float32]:
    return [
        np.concatenate([walk(0.0, code / 2000.0)[:1] for code in row]) for row in codes
    ]


def test_a_decoder_that_turns_half_as_far_is_asked_for_more() -> None:
    rows = [walk(60.0, 0.0)]
    for rounds in (0, 1, 4):
        codes = closed_loop_codes(
            rows, hundredths_of_degrees, half_as_far_turned, rounds
        )
        # A round takes off half of an error, and half of that arrives: 0.75 of it stays.
        found = codes[0][100] / 200.0
        assert 60.0 - found == pytest.approx(30.0 * 0.75**rounds, abs=0.1)


def test_a_decoder_that_is_half_as_fast_is_asked_for_more() -> None:
    for rounds in (0, 4):
        codes = closed_loop_codes(
            [walk(0.0, 0.4)], millimetres_per_second, half_as_fast, rounds
        )
        found = codes[0][100] / 2000.0
        assert 0.4 - found == pytest.approx(0.2 * 0.75**rounds, abs=0.002)


def test_codes_that_are_right_already_stay() -> None:
    def decode(codes: Sequence[Int64]) -> list[Float32]:
        return half_as_far_turned([2 * row for row in codes])

    plain = hundredths_of_degrees([walk(60.0, 0.0)])[0]
    codes = closed_loop_codes([walk(60.0, 0.0)], hundredths_of_degrees, decode, 3)
    assert np.array_equal(codes[0], plain)


def small_tokenizer() -> MotionTokenizer:
    torch.manual_seed(0)
    net = TokenizerNet(NetSpec(width=16, encoder_depth=1, decoder_depth=1))
    net.spread_codes(torch.randn(4, 64, 37))
    return MotionTokenizer(net)


def test_no_rounds_give_the_plain_codes() -> None:
    tokenizer = small_tokenizer()
    clips = [random_motion(i, 50 + i).to_qpos() for i in range(3)]
    plain = tokenizer.encode_qpos(clips)
    again = tokenizer.encode_qpos(clips, rounds=0)
    assert all(np.array_equal(a, b) for a, b in zip(plain, again, strict=True))


@pytest.mark.parametrize("frames", [2, 5, 90])
def test_rounds_change_neither_length_nor_range_nor_what_else_is_there(
    frames: int,
) -> None:
    tokenizer = small_tokenizer()
    clips = [random_motion(1, frames).to_qpos(), random_motion(2, 30).to_qpos()]
    both = tokenizer.encode_qpos(clips, rounds=2)
    assert len(both[0]) == -(-frames // 4)
    assert all(0 <= row.min() and row.max() < 7776 for row in both)
    alone = tokenizer.encode_qpos(clips[:1], rounds=2)
    assert np.array_equal(alone[0], both[0])


def test_a_smoothed_constant_is_that_constant_up_to_both_ends() -> None:
    assert np.allclose(_smooth(np.full(7, 3.0), 1.02), 3.0)
    assert np.allclose(_smooth(np.full((200, 2), 3.0), 0.26), 3.0)
