"""The shift that balances the robot: its physics by hand, and what becomes of it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.data.retarget.test_retarget import stepping_person
from texedo.data.retarget import balance, retarget
from texedo.data.retarget.balance import (
    MAX_MOVE,
    SOLE_MIDDLE,
    STRIP,
    balance_shift,
    through_pendulum,
)
from texedo.data.synth.author.stage.balance import outside_support
from texedo.motion import FPS
from texedo.robot.balance import zero_moment_point
from texedo.robot.collision import sole_centres
from texedo.robot.g1 import KNEES_BENT, KNEES_BENT_HEIGHT
from texedo.robot.kinematics import BodyPoses, forward_kinematics, motion_kinematics
from texedo.robot.mass import GRAVITY, centre_of_mass, mass_centres

LEFT, RIGHT, BOTH, NONE = (True, False), (False, True), (True, True), (False, False)
TAU = 0.25


def standing(frames: int) -> np.ndarray:
    """Knees bent, feet side by side, facing +x, (T, 36)."""
    path = np.zeros((frames, 36))
    path[:, 2], path[:, 3], path[:, 7:] = KNEES_BENT_HEIGHT, 1.0, KNEES_BENT
    return path


def poses_of(path: np.ndarray) -> BodyPoses:
    return forward_kinematics(path[:, :3], path[:, 3:7], path[:, 7:])


def mass_of(path: np.ndarray) -> np.ndarray:
    return centre_of_mass(mass_centres(poses_of(path)))


def carried_by(feet: tuple[bool, bool], frames: int) -> np.ndarray:
    return np.tile(feet, (frames, 1))


def beside_the_left_sole(
    monkeypatch: pytest.MonkeyPatch, gap: tuple[float, float]
) -> np.ndarray:
    """Shift of a still robot whose mass is `gap` [m] from the middle of its left sole."""
    path = standing(40)
    centre = sole_centres(poses_of(path))[0, 0, :2]
    mass = np.tile([*(centre + gap), 0.6], (40, 1))
    monkeypatch.setattr(balance, "centre_of_mass", lambda _: mass)
    return balance_shift(path, carried_by(LEFT, 40))


def test_a_mass_3_cm_beside_the_sole_is_put_over_its_middle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # 3 cm to the left of a middle of 1.2 cm: 1.8 cm to the right bring it to the edge.
    shift = beside_the_left_sole(monkeypatch, (0.0, 0.03))
    np.testing.assert_allclose(shift, np.tile([0.0, -0.018], (40, 1)), atol=1e-9)


def test_a_mass_over_the_middle_of_the_sole_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    length, width = SOLE_MIDDLE
    shift = beside_the_left_sole(monkeypatch, (0.9 * length, -0.9 * width))
    np.testing.assert_allclose(shift, 0.0, atol=1e-9)


def test_no_mass_is_moved_by_more_than_12_cm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # 0.3 m beside a middle of 1.2 cm would take 0.288 m.
    shift = beside_the_left_sole(monkeypatch, (0.0, -0.3))
    np.testing.assert_allclose(shift, np.tile([0.0, MAX_MOVE], (40, 1)), atol=1e-9)


@pytest.mark.parametrize(("feet", "sign"), [(LEFT, 1), (RIGHT, -1)])
def test_a_robot_that_lifts_a_foot_leans_over_the_other(
    feet: tuple[bool, bool], sign: int
) -> None:
    path = standing(30)
    shift = balance_shift(path, carried_by(feet, 30))
    sole = sole_centres(poses_of(path))[0, 0 if sign > 0 else 1]
    across = sole[1] - (mass_of(path)[:, 1] + shift[:, 1])
    np.testing.assert_allclose(across, sign * SOLE_MIDDLE[1], atol=1e-9)
    assert (sign * shift[:, 1] > 0.05).all()  # a sole is 12 cm from the middle


@pytest.mark.parametrize("turn", [0.0, 0.7, np.pi / 2, -2.0])
def test_the_shift_turns_with_the_robot(turn: float) -> None:
    path = standing(20)
    path[:, 3], path[:, 6] = np.cos(turn / 2), np.sin(turn / 2)
    cos, sin = np.cos(turn), np.sin(turn)
    straight = balance_shift(standing(20), carried_by(LEFT, 20))
    np.testing.assert_allclose(
        balance_shift(path, carried_by(LEFT, 20)),
        straight @ [[cos, sin], [-sin, cos]],
        atol=1e-9,
    )


def test_both_feet_carry_anything_between_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = standing(20)
    left, right = sole_centres(poses_of(path))[0, :, :2]
    for share, ahead, moved in ((0.2, 0.0, 0.0), (0.7, 0.05, 0.0), (0.5, 0.1, -0.04)):
        point = left + share * (right - left) + [ahead, 0.0]
        mass = np.tile([*point, 0.6], (20, 1))
        monkeypatch.setattr(balance, "centre_of_mass", lambda _, mass=mass: mass)
        shift = balance_shift(path, carried_by(BOTH, 20))
        np.testing.assert_allclose(shift, np.tile([moved, 0.0], (20, 1)), atol=1e-9)
    assert STRIP == 0.06  # 10 cm ahead, less 6, are the 4 above


def test_where_nobody_is_planted_nothing_is_moved() -> None:
    path = standing(30)
    path[:, 1] += 0.4 * np.sin(np.arange(30))
    assert not balance_shift(path, carried_by(NONE, 30)).any()


def test_a_foot_that_points_straight_down_gives_a_finite_shift() -> None:
    path = standing(10)
    path[:, 3], path[:, 5] = np.cos(np.pi / 4), np.sin(np.pi / 4)  # face down
    shift = balance_shift(path, carried_by(RIGHT, 10))
    assert np.isfinite(shift).all()
    assert np.linalg.norm(shift, axis=1).max() <= MAX_MOVE + 1e-12


@pytest.mark.parametrize("frames", [2, 3])
def test_a_path_of_two_or_three_frames_is_enough(frames: int) -> None:
    shift = balance_shift(standing(frames), carried_by(LEFT, frames))
    long = balance_shift(standing(30), carried_by(LEFT, 30))
    np.testing.assert_allclose(shift, long[:frames], atol=1e-9)


def test_a_mass_at_rest_is_pushed_from_straight_below() -> None:
    mass = np.tile([0.3, -0.1, 0.7], (20, 1))
    np.testing.assert_allclose(zero_moment_point(mass), mass[:, :2], atol=1e-12)


def test_a_mass_that_glides_is_pushed_from_straight_below_to_its_very_ends() -> None:
    # A recording may begin and end in the middle of a walk.
    mass = np.tile([0.0, 0.0, 0.7], (30, 1))
    mass[:, 0] = 1.2 * np.arange(30) / FPS
    np.testing.assert_allclose(zero_moment_point(mass), mass[:, :2], atol=1e-9)


def test_a_mass_that_speeds_up_is_pushed_from_behind() -> None:
    # 1 m/s^2 at a height of 0.6 m: 0.6 / 9.81 = 6.1 cm behind.
    time = np.arange(60) / FPS
    mass = np.stack((0.5 * time**2, 0 * time, 0 * time + 0.6), axis=1)
    behind = mass[:, 0] - zero_moment_point(mass)[:, 0]
    assert behind[30] == pytest.approx(0.6 / GRAVITY, rel=1e-6)


def test_a_mass_in_free_fall_keeps_a_finite_push() -> None:
    time = np.arange(60) / FPS
    mass = np.stack((time**2, 0 * time, 9.0 - 0.5 * GRAVITY * time**2), axis=1)
    assert np.isfinite(zero_moment_point(mass)).all()


@given(st.floats(-1, 1), st.floats(-1, 1), st.integers(2, 200), st.floats(0.05, 0.5))
def test_a_constant_wish_is_fulfilled_in_full(
    x: float, y: float, frames: int, tau: float
) -> None:
    wanted = np.tile([x, y], (frames, 1))
    np.testing.assert_allclose(through_pendulum(wanted, tau=tau), wanted, atol=1e-9)


@pytest.mark.parametrize(
    ("hertz", "passed"), [(0.1, 0.976), (0.5, 0.618), (1.0, 0.288), (2.0, 0.092)]
)
def test_a_quick_sway_hardly_passes(hertz: float, passed: float) -> None:
    # 1 / (1 + tau^2 omega^2): at 1 Hz 1 / (1 + (0.25 * 6.283)^2) = 1 / 3.467.
    time = (np.arange(int(40 * FPS)) + 0.5) / FPS
    sway = np.cos(2 * np.pi * hertz * time)  # at rest at both ends, as the shift is
    shift = through_pendulum(np.stack((sway, 0 * sway), axis=1), tau=TAU)
    np.testing.assert_allclose(shift[:, 0], passed * sway, atol=2e-3)
    assert passed == pytest.approx(1 / (1 + (TAU * 2 * np.pi * hertz) ** 2), abs=1e-3)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(3, 120))
def test_the_shift_undoes_the_pendulum(seed: int, frames: int) -> None:
    wanted = np.random.default_rng(seed).normal(size=(frames, 2))
    shift = through_pendulum(wanted, tau=TAU)
    bend = (shift[2:] - 2 * shift[1:-1] + shift[:-2]) * FPS**2
    np.testing.assert_allclose(shift[1:-1] - TAU**2 * bend, wanted[1:-1], atol=1e-9)
    assert np.abs(shift).max() <= np.abs(wanted).max() + 1e-12
    # At rest at both ends the sum of all bends is nothing: no net shift is added.
    np.testing.assert_allclose(shift.sum(axis=0), wanted.sum(axis=0), atol=1e-8)


def test_a_balanced_walk_is_better_carried_by_its_soles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    person = stepping_person(2.0, speed=0.3)
    balanced = outside_support(motion_kinematics(retarget(person).motion))
    monkeypatch.setattr(
        "texedo.data.retarget.balance_shift", lambda path, _: 0.0 * path[:, :2]
    )
    plain = outside_support(motion_kinematics(retarget(person).motion))
    middle = slice(10, -10)
    before, after = (np.nanmean(np.maximum(x[middle], 0.0)) for x in (plain, balanced))
    assert before > 0.01
    assert after < 0.6 * before
