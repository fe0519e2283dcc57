"""Every check on a motion made so that its value is known beforehand."""

import json

import numpy as np
import pytest
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_from_axis_angle, quat_from_yaw
from texedo.robot import check, g1
from texedo.robot.check import check_motion
from texedo.robot.check_limits import LIMITS
from texedo.robot.collision import sole_clearance
from texedo.robot.kinematics import forward_kinematics

FRAMES = 101
STANDING_HEIGHT = g1.KNEES_BENT_HEIGHT - 0.002978
"""Soles on the floor to within a few micrometres."""

Float64 = NDArray[np.float64]


def motion_of(
    pos: Float64 | None = None,
    quat: Float64 | None = None,
    joints: Float64 | None = None,
    *,
    frames: int = FRAMES,
) -> Motion:
    """Standing still, but for the parts that are given."""
    if pos is None:
        pos = np.tile([0.0, 0.0, STANDING_HEIGHT], (frames, 1))
    if quat is None:
        quat = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1))
    if joints is None:
        joints = np.tile(g1.KNEES_BENT, (frames, 1))
    return Motion.from_qpos(np.concatenate((pos, quat, joints), axis=1))


def standing_pos() -> Float64:
    return np.tile([0.0, 0.0, STANDING_HEIGHT], (FRAMES, 1))


def standing_joints() -> Float64:
    return np.tile(g1.KNEES_BENT, (FRAMES, 1))


def test_standing_still_passes_everything_with_values_near_zero() -> None:
    report = check_motion(motion_of())
    assert report.verdict == "pass"
    # The standing pose hangs 3 mm above the floor, so it starts that far from it.
    assert all(item.value == pytest.approx(0, abs=4e-3) for item in report.items)
    assert all(item.frames_over == 0 for item in report.items)


def test_every_limit_is_checked_and_warns_before_it_fails() -> None:
    report = check_motion(motion_of())
    assert [item.name for item in report.items] == list(LIMITS)
    assert set(check._CHECKS) == set(LIMITS)
    assert all(0 < item.warn < item.fail for item in report.items)


def test_an_angle_outside_its_range_names_joint_frame_and_excess() -> None:
    joints = standing_joints()
    knee = g1.JOINT_INDEX["left_knee_joint"]
    joints[40, knee] = g1.JOINT_LOWER[knee] - 0.1
    item = check_motion(motion_of(joints=joints))["joint range"]
    assert item.value == pytest.approx(0.1, abs=1e-6)
    assert (item.frame, item.where) == (40, "left_knee_joint")
    assert item.time == pytest.approx(0.8)
    assert (item.verdict, item.frames_over) == ("fail", 1)


def test_an_angle_on_its_limit_passes() -> None:
    joints = standing_joints()
    elbow = g1.JOINT_INDEX["left_elbow_joint"]
    joints[:, elbow] = g1.JOINT_UPPER[elbow]
    assert check_motion(motion_of(joints=joints))["joint range"].verdict == "pass"


@pytest.mark.parametrize(
    ("share", "verdict"), [(0.5, "pass"), (0.9, "warn"), (1.1, "fail")]
)
def test_joint_speed_is_a_share_of_the_motors_own_limit(
    share: float, verdict: str
) -> None:
    joints = standing_joints()
    wrist = g1.JOINT_INDEX["right_wrist_yaw_joint"]  # a 4010: 22 rad/s
    joints[50:, wrist] += share * 22 / FPS
    item = check_motion(motion_of(joints=joints))["joint speed"]
    assert item.value == pytest.approx(share, rel=1e-4)
    assert (item.frame, item.where) == (50, "right_wrist_yaw_joint")
    assert item.verdict == verdict


def test_a_hand_through_the_thigh_is_self_penetration() -> None:
    joints = standing_joints()
    # The arm hangs straight and is pressed inwards, from frame 30 on.
    joints[30:, g1.JOINT_INDEX["left_shoulder_roll_joint"]] = -0.3
    joints[30:, g1.JOINT_INDEX["left_elbow_joint"]] = 1.5
    item = check_motion(motion_of(joints=joints))["self-penetration"]
    assert item.verdict == "fail"
    assert item.frame >= 30
    assert item.frames_over == FRAMES - 30
    assert "left" in item.where and " / " in item.where


@pytest.mark.parametrize(
    ("depth", "verdict"), [(0.005, "pass"), (0.02, "warn"), (0.05, "fail")]
)
def test_feet_under_the_floor_are_measured_in_metres(
    depth: float, verdict: str
) -> None:
    pos = standing_pos()
    pos[10:20, 2] -= depth
    item = check_motion(motion_of(pos))["ground penetration"]
    assert item.value == pytest.approx(depth, abs=1e-5)
    assert item.verdict == verdict
    assert 10 <= item.frame < 20
    assert "foot" in item.where


def test_a_robot_that_hovers_floats_for_the_whole_motion() -> None:
    pos = standing_pos()
    pos[:, 2] += 0.03
    report = check_motion(motion_of(pos))
    assert report["float time"].value == pytest.approx(FRAMES / FPS)
    assert report["float time"].verdict == "fail"
    assert report["float height"].value == pytest.approx(0.03, abs=1e-5)
    assert report["float height"].verdict == "pass"


def test_a_small_jump_is_allowed_and_its_air_time_is_counted() -> None:
    pos = standing_pos()
    time = np.arange(16) / FPS  # 0.3 s of flight, 11 cm high
    pos[40:56, 2] += 0.5 * 9.81 * time * (0.3 - time)
    report = check_motion(motion_of(pos))
    # The first and last centimetre of the flight still count as contact.
    assert report["float time"].value == pytest.approx(0.28, abs=0.03)
    assert report["float time"].frame == 41
    assert report["float height"].value == pytest.approx(9.81 * 0.3**2 / 8, abs=1e-3)
    assert report["float time"].verdict == report["float height"].verdict == "pass"


def test_sliding_over_the_floor_skates_at_the_sliding_speed() -> None:
    pos = standing_pos()
    pos[:, 0] = 0.5 * np.arange(FRAMES) / FPS
    item = check_motion(motion_of(pos))["foot skate"]
    assert item.value == pytest.approx(0.5, abs=1e-4)
    assert item.verdict == "warn"
    assert item.frames_over == FRAMES


def test_feet_in_the_air_do_not_skate() -> None:
    pos = standing_pos()
    pos[:, 0] = np.arange(FRAMES) / FPS
    pos[:, 2] += 0.02
    assert check_motion(motion_of(pos))["foot skate"].value == 0


def test_only_the_foot_on_the_floor_is_asked_whether_it_skates() -> None:
    # Turning on the spot about the left sole's centre moves the right one alone.
    joints = standing_joints()
    joints[:, g1.JOINT_INDEX["right_knee_joint"]] += 0.4  # right foot lifted
    frames = np.arange(FRAMES)
    quat = quat_from_yaw(0.01 * frames)
    still = forward_kinematics(np.zeros(3), np.array([1.0, 0, 0, 0]), joints[0])
    assert sole_clearance(still)[1] - sole_clearance(still)[0] > 0.01
    from texedo.robot.collision import sole_centres

    turned = forward_kinematics(np.zeros((FRAMES, 3)), quat, joints)
    pos = -sole_centres(turned)[:, 0]
    pos[:, 2] = -sole_clearance(still)[0]
    item = check_motion(motion_of(pos, quat, joints))["foot skate"]
    assert item.value == pytest.approx(0, abs=1e-4)


def test_a_teleport_of_a_metre_fails_speed_and_jump() -> None:
    pos = standing_pos()
    pos[60:, 1] += 1.0
    report = check_motion(motion_of(pos))
    assert report["root speed"].value == pytest.approx(50.0, rel=1e-4)
    assert report["root speed"].frame == 60
    assert report["root jump"].value == pytest.approx(2500.0, rel=1e-4)
    assert report["root jump"].frame in (59, 60)
    assert report["root speed"].verdict == report["root jump"].verdict == "fail"


def test_constant_speed_is_no_jump() -> None:
    pos = standing_pos()
    pos[:, 0] = 1.5 * np.arange(FRAMES) / FPS
    report = check_motion(motion_of(pos))
    assert report["root jump"].value == pytest.approx(0, abs=0.01)
    assert report["root speed"].value == pytest.approx(1.5, rel=1e-4)


def test_a_quaternion_flip_of_sign_is_no_turn() -> None:
    quat = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1))
    quat[50:] *= -1
    assert check_motion(motion_of(quat=quat))["root turn jump"].value < 1e-3


def test_a_sudden_turn_is_a_jump_of_the_roots_orientation() -> None:
    quat = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1))
    quat[50:] = quat_from_yaw(np.array(0.4))
    item = check_motion(motion_of(quat=quat))["root turn jump"]
    assert item.value == pytest.approx(0.4 * FPS**2, rel=1e-4)
    assert item.verdict == "fail"


def test_one_frame_off_its_neighbours_is_a_joint_jump() -> None:
    joints = standing_joints()
    joints[70, g1.JOINT_INDEX["waist_yaw_joint"]] += 0.1
    item = check_motion(motion_of(joints=joints))["joint jump"]
    # Second difference: 0.2 rad at the frame itself, 0.1 at its neighbours.
    assert item.value == pytest.approx(0.2 * FPS**2, rel=1e-4)
    assert (item.frame, item.where, item.verdict) == (70, "waist_yaw_joint", "warn")


def test_where_the_robot_stands_and_faces_does_not_change_its_start_pose() -> None:
    pos, quat = standing_pos(), np.tile(quat_from_yaw(np.array(2.0)), (FRAMES, 1))
    pos[:, :2] += [3.0, -4.0]
    assert check_motion(motion_of(pos, quat))["start pose"].value < 0.004


def test_lying_on_the_back_is_far_from_standing() -> None:
    back = quat_from_axis_angle(np.array([0.0, 1.0, 0.0]), np.array(-np.pi / 2))
    pos = np.tile([0.0, 0.0, 0.1], (FRAMES, 1))
    item = check_motion(motion_of(pos, np.tile(back, (FRAMES, 1))))["start pose"]
    assert item.verdict == "fail"
    assert item.frame == 0


def test_two_frames_are_enough() -> None:
    assert check_motion(motion_of(frames=2)).verdict == "pass"


def test_blocks_do_not_show_in_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    pos = standing_pos()
    pos[:, 2] += 0.05 * np.sin(np.arange(FRAMES) / 9)
    whole = check_motion(motion_of(pos))
    monkeypatch.setattr(check, "_BLOCK", 7)
    parts = check_motion(motion_of(pos))
    for a, b in zip(whole.items, parts.items, strict=True):
        assert a.value == pytest.approx(b.value, abs=1e-9)
        assert (a.verdict, a.frames_over) == (b.verdict, b.frames_over)


def test_a_report_survives_json() -> None:
    report = check_motion(motion_of())
    again = json.loads(json.dumps(report.to_dict()))
    assert again["verdict"] == "pass"
    assert again["duration_s"] == pytest.approx(2.0)
    assert len(again["checks"]) == len(LIMITS)


def test_the_verdict_of_a_report_is_its_worst_item() -> None:
    pos = standing_pos()
    pos[:, 2] -= 0.02
    assert check_motion(motion_of(pos)).verdict == "warn"
