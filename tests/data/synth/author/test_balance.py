"""Balance and legs: hand-checkable physics of the authored motions."""

from __future__ import annotations

import numpy as np
import pytest

from texedo.data.synth.author.stage.balance import (
    Rest,
    mass_path,
    outside_support,
    pressure_point,
)
from texedo.data.synth.author.stage.legs import FEET_BODIES, foot_errors, step_legs
from texedo.motion.curves import bump, ease, keyed
from texedo.robot.g1 import KNEES_BENT, KNEES_BENT_HEIGHT
from texedo.robot.kinematics import BodyPoses, forward_kinematics
from texedo.robot.mass import GRAVITY, centre_of_mass, mass_centres

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def standing(frames: int) -> BodyPoses:
    root = np.tile([0.0, 0.0, KNEES_BENT_HEIGHT], (frames, 1))
    joints = np.tile(KNEES_BENT, (frames, 1))
    return forward_kinematics(root, np.tile(UPRIGHT, (frames, 1)), joints)


def test_easing_starts_and_ends_at_rest() -> None:
    s = np.linspace(0, 1, 1001)
    for value in (ease(s), bump(s)):
        assert abs(value[1] - value[0]) < 1e-4 and abs(value[-1] - value[-2]) < 1e-4
    assert ease(np.array([-1.0, 0.0, 0.5, 1.0, 2.0])).tolist() == [0, 0, 0.5, 1, 1]


def test_keys_are_reached_and_held() -> None:
    time = np.arange(5.0)
    assert keyed(time, [(1, 0.0), (2, 4.0), (3, 4.0)]).tolist() == [0, 0, 4, 4, 4]
    with pytest.raises(ValueError, match="must not decrease"):
        keyed(time, [(2, 0.0), (1, 1.0)])


def test_a_robot_at_rest_presses_where_its_mass_is() -> None:
    centres = mass_centres(standing(5))
    np.testing.assert_allclose(
        pressure_point(centres), centre_of_mass(centres)[:, :2], atol=1e-9
    )


def test_a_mass_that_speeds_up_presses_behind_itself() -> None:
    centres = mass_centres(standing(50))
    time = np.arange(50) / 50
    centres[..., 0] += (0.5 * time**2)[:, None]  # 1 m/s^2
    mass = centre_of_mass(centres)
    behind = mass[25, 0] - pressure_point(centres)[25, 0]
    assert behind == pytest.approx(mass[25, 2] / GRAVITY, rel=1e-3)


def test_standing_between_the_feet_is_inside_the_support() -> None:
    poses = standing(5)
    lift = poses.pos_w.copy()
    lift[..., 2] -= poses.pos_w[..., FEET_BODIES, 2].min() - 0.035
    assert (outside_support(BodyPoses(lift, poses.quat_w)) < -0.02).all()
    aloft = BodyPoses(lift + [0.0, 0.0, 0.2], poses.quat_w)
    assert np.isnan(outside_support(aloft)).all()


def test_the_mass_follows_a_slow_pressure_and_leads_a_fast_one() -> None:
    pressure = np.zeros((200, 2))
    pressure[100:, 1] = 0.1
    path = mass_path(pressure, height=0.66)
    assert path[0, 1] == pytest.approx(0.0, abs=2e-3)
    assert path[-1, 1] == pytest.approx(0.1, abs=2e-3)
    assert 0.03 < path[99, 1] < 0.07
    assert (np.diff(path[:, 1]) > -1e-6).all()


def test_a_path_keeps_its_ends() -> None:
    start = Rest(np.array([0.0, 0.1]), np.array([0.2, 0.0]))
    end = Rest(np.array([0.3, -0.1]), np.array([0.0, -0.1]))
    path = mass_path(np.zeros((60, 2)), height=0.66, start=start, end=end)
    np.testing.assert_allclose(path[[0, -1]], [start.position, end.position])
    np.testing.assert_allclose((path[1] - path[0]) * 50, start.velocity, atol=1e-9)
    np.testing.assert_allclose((path[-1] - path[-2]) * 50, end.velocity, atol=1e-9)


def test_legs_find_feet_that_were_reached_before() -> None:
    rng = np.random.default_rng(0)
    joints = np.tile(KNEES_BENT, (20, 1))
    joints[:, :12] += rng.uniform(-0.1, 0.1, (20, 12))
    root = np.tile([0.0, 0.0, 0.76], (20, 1))
    quat = np.tile(UPRIGHT, (20, 1))
    wanted = forward_kinematics(root, quat, joints)
    feet = wanted.pos_w[:, FEET_BODIES]
    turns = wanted.quat_w[:, FEET_BODIES]
    found = np.tile(KNEES_BENT, (20, 1))
    for _ in range(8):
        poses = forward_kinematics(root, quat, found)
        found = step_legs(found, poses, foot_pos=feet, foot_quat=turns)
    poses = forward_kinematics(root, quat, found)
    assert foot_errors(poses, feet).max() < 1e-5
    np.testing.assert_allclose(found, joints, atol=1e-3)
