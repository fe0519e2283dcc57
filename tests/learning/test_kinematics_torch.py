"""The torch twin of the kinematics against the numpy original."""

import numpy as np
import pytest

from tests.support.motions import random_motion
from texedo.motion.rotations import quat_to_matrix
from texedo.robot.g1 import TRACKED_BODY_INDICES
from texedo.robot.kinematics import motion_kinematics

torch = pytest.importorskip("torch")


def test_the_bodies_are_where_the_numpy_kinematics_puts_them() -> None:
    from texedo.learning.kinematics_torch import BodyPositions

    motion = random_motion(3, frames=40)
    whole = motion_kinematics(motion).pos_w[:, TRACKED_BODY_INDICES]
    expected = whole - whole[:, :1]
    root = torch.as_tensor(quat_to_matrix(motion.root_quat_w))
    found = BodyPositions()(root, torch.tensor(motion.joint_pos))
    assert found.shape == (40, 14, 3)
    assert np.abs(found.numpy() - expected).max() < 2e-6


def test_a_raised_wrist_tells_the_joints_which_way_to_go() -> None:
    from texedo.learning.kinematics_torch import BodyPositions

    joints = torch.zeros(1, 29, requires_grad=True)
    height = BodyPositions()(torch.eye(3)[None], joints)[0, 10, 2]
    height.backward()
    assert joints.grad is not None
    # The left elbow (joint 18) bends the forearm up: a positive angle about y lowers it.
    assert float(joints.grad[0, 18]) < 0
    assert float(joints.grad[0, :12].abs().max()) == 0.0
