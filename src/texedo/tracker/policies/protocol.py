"""What a controller must offer to be rolled out, and what it is given.

A `Policy` is the controller as a thing: its name, the gains it was made for, and the
normalisers frozen with it. `start` gives a `PolicyBatch`: the same controller at work
on some slots, with whatever it remembers from step to step. One batch serves one
thread.

Each slot performs one motion at a time. `reset` puts a new motion into a slot;
`observe` and `act` are called once per 50 Hz step with the slots that are still
performing. A slot's result must not depend on the other slots, nor on which of them it
is: roll-outs promise the same bits whatever else is in the batch.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import PolicyError
from texedo.quality import Normalizers
from texedo.robot import g1
from texedo.tracker.policies.reference import Reference

Float64 = NDArray[np.float64]
Ints = NDArray[np.int64]

NUM_JOINTS = len(g1.JOINT_NAMES)


@dataclass(frozen=True, kw_only=True, eq=False)
class Actuation:
    """A PD servo per joint, (29,) in `JOINT_NAMES` order; the default is our G1 table.

    torque = stiffness (target - q) - damping qd, clipped to +-effort.
    """

    stiffness: Float64 = field(default_factory=lambda: g1.STIFFNESS)
    """[N m/rad]"""
    damping: Float64 = field(default_factory=lambda: g1.DAMPING)
    """[N m s/rad]"""
    effort: Float64 = field(default_factory=lambda: g1.EFFORT_LIMIT)
    """Largest torque [N m]."""
    armature: Float64 = field(default_factory=lambda: g1.ARMATURE)
    """Inertia of the motor at the joint [kg m^2]."""

    def __post_init__(self) -> None:
        for item in fields(self):
            value = np.array(getattr(self, item.name), dtype=np.float64)
            good = value.shape == (NUM_JOINTS,) and bool(np.isfinite(value).all())
            if not good or (value < 0).any():
                raise PolicyError(
                    f"Actuation.{item.name} must be {NUM_JOINTS} numbers >= 0 in "
                    f"MuJoCo joint order, got shape {value.shape}."
                )
            value.setflags(write=False)
            object.__setattr__(self, item.name, value)

    def to_bytes(self) -> bytes:
        """All numbers in the order of the fields, for the hash of a policy."""
        return b"".join(getattr(self, item.name).tobytes() for item in fields(self))


class RobotState(NamedTuple):
    """What the robots measure of themselves, one row per performing slot.

    Under a perturbation this is the noisy measurement, not the truth. A real robot
    knows neither its position nor its linear velocity; few controllers ask for them.
    """

    qpos: Float64
    """Root position, root quaternion wxyz (unit), joints, (n, 36)."""
    qvel: Float64
    """Root velocity (world), root turn rate (pelvis frame), joint speeds, (n, 35)."""


class PolicyBatch(Protocol):
    """A controller at work on some slots."""

    def reset(self, slot: int, reference: Reference) -> None:
        """Begin to perform `reference` in `slot`.

        Raises a `TexedoError` if this motion cannot be performed; others still are.
        """
        ...

    def observe(self, slots: Ints, frames: Ints, state: RobotState) -> NDArray[Any]:
        """Observations (n, observation_size) of `slots`, which stand at `frames`."""
        ...

    def act(self, slots: Ints, observation: NDArray[Any]) -> NDArray[Any]:
        """Joint targets (n, 29) [rad] for the way to the next frame."""
        ...


class Policy(Protocol):
    """A controller: who it is, what it drives, and how to put it to work."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def digest(self) -> str:
        """Hash of all that its roll-outs depend on, motors too; labels are kept by it."""
        ...

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The joints it drives, in the order of its targets: that of the robot."""
        ...

    @property
    def observation_size(self) -> int: ...

    @property
    def actuation(self) -> Actuation: ...

    @property
    def normalizers(self) -> Normalizers | None:
        """Errors at which q_d reaches 0; None leaves q_d and Q* unknown."""
        ...

    def start(self, num_slots: int) -> PolicyBatch:
        """A batch with that many slots, for one thread."""
        ...


def check_policy(policy: Policy) -> None:
    """Raise `PolicyError` unless the policy drives this robot's joints in its order."""
    names = tuple(policy.joint_names)
    if names == g1.JOINT_NAMES:
        return
    unknown = sorted(set(names) - set(g1.JOINT_NAMES))
    missing = sorted(set(g1.JOINT_NAMES) - set(names))
    if unknown:
        problem = f"{unknown[0]!r} is no joint of {g1.ROBOT_NAME}"
    elif missing:
        problem = f"{missing[0]!r} is missing"
    elif len(names) != NUM_JOINTS:
        problem = f"it names {len(names)} joints, some of them twice"
    else:
        at = next(i for i, n in enumerate(g1.JOINT_NAMES) if names[i] != n)
        problem = f"joint {at} is {names[at]!r} and should be {g1.JOINT_NAMES[at]!r}"
    raise PolicyError(
        f"Policy {policy.name!r} does not fit the robot: {problem}. Its targets must "
        f"be the {NUM_JOINTS} joints of texedo.robot.JOINT_NAMES in that order."
    )


def check_observation(policy: Policy, observation: NDArray[Any], rows: int) -> None:
    """Raise `PolicyError` unless there is a row of the declared size for each slot."""
    wanted = (rows, policy.observation_size)
    if observation.shape != wanted:
        raise PolicyError(
            f"Policy {policy.name!r} observed an array of {observation.shape}; it "
            f"takes {wanted}."
        )


def check_targets(policy: Policy, targets: NDArray[Any], rows: int) -> None:
    """Raise `PolicyError` unless there are 29 joint targets for each slot."""
    wanted = (rows, NUM_JOINTS)
    if targets.shape != wanted:
        raise PolicyError(
            f"Policy {policy.name!r} gave targets of {targets.shape}, not {wanted}."
        )
