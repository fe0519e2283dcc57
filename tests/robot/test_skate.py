"""One definition of foot skate, on soles whose speed is known."""

import numpy as np
import pytest

from texedo.motion import FPS
from texedo.robot.skate import SHORTEST_STAND, mean_skate, skate_speed


def soles(speed: float, height: float, frames: int = 50) -> np.ndarray:
    centres = np.zeros((frames, 2, 3))
    centres[..., 0] = speed * np.arange(frames)[:, None] / FPS
    centres[..., 2] = height
    return centres


@pytest.mark.parametrize(("height", "known"), [(0.009, True), (0.011, False)])
def test_a_foot_stands_within_a_centimetre_of_the_floor(
    height: float, known: bool
) -> None:
    speed = skate_speed(soles(0.3, height), np.zeros(50))
    assert np.isfinite(speed).all() == known
    assert mean_skate(speed) == pytest.approx(0.3 if known else 0.0)


def test_the_floor_is_that_of_the_motion() -> None:
    speed = skate_speed(soles(0.3, 0.059), np.full(50, 0.05))
    assert mean_skate(speed) == pytest.approx(0.3)


def test_a_foot_that_touches_in_passing_does_not_stand() -> None:
    centres = soles(2.0, 0.05)
    centres[20 : 20 + SHORTEST_STAND - 1, 0, 2] = 0.0
    assert mean_skate(skate_speed(centres, np.zeros(50))) == 0.0


def test_the_mean_is_over_both_feet_while_they_stand() -> None:
    centres = soles(0.0, 0.0)
    centres[:, 1, 0] = 0.4 * np.arange(50) / FPS
    centres[25:, 1, 2] = 0.1  # The sliding foot is lifted half of the time.
    speed = skate_speed(centres, np.zeros(50))
    assert mean_skate(speed) == pytest.approx(0.4 * 25 / 75)
