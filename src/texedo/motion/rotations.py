"""Rotations as unit quaternions, wxyz, on the last axis; every function broadcasts.

Active convention: `quat_rotate(q, v)` turns a vector from the body into the world, and
`quat_multiply(a, b)` applies `b` first. Angles are radians. Results keep the dtype of
the inputs, so float64 in gives float64 out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""Floats of either width."""

_TINY = 1e-12


def quat_normalize(q: Array) -> Array:
    """Unit quaternion of the same direction; a zero quaternion stays zero."""
    norm = np.linalg.norm(q, axis=-1, keepdims=True)
    return np.asarray(q / np.maximum(norm, _TINY), dtype=q.dtype)


def quat_conjugate(q: Array) -> Array:
    """The inverse rotation of a unit quaternion."""
    return np.asarray(q * np.array([1, -1, -1, -1], dtype=q.dtype))


def quat_multiply(a: Array, b: Array) -> Array:
    """Hamilton product: the rotation `b` followed by the rotation `a`."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack(
        (
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ),
        axis=-1,
    )


def quat_rotate(q: Array, v: Array) -> Array:
    """Vector `v` turned by `q` (body to world)."""
    w, u = q[..., :1], q[..., 1:]
    t = 2 * _cross(u, v)
    return np.asarray(v + w * t + _cross(u, t))


def _cross(a: Array, b: Array) -> Array:
    """As `np.cross`, to the last bit; that spends most of its time on axes."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    parts = (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    return np.stack(parts, axis=-1)


def quat_rotate_inverse(q: Array, v: Array) -> Array:
    """Vector `v` turned back by `q` (world to body)."""
    return quat_rotate(quat_conjugate(q), v)


def quat_from_rotvec(rotvec: Array) -> Array:
    """Quaternion of a rotation vector (axis times angle)."""
    angle = np.linalg.norm(rotvec, axis=-1, keepdims=True)
    # sin(a/2)/a tends to 1/2; np.sinc(x) is sin(pi x)/(pi x) and is exact there.
    scale = 0.5 * np.sinc(angle / (2 * np.pi))
    return np.asarray(
        np.concatenate((np.cos(angle / 2), scale * rotvec), axis=-1),
        dtype=rotvec.dtype,
    )


def quat_to_rotvec(q: Array) -> Array:
    """Rotation vector of `q`, the short way round: its length is at most pi."""
    q = np.where(q[..., :1] < 0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, q[..., :1])
    scale = np.where(sine > _TINY, angle / np.maximum(sine, _TINY), 2.0)
    return np.asarray(scale * q[..., 1:], dtype=q.dtype)


def quat_from_axis_angle(axis: Array, angle: Array) -> Array:
    """Quaternion of a turn by `angle` about the unit vector `axis`."""
    return quat_from_rotvec(np.asarray(axis) * np.asarray(angle)[..., None])


def quat_to_matrix(q: Array) -> Array:
    """Rotation matrices (..., 3, 3) whose columns are the body axes in the world."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quat_from_matrix(m: Array) -> Array:
    """Quaternion of rotation matrices (..., 3, 3), with w >= 0.

    Each component is computed from the largest of the four squared components, so
    that half turns lose no digits.
    """
    diagonal = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    xx, yy, zz = diagonal
    four_squares = np.stack(
        (1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz),
        axis=-1,
    )
    largest = four_squares.argmax(axis=-1)
    yz, zx, xy = (
        m[..., 2, 1] - m[..., 1, 2],
        m[..., 0, 2] - m[..., 2, 0],
        m[..., 1, 0] - m[..., 0, 1],
    )
    sxy, szx, syz = (
        m[..., 1, 0] + m[..., 0, 1],
        m[..., 0, 2] + m[..., 2, 0],
        m[..., 2, 1] + m[..., 1, 2],
    )
    candidates = np.stack(
        (
            np.stack((four_squares[..., 0], yz, zx, xy), axis=-1),
            np.stack((yz, four_squares[..., 1], sxy, szx), axis=-1),
            np.stack((zx, sxy, four_squares[..., 2], syz), axis=-1),
            np.stack((xy, szx, syz, four_squares[..., 3]), axis=-1),
        ),
        axis=-2,
    )
    q = np.take_along_axis(candidates, largest[..., None, None], axis=-2)[..., 0, :]
    q = quat_normalize(q)
    return np.where(q[..., :1] < 0, -q, q)


def quat_from_euler(sequence: str, angles: Array) -> Array:
    """Quaternion of Euler angles (..., 3) in radians.

    Upper case letters ("ZYX") turn about the axes carried along (intrinsic), lower
    case ("xyz") about the fixed ones (extrinsic), as in SciPy.
    """
    axes = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
    letters = sequence.lower()
    if len(sequence) != 3 or any(c not in axes for c in letters):
        raise ValueError(
            f"Euler sequence must be three of xyz or XYZ, got {sequence!r}."
        )
    if sequence not in (letters, sequence.upper()):
        raise ValueError(f"Euler sequence must not mix upper and lower: {sequence!r}.")
    turns = [
        quat_from_axis_angle(np.array(axes[c], dtype=angles.dtype), angles[..., i])
        for i, c in enumerate(letters)
    ]
    if sequence == letters:
        turns.reverse()
    return quat_multiply(quat_multiply(turns[0], turns[1]), turns[2])


def quat_yaw(q: Array) -> Array:
    """Heading of the body's x axis in the ground plane, in [-pi, pi]."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.asarray(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


def quat_from_yaw(yaw: Array) -> Array:
    """Quaternion of a turn by `yaw` about the vertical."""
    half = np.asarray(yaw) / 2
    zero = np.zeros_like(half)
    return np.stack((np.cos(half), zero, zero, np.sin(half)), axis=-1)


def quat_slerp(a: Array, b: Array, t: Array) -> Array:
    """Great-circle interpolation from `a` (t=0) to `b` (t=1), the short way round."""
    t = np.asarray(t)[..., None]
    cosine = np.sum(a * b, axis=-1, keepdims=True)
    b = np.where(cosine < 0, -b, b)
    cosine = np.minimum(np.abs(cosine), 1.0)
    angle = np.arccos(cosine)
    sine = np.sin(angle)
    near = sine < 1e-6  # the arc is a straight line there and 0/0 must not happen
    safe = np.where(near, 1.0, sine)
    from_a = np.where(near, 1 - t, np.sin((1 - t) * angle) / safe)
    from_b = np.where(near, t, np.sin(t * angle) / safe)
    return quat_normalize(np.asarray(from_a * a + from_b * b, dtype=a.dtype))


def quat_angle(a: Array, b: Array) -> Array:
    """Angle of the rotation between `a` and `b`, in [0, pi]."""
    relative = quat_multiply(quat_conjugate(a), b)
    sine = np.linalg.norm(relative[..., 1:], axis=-1)
    return np.asarray(2 * np.arctan2(sine, np.abs(relative[..., 0])))


def quat_make_continuous(q: Array) -> Array:
    """Flip signs along the first axis so that no step takes the long way round.

    `q` and `-q` are the same rotation; interpolating between them is not.
    """
    dots = np.sum(q[1:] * q[:-1], axis=-1)
    signs = np.ones_like(q[..., 0])
    signs[1:] = np.cumprod(np.where(dots < 0, -1, 1), axis=0)
    return np.asarray(q * signs[..., None])
