"""Whole-body inverse kinematics for many poses at once.

Each row of a batch is one pose with its own targets. A step is a damped Gauss-Newton
step on weighted task errors under box bounds on the joints (range and motor speed) that
keeps shapes apart. All poses of a batch step together, so
the cost per pose is a few small dense products instead of Python overhead.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.retarget.step import Quadratic, constrained_step
from texedo.motion.rotations import (
    quat_from_rotvec,
    quat_multiply,
    quat_normalize,
    quat_to_matrix,
)
from texedo.robot.g1 import BODY_INDEX, JOINT_LOWER, JOINT_NAMES, JOINT_UPPER
from texedo.robot.gaps import MOVES, NUM_DOF, SIDES, joint_axes, open_gaps
from texedo.robot.kinematics import BodyPoses, forward_kinematics

Float64 = NDArray[np.float64]

RANGE_USED = 0.95
"""Part of each joint's range that retargeting may use: a servo needs room to correct."""

KNEE_BENT = 0.1
"""No knee is straighter [rad]: a straight leg is 1 mm longer and can push no more."""

HIP_TURN = 1.2
"""No thigh turns further about itself [rad]. Nobody's does; but where a leg is raised
straight, hip roll and hip yaw turn about nearly the same axis, and without an end the one
winds up against the other."""


@dataclass(frozen=True, kw_only=True)
class Targets:
    """What the robot should reach in each frame, in the world; the side axis is L, R."""

    pelvis_pos: Float64
    """(T, 3) [m]."""
    pelvis_rot: Float64
    """(T, 3, 3)."""
    torso_rot: Float64
    """(T, 3, 3)."""
    foot_pos: Float64
    """Origins of the ankle roll links, (T, 2, 3) [m]."""
    foot_rot: Float64
    """(T, 2, 3, 3)."""
    foot_hold: Float64
    """How much each foot's orientation matters, 0 to 1, (T, 2)."""
    thigh: Float64
    """From hip to knee, (T, 2, 3) [m]."""
    upper_arm: Float64
    """From shoulder to elbow, (T, 2, 3) [m]."""
    forearm: Float64
    """From elbow to wrist, (T, 2, 3) [m]."""

    def __len__(self) -> int:
        return len(self.pelvis_pos)

    def __getitem__(self, index: Any) -> Targets:
        return Targets(**{f.name: getattr(self, f.name)[index] for f in fields(self)})


def stack_targets(parts: list[Targets]) -> Targets:
    """One row per part: each part is a single frame."""
    return Targets(
        **{
            f.name: np.stack([getattr(p, f.name) for p in parts])
            for f in fields(Targets)
        }
    )


_MAX_TURN_STEP = 0.7
"""Largest turn asked of one step [rad]: a target that jumps must not throw the robot."""


class Weights(NamedTuple):
    """Task weights; residuals are metres and radians."""

    pelvis_pos: float = 2.0
    pelvis_rot: float = 0.35
    torso_rot: float = 0.4
    foot_pos: float = 6.0
    foot_rot: float = 1.0
    thigh: float = 0.35
    upper_arm: float = 1.2
    forearm: float = 1.2
    collision: float = 6.0
    previous: float = 0.1
    """Pull of every joint towards the pose it starts from. Much less and arms that lie
    against the body swing from frame to frame."""
    previous_leg: float = 0.1
    """The same for the legs. Pelvis and feet determine them but for a few poses, between
    whose two solutions legs would jump to and fro."""


_KEY_BODIES = [
    BODY_INDEX[name]
    for name in ("pelvis", "torso_link")
    + tuple(f"{side}_ankle_roll_link" for side in SIDES)
    + tuple(f"{side}_hip_roll_link" for side in SIDES)
    + tuple(f"{side}_knee_link" for side in SIDES)
    + tuple(f"{side}_shoulder_roll_link" for side in SIDES)
    + tuple(f"{side}_elbow_link" for side in SIDES)
    + tuple(f"{side}_wrist_yaw_link" for side in SIDES)
]
_PELVIS, _TORSO, _FEET = 0, 1, [2, 3]
_HIPS, _KNEES, _SHOULDERS, _ELBOWS, _WRISTS = [4, 5], [6, 7], [8, 9], [10, 11], [12, 13]
_TURNED_BODIES = [_KEY_BODIES[k] for k in (_PELVIS, _TORSO, *_FEET)]


_CENTRE, _HALF = (JOINT_UPPER + JOINT_LOWER) / 2, (JOINT_UPPER - JOINT_LOWER) / 2
LOWER, UPPER = _CENTRE - RANGE_USED * _HALF, _CENTRE + RANGE_USED * _HALF
LOWER[["knee" in name for name in JOINT_NAMES]] = KNEE_BENT
LOWER[["hip_yaw" in name for name in JOINT_NAMES]] = -HIP_TURN
UPPER[["hip_yaw" in name for name in JOINT_NAMES]] = HIP_TURN


def _rest_pose() -> tuple[Float64, Float64]:
    """A relaxed pose and how strongly each joint is drawn to it where tasks are silent."""
    angle = {"hip_pitch": -0.15, "knee": 0.35, "ankle_pitch": -0.2, "elbow": 1.0}
    pull = {"wrist": 3e-2, "waist": 1e-3, "hip_yaw": 5e-4, "ankle_roll": 5e-4}
    rest, weight = np.zeros(len(JOINT_NAMES)), np.full(len(JOINT_NAMES), 2e-4)
    for i, name in enumerate(JOINT_NAMES):
        rest[i] = next((v for key, v in angle.items() if key in name), 0.0)
        weight[i] = next((v for key, v in pull.items() if key in name), 2e-4)
        if "shoulder_roll" in name:
            rest[i] = 0.2 if name.startswith("left") else -0.2
    return rest, weight


REST, _REST_PULL = _rest_pose()
_IN_LEG = np.array([any(k in n for k in ("hip", "knee", "ankle")) for n in JOINT_NAMES])


class Bounds(NamedTuple):
    """Box on the joints, (N, 29) or (29,) [rad]."""

    lower: Float64
    upper: Float64


def solve(
    qpos: Float64,
    targets: Targets,
    *,
    bounds: Bounds,
    iterations: int,
    weights: Weights,
    clearance: float = 0.008,
) -> Float64:
    """Poses (N, 36) near `qpos` that reach `targets` (N rows) within `bounds`.

    Shapes of `WATCHED_PAIRS` are kept `clearance` metres apart.
    """
    anchor = qpos[:, 7:].copy()
    hold = np.where(_IN_LEG, weights.previous_leg, weights.previous) ** 2
    for _ in range(iterations):
        poses = forward_kinematics(qpos[:, :3], qpos[:, 3:7], qpos[:, 7:])
        jacobian, residual = _tasks(poses, targets, weights)
        hessian = jacobian.transpose(0, 2, 1) @ jacobian
        gradient = (jacobian.transpose(0, 2, 1) @ residual[..., None])[..., 0]
        diagonal = np.arange(NUM_DOF)
        hessian[:, diagonal, diagonal] += 1e-4
        joints = diagonal[6:]
        hessian[:, joints, joints] += _REST_PULL + hold
        gradient[:, 6:] += _REST_PULL * (REST - qpos[:, 7:])
        gradient[:, 6:] += hold * (anchor - qpos[:, 7:])
        step = constrained_step(
            Quadratic(hessian, gradient),
            lower=bounds.lower - qpos[:, 7:],
            upper=bounds.upper - qpos[:, 7:],
            gaps=open_gaps(poses, clearance),
            stiffness=weights.collision**2,
        )
        qpos = _integrate(qpos, step)
        qpos[:, 7:] = np.clip(qpos[:, 7:], bounds.lower, bounds.upper)
    return qpos


def _tasks(poses: BodyPoses, targets: Targets, w: Weights) -> tuple[Float64, Float64]:
    """Weighted Jacobian (N, 39, 35) and residual (N, 39) of all tasks."""
    pos = poses.pos_w[:, _KEY_BODIES]  # (N, 14, 3)
    axes = joint_axes(poses)
    move = _translation_jacobian(poses, axes)
    turn = _rotation_jacobian(axes)
    wanted = np.concatenate(
        (targets.pelvis_rot[:, None], targets.torso_rot[:, None], targets.foot_rot), 1
    )
    actual = quat_to_matrix(poses.quat_w[:, _TURNED_BODIES])
    turn_weight = np.empty((len(pos), 4, 1))
    turn_weight[:, :2, 0] = w.pelvis_rot, w.torso_rot
    turn_weight[:, 2:, 0] = w.foot_rot * targets.foot_hold
    jacobian = [
        w.pelvis_pos * move[:, _PELVIS : _PELVIS + 1],
        w.foot_pos * move[:, _FEET],
        turn_weight[..., None] * turn,
    ]
    residual = [
        w.pelvis_pos * (targets.pelvis_pos - pos[:, _PELVIS])[:, None],
        w.foot_pos * (targets.foot_pos - pos[:, _FEET]),
        turn_weight * _rotation_error(wanted, actual),
    ]
    for tip, base, vector, weight in (
        (_KNEES, _HIPS, targets.thigh, w.thigh),
        (_ELBOWS, _SHOULDERS, targets.upper_arm, w.upper_arm),
        (_WRISTS, _ELBOWS, targets.forearm, w.forearm),
    ):
        jacobian.append(weight * (move[:, tip] - move[:, base]))
        residual.append(weight * (vector - (pos[:, tip] - pos[:, base])))
    n = len(pos)
    return (
        np.concatenate(jacobian, axis=1).reshape(n, -1, NUM_DOF),
        np.concatenate(residual, axis=1).reshape(n, -1),
    )


def _translation_jacobian(poses: BodyPoses, axes: Float64) -> Float64:
    """How the key bodies' origins move with each degree of freedom, (N, 14, 3, 35)."""
    pos = poses.pos_w[:, _KEY_BODIES]
    arm = pos[:, :, None] - poses.pos_w[:, None, 1:]  # (N, 14, 29, 3)
    hinge = np.cross(axes[:, None], arm) * MOVES[_KEY_BODIES][None, :, :, None]
    out = np.zeros((len(pos), len(_KEY_BODIES), 3, NUM_DOF))
    out[..., 0:3] = np.eye(3)
    out[..., 3:6] = -_skew(pos - pos[:, :1])
    out[..., 6:] = hinge.transpose(0, 1, 3, 2)
    return out


def _rotation_jacobian(axes: Float64) -> Float64:
    """How pelvis, torso and feet turn with each degree of freedom, (N, 4, 3, 35)."""
    out = np.zeros((len(axes), len(_TURNED_BODIES), 3, NUM_DOF))
    out[..., 3:6] = np.eye(3)
    moves = MOVES[_TURNED_BODIES][None, :, None, :]
    out[..., 6:] = axes.transpose(0, 2, 1)[:, None] * moves
    return out


def _integrate(qpos: Float64, step: Float64) -> Float64:
    out = np.empty_like(qpos)
    out[:, :3] = qpos[:, :3] + step[:, :3]
    turn = quat_from_rotvec(step[:, 3:6])
    out[:, 3:7] = quat_normalize(quat_multiply(turn, qpos[:, 3:7]))
    out[:, 7:] = qpos[:, 7:] + step[:, 6:]
    return out


def _skew(v: Float64) -> Float64:
    out = np.zeros((*v.shape, 3))
    out[..., 0, 1], out[..., 0, 2] = -v[..., 2], v[..., 1]
    out[..., 1, 0], out[..., 1, 2] = v[..., 2], -v[..., 0]
    out[..., 2, 0], out[..., 2, 1] = -v[..., 1], v[..., 0]
    return out


def _rotation_error(wanted: Float64, actual: Float64) -> Float64:
    """Rotation vector in the world that takes `actual` to `wanted`, (..., 3)."""
    e = wanted @ np.swapaxes(actual, -1, -2)
    axis = np.stack(
        (
            e[..., 2, 1] - e[..., 1, 2],
            e[..., 0, 2] - e[..., 2, 0],
            e[..., 1, 0] - e[..., 0, 1],
        ),
        axis=-1,
    )
    cosine = np.clip((np.trace(e, axis1=-2, axis2=-1) - 1) / 2, -1.0, 1.0)
    angle = np.arccos(cosine)
    # angle / (2 sin angle): 1/2 at zero; near a half turn the axis is noise, so the
    # step is only kept bounded there.
    sine = np.sin(angle)
    reach = np.minimum(angle, _MAX_TURN_STEP)
    scale = np.where(angle < 1e-6, 0.5, reach / np.maximum(2 * sine, 0.05))
    return np.asarray(axis * scale[..., None])
