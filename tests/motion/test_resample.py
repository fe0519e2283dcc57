"""Resampling: lengths, shared instants, smoothness, and what no spline may do."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.support.motions import random_motion
from tests.support.rotations import assert_same_rotations, raw_walk, walk
from texedo.core.errors import MotionError
from texedo.motion import FPS, relative_yaw, resample
from texedo.motion.resample import Frames, resample_frames
from texedo.motion.rotations import quat_angle
from texedo.motion.splines import spline_at
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER

examples = settings(max_examples=30, deadline=None)
RANGES = (JOINT_LOWER, JOINT_UPPER)


def test_resampling_50_to_50_changes_nothing():
    motion = walk(33)
    again = resample(motion.root_pos_w, motion.root_quat_w, motion.joint_pos, fps=50.0)
    assert again == motion


@pytest.mark.parametrize(
    ("fps", "ours", "theirs"),
    [(30, 5, 3), (25, 2, 1), (60, 5, 6), (100, 1, 2), (120, 5, 12), (20, 5, 2)],
)
def test_resampling_agrees_at_shared_instants(fps, ours, theirs):
    given = raw_walk(10 * theirs + 1, fps=fps)
    motion = resample(**given, fps=fps)
    assert len(motion) == 10 * ours + 1
    shared = {name: array[::theirs] for name, array in given.items()}
    np.testing.assert_allclose(
        motion.root_pos_w[::ours], shared["root_pos_w"], atol=1e-6
    )
    np.testing.assert_allclose(motion.joint_pos[::ours], shared["joint_pos"], atol=1e-6)
    quat = motion.root_quat_w[::ours].astype(np.float64)
    np.testing.assert_allclose(quat_angle(quat, shared["root_quat_w"]), 0, atol=1e-6)


def test_two_frames_are_joined_by_a_straight_line():
    given = raw_walk(2, fps=25)
    motion = resample(**given, fps=25)
    middle = given["joint_pos"].mean(axis=0)
    np.testing.assert_allclose(motion.joint_pos[1], middle, atol=1e-6)


def test_resampling_turns_at_a_constant_rate():
    half_turn = np.array([[1.0, 0, 0, 0], [0.0, 0, 0, 1.0]])
    motion = resample(np.zeros((2, 3)), half_turn, np.zeros((2, 29)), fps=5.0)
    steps = np.diff(relative_yaw(motion))
    np.testing.assert_allclose(np.abs(steps), np.pi / 10, atol=1e-6)


def test_resampling_does_not_take_the_long_way_round():
    given = raw_walk(31, fps=30)
    flipped = given | {"root_quat_w": given["root_quat_w"].copy()}
    flipped["root_quat_w"][::2] *= -1
    a, b = resample(**given, fps=30), resample(**flipped, fps=30)
    assert_same_rotations(a.root_quat_w, b.root_quat_w, atol=1e-6)


@examples
@given(frames=st.integers(2, 400), fps=st.floats(5.0, 400.0))
def test_resampling_keeps_the_duration_to_within_a_frame(frames, fps):
    duration = (frames - 1) / fps
    assume(duration * FPS >= 1)
    motion = resample(**raw_walk(frames, fps=fps), fps=fps)
    assert duration - 1 / FPS < motion.duration <= duration + 1e-6


@pytest.mark.parametrize("fps", [30, 60, 120, 29.97, 23.976])
def test_resampling_whole_seconds_loses_no_frame_to_rounding(fps):
    frames = round(fps * 40) + 1
    motion = resample(**raw_walk(frames, fps=fps), fps=fps)
    assert len(motion) == int((frames - 1) / fps * FPS + 1e-6) + 1


@pytest.mark.parametrize("fps", [0.0, -30.0, np.nan, np.inf, 1e6])
def test_a_rate_that_is_none_is_refused(fps):
    with pytest.raises(MotionError, match="fps must be from 0.01 to 10000, got"):
        resample(**raw_walk(5), fps=fps)


def test_resampling_refuses_what_is_too_short_or_too_long():
    with pytest.raises(MotionError, match="at least 2 frames, got 1"):
        resample(**raw_walk(1), fps=30)
    with pytest.raises(MotionError, match="less than two frames at 50 Hz"):
        resample(**raw_walk(2), fps=120)
    with pytest.raises(MotionError, match=r"at most 1000000 are allowed. Is the fps"):
        resample(**raw_walk(300), fps=0.01)


def test_resampling_refuses_nan_before_it_spreads():
    given = raw_walk(7, fps=30)
    given["joint_pos"][3, 0] = np.nan
    with pytest.raises(MotionError, match="in 1 of 7 frames, first in frame 3"):
        resample(**given, fps=30)


# Smoothness


def frames_of(motion):
    return Frames(motion.root_pos_w, motion.root_quat_w, motion.joint_pos)


def captured_look(seed, frames):
    """Frames with what recordings have: slow swings, and quick ones of few degrees."""
    slow = random_motion(seed, frames)
    rng = np.random.default_rng(seed)
    time = np.arange(frames)[:, None] / 30
    quick = np.sin(2 * np.pi * rng.uniform(3, 5, 29) * time + rng.uniform(0, 6, 29))
    return frames_of(slow)._replace(joint_pos=slow.joint_pos * 0.9 + 0.02 * quick)


def acceleration(joints, fps):
    return np.abs(np.diff(joints, 2, axis=0)) * fps**2


@pytest.mark.parametrize("seed", range(5))
def test_30_to_50_and_back_returns_the_frames(seed):
    frames = captured_look(seed, 301)
    at_50 = resample_frames(frames, fps=30, to_fps=50, ranges=RANGES)
    back = resample_frames(at_50, fps=50, to_fps=30, ranges=RANGES)
    assert len(at_50.joint_pos) == 501
    np.testing.assert_allclose(back.joint_pos, frames.joint_pos, atol=1e-3)
    np.testing.assert_allclose(back.root_pos_w, frames.root_pos_w, atol=1e-3)
    turn = quat_angle(back.root_quat_w, frames.root_quat_w.astype(np.float64))
    assert turn.max() < 1e-3


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("share", [50, 90, 99, 100])
def test_accelerations_of_30_frames_per_second_stay_within_a_tenth(seed, share):
    frames = captured_look(seed, 301)
    smooth = resample_frames(frames, fps=30, to_fps=50, ranges=RANGES)
    own = np.percentile(acceleration(frames.joint_pos, 30), share)
    ours = np.percentile(acceleration(smooth.joint_pos, 50), share)
    assert 0.9 * own < ours < 1.1 * own


def test_straight_lines_would_have_corners_that_splines_do_not():
    frames = captured_look(7, 301)
    at = np.arange(501) * 0.6
    corners = [np.interp(at, np.arange(301), column) for column in frames.joint_pos.T]
    linear = acceleration(np.stack(corners, axis=1), 50).max()
    smooth = acceleration(spline_at(frames.joint_pos, at), 50).max()
    assert smooth < 1.1 * acceleration(frames.joint_pos, 30).max() < linear


# Splines


def test_a_spline_passes_through_its_frames():
    values = np.random.default_rng(0).normal(size=(40, 3))
    np.testing.assert_allclose(spline_at(values, np.arange(40.0)), values, atol=1e-12)


@pytest.mark.parametrize("frames", [2, 3, 4, 7, 60])
def test_a_straight_line_stays_straight(frames):
    values = 3.0 * np.arange(frames)[:, None] - 1.0
    at = np.linspace(0, frames - 1, 101)
    np.testing.assert_allclose(spline_at(values, at)[:, 0], 3 * at - 1, atol=1e-11)


def test_a_slow_wave_is_met_between_its_frames():
    at = np.linspace(20, 80, 241)
    values = np.sin(0.3 * np.arange(101.0))[:, None]
    np.testing.assert_allclose(spline_at(values, at)[:, 0], np.sin(0.3 * at), atol=5e-6)


def test_many_columns_in_pieces_are_the_same(monkeypatch):
    values = np.random.default_rng(1).normal(size=(50, 9))
    at = np.linspace(0, 49, 83)
    whole = spline_at(values, at)
    monkeypatch.setattr("texedo.motion.splines._CHUNK", 200)
    np.testing.assert_array_equal(spline_at(values, at), whole)


# Limits and jumps


def test_a_joint_at_its_stop_is_not_carried_past_it():
    frames = captured_look(3, 12)
    joints = np.zeros((12, 29))
    joints[4:8, 3] = JOINT_UPPER[3]  # a knee that hits its stop and rests there
    given = frames._replace(joint_pos=joints)
    free = resample_frames(given, fps=30, to_fps=50)
    held = resample_frames(given, fps=30, to_fps=50, ranges=RANGES)
    assert free.joint_pos[:, 3].max() > JOINT_UPPER[3] + 0.05
    assert held.joint_pos[:, 3].max() <= JOINT_UPPER[3]
    assert held.joint_pos[:, 3].min() >= JOINT_LOWER[3]


def test_frames_past_a_stop_are_kept_as_they_are():
    joints = np.full((7, 29), 0.1)
    joints[:, 3] = JOINT_UPPER[3] + 0.3
    given = captured_look(3, 7)._replace(joint_pos=joints)
    out = resample_frames(given, fps=25, to_fps=50, ranges=RANGES)
    np.testing.assert_allclose(out.joint_pos[:, 3], JOINT_UPPER[3] + 0.3, atol=1e-12)


def test_a_root_that_jumps_does_not_swing_about_the_jump():
    quat = np.zeros((11, 4))
    quat[:5, 0] = 1.0
    quat[5:, 3] = 1.0  # half a turn between two frames
    given = captured_look(3, 11)._replace(root_quat_w=quat)
    out = resample_frames(given, fps=25, to_fps=50)
    np.testing.assert_allclose(np.linalg.norm(out.root_quat_w, axis=1), 1, atol=1e-12)
    # Frame 9 of 50 Hz is half-way between frames 4 and 5: a quarter turn.
    half = np.sqrt(0.5)
    np.testing.assert_allclose(
        np.abs(out.root_quat_w[9]), [half, 0, 0, half], atol=1e-9
    )


def test_frames_return_also_where_a_joint_was_held_back():
    # A knee that swings towards its stop, rests on it, and leaves again.
    time = np.arange(91)[:, None] / 30
    joints = np.minimum(np.tile(2.8 + 0.25 * np.sin(5 * time), (1, 29)), JOINT_UPPER[3])
    joints[:, :3], joints[:, 4:] = 0.0, 0.0
    given = captured_look(3, 91)._replace(joint_pos=joints)
    held = resample_frames(given, fps=30, to_fps=50, ranges=RANGES)
    assert held.joint_pos[:, 3].max() <= JOINT_UPPER[3]
    back = resample_frames(held, fps=50, to_fps=30, ranges=RANGES)
    np.testing.assert_allclose(back.joint_pos, joints, atol=1e-3)
    cut = np.minimum(spline_at(joints, np.arange(151) * 0.6), JOINT_UPPER[3])
    lost = np.abs(spline_at(cut, np.arange(91) / 0.6) - joints).max()
    assert lost > 1e-3  # without the correction
