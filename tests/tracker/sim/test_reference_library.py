"""The library of reference frames against numpy and arithmetic."""

import numpy as np
import pytest
import torch

from tests.support.reference_clips import packed, standing_qpos, wavy_qpos
from texedo.data.corpus.packed_clips import PackedClips
from texedo.robot import body_velocities, forward_kinematics
from texedo.robot.collision import sole_clearance
from texedo.robot.g1 import TRACKED_BODY_INDICES
from texedo.robot.kinematics import joint_velocities
from texedo.tracker.sim.reference_library import ReferenceLibrary


def build(clips: PackedClips) -> ReferenceLibrary:
    return ReferenceLibrary.build(clips.qpos, clips.starts, clips.lengths)


def test_bodies_and_velocities_are_those_of_the_numpy_kinematics() -> None:
    first, second = wavy_qpos(40), wavy_qpos(25, seed=1)
    library = build(packed(first, second))
    for qpos, frames in ((first, slice(0, 40)), (second, slice(40, 65))):
        poses = forward_kinematics(qpos[:, :3], qpos[:, 3:7], qpos[:, 7:])
        velocities = body_velocities(poses)
        picked = TRACKED_BODY_INDICES
        for ours, theirs, tolerance in (
            (library.body_pos, poses.pos_w[:, picked], 1e-5),
            (library.body_lin_vel, velocities.lin_vel_w[:, picked], 1e-3),
            (library.body_ang_vel, velocities.ang_vel_w[:, picked], 1e-3),
            (library.qvel[:, 6:], joint_velocities(qpos[:, 7:]), 1e-3),
        ):
            np.testing.assert_allclose(ours[frames].numpy(), theirs, atol=tolerance)


def test_root_turn_rate_is_in_the_pelvis_frame() -> None:
    qpos = standing_qpos(10)
    # On its side (roll 90 degrees) and turning about the world's z by 1 rad/s.
    angle = np.arange(10) / 50.0
    yaw = np.stack((np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)), 1)
    w, z = yaw[:, 0], yaw[:, 3]
    half = np.sqrt(0.5)
    qpos[:, 3:7] = np.stack((half * w, half * w, half * z, half * z), 1)
    library = build(packed(qpos))
    np.testing.assert_allclose(library.qvel[5, 3:6].numpy(), [0.0, 1.0, 0.0], atol=1e-3)
    assert library.heading_vel[5, 3] == pytest.approx(1.0, abs=1e-3)


def test_velocity_is_given_in_the_reference_s_own_heading_frame() -> None:
    qpos = standing_qpos(10)
    qpos[:, 3], qpos[:, 6] = np.sqrt(0.5), np.sqrt(0.5)  # faces +y
    qpos[:, 1] = np.arange(10) / 50.0  # and walks along +y at 1 m/s
    library = build(packed(qpos))
    np.testing.assert_allclose(
        library.heading_vel[4].numpy(), [1.0, 0.0, 0.0, 0.0], atol=1e-4
    )


def test_looking_past_the_end_gives_the_last_frame_and_says_so() -> None:
    library = build(packed(wavy_qpos(10), wavy_qpos(8)))
    index, past = library.ahead(torch.tensor([8, 10]), torch.tensor([1, 5]))
    assert index.tolist() == [[9, 9], [11, 15]]
    assert past.tolist() == [[False, True], [False, False]]


def test_soles_below_the_floor_are_measured() -> None:
    qpos = standing_qpos(4)
    poses = forward_kinematics(qpos[:, :3], qpos[:, 3:7], qpos[:, 7:])
    clearance = sole_clearance(poses).min()
    qpos[1, 2] -= 0.02 + clearance
    qpos[2, 2] += 0.05
    library = build(packed(qpos))
    assert float(library.sole_depth[1]) == pytest.approx(0.02, abs=1e-4)
    assert float(library.sole_depth[2]) == 0.0


def test_clips_that_do_not_fill_the_frames_are_refused() -> None:
    with pytest.raises(ValueError, match="one after the other"):
        ReferenceLibrary.build(standing_qpos(10), np.array([0]), np.array([9]))
    with pytest.raises(ValueError, match="fewer than 2"):
        ReferenceLibrary.build(standing_qpos(3), np.array([0, 1]), np.array([1, 2]))
