"""Motions spoiled on purpose are whole motions, the same for the same numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.support.motions import random_motion
from tests.support.standing import standing
from texedo.data.synth.spoil import SPOILS, WEIGHTS, cut_to_length, spoil
from texedo.data.synth.spoil.curves import wandering, when
from texedo.motion.rotations import quat_yaw
from texedo.robot.g1 import JOINT_INDEX, JOINT_LOWER, JOINT_UPPER

Poses = NDArray[np.float32]


def still(frames: int = 100) -> Poses:
    return standing(frames, swing=0.0).to_qpos().astype(np.float32)


def spoiled(way: str, qpos: Poses, strength: float, seed: int = 0) -> Poses:
    rng = np.random.default_rng(seed)
    return spoil(way, qpos, rng, other=qpos[::-1], strength=strength)[0]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(SPOILS),
    st.integers(2, 300),
    st.integers(0, 10**6),
    st.floats(0.0, 1.0),
)
def test_whatever_is_spoiled_is_a_motion_and_can_be_made_again(
    way: str, frames: int, seed: int, strength: float
) -> None:
    qpos = random_motion(seed % 7, frames).to_qpos()
    other = random_motion(seed % 5 + 7, 50).to_qpos()

    def make() -> tuple[Poses, dict[str, float]]:
        rng = np.random.default_rng(seed)
        return spoil(way, qpos, rng, other=other, strength=strength)

    (poses, said), (again, _) = make(), make()
    assert poses.dtype == np.float32 and poses.shape[1] == 36
    assert 2 <= len(poses) <= 500 and np.isfinite(poses).all()
    np.testing.assert_allclose(np.linalg.norm(poses[:, 3:7], axis=1), 1.0, atol=1e-5)
    assert (poses[:, 7:] >= JOINT_LOWER - 0.3001).all()
    assert (poses[:, 7:] <= JOINT_UPPER + 0.3001).all()
    assert all(isinstance(value, float) for value in said.values())
    np.testing.assert_array_equal(poses, again)


def test_the_clip_itself_is_left_alone() -> None:
    qpos = still()
    before = qpos.copy()
    for way in SPOILS:
        spoiled(way, qpos, 0.9)
    np.testing.assert_array_equal(qpos, before)


def test_every_way_has_a_weight_and_an_unknown_one_is_named() -> None:
    assert WEIGHTS.keys() == set(SPOILS)
    with pytest.raises(ValueError, match="'upside-down' is no way to spoil"):
        spoiled("upside-down", still(), 0.5)


def test_at_full_strength_a_tempo_is_2_8_or_half() -> None:
    lengths = set()
    for seed in range(30):
        rng = np.random.default_rng(seed)
        poses, said = spoil("tempo", still(141), rng, other=still(), strength=1.0)
        if not said["unsteady"]:
            lengths.add((round(said["tempo"], 6), len(poses)))
    assert lengths == {(2.8, 51), (0.5, 281)}


def test_a_frozen_place_stays_and_the_joints_go_on() -> None:
    walk = still(50)
    walk[:, 0] = np.linspace(0.0, 2.0, 50)
    walk[:, 7] = np.linspace(-0.5, 0.5, 50)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        poses, said = spoil("frozen", walk, rng, other=walk, strength=1.0)
        np.testing.assert_array_equal(poses[:, 7:], walk[:, 7:])
        assert np.ptp(poses[:, 0]) == pytest.approx(0.0 if said["place"] else 2.0)


def test_swapped_legs_are_the_other_side_with_the_right_signs() -> None:
    qpos = still(60)
    names = ("left_hip_roll_joint", "right_hip_roll_joint", "left_knee_joint")
    left_roll, right_roll, knee = (7 + JOINT_INDEX[name] for name in names)
    qpos[:, [left_roll, right_roll, knee]] = 0.1, 0.05, 0.6
    other_knee = float(qpos[0, 7 + JOINT_INDEX["right_knee_joint"]])
    found = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        poses, said = spoil("legs", qpos, rng, other=qpos, strength=1 / 1.8)
        assert said["swapped"] == pytest.approx(1.0)
        found.append(poses[-1, [left_roll, right_roll, knee]].tolist())
    assert any(np.allclose(row, (-0.05, -0.1, other_knee), atol=1e-6) for row in found)


def test_a_spin_turns_the_heading_by_20_radians_a_second_at_most() -> None:
    poses = spoiled("turn", still(101), 1.0)
    yaw = np.unwrap(quat_yaw(poses[:, 3:7].astype(np.float64)))
    assert np.abs(np.diff(yaw)).max() == pytest.approx(20.0 / 50, rel=1e-3)


def test_a_spliced_motion_is_of_both() -> None:
    first, second = still(100), still(80)
    first[:, 7], second[:, 7] = -0.4, 0.4
    poses, said = spoil(
        "splice", first, np.random.default_rng(3), other=second, strength=0.0
    )
    cut = round(said["cut_s"] * 50)
    assert (poses[: cut + 1, 7] == np.float32(-0.4)).all()
    assert poses[-1, 7] == np.float32(0.4)


def test_wrists_move_and_nothing_else() -> None:
    qpos = still()
    changed = (spoiled("wrists", qpos, 0.5) != qpos).any(axis=0)
    names = [f"{s}_wrist_{a}_joint" for s in ("left", "right") for a in _AXES]
    assert set(np.flatnonzero(changed)) == {7 + JOINT_INDEX[n] for n in names}


_AXES = ("roll", "pitch", "yaw")


def test_what_is_too_long_is_cut_and_says_where() -> None:
    qpos = np.arange(600.0)[:, None] * np.ones(36)
    poses, said = cut_to_length(qpos, np.random.default_rng(0))
    assert len(poses) == 500 and poses[0, 0] == said["cut_from_frame"]
    assert cut_to_length(qpos[:500], np.random.default_rng(0))[1] == {}


def test_a_change_is_in_force_somewhere_and_never_beyond_1() -> None:
    for seed in range(40):
        amount = when(np.random.default_rng(seed), 200)
        assert amount.min() >= 0.0 and amount.max() <= 1.0


def test_what_wanders_has_a_spread_of_about_1() -> None:
    curves = wandering(np.random.default_rng(0), 500, 400, rate=2.0)
    assert 0.7 < curves.std() < 1.1
    assert np.abs(np.diff(curves, axis=0)).max() < 0.5
