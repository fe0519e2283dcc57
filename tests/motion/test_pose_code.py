"""Poses in bytes: what comes back, and what the bytes are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from texedo.motion.pose_code import PoseCode, decode_poses, encode_poses

STEPS = np.array([1.9e-4, 4.8e-5, 5e-5, 1.0])
"""All that files use, and one that is easy to count in."""
ONE = np.array([1.0])
FAR = 2.0**44
"""3.7e17 of the smallest steps; 2^59 are 5.8e17."""


def column(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)[:, None]


def clips(*lengths: int) -> NDArray[np.int64]:
    return np.array(lengths, dtype=np.int64)


@st.composite
def motions(draw: st.DrawFn) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Frames of a few clips, some of which may be empty, and the lengths of the clips."""
    lengths = draw(st.lists(st.integers(0, 9), max_size=6))
    elements = st.floats(-4, 4, width=32) | st.floats(-FAR, FAR, width=32)
    shape = (sum(lengths), len(STEPS))
    return draw(hnp.arrays(np.float32, shape, elements=elements)), clips(*lengths)


@settings(max_examples=200, deadline=None)
@given(motion=motions())
@example(motion=(np.full((1, 4), FAR, np.float32), clips(1)))
@example(motion=(np.full((2, 4), -FAR, np.float32), clips(1, 1)))
@example(motion=(np.outer([1, -1, 1], [FAR] * 4).astype(np.float32), clips(2, 1)))
def test_every_value_comes_back_within_half_a_step(
    motion: tuple[NDArray[np.float32], NDArray[np.int64]],
) -> None:
    qpos, lengths = motion
    code = encode_poses(qpos, lengths, steps=STEPS)
    back = decode_poses(code, lengths, steps=STEPS)
    assert back.shape == qpos.shape and back.dtype == np.float32
    # Half a step, and what float32 itself rounds off numbers of this size.
    assert (np.abs(back - qpos) <= 0.5 * STEPS + np.spacing(np.abs(qpos))).all()
    assert code.planes.shape == (2, 4, len(qpos))
    assert code.num_escapes.sum() == len(code.escapes)


def test_a_smooth_motion_is_small_numbers_that_begin_anew_with_each_clip() -> None:
    # Differences 1 1 2 -2, then 1 0 1 -4; the second clip has one frame of -1.
    code = encode_poses(column(1, 2, 4, 2, -1), clips(4, 1), steps=ONE)
    assert code.planes[:, 0].tolist() == [[2, 0, 2, 7, 1], [0] * 5]
    assert code.escapes.tolist() == []


def test_each_column_has_its_own_step() -> None:
    qpos = np.array([[0.3, 0.3]], dtype=np.float32)
    code = encode_poses(qpos, clips(1), steps=np.array([0.1, 0.001]))
    assert code.planes[:, :, 0].tolist() == [[6, 600 - 2 * 256], [0, 2]]


def test_what_does_not_fit_two_bytes_is_kept_apart() -> None:
    qpos = np.concatenate((column(32767, -32768), column(32768, 0)), axis=1)
    steps = np.array([1.0, 1.0])
    code = encode_poses(qpos, clips(1, 1), steps=steps)
    # 32767 is folded to 65534; -32768 to 65535, which is the mark, and so kept apart.
    assert code.planes[:, 0].tolist() == [[254, 255], [255, 255]]
    assert code.escapes.tolist() == [-32768, 32768]
    assert code.num_escapes.tolist() == [1, 1]
    assert np.array_equal(decode_poses(code, clips(1, 1), steps=steps), qpos)


def test_four_planes_are_read_too() -> None:
    planes = np.array([0x01, 0x02, 0x03, 0x00], dtype=np.uint8)[:, None, None]
    code = PoseCode(planes, clips())
    # 0x030201 is odd: a negative number.
    assert decode_poses(code, clips(1), steps=ONE) == -(0x030201 + 1) // 2


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e18])
def test_what_has_no_code_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=r"finite and of at most 2\^59 steps"):
        encode_poses(column(0, value, 0), clips(3), steps=ONE)


@pytest.mark.parametrize(
    ("planes", "escapes", "message"),
    [
        (np.zeros((2, 1, 4), np.uint8), 0, r"\(2, 1, 3\), got uint8 of \(2, 1, 4\)"),
        (np.zeros((2, 2, 3), np.uint8), 0, r"got uint8 of \(2, 2, 3\)"),
        (np.zeros((3, 1, 3), np.uint8), 0, r"got uint8 of \(3, 1, 3\)"),
        (np.zeros((2, 1, 3), np.int8), 0, "got int8"),
        (np.zeros((2, 1, 3), np.uint8), 1, r"mark 0 escapes, got \(1,\)"),
        (np.full((2, 1, 3), 255, np.uint8), 1, r"mark 3 escapes, got \(1,\)"),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(
    planes: NDArray[np.uint8], escapes: int, message: str
) -> None:
    code = PoseCode(planes, np.zeros(escapes, dtype=np.int64))
    with pytest.raises(ValueError, match=message):
        decode_poses(code, clips(3), steps=ONE)
