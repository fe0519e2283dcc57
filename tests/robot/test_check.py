"""Every check on a motion made so that its value is known beforehand."""

import json
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_from_axis_angle, quat_from_yaw
from texedo.robot import check_measures, g1
from texedo.robot.check import VERDICTS, check_motion
from texedo.robot.check_limits import LIMITS
from texedo.robot.collision import sole_clearance
from texedo.robot.kinematics import forward_kinematics
from texedo.robot.mass import centre_of_mass, mass_centres

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
    # Rounding of quaternions is a few hundredths of a degree.
    assert all(item.value == pytest.approx(0, abs=0.05) for item in report.items)
    assert all(item.frames_over == 0 for item in report.items)


def test_every_limit_is_checked_and_the_worse_verdict_comes_later() -> None:
    report = check_motion(motion_of())
    assert [item.name for item in report.items] == list(LIMITS)
    assert list(check_measures.MEASURES) == list(LIMITS)
    assert VERDICTS == ("pass", "offset", "warn", "fail")
    for limit in LIMITS.values():
        given = [x for x in (limit.offset, limit.warn, limit.fail) if np.isfinite(x)]
        assert given == sorted(given) and given[0] == limit.lowest > 0


def test_an_angle_outside_its_range_names_joint_frame_and_excess() -> None:
    joints = standing_joints()
    knee = g1.JOINT_INDEX["left_knee_joint"]
    joints[40, knee] = g1.JOINT_LOWER[knee] - 0.1
    item = check_motion(motion_of(joints=joints))["joint range"]
    assert item.value == pytest.approx(0.1, abs=1e-6)
    assert (item.frame, item.where) == (40, "left_knee_joint")
    assert item.time == pytest.approx(0.8)
    assert (item.verdict, item.frames_over) == ("offset", 1)


def test_an_angle_on_its_limit_passes() -> None:
    joints = standing_joints()
    elbow = g1.JOINT_INDEX["left_elbow_joint"]
    joints[:, elbow] = g1.JOINT_UPPER[elbow]
    assert check_motion(motion_of(joints=joints))["joint range"].verdict == "pass"


@pytest.mark.parametrize(
    ("share", "verdict"), [(0.5, "pass"), (0.9, "pass"), (1.1, "warn")]
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
    assert item.verdict == "offset"
    assert item.frame >= 30
    assert item.frames_over == FRAMES - 30
    assert "left" in item.where and " / " in item.where


@pytest.mark.parametrize(
    ("depth", "verdict"),
    [(0.01, "pass"), (0.025, "offset"), (0.1, "warn"), (0.2, "fail")],
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


@pytest.mark.parametrize(
    ("height", "verdict"), [(0.01, "pass"), (0.025, "offset"), (0.3, "fail")]
)
def test_a_clip_above_its_floor_hovers(height: float, verdict: str) -> None:
    pos = standing_pos()
    pos[:, 2] += height
    item = check_motion(motion_of(pos))["hover"]
    assert item.value == pytest.approx(height, abs=1e-5)
    assert item.verdict == verdict


def test_a_jump_is_no_hovering_and_rises_as_fast_as_it_must() -> None:
    pos = standing_pos()
    time = np.arange(26) / FPS  # 0.5 s of flight, 31 cm high
    pos[40:66, 2] += 0.5 * 9.81 * time * (0.5 - time)
    report = check_motion(motion_of(pos))
    assert report["hover"].value == pytest.approx(0, abs=1e-3)
    # It leaves the floor at 2.45 m/s all at once, which smoothing takes a third of.
    assert 1.5 < report["vertical speed"].value < 1.9
    assert report["vertical speed"].verdict == "warn"


def test_sliding_over_the_floor_skates_at_the_sliding_speed() -> None:
    pos = standing_pos()
    pos[:, 0] = 0.5 * np.arange(FRAMES) / FPS
    item = check_motion(motion_of(pos))["foot skate"]
    assert item.value == pytest.approx(0.5, abs=1e-4)
    assert item.verdict == "offset"
    assert item.frames_over == FRAMES


def test_a_clip_that_hovers_skates_no_less_for_it() -> None:
    pos = standing_pos()
    pos[:, 0] = 0.5 * np.arange(FRAMES) / FPS
    pos[:, 2] += 0.03
    item = check_motion(motion_of(pos))["foot skate"]
    assert item.value == pytest.approx(0.5, abs=1e-4)


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


def test_a_teleport_of_a_metre_is_a_jump_and_too_fast_for_anybody() -> None:
    pos = standing_pos()
    pos[60:, 1] += 1.0
    report = check_motion(motion_of(pos))
    assert report["root jump"].value == pytest.approx(2500.0, rel=1e-4)
    assert report["root jump"].frame in (59, 60)
    assert report["root jump"].verdict == "warn"
    assert report["ground speed"].verdict == report.verdict == "fail"
    assert report["ground speed"].frame in (59, 60)


def test_constant_speed_is_no_jump() -> None:
    pos = standing_pos()
    pos[:, 0] = 1.5 * np.arange(FRAMES) / FPS
    report = check_motion(motion_of(pos))
    assert report["root jump"].value == pytest.approx(0, abs=0.01)
    assert report["ground speed"].value == pytest.approx(1.5, rel=1e-4)


def test_a_quaternion_flip_of_sign_is_no_turn() -> None:
    quat = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1))
    quat[50:] *= -1
    assert check_motion(motion_of(quat=quat))["root turn jump"].value < 1e-3


def test_a_sudden_turn_is_a_jump_of_the_roots_orientation() -> None:
    quat = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1))
    quat[50:] = quat_from_yaw(np.array(0.4))
    item = check_motion(motion_of(quat=quat))["root turn jump"]
    assert item.value == pytest.approx(0.4 * FPS**2, rel=1e-4)
    assert item.verdict == "warn"


def test_one_frame_off_its_neighbours_is_a_joint_jump() -> None:
    joints = standing_joints()
    joints[70, g1.JOINT_INDEX["waist_yaw_joint"]] += 0.25
    item = check_motion(motion_of(joints=joints))["joint jump"]
    # Second difference: 0.5 rad at the frame itself, 0.25 at its neighbours.
    assert item.value == pytest.approx(0.5 * FPS**2, rel=1e-4)
    assert (item.frame, item.where, item.verdict) == (70, "waist_yaw_joint", "offset")


def test_steps_and_jumps_are_measured_between_the_frames_of_the_file() -> None:
    """At 25 Hz a kink of a joint's path is half as sharp as in linear 50 Hz frames."""
    slow = np.tile(g1.KNEES_BENT, (51, 1))
    waist = g1.JOINT_INDEX["waist_yaw_joint"]
    slow[25:, waist] += 0.2 * np.arange(26)
    fast = np.empty((FRAMES, 29))
    fast[::2], fast[1::2] = slow, (slow[1:] + slow[:-1]) / 2
    motion = motion_of(joints=fast)

    class Frames(NamedTuple):
        fps: float
        root_pos_w: Float64
        root_quat_w: Float64
        joint_pos: Float64

    filed = Frames(25.0, motion.root_pos_w[::2], motion.root_quat_w[::2], slow)
    item = check_motion(motion, filed)["joint jump"]
    assert item.value == pytest.approx(0.2 * 25**2, rel=1e-4)
    assert item.frame == 50
    assert check_motion(motion)["joint jump"].value == pytest.approx(0.1 * 50**2, 1e-3)
    assert check_motion(motion, filed)["joint speed"].value == pytest.approx(
        0.2 * 25 / g1.SPEED_LIMIT[waist], rel=1e-4
    )


def test_leaning_with_the_mass_beside_the_feet_is_out_of_balance() -> None:
    upright = forward_kinematics(
        standing_pos()[0], np.array([1.0, 0, 0, 0]), g1.KNEES_BENT
    )
    height = centre_of_mass(mass_centres(upright))[2]
    lean = 0.5
    quat = quat_from_axis_angle(np.array([0.0, 1.0, 0.0]), np.array(lean))
    pos = np.tile(
        [np.sin(lean) * STANDING_HEIGHT, 0.0, np.cos(lean) * STANDING_HEIGHT],
        (FRAMES, 1),
    )
    item = check_motion(motion_of(pos, np.tile(quat, (FRAMES, 1))))["balance"]
    # A rigid robot leaned about its ankles; its toes reach some 14 cm forward.
    assert item.value == pytest.approx(np.sin(lean) * height - 0.14, abs=0.06)
    assert item.verdict == "warn"
    assert check_motion(motion_of())["balance"].value == 0


def test_a_moments_dart_is_forgiven_by_balance() -> None:
    """No frame counts for more than 0.75 m: 12 of 25 at most come to 0.36."""
    pos = standing_pos()
    pos[60, 1] += 0.3  # one frame; smoothing and derivatives spread it over a dozen
    item = check_motion(motion_of(pos))["balance"]
    assert 0.15 < item.value < 0.42
    assert item.verdict == "warn"


def test_tilt_is_the_angle_of_the_pelvis_from_upright() -> None:
    quat = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1))
    quat[40:] = quat_from_axis_angle(np.array([1.0, 0.0, 0.0]), np.array(1.0))
    item = check_motion(motion_of(quat=quat))["tilt"]
    assert item.value == pytest.approx(np.degrees(1.0), abs=1e-2)
    assert (item.verdict, item.frames_over) == ("warn", FRAMES - 40)


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
    monkeypatch.setattr(check_measures, "_BLOCK", 7)
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
    assert check_motion(motion_of(pos)).verdict == "offset"
