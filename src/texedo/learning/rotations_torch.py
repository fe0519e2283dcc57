"""Unit quaternions (..., 4), wxyz, in torch: the twins of `texedo.motion.rotations`."""

from __future__ import annotations

import torch
from torch import Tensor

_TINY = 1e-8


def length(v: Tensor) -> Tensor:
    """Euclidean length along the last axis, which is kept as one, (..., 1)."""
    return (v * v).sum(dim=-1, keepdim=True).sqrt()


def quat_normalize(q: Tensor) -> Tensor:
    return q / length(q).clamp(min=_TINY)


def quat_conjugate(q: Tensor) -> Tensor:
    """The inverse turn."""
    return torch.cat((q[..., :1], -q[..., 1:]), dim=-1)


def quat_multiply(a: Tensor, b: Tensor) -> Tensor:
    """First `b`, then `a`."""
    # Scalar and vector parts: a third of the kernels of the sixteen products.
    aw, av, bw, bv = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    scalar = aw * bw - (av * bv).sum(dim=-1, keepdim=True)
    return torch.cat((scalar, aw * bv + bw * av + cross(av, bv)), dim=-1)


def cross(a: Tensor, b: Tensor) -> Tensor:
    """Vector product along the last axis; the leading shapes broadcast."""
    shape = torch.broadcast_shapes(a.shape, b.shape)  # type: ignore[no-untyped-call]
    product: Tensor = torch.linalg.cross(a.expand(shape), b.expand(shape))
    return product


def quat_rotate(q: Tensor, v: Tensor) -> Tensor:
    """Vectors (..., 3) turned by `q`; the leading shapes broadcast."""
    w, axis = q[..., :1], q[..., 1:]
    t = 2.0 * cross(axis, v)
    return v + w * t + cross(axis, t)


def quat_rotate_inverse(q: Tensor, v: Tensor) -> Tensor:
    """World vectors seen from the frame `q`."""
    return quat_rotate(quat_conjugate(q), v)


def quat_to_rotvec(q: Tensor) -> Tensor:
    """Axis times angle in [0, pi], (..., 3)."""
    q = torch.where(q[..., :1] < 0, -q, q)
    sine = length(q[..., 1:])
    angle = 2.0 * torch.atan2(sine, q[..., :1])
    # For tiny turns the axis is noise, but twice the vector part is exact enough.
    scale = torch.where(
        sine > _TINY, angle / sine.clamp(min=_TINY), torch.full_like(sine, 2.0)
    )
    return q[..., 1:] * scale


def quat_from_rotvec(v: Tensor) -> Tensor:
    angle = length(v)
    half = 0.5 * angle
    scale = torch.where(
        angle > _TINY, half.sin() / angle.clamp(min=_TINY), torch.full_like(angle, 0.5)
    )
    return torch.cat((half.cos(), v * scale), dim=-1)


def quat_angle(a: Tensor, b: Tensor) -> Tensor:
    """Angle between two orientations, (...) [rad]."""
    return length(quat_to_rotvec(quat_multiply(quat_conjugate(a), b)))[..., 0]


def heading(q: Tensor) -> Tensor:
    """The yaw part of an orientation as a quaternion about z."""
    w, x, y, z = q.unbind(-1)
    half = 0.5 * torch.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    zero = torch.zeros_like(half)
    return torch.stack((half.cos(), zero, zero, half.sin()), dim=-1)


def matrix_from_quat(q: Tensor) -> Tensor:
    """Rotation matrices (..., 3, 3)."""
    columns = two_columns(q)
    x_axis, y_axis = columns[..., :3], columns[..., 3:]
    return torch.stack((x_axis, y_axis, cross(x_axis, y_axis)), dim=-1)


def quat_from_matrix(m: Tensor) -> Tensor:
    """Unit quaternions of rotation matrices (..., 3, 3); the largest number is positive."""
    xx, yy, zz = m.diagonal(dim1=-2, dim2=-1).unbind(-1)
    # 4 q q^T, whose row with the largest diagonal has the fewest rounding errors.
    a, b, c = m[..., 2, 1], m[..., 0, 2], m[..., 1, 0]
    d, e, f = m[..., 1, 2], m[..., 2, 0], m[..., 0, 1]
    rows = (
        (1 + xx + yy + zz, a - d, b - e, c - f),
        (a - d, 1 + xx - yy - zz, c + f, b + e),
        (b - e, c + f, 1 - xx + yy - zz, a + d),
        (c - f, b + e, a + d, 1 - xx - yy + zz),
    )
    outer = torch.stack([torch.stack(row, dim=-1) for row in rows], dim=-2)
    best = outer.diagonal(dim1=-2, dim2=-1).argmax(dim=-1)
    return quat_normalize(
        outer.gather(-2, best[..., None, None].expand(*best.shape, 1, 4))[..., 0, :]
    )


def two_columns(q: Tensor) -> Tensor:
    """First and second column of the rotation matrix, (..., 6): x axis, then y axis."""
    w, x, y, z = q.unbind(-1)
    return torch.stack(
        (
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + w * z),
            2.0 * (x * z - w * y),
            2.0 * (x * y - w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z + w * x),
        ),
        dim=-1,
    )


def projected_gravity(q: Tensor) -> Tensor:
    """The unit vector of gravity seen from the frame `q`, (..., 3)."""
    w, x, y, z = q.unbind(-1)
    return torch.stack(
        (
            -2.0 * (x * z - w * y),
            -2.0 * (y * z + w * x),
            -(1.0 - 2.0 * (x * x + y * y)),
        ),
        dim=-1,
    )
