"""Exercises that train the tracker."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from texedo.data.corpus import pack
from texedo.data.synth.drills import FAMILIES, MOVES, Drill, make_drills
from texedo.data.synth.drills.track import Track
from texedo.motion import FPS, Motion
from texedo.robot.check import check_motion
from texedo.robot.collision import sole_clearance
from texedo.robot.kinematics import motion_kinematics


@pytest.fixture(scope="module")
def drills() -> list[Drill]:
    return list(make_drills(0, 9, seed=30))


def test_every_kind_of_drill_passes_the_check_of_the_robots_body(
    drills: list[Drill],
) -> None:
    assert len(drills) >= 6
    assert {drill.family for drill in drills} <= set(MOVES) == set(FAMILIES)
    assert all(check_motion(drill.motion).verdict != "fail" for drill in drills)


def test_a_drill_depends_on_its_number_and_not_on_its_company(
    drills: list[Drill],
) -> None:
    chosen = min(drills, key=lambda drill: len(drill.motion))
    (alone,) = make_drills(chosen.number, chosen.number + 1, seed=30)
    assert alone.family == chosen.family
    np.testing.assert_allclose(
        alone.motion.to_qpos(), chosen.motion.to_qpos(), atol=1e-5
    )


def test_a_balance_drill_stands_on_one_leg_for_more_than_a_second(
    drills: list[Drill],
) -> None:
    balance = next(d for d in drills if d.family == "drill_balance")
    height = sole_clearance(motion_kinematics(balance.motion))
    one_up = (height.min(axis=1) < 0.02) & (height.max(axis=1) > 0.05)
    assert one_up.sum() > FPS


def test_a_jump_drill_leaves_the_floor(drills: list[Drill]) -> None:
    jump = next(d for d in drills if d.family in ("drill_jumps", "drill_leap"))
    height = sole_clearance(motion_kinematics(jump.motion))
    assert height.min(axis=1).max() > 0.02


def _sample(family: str, number: int = 3) -> Track:
    return MOVES[family](np.random.default_rng(number))


def test_a_body_in_flight_falls_freely_at_constant_speed() -> None:
    track = _sample("drill_jumps")
    pelvis = track.targets(np.random.default_rng(0)).pelvis_pos
    start, end = (round(t * FPS) for t in track.flights[0])
    fall = np.diff(pelvis[start + 1 : end - 1], n=2, axis=0) * FPS**2
    assert len(fall) >= 3
    np.testing.assert_allclose(
        fall, np.tile([0.0, 0.0, -9.81], (len(fall), 1)), atol=0.05
    )


@pytest.mark.parametrize("family", ["drill_hops", "drill_leap", "drill_jumps"])
def test_nothing_is_planted_in_the_middle_of_a_flight(family: str) -> None:
    track = _sample(family)
    planted = track.planted()
    middles = [round(0.5 * (a + b) * FPS) for a, b in track.flights]
    assert not planted[middles].any()


@pytest.mark.parametrize("family", sorted(MOVES))
def test_planted_feet_stay_where_they_are(family: str) -> None:
    track = _sample(family)
    foot = track.targets(np.random.default_rng(0)).foot_pos
    both = track.planted()[1:] & track.planted()[:-1]
    speed = np.linalg.norm(np.diff(foot[:, :, :2], axis=0), axis=-1) * FPS
    # A foot that lands or leaves is planted below 1 cm already.
    assert np.median(speed[both]) < 0.01


def test_a_duck_goes_under_60_cm_and_comes_up_again() -> None:
    pelvis = _sample("drill_duck").targets(np.random.default_rng(0)).pelvis_pos
    assert pelvis[:, 2].min() < 0.6
    assert pelvis[-1, 2] > 0.65


def test_a_long_lunge_puts_the_feet_over_40_cm_apart() -> None:
    feet = _sample("drill_long_lunge").targets(np.random.default_rng(0)).foot_pos
    apart = np.linalg.norm((feet[:, 0] - feet[:, 1])[:, :2], axis=1)
    assert apart[0] == pytest.approx(0.24)
    assert apart.max() > 0.4


def test_an_arabesque_leans_and_holds_for_a_second() -> None:
    track = _sample("drill_arabesque")
    pitch = np.array(track.turn)[:, 1]
    assert pitch.max() > 0.4
    held = np.diff(track.times)[np.diff(pitch) == 0]
    assert held.max() >= 1.0


def test_a_pivot_turns_by_60_degrees_or_more() -> None:
    yaw = np.array(_sample("drill_pivot").turn)[:, 2]
    assert np.abs(np.diff(yaw)).max() * 2 > np.pi / 3


def test_drills_are_packed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[int, int]] = []

    def fake(first: int, end: int, *, seed: int) -> list[Drill]:
        made.append((first, end))
        qpos = np.tile(np.eye(36)[3], (5, 1))
        motion = Motion.from_qpos(qpos)
        return [Drill(number=first, family="drill_hops", motion=motion)]

    monkeypatch.setattr(pack, "make_drills", fake)
    for _ in range(2):
        clips = pack.drill_clips(130, tmp_path, workers=1)
    assert made == [(0, 128), (128, 130)]
    assert clips.ids == ("drill-0000", "drill-0128")
    assert clips.lengths.tolist() == [5, 5]
