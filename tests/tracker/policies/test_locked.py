"""A robot some of whose joints are locked."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.support.standing import standing, stiff
from texedo.robot.dof23 import LOCKED_INDICES
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.locked import LockedPolicy
from texedo.tracker.policies.open_loop import OpenLoopPolicy
from texedo.tracker.policies.protocol import Ints, Policy, PolicyBatch, RobotState
from texedo.tracker.policies.reference import Reference


class Leaning:
    """The stiff robot's targets, with the waist rolled by 0.2 rad."""

    def __init__(self, policy: OpenLoopPolicy) -> None:
        self._policy = policy
        self.name, self.digest = "leaning", "l0"
        self.joint_names = policy.joint_names
        self.observation_size = policy.observation_size
        self.actuation, self.normalizers = policy.actuation, policy.normalizers

    def start(self, num_slots: int) -> PolicyBatch:
        return _Batch(self._policy.start(num_slots))


class _Batch:
    def __init__(self, batch: PolicyBatch) -> None:
        self._batch = batch

    def reset(self, slot: int, reference: Reference) -> None:
        self._batch.reset(slot, reference)

    def observe(self, slots: Ints, frames: Ints, state: RobotState) -> NDArray[Any]:
        return self._batch.observe(slots, frames, state)

    def act(self, slots: Ints, observation: NDArray[Any]) -> NDArray[Any]:
        targets = np.array(self._batch.act(slots, observation))
        targets[:, LOCKED_INDICES[0]] = 0.2
        return targets


def furthest(policy: Policy) -> float:
    """How far a joint that should be locked gets from zero [rad]."""
    executed = rollout([standing(25, swing=0.0)], policy, workers=1).states[0, 0]
    return float(np.abs(executed[:, 7 + LOCKED_INDICES]).max())


def test_a_locked_joint_stays_at_zero_whatever_its_target_is() -> None:
    free = Leaning(stiff())
    assert furthest(free) > 0.1
    assert furthest(LockedPolicy(free, LOCKED_INDICES)) < 0.01


def test_a_locked_robot_is_another_one() -> None:
    free = OpenLoopPolicy()
    locked = LockedPolicy(free, LOCKED_INDICES)
    assert locked.digest != free.digest
    assert locked.name == "open-loop with 6 joints locked"
    others = np.setdiff1d(np.arange(29), LOCKED_INDICES)
    np.testing.assert_array_equal(
        locked.actuation.stiffness[others], free.actuation.stiffness[others]
    )
