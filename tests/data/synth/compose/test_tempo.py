"""Faster and slower versions."""

from __future__ import annotations

import numpy as np
import pytest

from texedo.data.corpus.store import Clip
from texedo.data.synth.author import Spec, author
from texedo.data.synth.compose.tempo import QUICK, SLOW, allowed_factors, at_tempo


def clip(*, family: str = "gesture", num_frames: int = 250, **quality: float) -> Clip:
    measured = {
        "airborne_max_s": 0.0,
        "contact_feet_mean": 2.0,
        "joint_speed_ratio_max": 0.3,
    }
    return Clip(
        id="a",
        trial="a",
        subject="1",
        start=0.0,
        end=num_frames / 50,
        first_frame=0,
        num_frames=num_frames,
        family=family,
        split="train",
        group="a",
        quality=measured | quality,
    )


def test_a_standing_gesture_may_have_any_tempo() -> None:
    assert allowed_factors(clip(), "slow") == SLOW
    assert allowed_factors(clip(), "quick") == QUICK


@pytest.mark.parametrize("family", ["jump", "run", "throw", "stand"])
def test_gravity_sets_the_tempo_of_what_flies(family: str) -> None:
    assert allowed_factors(clip(family=family), "slow") == ()


def test_a_flight_has_its_own_tempo() -> None:
    assert allowed_factors(clip(airborne_max_s=0.1), "quick") == ()


def test_motors_and_length_limit_the_factors() -> None:
    fast = clip(joint_speed_ratio_max=0.65)
    assert allowed_factors(fast, "quick") == (1.15, 1.2)
    assert allowed_factors(clip(num_frames=400), "slow") == (0.8, 0.85)
    assert allowed_factors(clip(num_frames=110), "quick") == ()


def test_walking_is_changed_only_a_little() -> None:
    walking = clip(contact_feet_mean=1.4)
    assert allowed_factors(walking, "slow") == (0.8, 0.85)


def test_a_motion_keeps_its_path_and_changes_its_length() -> None:
    motion = author(Spec(kind="bow")).motion
    slow = at_tempo(motion, 0.75)
    assert slow is not None
    assert slow.duration == pytest.approx(motion.duration / 0.75, abs=0.03)
    np.testing.assert_allclose(slow.joint_pos[-1], motion.joint_pos[-1], atol=0.02)


def test_a_hop_cannot_be_played_slowly() -> None:
    assert at_tempo(author(Spec(kind="kick", side="left")).motion, 3.0) is None
