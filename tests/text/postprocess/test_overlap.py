"""Arms that are inside the body come out of it, and nothing else moves."""

import numpy as np
import pytest

from tests.support.motions import random_motion
from tests.support.standing import standing
from texedo.motion import FPS, Motion
from texedo.robot import g1
from texedo.robot.check import check_motion
from texedo.robot.collision import self_penetration
from texedo.robot.kinematics import motion_kinematics
from texedo.robot.repair.overlap import ARM_JOINTS, DEEPEST, SPREAD
from texedo.text.postprocess import postprocess

ROLL = g1.JOINT_INDEX["left_shoulder_roll_joint"]
OTHERS = np.setdiff1d(np.arange(29), ARM_JOINTS)


def pressed_against_the_body(frames: int = 100, by: float = 0.7) -> Motion:
    """The left arm is turned inwards by so much [rad] for half a second and back."""
    qpos = standing(frames, swing=0.0).to_qpos().astype(np.float64)
    time = (np.arange(frames) - frames / 2) / FPS
    qpos[:, 7 + ROLL] -= by * np.exp(-((time / 0.2) ** 2))
    return Motion.from_qpos(qpos)


def test_an_arm_in_the_body_is_a_fault_and_comes_out_of_it() -> None:
    motion = pressed_against_the_body()
    assert check_motion(motion)["self-penetration"].verdict == "offset"
    (out,), (record,) = postprocess([motion])
    assert check_motion(out)["self-penetration"].verdict == "pass"
    assert record.frames_parted > 10
    assert 0.1 < record.largest_parting < 0.7


def test_only_arms_move_and_only_near_the_overlap() -> None:
    motion = pressed_against_the_body()
    (out,), _ = postprocess([motion])
    assert np.array_equal(out.joint_pos[:, OTHERS], motion.joint_pos[:, OTHERS])
    assert np.array_equal(out.root_pos_w, motion.root_pos_w)
    deep = np.flatnonzero(self_penetration(motion_kinematics(motion)).depth > 0)
    moved = np.flatnonzero((out.joint_pos != motion.joint_pos).any(axis=1))
    # Each round may reach a little further; the arm is out after a few.
    assert deep[0] - 4 * SPREAD <= moved[0] and moved[-1] <= deep[-1] + 4 * SPREAD
    assert len(moved) < 80


def test_the_way_out_is_smooth_and_within_the_motors() -> None:
    motion = pressed_against_the_body()
    (out,), _ = postprocess([motion])
    change = out.joint_pos.astype(np.float64) - motion.joint_pos
    assert np.abs(np.diff(change, axis=0)).max() * FPS < 3.0
    assert np.abs(np.diff(change, n=2, axis=0)).max() * FPS**2 < 60.0
    assert check_motion(out)["joint speed"].verdict == "pass"


def test_a_touch_is_left_alone_to_the_bit() -> None:
    for by in np.arange(0.3, 0.6, 0.005):
        motion = pressed_against_the_body(by=float(by))
        depth = check_motion(motion)["self-penetration"].value
        if 0.006 < depth < DEEPEST:
            break
    else:
        pytest.fail("no such touch")
    (out,), (record,) = postprocess([motion])
    assert out == motion
    assert record.frames_parted == 0


def test_a_hopeless_overlap_never_gets_deeper() -> None:
    for seed in range(6):
        motion = random_motion(seed)
        (out,), _ = postprocess([motion])
        before = check_motion(motion)["self-penetration"].value
        assert check_motion(out)["self-penetration"].value <= before + 1e-6


def test_arms_come_out_the_same_alone_and_in_company() -> None:
    motions = [pressed_against_the_body(60 + i, 0.5 + 0.05 * i) for i in range(4)]
    motions.insert(2, standing(50))
    together, _ = postprocess(motions)
    assert [postprocess([motion])[0][0] for motion in motions] == together
