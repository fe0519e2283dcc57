"""Changes of a source motion before it is carried over to the robot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from texedo.data.capture.source import SourceMotion
from texedo.data.synth.variants.changes import (
    STRIDE,
    TEMPO,
    Pause,
    SourceChange,
    change_rng,
    change_source,
    draw_change,
)
from texedo.motion.rotations import quat_from_yaw

FRAMES = 121


def person(*, way: float = 2.0, arm: float = 0.0) -> SourceMotion:
    """Glides `way` metres ahead in 2 s at 60 Hz, the left toe at rest beside the path."""
    x = np.linspace(0.0, way, FRAMES)
    at = {
        "hips": (0.0, 0.9),
        "chest": (0.0, 1.2),
        "left_upper_leg": (0.1, 0.9),
        "right_upper_leg": (-0.1, 0.9),
        "left_lower_leg": (0.1, 0.5),
        "right_lower_leg": (-0.1, 0.5),
        "right_foot": (-0.1, 0.1),
        "left_upper_arm": (0.2, 1.4),
        "right_upper_arm": (-0.2, 1.4),
        "left_lower_arm": (0.2, 1.1 + arm),
        "right_lower_arm": (-0.2, 1.1 + arm),
        "left_hand": (0.2, 0.8 + 2 * arm),
        "right_hand": (-0.2, 0.8 + 2 * arm),
    }
    positions = {
        role: np.stack((x, np.full(FRAMES, y), np.full(FRAMES, z)), axis=1)
        for role, (y, z) in at.items()
    }
    positions["left_foot"] = np.tile([1.5, 0.1, 0.1], (FRAMES, 1))
    facing = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1))
    roles = ("hips", "chest", "left_foot", "right_foot")
    return SourceMotion(
        name="person",
        fps=60.0,
        positions=positions,
        orientations=dict.fromkeys(roles, facing),
        rest_positions={},
        bone_lengths={
            f"{s}_{b}": 0.4 for s in ("left", "right") for b in ("thigh", "shin")
        },
        scale=1.0,
        profile="",
        reference="first frame",
        start_frame=0,
    )


def varied(
    source: SourceMotion, donor: SourceMotion | None = None, **how: Any
) -> SourceMotion:
    rng = np.random.default_rng(0)
    return change_source(source, replace(SourceChange(), **how), rng, donor=donor)


def test_a_variation_by_default_changes_nothing() -> None:
    source = person()
    same = varied(source)
    assert same.fps == 60.0
    for role, pos in source.positions.items():
        np.testing.assert_allclose(same.positions[role], pos, atol=1e-12)


def test_tempo_2_takes_half_the_time() -> None:
    assert varied(person(), tempo=2.0).duration == pytest.approx(1.0)


def test_stride_scales_the_way_and_height_the_hips() -> None:
    end = varied(person(), stride=1.5, height=0.8).positions["hips"][-1]
    np.testing.assert_allclose(end, [3.0, 0.0, 0.72])


def test_a_bent_path_turns_left_and_the_hips_with_it() -> None:
    """2 m of curvature 0.35 / m turn by 0.7 rad."""
    bent = varied(person(), bend=1.0)
    step = bent.positions["hips"][-1] - bent.positions["hips"][-2]
    start = bent.positions["hips"][1] - bent.positions["hips"][0]
    turned = np.arctan2(step[1], step[0]) - np.arctan2(start[1], start[0])
    assert abs(turned) == pytest.approx(0.7, abs=0.02)
    facing = quat_from_yaw(np.array(np.arctan2(step[1], step[0])))
    assert abs(facing @ bent.orientations["hips"][-1]) == pytest.approx(1.0, abs=1e-4)


def test_a_foot_at_rest_stays_at_rest_where_the_floor_is_bent() -> None:
    foot = varied(person(), bend=-1.0, stride=1.2).positions["left_foot"]
    np.testing.assert_allclose(foot, np.tile(foot[0], (FRAMES, 1)), atol=1e-12)


def test_sinking_lowers_the_hips_by_at_most_its_share_and_leaves_feet_alone() -> None:
    sunk = varied(person(), sink=0.3)
    height = sunk.positions["hips"][:, 2]
    assert height.min() >= 0.7 * 0.9 - 1e-9
    assert height.max() <= 0.9 + 1e-9
    assert np.ptp(height) > 0.01
    np.testing.assert_allclose(sunk.positions["left_foot"][:, 2], 0.1)


def test_arms_are_borrowed_from_the_donor() -> None:
    """The donor's upper arms hang 0.1 m high instead of 0.3 m."""
    mixed = varied(person(), person(arm=0.2), borrows_arms=True)
    arm = mixed.positions["left_lower_arm"] - mixed.positions["left_upper_arm"]
    np.testing.assert_allclose(arm, np.tile([0.0, 0.0, -0.1], (FRAMES, 1)), atol=1e-9)


def test_a_wandering_arm_keeps_its_length() -> None:
    pos = varied(person(), arms=0.9).positions
    length = np.linalg.norm(pos["left_hand"] - pos["left_upper_arm"], axis=1)
    np.testing.assert_allclose(length, 0.6)
    assert np.ptp(pos["left_hand"][:, 1]) > 0.02


def test_a_pause_lengthens_the_motion_and_nothing_moves_in_it() -> None:
    """2 s with a halt of 1.5 s after the first: 3.5 s; then 1 m/s is 1 / 8.5 m/s."""
    source = person()
    paused = varied(source, pauses=(Pause(1.0, 1.5),))
    assert paused.fps == source.fps
    assert paused.duration == pytest.approx(3.5, abs=1 / 60)
    hips = paused.positions["hips"][:, 0]
    np.testing.assert_allclose(hips[30], 0.5, atol=1e-3)
    np.testing.assert_allclose(hips[-30], 1.5, atol=0.02)
    assert (hips[106] - hips[105]) * 60 == pytest.approx(1 / 8.5, rel=0.02)


@given(
    seconds=st.floats(0.5, 20.0),
    seed=st.integers(0, 2**31),
)
def test_time_in_a_variant_starts_at_0_and_never_runs_backwards(
    seconds: float, seed: int
) -> None:
    variation = draw_change(np.random.default_rng(seed), seconds=seconds)
    times = variation.when(np.linspace(0.0, seconds, 200))
    assert times[0] == 0.0
    assert (np.diff(times) > 0).all()


def test_variations_depend_on_seed_recording_and_number() -> None:
    def draw(name: str, number: int, seed: int = 0) -> SourceChange:
        return draw_change(change_rng(name, number, seed=seed), seconds=9.0)

    assert draw("05_01", 1) == draw("05_01", 1)
    others = [draw("05_01", 2), draw("05_02", 1), draw("05_01", 1, seed=1)]
    assert all(other != draw("05_01", 1) for other in others)
    assert TEMPO[0] <= draw("05_01", 1).tempo <= TEMPO[1]
    assert STRIDE[0] <= draw("05_01", 1).stride <= STRIDE[1]
