"""A controller on a robot some of whose joints are locked."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.quality import Normalizers
from texedo.tracker.policies.protocol import (
    Actuation,
    Ints,
    Policy,
    PolicyBatch,
    RobotState,
)
from texedo.tracker.policies.reference import Reference

_STIFFER, _HEAVIER = 100.0, 20.0
"""So much stiffer is a locked joint than a servo: it gives way by a few milliradians."""


class LockedPolicy:
    """Another policy whose targets for some joints are ignored: they are held at zero.

    The servos of those joints are made so stiff that they are as good as locked.
    """

    def __init__(self, policy: Policy, joints: NDArray[np.int64]) -> None:
        self._policy, self._joints = policy, joints
        factor = np.ones(len(policy.joint_names))
        factor[joints] = _STIFFER
        motors = policy.actuation
        self.actuation = Actuation(
            stiffness=motors.stiffness * factor,
            # Damping grows with the root: the same share of the critical one, twice over.
            damping=motors.damping * np.sqrt(factor) * np.where(factor > 1, 2.0, 1.0),
            effort=motors.effort * factor,
            armature=motors.armature * np.where(factor > 1, _HEAVIER, 1.0),
        )
        self.name = f"{policy.name} with {len(joints)} joints locked"
        said = f"locked|{policy.digest}|{joints.tolist()}|".encode()
        self.digest = hashlib.sha256(said + self.actuation.to_bytes()).hexdigest()
        self.joint_names = policy.joint_names
        self.observation_size = policy.observation_size

    @property
    def normalizers(self) -> Normalizers | None:
        return self._policy.normalizers

    def start(self, num_slots: int) -> PolicyBatch:
        return _LockedBatch(self._policy.start(num_slots), self._joints)


class _LockedBatch:
    """Targets of another batch, zero where a joint is locked."""

    def __init__(self, batch: PolicyBatch, joints: NDArray[np.int64]) -> None:
        self._batch, self._joints = batch, joints

    def reset(self, slot: int, reference: Reference) -> None:
        self._batch.reset(slot, reference)

    def observe(self, slots: Ints, frames: Ints, state: RobotState) -> NDArray[Any]:
        return self._batch.observe(slots, frames, state)

    def act(self, slots: Ints, observation: NDArray[Any]) -> NDArray[Any]:
        targets = np.array(self._batch.act(slots, observation))
        targets[:, self._joints] = 0.0
        return targets
