"""What a dynamic verifier sees of a frame."""

import numpy as np
import torch
from numpy.typing import NDArray

from tests.support.motions import random_motion
from tests.support.paper_semantics import elsewhere
from texedo.motion import FPS
from texedo.motion.rotations import quat_from_yaw, quat_yaw
from texedo.robot.g1 import KNEES_BENT, KNEES_BENT_HEIGHT
from texedo.robot.kinematics import forward_kinematics
from texedo.robot.mass import centre_of_mass, mass_centres
from texedo.see.dynamics.balance import FULL_SIZE, full_features
from texedo.see.dynamics.features import Frames, paper_features, standardized

HEIGHT, UP, VELOCITY, RATE = slice(0, 1), slice(1, 4), slice(4, 6), 6
CENTRE, PUSH, ROOM = slice(188, 191), slice(194, 197), slice(200, 224)


def standing(frames: int = 12) -> NDArray[np.float32]:
    pose = np.concatenate(([0, 0, KNEES_BENT_HEIGHT, 1, 0, 0, 0], KNEES_BENT))
    return np.tile(pose, (frames, 1)).astype(np.float32)


def full(qpos: NDArray[np.float32], *, fresh: bool = True) -> NDArray[np.float32]:
    lengths, begins = torch.tensor([len(qpos)]), torch.tensor([fresh])
    found = full_features(torch.from_numpy(qpos)[None], lengths, begins)
    assert found.shape[-1] == FULL_SIZE == 235
    return np.asarray(found[0].numpy())


def paper(qpos: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(paper_features(Frames(torch.from_numpy(qpos)[None]))[0].numpy())


def test_a_robot_that_stands_has_a_height_joints_and_nothing_else() -> None:
    rows = paper(standing())
    np.testing.assert_allclose(rows[:, 0], KNEES_BENT_HEIGHT, atol=1e-6)
    np.testing.assert_allclose(rows[:, UP], [[0, 0, 1]] * 12, atol=1e-6)
    np.testing.assert_allclose(rows[:, 7:36], [KNEES_BENT] * 12, atol=1e-6)
    assert not rows[:, 4:7].any() and not rows[:, 36:].any()


def test_walking_the_way_one_faces_at_one_metre_per_second_is_forward() -> None:
    qpos = standing()
    qpos[:, 3:7] = quat_from_yaw(np.full(12, np.pi / 2))
    qpos[:, 1] = np.arange(12) / FPS  # Facing +y, going +y.
    rows = paper(qpos)
    np.testing.assert_allclose(rows[1:, VELOCITY], [[1.0, 0.0]] * 11, atol=1e-4)
    assert not rows[0, VELOCITY].any()


def test_turning_half_a_turn_per_second_is_pi_and_velocities_look_back() -> None:
    qpos = standing()
    qpos[:, 3:7] = quat_from_yaw(np.arange(12) * np.pi / FPS)
    qpos[:, 7 + 3] = 0.5 * (np.arange(12) / FPS) ** 2 * 4.0  # A knee at 4 rad/s^2.
    rows = paper(qpos)
    np.testing.assert_allclose(rows[1:, RATE], np.pi, atol=1e-3)
    velocity, acceleration = rows[:, 36 + 3], rows[:, 65 + 3]
    np.testing.assert_allclose(velocity[1:], (np.arange(1, 12) - 0.5) * 0.08, atol=1e-3)
    assert velocity[0] == 0 and not acceleration[:2].any()
    np.testing.assert_allclose(acceleration[2:], 4.0, atol=2e-2)


def test_the_centre_of_mass_and_its_velocity_are_those_of_the_robot() -> None:
    motion = random_motion(5, frames=40)
    poses = forward_kinematics(motion.root_pos_w, motion.root_quat_w, motion.joint_pos)
    centre = centre_of_mass(mass_centres(poses))
    yaw = quat_yaw(motion.root_quat_w.astype(np.float64))
    cosine, sine = np.cos(yaw), np.sin(yaw)

    def seen(vector: NDArray[np.float64]) -> NDArray[np.float64]:
        x, y, z = vector.T
        return np.stack((cosine * x + sine * y, cosine * y - sine * x, z), axis=1)

    rows = full(motion.to_qpos())
    np.testing.assert_allclose(
        rows[:, CENTRE], seen(centre - motion.root_pos_w), atol=1e-5
    )
    speed = seen(np.diff(centre, axis=0, prepend=centre[:1]) * FPS)
    np.testing.assert_allclose(rows[1:, 191:194], speed[1:], atol=2e-3)


def test_the_mass_of_a_robot_in_free_fall_accelerates_by_gravity() -> None:
    qpos = standing(30)
    qpos[:, 2] = 5.0 - 9.81 / 2 * (np.arange(30) / FPS) ** 2
    rows = full(qpos)
    np.testing.assert_allclose(rows[:, PUSH], [[0, 0, -9.81]] * 30, atol=2e-2)
    assert not full(qpos[:6])[:, PUSH].any()  # Too short to have one.


def test_a_standing_robot_has_room_on_all_sides_and_one_in_the_air_none() -> None:
    qpos = standing()
    qpos[:, 2] -= full(qpos)[0, 176:186].min()  # Soles on the floor.
    rows = full(qpos)
    np.testing.assert_allclose(rows[:, 176:186].min(), 0.0, atol=1e-6)
    assert (rows[:, ROOM] > 0.02).all()
    qpos[:, 2] += 0.5
    assert (full(qpos)[:, ROOM] == -1.0).all()


def test_features_know_neither_place_nor_heading_nor_padding() -> None:
    motion = random_motion(7, frames=50)
    here, there = (
        full(m.to_qpos()) for m in (motion, elsewhere(motion, (4.0, -3.0), 2.0))
    )
    # Over 0.12 s the rounding of a place 5 m away is 3e-4 m/s^2.
    np.testing.assert_allclose(here, there, atol=5e-3)
    alone = torch.from_numpy(motion.to_qpos())[None]
    long = torch.cat((alone, alone[:, -1:].expand(-1, 30, -1)), dim=1)
    padded = full_features(long, torch.tensor([50]), torch.tensor([True]))
    # Which numbers share a vector instruction depends on the length: the last digit may.
    np.testing.assert_allclose(padded[0, :50].numpy(), here, rtol=1e-6, atol=1e-5)


def test_only_a_motion_from_its_beginning_is_fresh() -> None:
    assert full(standing())[0, -1] == 1.0 and full(standing(), fresh=False)[0, -1] == 0


def test_features_beyond_ten_deviations_or_the_end_are_cut() -> None:
    values = torch.tensor([[[100.0], [3.0], [7.0]]])
    cut = standardized(
        values, torch.tensor([2]), torch.tensor([1.0]), torch.tensor([2.0])
    )
    assert cut.flatten().tolist() == [10.0, 1.0, 0.0]
