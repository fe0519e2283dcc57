"""Curves are made calm where they jump, and stay as they are elsewhere."""

import numpy as np
import pytest

from texedo.robot.repair.calm import calm

TIME = np.arange(200) / 50
SWAY = np.sin(2 * TIME)[:, None]


def test_a_calm_curve_is_the_same_object() -> None:
    assert calm(SWAY, step=0.1, bend=0.1) is SWAY


def test_a_step_of_one_radian_is_climbed_within_the_limits_and_close_by() -> None:
    curve = SWAY.copy()
    curve[100:] += 1.0
    out = calm(curve, step=0.2, bend=0.16)
    assert np.abs(np.diff(out, axis=0)).max() <= 0.2
    assert np.abs(np.diff(out, n=2, axis=0)).max() <= 0.16
    moved = np.flatnonzero(np.abs(out - curve)[:, 0] > 1e-9)
    assert 80 < moved[0] < 100 < moved[-1] < 120


def test_one_wild_frame_goes_back_between_its_neighbours_and_moves_no_other() -> None:
    curve = SWAY.copy()
    curve[50] += 0.5
    out = calm(curve, step=0.2, bend=0.16)
    assert np.flatnonzero(out != curve).tolist() == [50]
    assert np.abs(out - SWAY).max() < 0.04


def test_limits_are_on_the_length_of_all_columns() -> None:
    curve = np.zeros((60, 3))
    curve[30:] = [0.3, 0.4, 0.0]  # a step of 0.5
    assert calm(curve, step=0.51, bend=0.51) is curve
    out = calm(curve, step=0.2, bend=np.inf)
    assert np.linalg.norm(np.diff(out, axis=0), axis=1).max() <= 0.2
    assert out[0] == pytest.approx([0, 0, 0]) and out[-1] == pytest.approx(
        [0.3, 0.4, 0]
    )


def test_two_frames_are_left_alone() -> None:
    curve = np.array([[0.0], [9.0]])
    assert calm(curve, step=0.1, bend=0.1) is curve
