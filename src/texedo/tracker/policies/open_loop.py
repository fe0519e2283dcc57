"""No controller at all: every joint is sent where the reference has it next.

The baseline. What survives this needs no balance; what does not, does.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.quality import Normalizers
from texedo.robot.g1 import JOINT_NAMES
from texedo.tracker.policies.protocol import Actuation, Ints, RobotState
from texedo.tracker.policies.reference import Reference


@dataclass(frozen=True, kw_only=True, eq=False)
class OpenLoopPolicy:
    """Targets are the reference's joint angles of the next frame."""

    name: str = "open-loop"
    joint_names: tuple[str, ...] = JOINT_NAMES
    observation_size: int = 1
    actuation: Actuation = field(default_factory=Actuation)
    normalizers: Normalizers | None = None

    @property
    def digest(self) -> str:
        return hashlib.sha256(b"open-loop 1" + self.actuation.to_bytes()).hexdigest()

    def start(self, num_slots: int) -> OpenLoopBatch:
        return OpenLoopBatch(num_slots)


class OpenLoopBatch:
    """Remembers the joint angles of each slot's reference."""

    def __init__(self, num_slots: int) -> None:
        self._joints: list[NDArray[np.float64]] = [np.empty((0, 29))] * num_slots

    def reset(self, slot: int, reference: Reference) -> None:
        self._joints[slot] = reference.qpos[:, 7:]

    def observe(self, slots: Ints, frames: Ints, state: RobotState) -> NDArray[Any]:
        """The frame: all that this one looks at, (n, 1)."""
        return frames[:, None]

    def act(self, slots: Ints, observation: NDArray[Any]) -> NDArray[Any]:
        targets = np.empty((len(slots), 29))
        for row, (slot, frame) in enumerate(zip(slots, observation[:, 0], strict=True)):
            joints = self._joints[slot]
            targets[row] = joints[min(frame + 1, len(joints) - 1)]
        return targets
