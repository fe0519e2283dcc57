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

from texedo.motion.rotations import (
    quat_from_rotvec,
    quat_multiply,
    quat_normalize,
    quat_to_matrix,
)
from texedo.robot.collision import SHAPE_BODIES, closest_points
from texedo.robot.g1 import BODY_INDEX, JOINT_LOWER, JOINT_NAMES, JOINT_UPPER
from texedo.robot.kinematics import BodyPoses, forward_kinematics
from texedo.robot.tables import BODY_ROWS, COLLISION_ROWS, JOINT_ROWS

Float64 = NDArray[np.float64]

SIDES = ("left", "right")
NUM_DOF = 35
"""Root translation, root turn (both in the world), 29 joints."""
RANGE_USED = 0.95
"""Part of each joint's range that retargeting may use: a servo needs room to correct."""


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


class Weights(NamedTuple):
    """Task weights; residuals are metres and radians."""

    pelvis_pos: float = 0.7
    pelvis_rot: float = 0.35
    torso_rot: float = 0.4
    foot_pos: float = 6.0
    foot_rot: float = 1.0
    thigh: float = 0.35
    upper_arm: float = 1.2
    forearm: float = 1.2
    collision: float = 6.0
    previous: float = 0.03
    """Pull of every joint towards the pose a step starts from."""


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


def _ancestors() -> NDArray[np.bool_]:
    """Which joints move which bodies, (30, 29). Joint j carries body j + 1."""
    moves = np.zeros((len(BODY_ROWS), len(JOINT_ROWS)), dtype=bool)
    for i, row in enumerate(BODY_ROWS[1:], start=1):
        moves[i] = moves[BODY_INDEX[row.parent]]
        moves[i, i - 1] = True
    return moves


_MOVES = _ancestors()
_AXIS = np.array(["xyz".index(row.axis) for row in JOINT_ROWS])

_CENTRE, _HALF = (JOINT_UPPER + JOINT_LOWER) / 2, (JOINT_UPPER - JOINT_LOWER) / 2
LOWER, UPPER = _CENTRE - RANGE_USED * _HALF, _CENTRE + RANGE_USED * _HALF


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


def _watched_pairs() -> NDArray[np.int64]:
    """Pairs of shapes that human-like motion can bring together.

    Arms against everything and legs against each other; each foot is watched through
    its outer and middle capsules, which lie on its outline.
    """
    arm = ("shoulder_yaw", "elbow_yaw", "wrist", "hand")
    leg = ("hip", "thigh", "shin", "linkage_brace", "foot1", "foot4", "foot7")
    arms = {s: [f"{s}_{part}_collision" for part in arm] for s in SIDES}
    legs = {s: [f"{s}_{part}_collision" for part in leg] for s in SIDES}
    trunk = ["pelvis_collision", "torso_collision", "head_collision"]
    wanted = {frozenset((a, b)) for a in arms["left"] for b in arms["right"]}
    wanted |= {frozenset((a, b)) for a in legs["left"] for b in legs["right"]}
    for side in SIDES:
        body = trunk + legs["left"][:4] + legs["right"][:4]
        wanted |= {frozenset((a, b)) for a in arms[side][1:] for b in body}
        wanted |= {frozenset((arms[side][0], arms[side][3]))}
    from texedo.robot.collision import collision_pairs

    names = [row.name for row in COLLISION_ROWS]
    return np.array(
        [
            p
            for p in collision_pairs()
            if frozenset((names[p[0]], names[p[1]])) in wanted
        ]
    )


WATCHED_PAIRS = _watched_pairs()
_MAX_CONTACTS = 8
"""Most pressing pairs per pose that are kept apart."""
_MAX_PUSH = 0.03
"""Largest opening of a gap asked of one step [m]: deeper overlaps take several."""
_WORKING_SET_ROUNDS = 4
_PAIR_MOVES = (
    _MOVES[SHAPE_BODIES[WATCHED_PAIRS[:, 0]]],
    _MOVES[SHAPE_BODIES[WATCHED_PAIRS[:, 1]]],
)  # (P, 29) each


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
    for _ in range(iterations):
        poses = forward_kinematics(qpos[:, :3], qpos[:, 3:7], qpos[:, 7:])
        jacobian, residual = _tasks(poses, targets, weights)
        hessian = jacobian.transpose(0, 2, 1) @ jacobian
        gradient = (jacobian.transpose(0, 2, 1) @ residual[..., None])[..., 0]
        diagonal = np.arange(NUM_DOF)
        hessian[:, diagonal, diagonal] += 1e-4
        joints = diagonal[6:]
        hessian[:, joints, joints] += _REST_PULL + weights.previous**2
        gradient[:, 6:] += _REST_PULL * (REST - qpos[:, 7:])
        gradient[:, 6:] += weights.previous**2 * (anchor - qpos[:, 7:])
        step = _constrained_step(
            _Quadratic(hessian, gradient),
            lower=bounds.lower - qpos[:, 7:],
            upper=bounds.upper - qpos[:, 7:],
            gaps=_gaps(poses, clearance),
            stiffness=weights.collision**2,
        )
        qpos = _integrate(qpos, step)
        qpos[:, 7:] = np.clip(qpos[:, 7:], bounds.lower, bounds.upper)
    return qpos


class _Quadratic(NamedTuple):
    """The model x' H x / 2 - g' x of a step x."""

    hessian: Float64
    """(N, 35, 35)."""
    gradient: Float64
    """(N, 35)."""


class _Gaps(NamedTuple):
    """How the nearest shapes of each pose come apart: `rows @ step >= need`."""

    rows: Float64
    """(N, K, 35)."""
    need: Float64
    """(N, K) [m]; negative where there is room to spare."""


def _tasks(poses: BodyPoses, targets: Targets, w: Weights) -> tuple[Float64, Float64]:
    """Weighted Jacobian (N, 39, 35) and residual (N, 39) of all tasks."""
    pos = poses.pos_w[:, _KEY_BODIES]  # (N, 14, 3)
    axes = _joint_axes(poses)  # (N, 29, 3)
    n = len(pos)
    arm = pos[:, :, None] - poses.pos_w[:, None, 1:]  # (N, 14, 29, 3)
    hinge = np.cross(axes[:, None], arm) * _MOVES[_KEY_BODIES][None, :, :, None]
    jac_pos = np.zeros((n, len(_KEY_BODIES), 3, NUM_DOF))
    jac_pos[..., 0:3] = np.eye(3)
    jac_pos[..., 3:6] = -_skew(pos - pos[:, :1])
    jac_pos[..., 6:] = hinge.transpose(0, 1, 3, 2)
    turned = [_PELVIS, _TORSO, *_FEET]
    jac_rot = np.zeros((n, len(turned), 3, NUM_DOF))
    jac_rot[..., 3:6] = np.eye(3)
    moves = _MOVES[[_KEY_BODIES[k] for k in turned]]
    jac_rot[..., 6:] = axes.transpose(0, 2, 1)[:, None] * moves[None, :, None, :]
    rot = quat_to_matrix(poses.quat_w[:, [_KEY_BODIES[k] for k in turned]])
    wanted = np.concatenate(
        (targets.pelvis_rot[:, None], targets.torso_rot[:, None], targets.foot_rot), 1
    )
    rot_error = _rotation_error(wanted, rot)  # (N, 4, 3)

    limbs = ((_KNEES, _HIPS), (_ELBOWS, _SHOULDERS), (_WRISTS, _ELBOWS))
    vectors = (targets.thigh, targets.upper_arm, targets.forearm)
    jac = [
        w.pelvis_pos * jac_pos[:, _PELVIS : _PELVIS + 1],
        w.foot_pos * jac_pos[:, _FEET],
    ]
    res = [
        w.pelvis_pos * (targets.pelvis_pos - pos[:, _PELVIS])[:, None],
        w.foot_pos * (targets.foot_pos - pos[:, _FEET]),
    ]
    rot_weight = np.array([w.pelvis_rot, w.torso_rot, w.foot_rot, w.foot_rot])
    jac.append(rot_weight[:, None, None] * jac_rot)
    res.append(rot_weight[:, None] * rot_error)
    limb_weights = (w.thigh, w.upper_arm, w.forearm)
    for (tip, base), vector, weight in zip(limbs, vectors, limb_weights, strict=True):
        jac.append(weight * (jac_pos[:, tip] - jac_pos[:, base]))
        res.append(weight * (vector - (pos[:, tip] - pos[:, base])))
    jacobian = np.concatenate(jac, axis=1).reshape(n, -1, NUM_DOF)
    return jacobian, np.concatenate(res, axis=1).reshape(n, -1)


def _gaps(poses: BodyPoses, clearance: float) -> _Gaps:
    """The most pressing gaps and how steps open them.

    Only joints appear: moving the whole robot changes no gap.
    """
    near = closest_points(poses, WATCHED_PAIRS)
    worst = np.argpartition(near.distance, _MAX_CONTACTS, axis=1)[:, :_MAX_CONTACTS]
    take = worst[..., None]
    distance = np.take_along_axis(near.distance, worst, axis=1)
    normal = np.take_along_axis(near.normal, take, axis=1)[:, :, None]  # (N, K, 1, 3)
    first = np.take_along_axis(near.on_first, take, axis=1)[:, :, None]
    second = np.take_along_axis(near.on_second, take, axis=1)[:, :, None]
    axes = _joint_axes(poses)[:, None]  # (N, 1, 29, 3)
    anchors = poses.pos_w[:, None, 1:]
    # n . (axis x arm) = axis . (arm x n)
    push_second = (axes * np.cross(second - anchors, normal)).sum(-1)
    push_first = (axes * np.cross(first - anchors, normal)).sum(-1)
    rows = np.zeros((*worst.shape, NUM_DOF))
    rows[..., 6:] = push_second * _PAIR_MOVES[1][worst]
    rows[..., 6:] -= push_first * _PAIR_MOVES[0][worst]
    return _Gaps(rows, np.clip(clearance - distance, None, _MAX_PUSH))


def _constrained_step(
    model: _Quadratic,
    *,
    lower: Float64,
    upper: Float64,
    gaps: _Gaps,
    stiffness: float,
) -> Float64:
    """Minimiser of the model, joints within bounds, gaps kept open by stiff springs.

    A working set grows: joints that leave their box are held at its edge, and gaps that
    the step would close get their spring. Without looking ahead at closing gaps a pose
    would swing between "free, so move in" and "inside, so move out".
    """
    hessian, gradient = model
    n = len(hessian)
    held = np.zeros((n, NUM_DOF), dtype=bool)
    pinned = np.zeros((n, NUM_DOF))
    sprung = gaps.need > 0
    step = np.empty((n, NUM_DOF))
    todo = np.arange(n)
    for _ in range(_WORKING_SET_ROUNDS):
        rows = gaps.rows[todo] * sprung[todo][..., None]
        h = hessian[todo] + stiffness * (rows.transpose(0, 2, 1) @ rows)
        pull = (rows.transpose(0, 2, 1) @ gaps.need[todo][..., None])[..., 0]
        step[todo] = _solve_held(
            h, gradient[todo] + stiffness * pull, held[todo], pinned[todo]
        )
        over, under = step[:, 6:] > upper + 1e-9, step[:, 6:] < lower - 1e-9
        opening = (gaps.rows @ step[..., None])[..., 0]
        closing = ~sprung & (opening < gaps.need - 1e-4)
        pinned[:, 6:] = np.where(over, upper, np.where(under, lower, pinned[:, 6:]))
        held[:, 6:] |= over | under
        sprung |= closing
        todo = np.flatnonzero((over | under).any(axis=1) | closing.any(axis=1))
        if not len(todo):
            break
    step[:, 6:] = np.clip(step[:, 6:], lower, upper)
    size = np.linalg.norm(step, axis=1, keepdims=True)
    return np.asarray(step * np.minimum(1.0, 2.0 / np.maximum(size, 1e-9)))


def _solve_held(
    hessian: Float64, gradient: Float64, held: NDArray[np.bool_], pinned: Float64
) -> Float64:
    """Solve with the held variables fixed at `pinned`."""
    if not held.any():
        return np.asarray(np.linalg.solve(hessian, gradient[..., None])[..., 0])
    free = ~held
    rhs = gradient - (hessian @ (pinned * held)[..., None])[..., 0]
    reduced = hessian * free[:, :, None] * free[:, None, :]
    index = np.arange(NUM_DOF)
    reduced[:, index, index] += held
    rhs = np.where(free, rhs, pinned)
    return np.asarray(np.linalg.solve(reduced, rhs[..., None])[..., 0])


def _integrate(qpos: Float64, step: Float64) -> Float64:
    out = np.empty_like(qpos)
    out[:, :3] = qpos[:, :3] + step[:, :3]
    turn = quat_from_rotvec(step[:, 3:6])
    out[:, 3:7] = quat_normalize(quat_multiply(turn, qpos[:, 3:7]))
    out[:, 7:] = qpos[:, 7:] + step[:, 6:]
    return out


def _joint_axes(poses: BodyPoses) -> Float64:
    """Hinge axes in the world, (N, 29, 3)."""
    matrix = quat_to_matrix(poses.quat_w[:, 1:])
    return np.take_along_axis(matrix, _AXIS[None, :, None, None], axis=-1)[..., 0]


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
    scale = np.where(angle < 1e-6, 0.5, angle / np.maximum(2 * sine, 0.05))
    return np.asarray(axis * scale[..., None])
