"""What post-processing does to a motion, in numbers that can be checked by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.support.motions import random_motion
from tests.support.standing import ON_THE_FLOOR, standing
from texedo.motion import Motion
from texedo.motion.edit import place
from texedo.motion.rotations import quat_yaw
from texedo.robot import g1
from texedo.robot.check import check_motion
from texedo.robot.collision import ground_clearance
from texedo.robot.floor import (
    FLOOR_TOLERANCE,
    floor_correction,
    lower_envelope,
    lowest_point,
)
from texedo.robot.kinematics import motion_kinematics
from texedo.robot.repair.speed import limit_speed
from texedo.text.postprocess import PostprocessRecord, postprocess

KNEE = g1.JOINT_INDEX["left_knee_joint"]
ELBOW = g1.JOINT_INDEX["left_elbow_joint"]


def processed(motion: Motion) -> tuple[Motion, PostprocessRecord]:
    (out,), (record,) = postprocess([motion])
    return out, record


def edited(motion: Motion, **columns: NDArray[np.float64]) -> Motion:
    qpos = motion.to_qpos().astype(np.float64)
    for name, values in columns.items():
        column = 2 if name == "height" else 7 + g1.JOINT_INDEX[name]
        qpos[:, column] = values
    return Motion.from_qpos(qpos)


def lowest(motion: Motion) -> NDArray[np.float64]:
    return ground_clearance(motion_kinematics(motion)).min(axis=1)


def test_a_good_motion_comes_through_unchanged() -> None:
    motion = standing(100, swing=0.08)
    out, record = processed(motion)
    np.testing.assert_allclose(out.to_qpos(), motion.to_qpos(), atol=1e-6)
    assert record.frames_clamped == record.joints_slowed == record.frames_parted == 0
    assert record.largest_lift == record.largest_lowering == 0.0


def test_an_elbow_half_a_radian_over_its_range_is_clamped_to_it() -> None:
    limit = g1.JOINT_UPPER[ELBOW]
    # Over the range in the 11 frames 20 to 30, by 0.5 at most.
    over = limit - 0.1 + 0.6 * np.maximum(0, 1 - np.abs(np.arange(60) - 25) / 6)
    out, record = processed(edited(standing(60, swing=0.0), left_elbow_joint=over))
    assert record.largest_clamp == pytest.approx(0.5, abs=1e-6)
    assert record.frames_clamped == (over > limit).sum()
    assert out.joint_pos[:, ELBOW].max() <= limit
    assert check_motion(out)["joint range"].value == 0.0


def test_a_step_of_one_radian_takes_the_knee_as_long_as_its_motor_needs() -> None:
    # 20 rad/s are 0.4 rad a frame. Forwards it goes 0, .4, .8, 1 and is late, backwards
    # 0, .2, .6, 1 and is early.
    joints = np.tile(g1.KNEES_BENT, (12, 1))
    joints[:, KNEE] = np.where(np.arange(12) < 6, 0.0, 1.0)
    slowed = limit_speed([joints])[0][:, KNEE]
    np.testing.assert_allclose(
        slowed[2:10], [0, 0, 0.1, 0.3, 0.7, 0.9, 1, 1], atol=1e-4
    )
    assert np.abs(np.diff(slowed)).max() <= 20 / 50


def test_joints_that_keep_to_their_motors_are_not_touched() -> None:
    joints = random_motion(3).joint_pos.astype(np.float64)
    assert limit_speed([joints])[0] is joints


def test_a_jumping_joint_is_recorded_and_passes_the_check() -> None:
    knee = np.where(np.arange(60) < 30, 0.2, 1.4)
    out, record = processed(edited(standing(60, swing=0.0), left_knee_joint=knee))
    assert record.joints_slowed == 1
    assert 0.3 < record.largest_slowing < 0.7
    assert check_motion(out)["joint speed"].value <= 1.0


def test_a_robot_that_hovers_by_4_cm_comes_down_to_half_a_centimetre() -> None:
    out, record = processed(standing(120, height=ON_THE_FLOOR + 0.04))
    np.testing.assert_allclose(lowest(out), FLOOR_TOLERANCE, atol=1e-3)
    assert record.largest_lowering == pytest.approx(0.035, abs=1e-3)
    assert record.largest_lift == 0.0


def test_a_robot_4_cm_in_the_floor_is_lifted_to_half_a_centimetre() -> None:
    out, record = processed(standing(120, height=ON_THE_FLOOR - 0.04))
    np.testing.assert_allclose(lowest(out), -FLOOR_TOLERANCE, atol=1e-3)
    assert record.largest_lift == pytest.approx(0.035, abs=1e-3)


def test_a_jump_of_half_a_second_stays_a_jump() -> None:
    time = np.arange(150) / 50
    arc = np.maximum(0.0, 0.3 * (1 - ((time - 1.5) / 0.25) ** 2))
    out, record = processed(edited(standing(150), height=ON_THE_FLOOR + arc))
    assert lowest(out).max() == pytest.approx(0.3, abs=0.002)
    assert record.largest_lowering < 1e-3


def test_one_sunken_frame_lifts_its_neighbourhood_without_a_bounce() -> None:
    curve = np.zeros(200)
    curve[100] = -0.05
    rise = floor_correction(curve)
    assert rise[100] == pytest.approx(0.045)
    assert (rise[:60] == 0).all() and (rise[141:] == 0).all()
    # Less than gravity: feet that are pressed down would still be in contact.
    assert np.abs(np.diff(rise, 2)).max() * 50**2 < 9.81 / 2
    assert (np.diff(rise[:101]) >= -1e-12).all()


@given(
    st.lists(st.floats(-0.2, 0.5), min_size=2, max_size=120),
    st.sampled_from([0.1, 0.6, 1.2]),
)
def test_the_envelope_is_nowhere_above_the_curve(
    heights: list[float], window: float
) -> None:
    curve = np.array(heights)
    envelope = lower_envelope(curve, window)
    assert envelope.shape == curve.shape
    assert (envelope <= curve + 1e-12).all()
    assert envelope.min() >= curve.min() - 1e-12


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.integers(2, 80))
def test_whatever_comes_in_a_valid_motion_comes_out(seed: int, frames: int) -> None:
    out, record = processed(random_motion(seed, frames))
    assert len(out) == frames
    assert (out.joint_pos >= g1.JOINT_LOWER).all()
    assert (out.joint_pos <= g1.JOINT_UPPER).all()
    assert lowest(out).min() >= -FLOOR_TOLERANCE - 1e-4
    assert all(np.isfinite(value) for value in record.to_dict().values())


def test_the_motion_starts_over_the_origin_facing_x() -> None:
    moved = place(standing(50), xy=np.array([3.0, 4.0]), yaw=0.7)
    out, record = processed(moved)
    np.testing.assert_allclose(out.root_pos_w[0, :2], 0.0, atol=1e-6)
    assert abs(float(quat_yaw(out.root_quat_w[0].astype(np.float64)))) < 1e-6
    assert record.start_shift == pytest.approx(5.0)
    assert record.start_turn == pytest.approx(0.7)


def test_a_motion_is_the_same_alone_and_in_company() -> None:
    motions = [random_motion(i, 30 + i) for i in range(5)]
    knee = np.where(np.arange(33) < 15, 0.2, 1.4)
    motions[3] = edited(motions[3], left_knee_joint=knee)
    motions.append(edited(motions[3], right_elbow_joint=knee))
    together, _ = postprocess(motions)
    assert [processed(motion)[0] for motion in motions] == together
    assert postprocess([]) == ([], [])


def test_the_lowest_point_is_that_of_the_checks() -> None:
    poses = motion_kinematics(random_motion(7))
    np.testing.assert_allclose(
        lowest_point(poses), ground_clearance(poses).min(axis=1), atol=1e-12
    )
