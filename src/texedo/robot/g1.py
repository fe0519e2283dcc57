"""Names, limits and motors of the G1 as typed constants.

Arrays over joints are (29,) float64 in `JOINT_NAMES` order (MuJoCo, depth first); arrays
over bodies are in `BODY_NAMES` order, pelvis first.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.robot.tables import BODY_ROWS, JOINT_ROWS

ROBOT_NAME = "unitree_g1_29dof_rev_1_0"

JOINT_NAMES: tuple[str, ...] = tuple(row.name for row in JOINT_ROWS)
BODY_NAMES: tuple[str, ...] = tuple(row.name for row in BODY_ROWS)
JOINT_INDEX: dict[str, int] = {name: i for i, name in enumerate(JOINT_NAMES)}
BODY_INDEX: dict[str, int] = {name: i for i, name in enumerate(BODY_NAMES)}
WRIST_JOINTS: tuple[str, ...] = tuple(n for n in JOINT_NAMES if "_wrist_" in n)
"""Our retargeter holds them near zero; motions of other makers use them."""


class Motor(NamedTuple):
    """A motor behind its two planetary stages (or a pair of them in a linkage)."""

    rotor_inertias: tuple[float, float, float]
    """Rotor and the two stages [kg m^2]."""
    gears: tuple[float, float]
    """Ratios of the two stages."""
    units: int
    """Two motors drive the ankles and the waist through parallel linkages."""
    effort: float
    """Largest torque at the joint [N m]."""
    speed: float
    """Largest speed at the joint [rad/s]."""

    @property
    def armature(self) -> float:
        """Inertia reflected to the joint [kg m^2]."""
        rotor, first, second = self.rotor_inertias
        g1, g2 = self.gears
        return self.units * (rotor * (g1 * g2) ** 2 + first * g2**2 + second)


_M5020 = (0.139e-4, 0.017e-4, 0.169e-4), (1 + 46 / 18, 1 + 56 / 16)
_M4010 = (0.068e-4, 0.0, 0.0), (5.0, 5.0)
_M7520_14 = (0.489e-4, 0.098e-4, 0.533e-4), (4.5, 1 + 48 / 22)
_M7520_22 = (0.489e-4, 0.109e-4, 0.738e-4), (4.5, 5.0)
MOTORS: dict[str, Motor] = {
    "5020": Motor(*_M5020, units=1, effort=25.0, speed=37.0),
    "2x5020": Motor(*_M5020, units=2, effort=50.0, speed=37.0),
    "4010": Motor(*_M4010, units=1, effort=5.0, speed=22.0),
    "7520-14": Motor(*_M7520_14, units=1, effort=88.0, speed=32.0),
    "7520-22": Motor(*_M7520_22, units=1, effort=139.0, speed=20.0),
}

# A PD loop with a natural frequency of 10 Hz, damped twice over critical.
_OMEGA = 2 * math.pi * 10
_DAMPING_RATIO = 2.0


def _per_joint(values: list[float]) -> NDArray[np.float64]:
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array


JOINT_LOWER = _per_joint([row.lower for row in JOINT_ROWS])
JOINT_UPPER = _per_joint([row.upper for row in JOINT_ROWS])
EFFORT_LIMIT = _per_joint([MOTORS[row.motor].effort for row in JOINT_ROWS])
SPEED_LIMIT = _per_joint([MOTORS[row.motor].speed for row in JOINT_ROWS])
ARMATURE = _per_joint([MOTORS[row.motor].armature for row in JOINT_ROWS])
STIFFNESS = _per_joint(list(ARMATURE * _OMEGA**2))
"""Proportional gain kp [N m/rad]."""
DAMPING = _per_joint(list(2 * _DAMPING_RATIO * ARMATURE * _OMEGA))
"""Derivative gain kd [N m s/rad]."""
ACTION_SCALE = _per_joint(list(0.25 * EFFORT_LIMIT / STIFFNESS))
"""Radians a unit action moves the target: a quarter of the torque range."""
KNEES_BENT = _per_joint([row.knees_bent for row in JOINT_ROWS])
"""The standing pose of BeyondMimic, mjlab and SONIC; root at `KNEES_BENT_HEIGHT`."""
KNEES_BENT_HEIGHT = 0.76
HOME = _per_joint([row.home for row in JOINT_ROWS])
HOME_HEIGHT = 0.783675

_CENTRE, _HALF = (JOINT_UPPER + JOINT_LOWER) / 2, (JOINT_UPPER - JOINT_LOWER) / 2
SOFT_LOWER = _per_joint(list(_CENTRE - 0.9 * _HALF))
SOFT_UPPER = _per_joint(list(_CENTRE + 0.9 * _HALF))

ANCHOR_BODY = "pelvis"
TRACKED_BODIES: tuple[str, ...] = (
    "pelvis",
    "left_hip_roll_link",
    "left_knee_link",
    "left_ankle_roll_link",
    "right_hip_roll_link",
    "right_knee_link",
    "right_ankle_roll_link",
    "torso_link",
    "left_shoulder_roll_link",
    "left_elbow_link",
    "left_wrist_yaw_link",
    "right_shoulder_roll_link",
    "right_elbow_link",
    "right_wrist_yaw_link",
)
"""The 14 bodies over which tracking errors are averaged; the anchor is the first."""
END_EFFECTORS: tuple[str, ...] = (
    "left_ankle_roll_link",
    "right_ankle_roll_link",
    "left_wrist_yaw_link",
    "right_wrist_yaw_link",
)
TRACKED_BODY_INDICES = np.array([BODY_INDEX[name] for name in TRACKED_BODIES])
END_EFFECTORS_IN_TRACKED = np.array([TRACKED_BODIES.index(n) for n in END_EFFECTORS])
"""Where the end effectors stand among the tracked bodies."""

SOLE_HEIGHT = -0.035
"""The sole plane in the frame of an `ankle_roll` link [m]."""


def _breadth_first() -> list[str]:
    """Bodies in the order Isaac Lab numbers them: level by level, siblings in order."""
    order, level = [], [BODY_ROWS[0].name]
    while level:
        order += level
        level = [row.name for name in level for row in BODY_ROWS if row.parent == name]
    return order


ISAACLAB_BODY_NAMES: tuple[str, ...] = tuple(_breadth_first())
_JOINT_OF_BODY = {row.body: row.name for row in JOINT_ROWS}
ISAACLAB_JOINT_NAMES: tuple[str, ...] = tuple(
    _JOINT_OF_BODY[body] for body in ISAACLAB_BODY_NAMES[1:]
)
"""TEXEDO, BeyondMimic and SONIC order: level by level through the tree."""


def _gather(names: tuple[str, ...], source: tuple[str, ...]) -> NDArray[np.int64]:
    return np.array([source.index(name) for name in names])


MUJOCO_FROM_ISAACLAB = _gather(JOINT_NAMES, ISAACLAB_JOINT_NAMES)
"""`q_mujoco = q_isaaclab[..., MUJOCO_FROM_ISAACLAB]`."""
ISAACLAB_FROM_MUJOCO = _gather(ISAACLAB_JOINT_NAMES, JOINT_NAMES)
"""`q_isaaclab = q_mujoco[..., ISAACLAB_FROM_MUJOCO]`."""
MUJOCO_FROM_ISAACLAB_BODIES = _gather(BODY_NAMES, ISAACLAB_BODY_NAMES)
ISAACLAB_FROM_MUJOCO_BODIES = _gather(ISAACLAB_BODY_NAMES, BODY_NAMES)
