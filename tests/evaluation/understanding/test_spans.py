"""Stretches of time on curves."""

import numpy as np

from texedo.evaluation.understanding.spans import (
    longest,
    reversals,
    times_high,
    turning_points,
)


def test_trembling_at_a_threshold_is_one_time() -> None:
    curve = np.array([0.0, 1.0, 0.9, 1.0, 0.9, 0.0, 0.8, 0.0, 1.0])
    assert times_high(curve, 1.0, 0.5) == [(1, 5), (8, 9)]
    assert times_high(curve, 1.0, 0.5, seconds=0.05) == [(1, 5)]


def test_the_longest_stretch_is_in_seconds() -> None:
    mask = np.array([True] * 10 + [False] + [True] * 25)
    assert longest(mask) == 0.5
    assert longest(~mask & mask) == 0.0


def test_only_turns_after_the_amplitude_are_counted() -> None:
    curve = np.array([0.0, 1.0, 0.9, 1.0, 0.0, 1.0])
    assert turning_points(curve, 0.5) == [3, 4] or turning_points(curve, 0.5) == [1, 4]
    assert reversals(curve, 0.5) == 2
    assert reversals(curve, 0.05) == 4
    assert reversals(curve, 2.0) == 0
    assert reversals(np.zeros(0), 1.0) == 0
