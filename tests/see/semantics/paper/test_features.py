"""What the paper's verifier sees of a motion."""

import numpy as np
import pytest

from tests.support.motions import random_motion
from tests.support.paper_semantics import elsewhere
from texedo.core.errors import GenerationError
from texedo.see.semantics.paper.features import MIN_STD, NUM_FEATURES, motion_features


def spinning(frames: int, rate: float) -> np.ndarray:
    """Poses that turn left at `rate` [rad/s] and go ahead at 1 m/s."""
    yaw = np.arange(frames) * rate / 50.0
    qpos = np.zeros((frames, 36))
    step = np.stack((np.cos(yaw), np.sin(yaw)), axis=1) / 50.0
    qpos[:, :2] = np.cumsum(step, axis=0)
    qpos[:, 2] = 0.7
    qpos[:, 3], qpos[:, 6] = np.cos(yaw / 2), np.sin(yaw / 2)
    qpos[:, 7:] = np.arange(29) / 10.0
    return qpos


def test_a_turn_of_two_radians_a_second_at_one_metre_a_second_reads_so() -> None:
    # More than a whole turn: the heading passes the seam.
    features = motion_features(spinning(200, 2.0))
    assert features.shape == (200, NUM_FEATURES) and MIN_STD.shape == (NUM_FEATURES,)
    expected = np.concatenate(([0.7, 0, 0, 1, 2.0, 1.0, 0.0], np.arange(29) / 10.0))
    np.testing.assert_allclose(features, np.tile(expected, (200, 1)), atol=1e-4)


@pytest.mark.parametrize(
    ("frames", "kept"), [(2, 4), (3, 4), (4, 4), (7, 4), (101, 100)]
)
def test_features_are_whole_codes_and_one_at_least(frames: int, kept: int) -> None:
    motion = random_motion(0, 101).to_qpos()[:frames]
    features = motion_features(motion)
    assert len(features) == kept
    if frames < kept:
        assert (features[frames:] == features[frames - 1]).all()


def test_place_and_heading_of_the_start_do_not_show() -> None:
    motion = random_motion(3, 80)
    other = elsewhere(motion, (1.5, -0.7), 2.5)
    np.testing.assert_allclose(
        motion_features(other.to_qpos()), motion_features(motion.to_qpos()), atol=1e-4
    )


def test_nan_is_refused_by_its_frame() -> None:
    qpos = random_motion(0, 20).to_qpos().copy()
    qpos[7, 30] = np.nan
    with pytest.raises(GenerationError, match="first in frame 7"):
        motion_features(qpos)
