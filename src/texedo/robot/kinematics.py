"""Where every body of the robot is: forward kinematics in numpy float64, no simulator.

The work is laid out for speed: components first, frames last and contiguous, in blocks
that fit the cache. A hinge turns about a coordinate axis of its body, so its product
with the parent's quaternion needs half of the general one; the constant part of each
joint (offset and resting orientation) is known beforehand.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import (
    quat_conjugate,
    quat_multiply,
    quat_normalize,
    quat_rotate,
    quat_to_rotvec,
)
from texedo.robot.g1 import BODY_INDEX
from texedo.robot.tables import BODY_ROWS, JOINT_ROWS

Float64 = NDArray[np.float64]

_BLOCK = 2048
"""Frames worked on at once: the temporaries of a block stay in the second-level cache."""


class BodyPoses(NamedTuple):
    """Link frames of all bodies in the world, in `BODY_NAMES` order."""

    pos_w: Float64
    """(..., 30, 3) [m]."""
    quat_w: Float64
    """(..., 30, 4), unit, wxyz."""


class BodyVelocities(NamedTuple):
    """Velocities of all bodies in the world frame."""

    lin_vel_w: Float64
    """(..., T, 30, 3) [m/s]."""
    ang_vel_w: Float64
    """(..., T, 30, 3) [rad/s]."""


def forward_kinematics(
    root_pos_w: NDArray[Any], root_quat_w: NDArray[Any], joint_pos: NDArray[Any]
) -> BodyPoses:
    """Poses of all bodies for any batch of (..., 3), (..., 4), (..., 29)."""
    lead = joint_pos.shape[:-1]
    flat = int(np.prod(lead, dtype=np.int64))
    pos = np.broadcast_to(root_pos_w, (*lead, 3)).reshape(flat, 3)
    quat = np.broadcast_to(root_quat_w, (*lead, 4)).reshape(flat, 4)
    joints = joint_pos.reshape(flat, len(JOINT_ROWS))
    out_pos = np.empty((len(BODY_ROWS), 3, flat))
    out_quat = np.empty((len(BODY_ROWS), 4, flat))
    for start in range(0, flat, _BLOCK):
        block = slice(start, min(start + _BLOCK, flat))
        _forward_block(
            pos[block], quat[block], joints[block], out_pos, out_quat, at=block
        )
    return BodyPoses(
        np.moveaxis(out_pos, -1, 0).reshape(*lead, len(BODY_ROWS), 3),
        np.moveaxis(out_quat, -1, 0).reshape(*lead, len(BODY_ROWS), 4),
    )


def motion_kinematics(motion: Motion) -> BodyPoses:
    """Poses of all bodies in every frame, (T, 30, .)."""
    return forward_kinematics(motion.root_pos_w, motion.root_quat_w, motion.joint_pos)


def joint_velocities(joint_pos: NDArray[Any], *, fps: float = FPS) -> Float64:
    """Joint speeds by central differences along the frame axis (-2) [rad/s]."""
    return _central_difference(np.asarray(joint_pos, dtype=np.float64), -2, fps)


def body_velocities(poses: BodyPoses, *, fps: float = FPS) -> BodyVelocities:
    """Velocities of the link origins by central differences over the frame axis (-3).

    The two end frames use one-sided differences.
    """
    linear = _central_difference(poses.pos_w, -3, fps)
    quat = np.moveaxis(poses.quat_w, -3, 0)
    before = np.concatenate((quat[:1], quat[:-1]))
    after = np.concatenate((quat[1:], quat[-1:]))
    turn = quat_to_rotvec(quat_multiply(after, quat_conjugate(before)))
    span = np.full(len(quat), 2.0)
    span[[0, -1]] = 1.0
    turn *= (fps / span).reshape(-1, *(1,) * (turn.ndim - 1))
    return BodyVelocities(linear, np.moveaxis(turn, 0, -3))


_COM = np.array([row.com for row in BODY_ROWS])


def com_velocities(poses: BodyPoses, velocities: BodyVelocities) -> Float64:
    """Linear velocities of the centres of mass, (..., T, 30, 3) [m/s]."""
    arm = quat_rotate(poses.quat_w, _COM)
    return velocities.lin_vel_w + np.cross(velocities.ang_vel_w, arm)


def _central_difference(x: Float64, axis: int, fps: float) -> Float64:
    x = np.moveaxis(x, axis, 0)
    out = np.empty_like(x)
    out[1:-1] = (x[2:] - x[:-2]) * (fps / 2)
    out[0] = (x[1] - x[0]) * fps
    out[-1] = (x[-1] - x[-2]) * fps
    return np.moveaxis(out, 0, axis)


class _Link(NamedTuple):
    """What a body adds to its parent's frame."""

    parent: int
    joint: int
    axis: int
    offset: Float64
    rest: Float64 | None
    """Constant turn before the hinge; None where it is the identity."""


def _links() -> tuple[_Link, ...]:
    joints = {row.body: i for i, row in enumerate(JOINT_ROWS)}
    links = []
    for row in BODY_ROWS[1:]:
        joint = joints[row.name]
        rest = quat_normalize(np.array(row.quat))
        links.append(
            _Link(
                parent=BODY_INDEX[row.parent],
                joint=joint,
                axis="xyz".index(JOINT_ROWS[joint].axis) + 1,
                offset=np.array(row.pos),
                rest=None if rest[0] == 1.0 else rest,
            )
        )
    return tuple(links)


_LINKS = _links()


def _forward_block(
    pos: NDArray[Any],
    quat: NDArray[Any],
    joints: NDArray[Any],
    out_pos: Float64,
    out_quat: Float64,
    *,
    at: slice,
) -> None:
    n = len(pos)
    half = np.multiply(joints.T, 0.5, order="C", dtype=np.float64)  # (29, n)
    sine, cosine = np.sin(half), np.cos(half)
    p: list[Float64] = [np.ascontiguousarray(pos.T, dtype=np.float64)]
    root = np.ascontiguousarray(quat.T, dtype=np.float64)
    q: list[Float64] = [root / np.sqrt((root * root).sum(axis=0))]
    arm = np.empty((3, n))
    scratch = np.empty((4, n))
    for link in _LINKS:
        parent = q[link.parent]
        _rotate_constant(parent, link.offset, arm, scratch[:3])
        p.append(p[link.parent] + arm)
        rest = parent if link.rest is None else _times_constant(parent, link.rest)
        child = np.empty((4, n))
        _times_axis_turn(
            rest, link.axis, cosine[link.joint], sine[link.joint], child, scratch
        )
        q.append(child)
    for body, (body_pos, body_quat) in enumerate(zip(p, q, strict=True)):
        out_pos[body, :, at] = body_pos
        out_quat[body, :, at] = body_quat


def _rotate_constant(q: Float64, v: Float64, out: Float64, tmp: Float64) -> None:
    """`q` turning the constant vector `v`: v + w t + u x t with t = 2 u x v."""
    w, x, y, z = q
    a, b, c = (2 * float(value) for value in v)
    t = tmp
    t[0] = y * c - z * b
    t[1] = z * a - x * c
    t[2] = x * b - y * a
    np.multiply(t, w, out=out)
    out[0] += y * t[2] - z * t[1]
    out[1] += z * t[0] - x * t[2]
    out[2] += x * t[1] - y * t[0]
    out += v[:, None]


def _times_constant(q: Float64, c: Float64) -> Float64:
    """Product of `q` with the constant quaternion `c`.

    Written out instead of a matrix product: BLAS sums in an order that depends on the
    number of frames, and a frame must not depend on its company.
    """
    out: Float64 = q * c[0]
    for axis in (1, 2, 3):
        if c[axis]:
            _add_axis_part(out, q * c[axis], axis)
    return out


# Right product with (c, s e_axis): component i of the result is
# c q[i] + sign s q[partner], row by row for the axes x, y and z.
_AXIS_PARTNER = {1: (1, 0, 3, 2), 2: (2, 3, 0, 1), 3: (3, 2, 1, 0)}
_AXIS_SIGN = {1: (-1, 1, 1, -1), 2: (-1, -1, 1, 1), 3: (-1, 1, -1, 1)}


def _times_axis_turn(
    q: Float64, axis: int, c: Float64, s: Float64, out: Float64, tmp: Float64
) -> None:
    np.multiply(q, c, out=out)
    np.multiply(q, s, out=tmp)
    _add_axis_part(out, tmp, axis)


def _add_axis_part(out: Float64, part: Float64, axis: int) -> None:
    for i, (partner, sign) in enumerate(
        zip(_AXIS_PARTNER[axis], _AXIS_SIGN[axis], strict=True)
    ):
        if sign > 0:
            out[i] += part[partner]
        else:
            out[i] -= part[partner]
