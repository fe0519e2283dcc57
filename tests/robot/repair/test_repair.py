"""Each fault is taken away with the least change; what passes stays as it is."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.standing import standing
from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_from_yaw
from texedo.robot import g1
from texedo.robot.check import VERDICTS, CheckReport, check_motion
from texedo.robot.repair import RepairRecord, repair
from texedo.robot.repair.pace import SLOWEST, TAKE_OFF, clock, gentler

Float64 = NDArray[np.float64]
FRAMES = 120


def poses() -> Float64:
    return standing(FRAMES, swing=0.03).to_qpos().astype(np.float64)


def fixed(qpos: Float64) -> tuple[Motion, RepairRecord]:
    (motion,), (record,) = repair([Motion.from_qpos(qpos)])
    return motion, record


def over(report: CheckReport) -> list[str]:
    return [item.name for item in report.items if item.verdict != "pass"]


def test_what_passes_comes_back_bit_for_bit() -> None:
    motion = Motion.from_qpos(poses())
    assert check_motion(motion).verdict == "pass"
    (out,), (record,) = repair([motion])
    assert out is motion
    assert not record.changed and not record.repaired
    assert record.pose_change == record.path_change == record.seconds_added == 0.0


@pytest.mark.parametrize("height", [0.025, -0.04, 0.3, -0.3])
def test_a_clip_off_its_floor_is_moved_onto_it_as_a_whole(height: float) -> None:
    qpos = poses()
    qpos[:, 2] += height
    out, record = fixed(qpos)
    assert over(record.before)[0] == ("hover" if height > 0 else "ground penetration")
    assert record.after.verdict == "pass"
    assert record.floor_shift == pytest.approx(-height, abs=0.006)
    assert record.pose_change < 0.001
    # All frames alike: the motion itself is untouched.
    assert np.ptp(out.root_pos_w[:, 2] - qpos[:, 2]) < 1e-6
    assert np.array_equal(out.joint_pos, qpos[:, 7:].astype(np.float32))


def test_only_what_fails_is_repaired_if_that_is_asked_for() -> None:
    low, deep = poses(), poses()
    low[:, 2] -= 0.04
    deep[:, 2] -= 0.3
    motions = [Motion.from_qpos(low), Motion.from_qpos(deep)]
    fixed_motions, records = repair(motions, only_failing=True)
    assert fixed_motions[0] is motions[0]
    assert [record.changed for record in records] == [False, True]
    assert [record.saved for record in records] == [False, True]


def test_a_joint_beyond_its_range_is_clamped_and_no_other_moves() -> None:
    qpos = poses()
    elbow = g1.JOINT_INDEX["left_elbow_joint"]
    # It gets there and back within its motor's speed.
    bump = 0.5 * (1 - np.cos(2 * np.pi * np.arange(FRAMES) / (FRAMES - 1)))
    high = g1.JOINT_UPPER[elbow] + 0.1
    qpos[:, 7 + elbow] += bump * (high - qpos[:, 7 + elbow])
    out, record = fixed(qpos)
    assert record.before["joint range"].verdict == "offset"
    assert record.after["joint range"].value == 0
    assert out.joint_pos[:, elbow].max() <= g1.JOINT_UPPER[elbow]
    others = np.delete(np.arange(29), elbow)
    assert np.array_equal(out.joint_pos[:, others], qpos[:, 7:][:, others].astype("f4"))


def test_a_joint_that_outruns_its_motor_is_held_to_it() -> None:
    qpos = poses()
    waist = g1.JOINT_INDEX["waist_yaw_joint"]  # 32 rad/s; a step of 0.8 is 40
    qpos[60:, 7 + waist] += 0.8
    out, record = fixed(qpos)
    assert {"joint speed", "joint jump"} <= set(over(record.before))
    assert record.after.verdict == "pass"
    moved = np.flatnonzero((out.joint_pos != qpos[:, 7:].astype("f4")).any(axis=1))
    assert 40 < moved[0] and moved[-1] < 80
    assert record.pose_change < 0.01


def test_a_hand_in_the_thigh_comes_out_of_it() -> None:
    qpos = poses()
    time = (np.arange(FRAMES) - 60) / FPS
    roll = g1.JOINT_INDEX["left_shoulder_roll_joint"]
    qpos[:, 7 + roll] -= 0.7 * np.exp(-((time / 0.2) ** 2))
    _, record = fixed(qpos)
    assert "self-penetration" in over(record.before)
    assert record.after.verdict == "pass"
    assert record.pose_change < 0.03


def test_one_frame_of_the_root_that_lies_aside_is_put_back() -> None:
    qpos = poses()
    clean = qpos.copy()
    qpos[50, :3] += [0.1, 0.0, 0.05]
    out, record = fixed(qpos)
    assert "root jump" in over(record.before)
    assert record.after.verdict == "pass"
    assert np.abs(out.root_pos_w[50] - clean[50, :3]).max() < 0.01


def test_a_robot_that_slides_as_it_stands_comes_to_stand() -> None:
    qpos = poses()
    qpos[:, 0] += 0.4 * np.arange(FRAMES) / FPS
    out, record = fixed(qpos)
    assert record.before["foot skate"].value == pytest.approx(0.4, abs=0.05)
    assert record.after["foot skate"].value < 0.05
    assert record.path_change == pytest.approx(0.4 * (FRAMES - 1) / FPS, abs=0.1)
    assert record.pose_change < 0.001
    assert np.array_equal(out.joint_pos, qpos[:, 7:].astype("f4"))


def test_only_what_would_be_rejected_is_played_slower() -> None:
    qpos = poses()
    # Half a turn in 0.2 s pushes nobody: it warns, and keeps its pace.
    turning = np.clip((np.arange(FRAMES) - 50) / 10, 0, 1) * np.pi
    qpos[:, 3:7] = quat_from_yaw(turning)
    _, record = fixed(qpos)
    assert record.before.verdict == "warn"
    assert record.seconds_added == 0.0


def test_a_dash_that_no_leg_can_do_takes_its_time() -> None:
    qpos = poses()
    ahead = np.clip((np.arange(FRAMES) - 40) / 30, 0, 1)
    qpos[:, 0] += 3.0 * ahead * ahead * (3 - 2 * ahead)  # 7.5 m/s at its fastest
    motion, at = gentler(Motion.from_qpos(qpos))
    assert FRAMES < len(motion) < SLOWEST * FRAMES
    assert check_motion(motion)["ground speed"].value < 3.6
    assert motion.root_pos_w[-1, 0] == pytest.approx(qpos[-1, 0], abs=0.05)
    assert at[0] == 0 and (np.diff(at) > 0).all()


def test_a_jump_that_is_too_high_becomes_a_lower_one() -> None:
    qpos = poses()
    rise = np.sin(np.clip((np.arange(FRAMES) - 50) / 30, 0, 1) * np.pi)
    qpos[:, 2] += 0.6 * rise**2
    before = check_motion(Motion.from_qpos(qpos))
    assert before["vertical speed"].verdict == "fail"
    out, record = fixed(qpos)
    assert record.saved and record.repaired
    height = out.root_pos_w[:, 2].max() - out.root_pos_w[0, 2]
    assert 0.05 < height < 0.3
    assert record.after["vertical speed"].value < 1.2 * TAKE_OFF


def test_a_clock_that_is_asked_for_nothing_shows_every_frame_once() -> None:
    assert clock(np.full(40, 0.7)).tolist() == list(range(40))
    assert len(clock(np.full(41, 2.0))) == 81


def test_repair_never_worsens_a_verdict() -> None:
    rng = np.random.default_rng(0)
    motions = []
    for _ in range(6):
        qpos = poses()
        qpos[:, 7:] += rng.normal(0, 0.15, (FRAMES, 29))
        qpos[:, 2] += rng.normal(0, 0.05)
        motions.append(Motion.from_qpos(qpos))
    _, records = repair(motions)
    for record in records:
        before, after = record.before.verdict, record.after.verdict
        assert VERDICTS.index(after) <= VERDICTS.index(before)
