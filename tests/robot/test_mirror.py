import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from texedo.motion import Motion
from texedo.robot import g1, motion_kinematics
from texedo.robot.mirror import MIRROR_BODY_INDEX, mirror, mirror_joint_pos


def any_motion(seed: int) -> Motion:
    rng = np.random.default_rng(seed)
    return Motion(
        root_pos_w=rng.normal(size=(3, 3)),
        root_quat_w=rng.normal(size=(3, 4)) + [2, 0, 0, 0],
        joint_pos=rng.uniform(g1.JOINT_LOWER, g1.JOINT_UPPER, size=(3, 29)),
    )


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_mirroring_twice_changes_no_bit(seed: int) -> None:
    motion = any_motion(seed)
    assert mirror(mirror(motion)) == motion


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_every_body_lands_where_its_twin_was_seen_in_the_mirror(seed: int) -> None:
    motion = any_motion(seed)
    there = motion_kinematics(motion).pos_w[:, MIRROR_BODY_INDEX] * [1, -1, 1]
    # The robot itself is symmetric to 0.1 mm (its left and right shoulders differ so).
    np.testing.assert_allclose(
        motion_kinematics(mirror(motion)).pos_w, there, atol=2e-4
    )


def test_a_raised_left_arm_becomes_a_raised_right_arm() -> None:
    joints = np.zeros(29)
    joints[g1.JOINT_INDEX["left_shoulder_roll_joint"]] = 1.5
    joints[g1.JOINT_INDEX["left_elbow_joint"]] = 0.7
    joints[g1.JOINT_INDEX["waist_yaw_joint"]] = 0.4
    mirrored = mirror_joint_pos(joints)
    assert mirrored[g1.JOINT_INDEX["right_shoulder_roll_joint"]] == -1.5
    assert mirrored[g1.JOINT_INDEX["right_elbow_joint"]] == 0.7
    assert mirrored[g1.JOINT_INDEX["waist_yaw_joint"]] == -0.4
    assert mirrored[g1.JOINT_INDEX["left_shoulder_roll_joint"]] == 0.0


def test_joint_ranges_are_their_own_mirror_image() -> None:
    mirrored = mirror_joint_pos(np.stack((g1.JOINT_LOWER, g1.JOINT_UPPER)))
    np.testing.assert_allclose(mirrored.min(axis=0), g1.JOINT_LOWER, atol=1e-9)
    np.testing.assert_allclose(mirrored.max(axis=0), g1.JOINT_UPPER, atol=1e-9)
