"""What the default verifier sees of a motion."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.motions import random_motion
from texedo.motion import FPS, Motion
from texedo.motion.edit import place
from texedo.robot.mirror import mirror
from texedo.see.semantics.cross.frames import (
    FRAME_SIZE,
    MIRROR_INDEX,
    MIRROR_SIGN,
    PLACE,
    TURNED,
    TURNING,
    VELOCITY,
    frames_of,
)


def _walk(seconds: float, speed: float, turn: float) -> Motion:
    """Straight standing, moving ahead at `speed` [m/s] while turning at `turn` [rad/s]."""
    time = np.arange(round(seconds * FPS)) / FPS
    yaw = turn * time
    step = speed / FPS * np.stack((np.cos(yaw), np.sin(yaw)), axis=-1)
    way = np.cumsum(step, axis=0) - step[0]
    zero = np.zeros_like(time)
    return Motion(
        root_pos_w=np.column_stack((way, zero + 0.79)),
        root_quat_w=np.column_stack((np.cos(yaw / 2), zero, zero, np.sin(yaw / 2))),
        joint_pos=np.zeros((len(time), 29)),
    )


def test_every_second_frame_is_looked_at() -> None:
    assert [
        len(f)
        for f in frames_of([np.asarray(_walk(s, 0, 0).to_qpos()) for s in (2, 2.02)])
    ] == [50, 51]


def test_a_walk_ahead_at_one_metre_per_second_shows_its_speed_and_its_way() -> None:
    frames = frames_of([_walk(2.0, 1.0, 0.0).to_qpos()])[0]
    assert frames.shape == (50, FRAME_SIZE)
    np.testing.assert_allclose(frames[:, VELOCITY], [[1.0, 0.0]] * 50, atol=1e-4)
    np.testing.assert_allclose(frames[-1, PLACE], [49 * 0.04, 0.0], atol=1e-4)


def test_a_turn_of_more_than_a_whole_one_is_counted_on() -> None:
    frames = frames_of([_walk(9.0, 0.0, 1.0).to_qpos()])[0]
    assert frames[-1, TURNED] == pytest.approx(224 * 0.04, abs=1e-3)
    np.testing.assert_allclose(frames[:, TURNING], 1.0, atol=1e-3)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000), yaw=st.floats(-3, 3), x=st.floats(-50, 50))
def test_neither_place_nor_heading_of_the_start_plays_a_part(
    seed: int, yaw: float, x: float
) -> None:
    motion = random_motion(seed)
    moved = place(motion, xy=np.array([x, -x]), yaw=yaw)
    np.testing.assert_allclose(
        *(frames_of([m.to_qpos()])[0] for m in (motion, moved)), atol=2e-3
    )


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000))
def test_frames_of_the_mirrored_motion_are_the_mirrored_frames(seed: int) -> None:
    motion = random_motion(seed)
    frames, image = (frames_of([m.to_qpos()])[0] for m in (motion, mirror(motion)))
    np.testing.assert_allclose(frames[:, MIRROR_INDEX] * MIRROR_SIGN, image, atol=1e-4)
    twice = (
        frames[:, MIRROR_INDEX][:, MIRROR_INDEX]
        * MIRROR_SIGN[MIRROR_INDEX]
        * MIRROR_SIGN
    )
    np.testing.assert_array_equal(twice, frames)


def test_a_single_frame_is_enough() -> None:
    frames = frames_of([random_motion(1, frames=2).to_qpos()[:1]])[0]
    assert frames.shape == (1, FRAME_SIZE) and np.isfinite(frames).all()
