"""Where straight lines meet the primitive shapes: closed forms on whole tiles.

Everything is in the frame of the shape. A line is `o + t d`; `o` and `d` are three
arrays each that broadcast to the tile. Each function returns the `t` at which the line
enters the shape, infinity where it misses it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.robot.visuals import Kind

Array = NDArray[Any]
Triple = tuple[Array, Array, Array]
Size = tuple[float, ...]
Sizes = tuple[Any, ...]
"""Of one shape for all lines, or of one for each line."""

_TINY = np.float32(1e-12)


def _enter_quadric(a: Array, b: Array, c: Array) -> Array:
    """The smaller root of a t^2 + 2 b t + c, infinity where there is none."""
    discriminant = b * b - a * c
    root = np.sqrt(np.maximum(discriminant, 0))
    return np.where(discriminant > 0, (-b - root) / np.maximum(a, _TINY), np.inf)


def hit_ellipsoid(o: Triple, d: Triple, size: Sizes) -> Array:
    """Half axes `size`; a sphere is one with three equal axes."""
    ox, oy, oz = (v / s for v, s in zip(o, size, strict=True))
    dx, dy, dz = (v / s for v, s in zip(d, size, strict=True))
    return _enter_quadric(
        dx * dx + dy * dy + dz * dz,
        ox * dx + oy * dy + oz * dz,
        ox * ox + oy * oy + oz * oz - 1,
    )


def hit_sphere(o: Triple, d: Triple, size: Sizes) -> Array:
    return hit_ellipsoid(o, d, (size[0],) * 3)


def hit_capsule(o: Triple, d: Triple, size: Sizes) -> Array:
    """Radius and half length of the axis along z."""
    radius, half = size
    (ox, oy, oz), (dx, dy, dz) = o, d
    a, b = dx * dx + dy * dy, ox * dx + oy * dy
    c = ox * ox + oy * oy - radius * radius
    side = _enter_quadric(a, b, c)
    # The caps lie inside the endless cylinder: a line that misses it misses them.
    with np.errstate(invalid="ignore"):
        z = oz + side * dz
    # Along the axis `side` says nothing; the line then enters by the nearer cap.
    z = np.where(np.isfinite(side), z, -np.sign(dz) * half)
    az = oz - np.clip(z, -half, half)
    cap = _enter_quadric(a + dz * dz, b + az * dz, c + az * az)
    return np.where(np.isfinite(side) & (np.abs(z) <= half), side, cap)


def hit_cylinder(o: Triple, d: Triple, size: Sizes) -> Array:
    """Radius and half length along z, flat ends."""
    radius, half = size
    (ox, oy, oz), (dx, dy, dz) = o, d
    side = _enter_quadric(
        dx * dx + dy * dy, ox * dx + oy * dy, ox * ox + oy * oy - radius * radius
    )
    with np.errstate(invalid="ignore"):
        on_side = np.abs(oz + side * dz) <= half
    end = (-np.copysign(half, dz) - oz) / np.where(np.abs(dz) < _TINY, _TINY, dz)
    ex, ey = ox + end * dx, oy + end * dy
    on_end = ex * ex + ey * ey <= radius * radius
    return np.where(on_side, side, np.where(on_end, end, np.inf))


def hit_box(o: Triple, d: Triple, size: Sizes) -> Array:
    """Half sizes along the axes."""
    enter: Array = np.array(-np.inf, np.float32)
    leave: Array = np.array(np.inf, np.float32)
    for position, slope, half in zip(o, d, size, strict=True):
        inverse = 1 / np.where(np.abs(slope) < _TINY, _TINY, slope)
        middle, reach = -position * inverse, np.abs(half * inverse)
        enter = np.maximum(enter, middle - reach)
        leave = np.minimum(leave, middle + reach)
    return np.where(enter < leave, enter, np.inf)


HIT: dict[Kind, Callable[[Triple, Triple, Sizes], Array]] = {
    "box": hit_box,
    "capsule": hit_capsule,
    "cylinder": hit_cylinder,
    "ellipsoid": hit_ellipsoid,
    "sphere": hit_sphere,
}


def half_extent(kind: Kind, size: Size) -> tuple[float, float, float]:
    """Half sizes of the smallest box around a shape, in its own frame [m]."""
    if kind == "sphere":
        return (size[0],) * 3
    if kind == "capsule":
        return size[0], size[0], size[0] + size[1]
    if kind == "cylinder":
        return size[0], size[0], size[1]
    return size[0], size[1], size[2]


def normal(kind: Kind, points: Array, size: Size) -> Array:
    """Outward unit normals (n, 3) at points (n, 3) on the surface."""
    if kind == "ellipsoid":
        out = points / np.square(np.asarray(size, dtype=points.dtype))
    elif kind == "sphere":
        out = points
    elif kind == "capsule":
        out = points.copy()
        out[:, 2] -= np.clip(points[:, 2], -size[1], size[1])
    elif kind == "cylinder":
        out = points.copy()
        radial = np.hypot(points[:, 0], points[:, 1]) / size[0]
        on_end = np.abs(points[:, 2]) / size[1] > radial
        out[:, 2] *= on_end
        out[:, :2] *= ~on_end[:, None]
    else:
        reach = np.abs(points) / np.asarray(size, dtype=points.dtype)
        face = reach.argmax(axis=1)[:, None]
        out = np.zeros_like(points)
        signs = np.sign(np.take_along_axis(points, face, axis=1))
        np.put_along_axis(out, face, signs, axis=1)
    length = np.linalg.norm(out, axis=1, keepdims=True)
    return np.asarray(out / np.maximum(length, _TINY))
