"""Flights are shortened until they fall with gravity; nothing else changes its pace."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.data.retarget.test_retarget import stepping_person, targets_of
from texedo.data.retarget import retarget
from texedo.data.retarget.flights import (
    flight_pace,
    path_at,
    targets_at,
    times_at_pace,
)
from texedo.motion import FPS
from texedo.robot.g1 import KNEES_BENT, KNEES_BENT_HEIGHT
from texedo.robot.mass import GRAVITY


def jumping(fall: float, *, flight: int = 20, frames: int = 100) -> np.ndarray:
    """Stands, flies for `flight` frames from frame 40, falling at `fall`, and stands."""
    path = np.zeros((frames, 36))
    path[:, 2], path[:, 3], path[:, 7:] = KNEES_BENT_HEIGHT, 1.0, KNEES_BENT
    time = np.arange(flight + 1) / FPS
    path[40 : 41 + flight, 2] += fall / 2 * time * (flight / FPS - time)
    return path


def fall_of(path: np.ndarray) -> float:
    """How fast the upper half of a flight falls [m/s^2]."""
    height = path[:, 2] - KNEES_BENT_HEIGHT
    top = np.flatnonzero(height > 0.5 * height.max())
    return -2 * float(np.polyfit(top / FPS, height[top], 2)[0])


@pytest.mark.parametrize("fall", [7.0, 8.0, 9.0])
def test_a_flight_that_falls_too_slowly_falls_with_gravity_after(fall: float) -> None:
    path = jumping(fall)
    quick = path_at(path, times_at_pace(flight_pace(path)))
    assert fall_of(path) == pytest.approx(fall, rel=1e-6)
    assert fall_of(quick) == pytest.approx(GRAVITY, rel=0.02)
    assert quick[:, 2].max() == pytest.approx(path[:, 2].max(), abs=2e-3)


def test_at_8_m_s2_a_flight_of_0_4_s_becomes_2_frames_shorter() -> None:
    # sqrt(8 / 9.81) = 0.903: 19 frames off the floor and 2 at each end lose 2.2.
    assert len(times_at_pace(flight_pace(jumping(8.0)))) in (97, 98)


@pytest.mark.parametrize(
    "path", [jumping(GRAVITY), jumping(11.0), jumping(2.0), jumping(8.0, flight=6)]
)
def test_flights_that_fall_well_or_are_none_keep_their_time(path: np.ndarray) -> None:
    np.testing.assert_allclose(flight_pace(path), 1.0, atol=2e-3)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 500))
def test_at_an_even_pace_every_frame_stays(frames: int) -> None:
    times = times_at_pace(np.ones(frames))
    np.testing.assert_allclose(times, np.arange(frames), atol=1e-9)


def test_twice_the_pace_takes_every_other_frame() -> None:
    np.testing.assert_allclose(times_at_pace(np.full(9, 0.5)), [0, 2, 4, 6, 8])


def test_targets_between_frames_are_those_of_the_pose_between() -> None:
    path = jumping(8.0)
    path[:, 3], path[:, 6] = np.cos(0.4), np.sin(0.4)
    times = np.array([0.0, 44.5, 99.0])
    got = targets_at(targets_of(path), times)
    want = targets_of(path_at(path, times))
    np.testing.assert_allclose(got.foot_pos, want.foot_pos, atol=1e-9)
    np.testing.assert_allclose(got.pelvis_rot, want.pelvis_rot, atol=1e-9)
    np.testing.assert_allclose(got.foot_rot, want.foot_rot, atol=1e-9)


def test_a_walk_keeps_its_length() -> None:
    assert len(retarget(stepping_person(2.0)).motion) == 100
