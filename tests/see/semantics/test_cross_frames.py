"""What the default verifier sees of a motion."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.motions import random_motion
from texedo.motion import FPS, Motion
from texedo.motion.edit import place
from texedo.motion.rotations import (
    quat_from_yaw,
    quat_multiply,
    quat_rotate_inverse,
    quat_yaw,
)
from texedo.robot.g1 import TRACKED_BODY_INDICES
from texedo.robot.kinematics import motion_kinematics
from texedo.robot.mirror import mirror
from texedo.see.semantics.cross.frames import (
    BODIES,
    FRAME_SIZE,
    HEADING,
    JOINTS,
    MIRROR_INDEX,
    MIRROR_SIGN,
    PLACE,
    TURNED,
    TURNING,
    UP,
    VELOCITY,
    batches,
    frames_of,
    motion_frames,
    padded_poses,
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


def _by_definition(motion: Motion) -> np.ndarray[Any, Any]:
    """The frames of a motion, number by number, in float64."""
    qpos = motion.to_qpos()[::2].astype(np.float64)
    pos, quat = qpos[:, :3], qpos[:, 3:7]
    yaw = np.unwrap(quat_yaw(quat))
    flat = pos * [1, 1, 0]
    steps = 25 * np.diff(flat, axis=0)
    steps = np.concatenate((steps[:1], steps))
    turning = 25 * np.diff(yaw)
    heading = quat_from_yaw(yaw)
    bodies = motion_kinematics(motion).pos_w[::2, TRACKED_BODY_INDICES]
    bodies = bodies[:, 1:] - bodies[:, :1]
    found = np.zeros((len(qpos), FRAME_SIZE))
    found[:, 0] = pos[:, 2]
    found[:, UP] = quat_rotate_inverse(quat, np.tile([0.0, 0, 1], (len(quat), 1)))
    found[:, VELOCITY] = quat_rotate_inverse(heading, steps)[:, :2]
    found[:, TURNING] = np.concatenate((turning[:1], turning))
    found[:, TURNED] = yaw - yaw[0]
    found[:, HEADING] = np.column_stack((np.cos(yaw - yaw[0]), np.sin(yaw - yaw[0])))
    start = np.broadcast_to(heading[:1], heading.shape)
    found[:, PLACE] = quat_rotate_inverse(start, flat - flat[0])[:, :2]
    found[:, JOINTS] = qpos[:, 7:]
    seen = [quat_rotate_inverse(heading, bodies[:, i]) for i in range(13)]
    found[:, BODIES] = np.concatenate(seen, axis=1)
    return found


def test_the_numbers_are_those_of_their_definition() -> None:
    motions = [random_motion(seed, n) for seed, n in enumerate((250, 1400, 5, 91))]
    motions.append(_walk(9.0, 1.0, 2.0))
    found = frames_of([motion.to_qpos() for motion in motions])
    for frames, motion in zip(found, motions, strict=True):
        np.testing.assert_allclose(frames, _by_definition(motion), atol=1e-5)


def test_half_a_turn_within_one_step_is_a_turn_to_the_left() -> None:
    qpos = _walk(0.08, 0.0, 0.0).to_qpos().copy()
    qpos[2:, 3:7] = [0, 0, 0, 1]
    assert frames_of([qpos])[0][:, TURNED].tolist() == pytest.approx([0.0, np.pi])


def test_a_kilometre_from_the_origin_the_numbers_are_the_same() -> None:
    near = random_motion(4, 200).to_qpos().astype(np.float64)
    far = near.copy()
    far[:, 3:7] = quat_multiply(
        np.tile(quat_from_yaw(np.array(2.0)), (200, 1)), far[:, 3:7]
    )
    turned = near[:, :2] @ [[np.cos(2), np.sin(2)], [-np.sin(2), np.cos(2)]]
    far[:, :2] = turned + [1000.0, -700.0]
    np.testing.assert_allclose(*frames_of([near, far]), atol=1e-5)


def test_padding_and_company_change_nothing() -> None:
    clips = [random_motion(seed, n).to_qpos() for seed, n in enumerate((3, 60, 2))]
    frames = motion_frames(torch.from_numpy(padded_poses(clips, 77))).numpy()
    assert frames.shape == (3, 77, FRAME_SIZE)
    for row, alone in zip(
        frames, (frames_of([clip])[0] for clip in clips), strict=True
    ):
        np.testing.assert_allclose(row[: len(alone)], alone, atol=1e-6)
        np.testing.assert_array_equal(row[len(alone) :, VELOCITY], 0.0)


def test_batches_hold_like_lengths_and_no_more_than_fits() -> None:
    assert list(batches([9, 2, 3, 8], 16)) == [[1, 2], [3], [0]]
    assert list(batches([100], 16)) == [[0]]
    assert list(batches([], 16)) == []
