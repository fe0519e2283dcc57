"""Forward kinematics against MuJoCo, against published vectors, and against itself."""

import mujoco
import numpy as np
import pytest

from texedo.motion import Motion
from texedo.motion.rotations import quat_from_yaw
from texedo.robot import g1
from texedo.robot.kinematics import (
    body_velocities,
    com_velocities,
    forward_kinematics,
    joint_velocities,
    motion_kinematics,
)
from texedo.robot.mjcf import load_model

# Computed with MuJoCo from the manufacturer's model at the pose of `golden_pose`.
GOLDEN = {
    "left_hip_roll_link": "0.465123 -0.120322 0.685707 0.934912 -0.015413 -0.203451 0.290362",
    "left_knee_link": "0.550537 -0.133033 0.391907 0.902967 -0.037582 -0.195671 0.380724",
    "left_ankle_roll_link": "0.668356 -0.111011 0.098613 0.905627 -0.196579 -0.101157 0.361888",
    "right_hip_roll_link": "0.606832 -0.304559 0.670877 0.935216 -0.047127 -0.202910 0.286315",
    "right_knee_link": "0.705165 -0.344152 0.383325 0.868768 -0.050118 -0.248502 0.425414",
    "right_ankle_roll_link": "0.853850 -0.307245 0.105512 0.890668 -0.071306 -0.153264 0.422063",
    "torso_link": "0.483332 -0.266111 0.837607 0.931856 0.039959 -0.163596 0.321378",
    "left_shoulder_roll_link": "0.333464 -0.195485 1.066569 0.925442 0.028393 -0.246745 0.286126",
    "left_elbow_link": "0.419526 -0.143284 0.911772 0.877387 -0.005013 -0.249476 0.409790",
    "left_wrist_yaw_link": "0.527691 -0.008058 0.973688 0.882305 -0.173509 -0.194665 0.391838",
    "right_shoulder_roll_link": "0.502555 -0.419873 1.073820 0.938987 -0.112908 -0.149176 0.288622",
    "right_elbow_link": "0.579238 -0.436080 0.906941 0.871324 -0.078512 -0.246153 0.417180",
    "right_wrist_yaw_link": "0.688927 -0.296601 0.954020 0.931773 -0.140314 -0.142100 0.303182",
}


def random_poses(count: int, seed: int = 0) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    quat = rng.normal(size=(count, 4))
    return (
        rng.normal(size=(count, 3)),
        quat / np.linalg.norm(quat, axis=1, keepdims=True),
        rng.uniform(g1.JOINT_LOWER, g1.JOINT_UPPER, size=(count, 29)),
    )


@pytest.mark.parametrize("body", GOLDEN)
def test_published_vectors_are_met_to_1e_5(body: str) -> None:
    quat = np.array([0.9, 0.1, -0.2, 0.3])
    joints_isaaclab = 0.3 * np.sin(np.arange(29) + 1)
    poses = forward_kinematics(
        np.array([0.5, -0.25, 0.8]),
        quat / np.linalg.norm(quat),
        joints_isaaclab[g1.MUJOCO_FROM_ISAACLAB],
    )
    expected = np.array(GOLDEN[body].split(), dtype=float)
    i = g1.BODY_INDEX[body]
    np.testing.assert_allclose(poses.pos_w[i], expected[:3], atol=1e-5)
    np.testing.assert_allclose(poses.quat_w[i], expected[3:], atol=1e-5)


def test_a_thousand_random_poses_agree_with_mujoco() -> None:
    model = load_model(visuals=False)
    data = mujoco.MjData(model)
    pos, quat, joints = random_poses(1000)
    ours = forward_kinematics(pos, quat, joints)
    for i in range(len(pos)):
        data.qpos[:] = np.concatenate((pos[i], quat[i], joints[i]))
        mujoco.mj_kinematics(model, data)
        np.testing.assert_allclose(ours.pos_w[i], data.xpos[1:], atol=1e-6)
        sign = np.sign((ours.quat_w[i] * data.xquat[1:]).sum(-1, keepdims=True))
        np.testing.assert_allclose(sign * ours.quat_w[i], data.xquat[1:], atol=1e-6)


def test_a_batch_is_its_rows() -> None:
    pos, quat, joints = random_poses(12)
    batch = forward_kinematics(
        pos.reshape(3, 4, 3), quat.reshape(3, 4, 4), joints.reshape(3, 4, 29)
    )
    one = forward_kinematics(pos[7], quat[7], joints[7])
    np.testing.assert_array_equal(batch.pos_w[1, 3], one.pos_w)
    np.testing.assert_array_equal(batch.quat_w[1, 3], one.quat_w)


def test_a_root_quaternion_that_is_not_unit_is_taken_as_its_direction() -> None:
    pos, quat, joints = random_poses(1)
    a, b = (
        forward_kinematics(pos, quat, joints),
        forward_kinematics(pos, 3 * quat, joints),
    )
    np.testing.assert_allclose(a.pos_w, b.pos_w, atol=1e-12)


def turning_motion() -> Motion:
    """Drives along +y at 1 m/s while turning left at 0.5 rad/s, joints at rest."""
    t = np.arange(100) / 50
    return Motion(
        root_pos_w=np.stack((0 * t, t, 0 * t + 0.8), axis=1),
        root_quat_w=quat_from_yaw(0.5 * t),
        joint_pos=np.zeros((100, 29)),
    )


def test_velocities_of_a_turning_robot_are_the_ones_it_was_given() -> None:
    velocities = body_velocities(motion_kinematics(turning_motion()))
    np.testing.assert_allclose(velocities.lin_vel_w[:, 0], [[0, 1, 0]] * 100, atol=1e-4)
    np.testing.assert_allclose(velocities.ang_vel_w[..., 2], 0.5, atol=1e-4)
    np.testing.assert_allclose(velocities.ang_vel_w[..., :2], 0.0, atol=1e-4)


def test_the_centre_of_mass_moves_with_the_lever_of_the_turn() -> None:
    poses = motion_kinematics(turning_motion())
    velocities = body_velocities(poses)
    com = com_velocities(poses, velocities)
    # The left hip's centre of mass lies 0.002741 ahead and 0.047791 left of its origin:
    # at yaw 0 a turn of 0.5 rad/s adds (-0.5 * 0.047791, 0.5 * 0.002741).
    added = com[0, 1] - velocities.lin_vel_w[0, 1]
    np.testing.assert_allclose(added[:2], [-0.0238955, 0.0013705], atol=2e-4)


def test_joint_velocities_are_central_differences_with_one_sided_ends() -> None:
    joints = np.zeros((3, 29))
    joints[:, 4] = [0.0, 0.1, 0.4]
    np.testing.assert_allclose(joint_velocities(joints)[:, 4], [5.0, 10.0, 15.0])
