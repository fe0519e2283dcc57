"""Standing around a motion: at rest, continuous, and on feet that stay where they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.motions import random_motion
from texedo.core.errors import MotionError
from texedo.data.synth.author import Spec, author
from texedo.do.blend import CALM_SPEED, Blended, blend_with_standing, standing_pose
from texedo.motion import FPS, Motion, canonicalize, trim
from texedo.motion.rotations import quat_angle, quat_from_yaw, quat_yaw
from texedo.robot import g1
from texedo.robot.check import check_motion
from texedo.robot.collision import sole_centres, sole_clearance
from texedo.robot.kinematics import motion_kinematics

few = settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@pytest.fixture(scope="module")
def wave() -> Motion:
    return author(Spec(kind="wave", side="right", count=1)).motion


@pytest.fixture(scope="module")
def walk() -> Motion:
    """Three steps in the middle of a walk: it begins and ends at speed."""
    whole = author(Spec(kind="walk", way="forward", count=5)).motion
    return trim(whole, whole.duration / 3, 2 * whole.duration / 3)


def assert_stands_still(motion: Motion, frames: slice) -> None:
    """Joints, height and tilt of the standing pose, without any speed."""
    qpos = motion.to_qpos()[frames]
    assert (qpos == qpos[0]).all()
    np.testing.assert_array_equal(qpos[0, 7:], g1.KNEES_BENT.astype(np.float32))
    assert qpos[0, 2] == pytest.approx(g1.KNEES_BENT_HEIGHT, abs=1e-6)
    upright = quat_from_yaw(quat_yaw(qpos[0, 3:7]))
    assert float(quat_angle(qpos[0, 3:7], upright)) < 1e-3


@given(seed=st.integers(0, 2**32 - 1), frames=st.integers(2, 60))
@few
def test_any_motion_begins_and_ends_standing_with_zero_speed(
    seed: int, frames: int
) -> None:
    source = random_motion(seed, frames)
    made = blend_with_standing(source)
    assert_stands_still(made.motion, slice(0, 5))
    assert_stands_still(made.motion, slice(-5, None))
    np.testing.assert_allclose(made.motion.to_qpos()[0], standing_pose(), atol=1e-6)
    inside = made.motion.joint_pos[made.first : made.last + 1]
    np.testing.assert_array_equal(inside, source.joint_pos)


def test_the_motion_itself_is_only_moved(walk: Motion) -> None:
    made = blend_with_standing(walk)
    inside = trim(made.motion, made.first / FPS, made.last / FPS)
    here, there = canonicalize(inside).to_qpos(), canonicalize(walk).to_qpos()
    np.testing.assert_allclose(here, there, atol=1e-5)


@pytest.mark.parametrize("which", ["wave", "walk"])
def test_the_way_is_calm_and_passes_every_check(
    which: str, request: pytest.FixtureRequest
) -> None:
    source: Motion = request.getfixturevalue(which)
    made = blend_with_standing(source)
    assert made.ways[0] == "feet"
    report = check_motion(made.motion)
    assert not [item.phrase for item in report.items if item.verdict == "fail"]
    speed = np.abs(np.diff(made.motion.joint_pos, axis=0)) * FPS
    own = np.abs(np.diff(source.joint_pos, axis=0)).max(axis=0) * FPS
    assert (speed <= 1.5 * np.maximum(CALM_SPEED, own)).all()


def slid(made: Blended, frames: slice) -> float:
    """How far a sole that is on the floor moves on it in all [m]."""
    poses = motion_kinematics(made.motion)
    centres = sole_centres(poses)[frames, :, :2]
    down = sole_clearance(poses)[frames] < 0.005
    step = np.linalg.norm(np.diff(centres, axis=0), axis=-1)
    return float((step * (down[1:] & down[:-1])).sum(axis=0).max())


def test_feet_do_not_slide_on_the_way_into_a_wave(wave: Motion) -> None:
    made = blend_with_standing(wave)
    assert slid(made, slice(0, made.first + 1)) < 0.02
    assert slid(made, slice(made.last, None)) < 0.02


def test_a_hold_is_so_many_more_frames_of_standing(wave: Motion) -> None:
    short, long = blend_with_standing(wave), blend_with_standing(wave, hold=1.0)
    assert long.first - short.first == 50
    assert len(long.motion) - len(short.motion) == 100
    assert_stands_still(long.motion, slice(0, 55))
    assert_stands_still(long.motion, slice(-55, None))


def test_a_motion_in_the_air_is_reached_joint_by_joint() -> None:
    qpos = np.repeat(standing_pose()[None], 20, axis=0)
    qpos[:, 2] += 0.3
    made = blend_with_standing(Motion.from_qpos(qpos))
    assert made.ways == ("plain", "plain")
    jumps = np.abs(np.diff(made.motion.root_pos_w, n=2, axis=0)).max() * FPS**2
    assert jumps < 10.0


@pytest.mark.parametrize("hold", [-1.0, 61.0, float("nan")])
def test_a_hold_that_nobody_can_mean_is_refused(wave: Motion, hold: float) -> None:
    with pytest.raises(MotionError, match="hold must be from 0 to 60"):
        blend_with_standing(wave, hold=hold)


def test_the_same_motion_gives_the_same_bits(wave: Motion) -> None:
    assert blend_with_standing(wave).motion == blend_with_standing(wave).motion
