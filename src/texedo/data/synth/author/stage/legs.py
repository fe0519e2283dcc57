"""Legs that reach: joint angles for given feet under a given pelvis, all frames at once.

A leg has six hinges and a foot six degrees of freedom, so that the answer is unique up to
the bend of the knee: frames need not follow each other, and Newton's method on all of
them together is fast. Damping keeps a stretched leg from snapping.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.motion.rotations import quat_conjugate, quat_multiply, quat_to_rotvec
from texedo.robot.g1 import BODY_INDEX, JOINT_INDEX, JOINT_LOWER, JOINT_UPPER
from texedo.robot.gaps import SIDES, joint_axes
from texedo.robot.kinematics import BodyPoses

Float64 = NDArray[np.float64]

_HINGES = ("hip_pitch", "hip_roll", "hip_yaw", "knee", "ankle_pitch", "ankle_roll")
LEG_JOINTS = np.array(
    [[JOINT_INDEX[f"{side}_{hinge}_joint"] for hinge in _HINGES] for side in SIDES]
)
"""(2, 6), left first, from the hip down."""
FEET_BODIES = np.array([BODY_INDEX[f"{side}_ankle_roll_link"] for side in SIDES])

_DAMPING = 1e-4
_MAX_STEP = 0.4
"""Largest change of a joint in one step of Newton's method [rad]."""
_RANGE_USED = 0.95
_STRAIGHTEST_KNEE = -0.013
"""A straight knee cannot push, and Newton's method is lost there [rad]."""


def _limits() -> tuple[Float64, Float64]:
    centre, half = (JOINT_UPPER + JOINT_LOWER) / 2, (JOINT_UPPER - JOINT_LOWER) / 2
    lower, upper = centre - _RANGE_USED * half, centre + _RANGE_USED * half
    lower[LEG_JOINTS[:, 3]] = _STRAIGHTEST_KNEE
    return lower, upper


LEG_LOWER, LEG_UPPER = _limits()


def step_legs(
    joints: Float64,
    poses: BodyPoses,
    *,
    foot_pos: Float64,
    foot_quat: Float64,
    loose_ankles: bool = False,
) -> Float64:
    """Joints (T, 29) after one step that brings the feet towards their places.

    `poses` are those of `joints`; `foot_pos` (T, 2, 3) [m] and `foot_quat` (T, 2, 4) are
    the wanted `ankle_roll` frames in the world. With `loose_ankles` they may bend too
    far, which tells how far a heel has to come up.
    """
    out = joints.copy()
    lower = LEG_LOWER.copy()
    if loose_ankles:
        lower[LEG_JOINTS[:, 4]] -= 1.0
    axes = joint_axes(poses)
    for leg, hinges in enumerate(LEG_JOINTS):
        foot = FEET_BODIES[leg]
        turn = quat_multiply(foot_quat[:, leg], quat_conjugate(poses.quat_w[:, foot]))
        residual = np.concatenate(
            (foot_pos[:, leg] - poses.pos_w[:, foot], quat_to_rotvec(turn)), axis=1
        )
        axis = axes[:, hinges]  # (T, 6, 3)
        # Joint j sits at the origin of body j + 1.
        arm = poses.pos_w[:, foot, None] - poses.pos_w[:, hinges + 1]
        jacobian = np.concatenate((np.cross(axis, arm), axis), axis=2)  # (T, 6, 6)'
        square = jacobian @ jacobian.transpose(0, 2, 1)
        square[:, np.arange(6), np.arange(6)] += _DAMPING
        pull = jacobian @ residual[..., None]
        step = np.linalg.solve(square, pull)[..., 0]
        step = np.clip(step, -_MAX_STEP, _MAX_STEP)
        out[:, hinges] = np.clip(
            joints[:, hinges] + step, lower[hinges], LEG_UPPER[hinges]
        )
    return out


def foot_errors(poses: BodyPoses, foot_pos: Float64) -> Float64:
    """Distance of each foot from its place, (T, 2) [m]."""
    gap = poses.pos_w[:, FEET_BODIES] - foot_pos
    return np.asarray(np.linalg.norm(gap, axis=-1))
