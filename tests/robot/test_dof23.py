"""The robot with 23 joints."""

import numpy as np

from tests.support.motions import random_motion
from texedo.robot.dof23 import FREE_JOINTS, LOCKED_JOINTS, lock_joints
from texedo.robot.g1 import JOINT_NAMES, KNEES_BENT


def test_six_joints_are_missing_and_23_are_left() -> None:
    assert len(LOCKED_JOINTS) == 6 and len(FREE_JOINTS) == 23
    assert [JOINT_NAMES.index(n) for n in LOCKED_JOINTS] == [13, 14, 20, 21, 27, 28]
    assert {"waist_yaw_joint", "left_wrist_roll_joint"} <= set(FREE_JOINTS)


def test_the_standing_pose_needs_none_of_them() -> None:
    assert all(KNEES_BENT[JOINT_NAMES.index(name)] == 0 for name in LOCKED_JOINTS)


def test_locked_joints_are_zero_and_the_others_as_they_were() -> None:
    motion = random_motion(5, 20)
    locked = lock_joints(motion)
    for i, name in enumerate(JOINT_NAMES):
        wanted = np.zeros(20) if name in LOCKED_JOINTS else motion.joint_pos[:, i]
        np.testing.assert_array_equal(locked.joint_pos[:, i], wanted)
    np.testing.assert_array_equal(locked.root_pos_w, motion.root_pos_w)
