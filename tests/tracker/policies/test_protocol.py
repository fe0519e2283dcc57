from __future__ import annotations

import numpy as np
import pytest

from texedo.core.errors import PolicyError
from texedo.robot import g1
from texedo.tracker.policies.find import find_policy
from texedo.tracker.policies.open_loop import OpenLoopPolicy
from texedo.tracker.policies.protocol import Actuation, check_policy


def test_the_default_motors_are_those_of_the_robot() -> None:
    motors = Actuation()
    assert motors.effort[3] == 139.0  # left knee
    np.testing.assert_array_equal(motors.stiffness, g1.STIFFNESS)


@pytest.mark.parametrize("bad", [np.ones(28), -np.ones(29), np.full(29, np.nan)])
def test_motors_that_do_not_fit_the_robot_are_refused(bad: np.ndarray) -> None:
    with pytest.raises(PolicyError, match="Actuation.effort must be 29 numbers"):
        Actuation(effort=bad)


def test_motors_cannot_be_changed_from_outside() -> None:
    mine = g1.STIFFNESS.copy()
    motors = Actuation(stiffness=mine)
    mine[0] = 0.0
    assert motors.stiffness[0] == g1.STIFFNESS[0]
    with pytest.raises(ValueError, match="read-only"):
        motors.stiffness[0] = 1.0


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("left_hip", *g1.JOINT_NAMES[1:]), "'left_hip' is no joint of"),
        (g1.JOINT_NAMES[:-1], "'right_wrist_yaw_joint' is missing"),
        ((*g1.JOINT_NAMES, g1.JOINT_NAMES[0]), "names 30 joints, some of them twice"),
        (g1.ISAACLAB_JOINT_NAMES, "joint 1 is 'right_hip_pitch_joint' and should be"),
    ],
)
def test_a_policy_for_other_joints_is_told_which(
    names: tuple[str, ...], message: str
) -> None:
    with pytest.raises(PolicyError, match=message):
        check_policy(OpenLoopPolicy(joint_names=names))


def test_the_hash_of_a_policy_follows_its_motors() -> None:
    other = OpenLoopPolicy(actuation=Actuation(effort=g1.EFFORT_LIMIT / 2))
    assert OpenLoopPolicy().digest == OpenLoopPolicy().digest != other.digest


def test_policies_are_found_by_name() -> None:
    assert find_policy("open-loop").name == "open-loop"
    with pytest.raises(PolicyError, match="'nobody' is neither a tracker's name"):
        find_policy("nobody")
