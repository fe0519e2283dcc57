"""Exercises that train the tracker."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from texedo.motion import FPS
from texedo.robot.check import check_motion
from texedo.robot.collision import sole_clearance
from texedo.robot.kinematics import motion_kinematics
from texedo.tracker.clips import Clips, join_clips, training_clips_from, write_clips
from texedo.tracker.drills import FAMILIES, Drill, make_drills


@pytest.fixture(scope="module")
def drills() -> list[Drill]:
    return list(make_drills(0, 8, seed=1))


def test_every_kind_of_drill_passes_the_check_of_the_robots_body(
    drills: list[Drill],
) -> None:
    assert len(drills) >= 4
    assert {drill.family for drill in drills} <= set(FAMILIES)
    assert all(check_motion(drill.motion).verdict != "fail" for drill in drills)


def test_a_drill_depends_on_its_number_and_not_on_its_company(
    drills: list[Drill],
) -> None:
    chosen = drills[-1]
    (alone,) = make_drills(chosen.number, chosen.number + 1, seed=1)
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
    jump = next(d for d in drills if d.family == "drill_jump")
    height = sole_clearance(motion_kinematics(jump.motion))
    assert height.min(axis=1).max() > 0.02


def _clips(name: str, lengths: tuple[int, ...]) -> Clips:
    qpos = np.zeros((sum(lengths), 36), np.float32)
    qpos[:, 3] = 1.0
    return Clips(
        qpos=qpos,
        lengths=np.array(lengths, dtype=np.int64),
        ids=tuple(f"{name}{i}" for i in range(len(lengths))),
        families=("walk",) * len(lengths),
        splits=("train",) * len(lengths),
    )


def test_joined_clips_follow_one_another() -> None:
    joined = join_clips([_clips("a", (5, 7)), _clips("b", (4,))])
    assert joined.ids == ("a0", "a1", "b0")
    assert joined.starts.tolist() == [0, 5, 12]


def test_clip_files_joined_by_a_comma_are_read_together(tmp_path: Path) -> None:
    for name, lengths in (("a", (5, 7)), ("b", (4,))):
        write_clips(tmp_path / f"{name}.npz", _clips(name, lengths))
    both = training_clips_from(f"{tmp_path}/a.npz,{tmp_path}/b.npz")
    assert both.ids == ("a0", "a1", "b0")
