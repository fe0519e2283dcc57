"""Trim, join, speed up, canonicalise: lengths and what stays the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.rotations import walk
from texedo.core.errors import MotionError
from texedo.motion import (
    Motion,
    canonicalize,
    change_speed,
    concatenate,
    place,
    relative_yaw,
    trim,
)
from texedo.motion.rotations import (
    quat_angle,
    quat_conjugate,
    quat_multiply,
    quat_rotate_inverse,
    quat_yaw,
)

examples = settings(max_examples=30, deadline=None)


def assert_close(a: Motion, b: Motion, *, atol: float) -> None:
    assert len(a) == len(b)
    np.testing.assert_allclose(a.root_pos_w, b.root_pos_w, atol=atol)
    np.testing.assert_allclose(a.joint_pos, b.joint_pos, atol=atol)
    angle = quat_angle(*(m.root_quat_w.astype(np.float64) for m in (a, b)))
    np.testing.assert_allclose(angle, 0, atol=2 * atol)


def in_first_frame(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Root positions and rotations seen from the first frame: no place, no heading."""
    pos = motion.root_pos_w.astype(np.float64)
    quat = motion.root_quat_w.astype(np.float64)
    return (
        quat_rotate_inverse(quat[0], pos - pos[0]),
        quat_multiply(quat_conjugate(quat[0]), quat),
    )


def heading(motion: Motion, frame: int) -> float:
    return float(quat_yaw(motion.root_quat_w[frame].astype(np.float64)))


# Change speed


def test_twice_as_fast_takes_every_other_frame():
    motion = walk(21)
    fast = change_speed(motion, 2.0)
    expected = Motion.from_qpos(motion.to_qpos()[::2])
    assert_close(fast, expected, atol=1e-6)
    assert fast.duration == motion.duration / 2


def test_half_as_fast_keeps_every_frame():
    motion = walk(21)
    slow = change_speed(motion, 0.5)
    assert len(slow) == 41
    assert_close(Motion.from_qpos(slow.to_qpos()[::2]), motion, atol=1e-6)


def test_the_same_speed_is_the_same_motion():
    assert change_speed(walk(21), 1.0) == walk(21)


@pytest.mark.parametrize("factor", [0.0, -1.0, np.nan, np.inf])
def test_speeds_that_are_none_are_refused(factor):
    with pytest.raises(ValueError, match="factor must be positive"):
        change_speed(walk(5), factor)


# Trim


def test_trim_keeps_both_ends():
    motion = walk(101)
    part = trim(motion, 0.5, 1.0)
    assert len(part) == 26
    np.testing.assert_array_equal(part.to_qpos(), motion.to_qpos()[25:51])


def test_trim_of_nothing_changes_nothing():
    motion = walk(20)
    assert trim(motion) == motion
    assert trim(motion, 0.0, motion.duration) == motion


def test_trim_without_an_end_goes_to_the_end():
    assert len(trim(walk(101), 1.5)) == 26


@pytest.mark.parametrize(
    ("start", "end"),
    [(-0.1, 1.0), (0.0, 2.1), (1.0, 1.0), (1.5, 1.0), (np.nan, 1.0), (0.0, np.inf)],
)
def test_trim_outside_the_motion_is_refused(start, end):
    with pytest.raises(MotionError, match="the motion lasts from 0 to 2 s"):
        trim(walk(101), start, end)


# Canonicalize and place


@examples
@given(seed=st.integers(0, 1000))
def test_canonicalize_starts_above_the_origin_facing_x(seed):
    motion = canonicalize(walk(40, seed=seed))
    np.testing.assert_allclose(motion.root_pos_w[0, :2], 0, atol=1e-6)
    assert heading(motion, 0) == pytest.approx(0.0, abs=1e-6)


def test_canonicalize_keeps_heights_and_joints():
    motion = walk(40)
    moved = canonicalize(motion)
    np.testing.assert_array_equal(moved.root_pos_w[:, 2], motion.root_pos_w[:, 2])
    np.testing.assert_array_equal(moved.joint_pos, motion.joint_pos)


def test_canonicalize_twice_is_once():
    once = canonicalize(walk(40))
    assert_close(canonicalize(once), once, atol=1e-6)


@examples
@given(x=st.floats(-5, 5), y=st.floats(-5, 5), yaw=st.floats(-7, 7))
def test_moving_keeps_the_motion_seen_from_its_first_frame(x, y, yaw):
    motion = walk(40)
    moved = place(motion, xy=np.array([x, y]), yaw=yaw)
    np.testing.assert_allclose(moved.root_pos_w[0, :2], [x, y], atol=1e-6)
    assert np.cos(heading(moved, 0) - yaw) == pytest.approx(1.0)
    for ours, theirs in zip(in_first_frame(moved), in_first_frame(motion), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=3e-6)


@examples
@given(x=st.floats(-5, 5), y=st.floats(-5, 5), yaw=st.floats(-7, 7))
def test_canonicalize_does_not_see_where_a_motion_was(x, y, yaw):
    motion = walk(40)
    moved = place(motion, xy=np.array([x, y]), yaw=yaw)
    assert_close(canonicalize(moved), canonicalize(motion), atol=3e-6)


# Concatenate


def test_concatenate_keeps_every_frame_and_adds_the_blend():
    first, second = walk(30), walk(40, seed=1)
    assert len(concatenate(first, second, blend=0.0)) == 70
    joined = concatenate(first, second, blend=0.4)
    assert len(joined) == 90
    np.testing.assert_array_equal(joined.to_qpos()[:30], first.to_qpos())
    np.testing.assert_array_equal(joined.joint_pos[50:], second.joint_pos)


@pytest.mark.parametrize("blend", [0.0, 0.4])
def test_concatenate_carries_place_and_heading_on(blend):
    first, second = walk(30), walk(40, seed=1)
    joined = concatenate(first, second, blend=blend)
    start = len(joined) - 40
    np.testing.assert_allclose(
        joined.root_pos_w[start, :2], first.root_pos_w[-1, :2], atol=1e-6
    )
    assert heading(joined, start) == pytest.approx(heading(first, -1), abs=1e-6)
    tail = Motion.from_qpos(joined.to_qpos()[start:])
    assert_close(canonicalize(tail), canonicalize(second), atol=3e-6)


def test_concatenate_has_no_jump():
    first, second = walk(30), walk(40, seed=1)
    joined = concatenate(first, second, blend=0.4)
    gap = np.abs(second.joint_pos[0] - first.joint_pos[-1]).max()
    steps = np.abs(np.diff(joined.joint_pos[29:51], axis=0))
    # A smooth step over 21 intervals is at most 1.5 times as steep as a straight line.
    assert steps.max() <= 1.5 * gap / 21 + 1e-6
    quat = joined.root_quat_w.astype(np.float64)
    assert quat_angle(quat[1:], quat[:-1]).max() < 0.05


def test_concatenate_ends_where_the_parts_add_up():
    # 1 m ahead and a quarter turn left, twice: (1, 1), facing back.
    t = np.linspace(0, 1, 51)
    quarter = Motion(
        root_pos_w=np.stack((t, 0 * t, 0 * t + 0.76), axis=-1),
        root_quat_w=np.stack(
            (np.cos(t * np.pi / 4), 0 * t, 0 * t, np.sin(t * np.pi / 4)), axis=-1
        ),
        joint_pos=np.zeros((51, 29)),
    )
    joined = concatenate(quarter, quarter)
    np.testing.assert_allclose(joined.root_pos_w[-1], [1, 1, 0.76], atol=1e-6)
    assert relative_yaw(joined)[-1] == pytest.approx(np.pi, abs=1e-6)


@pytest.mark.parametrize("blend", [-0.1, np.nan, np.inf])
def test_blends_that_are_none_are_refused(blend):
    with pytest.raises(ValueError, match="zero or positive seconds"):
        concatenate(walk(5), walk(5), blend=blend)


# Relative yaw


def test_two_full_turns_are_four_pi():
    yaw = np.linspace(1.0, 1.0 + 4 * np.pi, 201)
    quat = np.stack((np.cos(yaw / 2), 0 * yaw, 0 * yaw, np.sin(yaw / 2)), axis=-1)
    motion = Motion(
        root_pos_w=np.zeros((201, 3)), root_quat_w=quat, joint_pos=np.zeros((201, 29))
    )
    np.testing.assert_allclose(relative_yaw(motion), yaw - 1.0, atol=1e-5)
