"""The torch twin of the kinematics against the numpy original."""

import numpy as np
import pytest

from tests.support.motions import random_motion
from texedo.motion.rotations import quat_to_matrix
from texedo.robot.g1 import TRACKED_BODY_INDICES
from texedo.robot.kinematics import motion_kinematics

torch = pytest.importorskip("torch")


def test_the_bodies_are_where_the_numpy_kinematics_puts_them() -> None:
    from texedo.learning.kinematics_torch import BodyTree

    motion = random_motion(3, frames=40)
    whole = motion_kinematics(motion).pos_w[:, TRACKED_BODY_INDICES]
    expected = whole - whole[:, :1]
    root = torch.as_tensor(quat_to_matrix(motion.root_quat_w))
    found = BodyTree().tracked_positions(root, torch.tensor(motion.joint_pos))
    assert found.shape == (40, 14, 3)
    assert np.abs(found.numpy() - expected).max() < 2e-6


def test_a_raised_wrist_tells_the_joints_which_way_to_go() -> None:
    from texedo.learning.kinematics_torch import BodyTree

    joints = torch.zeros(1, 29, requires_grad=True)
    height = BodyTree().tracked_positions(torch.eye(3)[None], joints)[0, 10, 2]
    height.backward()
    assert joints.grad is not None
    # The left elbow (joint 18) bends the forearm up: a positive angle about y lowers it.
    assert float(joints.grad[0, 18]) < 0
    assert float(joints.grad[0, :12].abs().max()) == 0.0


def test_all_bodies_are_where_the_numpy_kinematics_puts_them() -> None:
    from texedo.learning.kinematics_torch import BodyTree
    from texedo.learning.rotations_torch import (
        matrix_from_quat,
        quat_from_matrix,
        quat_normalize,
    )

    motion = random_motion(5, frames=40)
    poses = motion_kinematics(motion)
    quat = quat_normalize(torch.tensor(motion.root_quat_w).double())
    tree = BodyTree(dtype=torch.float64)
    rot, pos = tree.bodies(
        matrix_from_quat(quat), torch.tensor(motion.joint_pos).double()
    )
    assert pos.shape == (40, 30, 3)
    expected = poses.pos_w - poses.pos_w[:, :1]
    assert np.abs(pos.numpy() - expected).max() < 1e-12
    assert np.abs(rot.numpy() - quat_to_matrix(poses.quat_w)).max() < 1e-12
    # A turn and its opposite sign are the same orientation.
    cosine = np.abs((quat_from_matrix(rot).numpy() * poses.quat_w).sum(-1))
    assert cosine.min() > 1 - 1e-12


def test_a_half_turn_has_a_quaternion_too() -> None:
    from texedo.learning.rotations_torch import quat_from_matrix

    half_turn = torch.diag(torch.tensor([-1.0, -1.0, 1.0]))
    assert quat_from_matrix(half_turn).tolist() == [0.0, 0.0, 0.0, 1.0]
