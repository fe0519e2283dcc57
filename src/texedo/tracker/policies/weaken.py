"""A controller made worse on purpose: softer motors, later targets.

For trying out what learns from how a controller does. Any policy can be weakened; on a
GPU those can that run there.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.quality import Normalizers
from texedo.tracker.policies.protocol import (
    NUM_JOINTS,
    Actuation,
    Float64,
    Ints,
    Policy,
    PolicyBatch,
    RobotState,
)
from texedo.tracker.policies.reference import Reference

STEP_MS = 20
"""Length of a control step [ms]."""


def weaken(policy: Policy, *, gains: float = 1.0, delay_ms: int = 0) -> Policy:
    """The policy on motors with `gains` times its stiffness and damping, delayed.

    Targets take effect `delay_ms` later, a whole number of control steps.
    """
    if not (np.isfinite(gains) and gains > 0):
        raise TexedoError(f"--gains must be positive, got {gains}.")
    if delay_ms < 0 or delay_ms % STEP_MS:
        raise TexedoError(
            f"--delay-ms must be a multiple of {STEP_MS}, the length of a control "
            f"step, got {delay_ms}."
        )
    if gains == 1.0 and not delay_ms:
        return policy
    return WeakenedPolicy(policy, gains=gains, late=delay_ms // STEP_MS)


class WeakenedPolicy:
    """Another policy with softer motors, whose targets arrive late."""

    def __init__(self, policy: Policy, *, gains: float, late: int) -> None:
        self.policy, self.late = policy, late
        """Control steps by which a target is late."""
        motors = policy.actuation
        self.actuation = Actuation(
            stiffness=motors.stiffness * gains,
            damping=motors.damping * gains,
            effort=motors.effort,
            armature=motors.armature,
        )
        self.name = f"{policy.name} x{gains:g} +{STEP_MS * late} ms"
        text = f"weakened|{policy.digest}|{late}|".encode()
        digest = hashlib.sha256(text + self.actuation.to_bytes())
        self.digest = digest.hexdigest()
        self.joint_names = policy.joint_names
        self.observation_size = policy.observation_size

    @property
    def normalizers(self) -> Normalizers | None:
        return self.policy.normalizers

    def start(self, num_slots: int) -> PolicyBatch:
        return _LateBatch(self.policy.start(num_slots), num_slots, late=self.late)


class _LateBatch:
    """Targets of another batch, some steps later."""

    def __init__(self, batch: PolicyBatch, num_slots: int, *, late: int) -> None:
        self._batch, self._late = batch, late
        self._waiting: Float64 = np.zeros((late, num_slots, NUM_JOINTS))

    def reset(self, slot: int, reference: Reference) -> None:
        self._batch.reset(slot, reference)
        self._waiting[:, slot] = reference.qpos[0, 7:]  # It stays until one arrives.

    def observe(self, slots: Ints, frames: Ints, state: RobotState) -> NDArray[Any]:
        return self._batch.observe(slots, frames, state)

    def act(self, slots: Ints, observation: NDArray[Any]) -> NDArray[Any]:
        targets = self._batch.act(slots, observation)
        if not self._late:
            return targets
        arrived: Float64 = self._waiting[0, slots]
        self._waiting[:-1, slots] = self._waiting[1:, slots]
        self._waiting[-1, slots] = targets
        return arrived
