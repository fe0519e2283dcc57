"""Poses of an arm, thought of as the left one; the right one is its mirror image.

A pose is seven angles: shoulder pitch, roll, yaw, elbow, wrist roll, pitch, yaw. Pitch
forward and up is negative, roll outward positive; at an elbow of 0 the forearm stands at
a right angle, at 1.57 the arm is straight.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from texedo.motion.rotations import quat_rotate, quat_rotate_inverse
from texedo.robot.g1 import BODY_INDEX, JOINT_INDEX, JOINT_LOWER, JOINT_UPPER
from texedo.robot.kinematics import forward_kinematics

Float64 = NDArray[np.float64]
Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")

_HINGES = (
    "shoulder_pitch",
    "shoulder_roll",
    "shoulder_yaw",
    "elbow",
    "wrist_roll",
    "wrist_pitch",
    "wrist_yaw",
)
ARM_JOINTS: dict[Side, NDArray[np.int64]] = {
    side: np.array([JOINT_INDEX[f"{side}_{hinge}_joint"] for hinge in _HINGES])
    for side in SIDES
}
WAIST_JOINTS = np.array(
    [JOINT_INDEX[f"waist_{n}_joint"] for n in ("yaw", "roll", "pitch")]
)
MIRROR_ARM = np.array([1.0, -1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
_PALM = np.array([0.1, 0.0, 0.0])
"""Middle of the hand in the frame of `wrist_yaw` [m]."""
_TORSO, _WRIST = BODY_INDEX["torso_link"], BODY_INDEX["left_wrist_yaw_link"]
_REACH_STEPS = 60


def pose(
    pitch: float = 0.1,
    roll: float = 0.2,
    yaw: float = 0.0,
    elbow: float = 1.0,
    *,
    wrist: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Float64:
    """An arm pose from its angles [rad]."""
    return np.array([pitch, roll, yaw, elbow, *wrist])


def for_side(arm: Float64, side: Side) -> Float64:
    """The same pose on a given side, (..., 7)."""
    return arm if side == "left" else np.asarray(arm * MIRROR_ARM)


def hand_in_torso(arm: Float64) -> Float64:
    """The left palm's place [m] and the way its fingers point, in the torso, (..., 6)."""
    joints = np.zeros((*arm.shape[:-1], 29))
    joints[..., ARM_JOINTS["left"]] = arm
    poses = forward_kinematics(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), joints)
    turn, torso = poses.quat_w[..., _WRIST, :], poses.quat_w[..., _TORSO, :]
    palm = poses.pos_w[..., _WRIST, :] + quat_rotate(turn, _PALM)
    place = quat_rotate_inverse(torso, palm - poses.pos_w[..., _TORSO, :])
    fingers = quat_rotate_inverse(torso, quat_rotate(turn, np.array([1.0, 0.0, 0.0])))
    return np.concatenate((place, fingers), axis=-1)


@cache
def reach(
    x: float,
    y: float,
    z: float,
    *,
    like: tuple[float, float, float, float],
    fingers: tuple[float, float, float] | None = None,
) -> Float64:
    """The pose near `like` (pitch, roll, yaw, elbow) with the palm at a point.

    The point is in the frame of the torso [m]: x ahead, y to the arm's own side, z up;
    the shoulder is at about (0, 0.14, 0.24). What is out of reach is pointed at. With
    `fingers`, a direction, the wrist turns the hand that way.
    """
    arm, hint = np.zeros(7), np.zeros(7)
    arm[:4] = hint[:4] = like
    goal = np.array([x, y, z, *(fingers or (0.0, 0.0, 0.0))])
    weight = np.array([1.0] * 3 + [0.15 if fingers else 0.0] * 3)
    moving = 7 if fingers else 4
    limits = (JOINT_LOWER + 0.05, JOINT_UPPER - 0.05)
    lower, upper = (limit[ARM_JOINTS["left"]][:moving] for limit in limits)
    nudge = 1e-4 * np.eye(moving, 7)
    for _ in range(_REACH_STEPS):
        here = hand_in_torso(np.concatenate((arm[None], arm + nudge))) * weight
        jacobian = ((here[1:] - here[0]) / 1e-4).T  # (6, moving)
        square = jacobian.T @ jacobian + 2e-4 * np.eye(moving)
        pull = jacobian.T @ (goal * weight - here[0])
        pull += 1e-4 * (hint - arm)[:moving]
        step = np.clip(np.linalg.solve(square, pull), -0.2, 0.2)
        before = arm.copy()
        arm[:moving] = np.clip(arm[:moving] + step, lower, upper)
        if np.abs(arm - before).max() < 1e-4:
            break
    arm.setflags(write=False)
    return arm


HANG = pose(0.12, 0.27, 0.0, 1.05)
OVERHEAD = pose(-2.7, 0.5, 0.0, 1.42)
SIDEWAYS = pose(0.0, 1.5, 0.0, 1.42)
FORWARD = pose(-1.42, 0.12, 0.0, 1.42)
LIMP = pose(-0.1, 0.26, 0.0, 1.4)
"""Hanging from a slumped chest."""
SLEEPWALK = pose(-1.3, 0.1, 0.0, 1.2)
BENT = pose(0.25, 0.25, 0.1, 0.25)
"""As a runner holds it."""
CHEER = pose(-0.45, 0.5, 0.2, -0.2)
"""Forearm up and a little out."""
_GUARD_HINT = (-0.3, 0.35, -0.3, -0.6)


def guard() -> Float64:
    """Fist before the chin."""
    return reach(0.22, 0.11, 0.27, like=_GUARD_HINT)


def jab() -> Float64:
    return reach(0.46, 0.06, 0.29, like=(-1.3, 0.1, -0.2, 1.2))


def drawn_back() -> Float64:
    """Fist beside the ribs, elbow behind."""
    return reach(0.1, 0.2, 0.1, like=(0.6, 0.3, 0.0, -0.3))


def hook_back() -> Float64:
    """Elbow out to the side, forearm ahead."""
    return reach(0.24, 0.34, 0.25, like=(-0.4, 1.2, 0.1, 0.1))


def hook_through() -> Float64:
    """The forearm has swept across the chest."""
    return reach(0.33, -0.02, 0.29, like=(-1.0, 1.0, 0.1, 0.1))


def low_fist() -> Float64:
    return reach(0.22, 0.14, -0.02, like=(0.3, 0.2, -0.1, 0.2))


def high_fist() -> Float64:
    return reach(0.32, 0.04, 0.36, like=(-0.9, 0.1, -0.3, -0.5))


def salute() -> Float64:
    return reach(0.11, 0.075, 0.455, like=(-0.6, 1.2, 0.5, -0.9))


def beside_head() -> Float64:
    return reach(0.05, 0.12, 0.45, like=(-0.4, 1.3, 0.8, -0.9))


def on_hip() -> Float64:
    return reach(0.03, 0.2, -0.07, like=(0.6, 0.7, -0.6, 0.3))


def before_chest(apart: float, *, height: float = 0.12) -> Float64:
    """Palm at `apart` from the middle [m], elbow bent."""
    return reach(
        0.3,
        round(apart, 3),
        round(height, 3),
        like=(-0.4, 0.3, -0.4, 0.1),
        fingers=(1.0, 0.0, 0.3),
    )


def above_head(apart: float) -> Float64:
    return reach(
        0.08,
        round(apart, 3),
        0.62,
        like=(-2.7, 0.6, 0.0, 1.0),
        fingers=(0.1, 0.0, 1.0),
    )


def carrying(height: float) -> Float64:
    """Hands before the belly, as around a box."""
    return reach(0.29, 0.14, round(height, 3), like=(-0.1, 0.25, -0.2, 0.2))


def wave(swing: float, *, high: bool) -> Float64:
    """Upper arm out, forearm up; `swing` tips it outward [rad]."""
    if high:
        return pose(-0.5, 2.0, 0.9, 0.75 + swing)
    return pose(-0.25, 1.15, 1.2, -0.1 + swing)
