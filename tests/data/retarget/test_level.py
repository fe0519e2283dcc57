"""The floor of a recording is found from resting toes and made level."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.data.retarget.test_retarget import stepping_person
from texedo.data.capture.source import SourceMotion
from texedo.data.retarget.level import floor_slope, level_floor
from texedo.data.retarget.targets import make_targets
from texedo.motion.rotations import quat_from_rotvec, quat_multiply, quat_rotate


def leaning(source: SourceMotion, rise: float) -> SourceMotion:
    """The same person in a room whose floor rises by `rise` metres a metre along x."""
    turn = quat_from_rotvec(np.array([0.0, -np.arctan(rise), 0.0]))
    return replace(
        source,
        positions={k: quat_rotate(turn, v) for k, v in source.positions.items()},
        orientations={
            k: quat_multiply(turn, v) for k, v in source.orientations.items()
        },
    )


def resting_toes(rise: tuple[float, float], places: int = 20) -> list[np.ndarray]:
    """Two feet that rest for 0.4 s at each of some places within 4 m by 4 m."""
    rng = np.random.default_rng(0)
    feet = []
    for _ in range(2):
        spots = np.repeat(rng.uniform(-2, 2, (places, 2)), 20, axis=0)
        feet.append(np.column_stack((spots, spots @ rise)))
    return feet


@settings(max_examples=30, deadline=None)
@given(st.floats(-0.014, 0.014), st.floats(-0.014, 0.014))
def test_the_slope_is_found_within_a_millimetre_a_metre(x: float, y: float) -> None:
    np.testing.assert_allclose(floor_slope(resting_toes((x, y))), [x, y], atol=1e-3)


def test_a_marker_that_sits_3_cm_higher_on_one_foot_is_no_slope() -> None:
    left, right = resting_toes((0.0, 0.0))
    right = right + [0.0, 0.0, 0.03]
    np.testing.assert_allclose(floor_slope([left, right]), 0.0, atol=1e-4)


def test_a_foot_held_up_for_a_while_is_no_slope() -> None:
    left, right = resting_toes((0.01, 0.0))
    right[100:200, 2] += 0.4
    np.testing.assert_allclose(floor_slope([left, right]), [0.01, 0.0], atol=1.5e-3)


def test_who_stands_in_place_says_nothing_about_the_slope() -> None:
    toes = [np.tile([0.0, y, h], (200, 1)) for y, h in ((0.1, 0.0), (-0.1, 0.02))]
    np.testing.assert_allclose(floor_slope(toes), 0.0, atol=1e-6)


@pytest.mark.parametrize("toes", [resting_toes((0.3, 0.0)), [np.zeros((20, 3))] * 2])
def test_stairs_and_a_moment_are_left_as_they_are(toes: list[np.ndarray]) -> None:
    assert not floor_slope(toes).any()


def test_nan_is_left_for_others_to_refuse() -> None:
    toes = resting_toes((0.01, 0.0))
    toes[0][7] = np.nan
    assert np.isfinite(floor_slope(toes)).all()


def test_a_walk_up_a_leaning_floor_becomes_a_level_walk() -> None:
    # 7 s at 0.8 m/s: at 15 mm per metre the last step is 8 cm higher than the first.
    person = stepping_person(7.0)
    level = level_floor(leaning(person, 0.015))
    rise = np.ptp(level.positions["hips"][:, 2])
    assert np.ptp(leaning(person, 0.015).positions["hips"][:, 2]) > 0.08
    assert rise < 0.008


def test_feet_on_a_leaning_floor_are_planted_to_the_end() -> None:
    person = stepping_person(7.0)
    targets, planted = make_targets(level_floor(leaning(person, 0.015)))
    _, wanted = make_targets(person)
    assert (planted == wanted).mean() > 0.97
    np.testing.assert_allclose(targets.foot_pos[planted[:, 0], 0, 2], 0.035, atol=3e-3)
