"""Bridges between motions: continuous, balanced, on feet that do not slide."""

from __future__ import annotations

import numpy as np
import pytest

from texedo.data.synth.author import Spec, author
from texedo.data.synth.author.stage.balance import outside_support
from texedo.data.synth.compose.bridge import bridge, bridge_many, choose
from texedo.data.synth.compose.stance import Placement, Stance, euler_zyx, stance_at
from texedo.motion.rotations import quat_from_euler
from texedo.robot.collision import sole_centres, sole_clearance
from texedo.robot.kinematics import forward_kinematics


@pytest.fixture(scope="module")
def wave() -> np.ndarray:
    return author(Spec(kind="wave", side="right")).motion.to_qpos()


@pytest.fixture(scope="module")
def steps() -> np.ndarray:
    return author(Spec(kind="walk", way="forward", count=4)).motion.to_qpos()


def apart(frames: np.ndarray, *, left: float) -> Stance:
    """A stance with the left foot put elsewhere."""
    stance = stance_at(frames, 5)
    feet = stance.foot_pos.copy()
    feet[0, 0] += left
    return stance._replace(foot_pos=feet)


def joined(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, slice]:
    link = bridge(stance_at(first, len(first) - 2), stance_at(second, 1))
    moved = link.placement.moved(second[1:])
    frames = np.concatenate((first[:-1], link.frames, moved))
    return frames, slice(len(first) - 3, len(first) + len(link.frames) + 1)


def test_euler_angles_come_back() -> None:
    angles = np.random.default_rng(0).uniform(-1.2, 1.2, (50, 3))
    np.testing.assert_allclose(euler_zyx(quat_from_euler("ZYX", angles)), angles)


def test_a_motion_is_turned_and_shifted(wave: np.ndarray) -> None:
    moved = Placement(np.pi / 2, np.array([1.0, 2.0])).moved(wave)
    np.testing.assert_allclose(moved[0, :2], [1.0, 2.0], atol=1e-6)
    assert euler_zyx(moved[0, 3:7])[0] == pytest.approx(np.pi / 2, abs=1e-5)
    np.testing.assert_array_equal(moved[:, 7:], wave[:, 7:].astype(np.float64))


def test_the_same_stance_needs_no_step(wave: np.ndarray) -> None:
    here = stance_at(wave, 5)
    step, timing = choose(here, here)
    assert step.swing == -1
    assert timing.end < 0.6
    link = bridge(here, here)
    assert np.abs(link.frames[:, 7:] - here.qpos[7:]).max() < 0.02


def test_a_foot_that_stands_elsewhere_takes_a_step(wave: np.ndarray) -> None:
    here, there = stance_at(wave, 5), apart(wave, left=0.2)
    step, timing = choose(here, there)
    assert step.swing in (0, 1)
    assert step.distance == pytest.approx(0.2, abs=1e-6)
    assert timing.lift >= 0.3


def test_a_bridge_is_continuous(wave: np.ndarray, steps: np.ndarray) -> None:
    frames, around = joined(wave, steps)
    jumps = np.abs(np.diff(frames[around, 7:], axis=0)).max() * 50
    assert jumps < 4.0
    assert np.abs(np.diff(frames[around, :3], axis=0)).max() * 50 < 0.6


def test_feet_rest_or_swing_but_never_slide(
    wave: np.ndarray, steps: np.ndarray
) -> None:
    frames, around = joined(steps, wave)
    part = frames[around]
    poses = forward_kinematics(part[:, :3], part[:, 3:7], part[:, 7:])
    speed = np.linalg.norm(np.diff(sole_centres(poses)[..., :2], axis=0), axis=-1) * 50
    down = sole_clearance(poses)[:-1] < 0.005
    assert speed[down].max() < 0.12
    assert speed[down].mean() < 0.01


def test_the_weight_is_carried(wave: np.ndarray, steps: np.ndarray) -> None:
    frames, around = joined(steps, wave)
    part = frames[around]
    poses = forward_kinematics(part[:, :3], part[:, 3:7], part[:, 7:])
    assert outside_support(poses)[3:-3].max() < 0.03


def test_a_bridge_does_not_depend_on_its_company(
    wave: np.ndarray, steps: np.ndarray
) -> None:
    pairs = [
        (stance_at(wave, 5), stance_at(steps, 5)),
        (stance_at(steps, len(steps) - 3), stance_at(wave, 5)),
    ]
    for alone, together in zip(
        (bridge(*pair) for pair in pairs), bridge_many(pairs), strict=True
    ):
        np.testing.assert_array_equal(alone.frames, together.frames)
