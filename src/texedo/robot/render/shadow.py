"""Shadows by looking at the robot from the light and remembering how far it saw."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.robot.render.raster import Float32, Float64, Lens, rasterize
from texedo.robot.render.scene import ShapePoses

_RESOLUTION = 224
_BLUR = 2
"""Softness of the shadow on the floor [cells of the map]."""
_BIAS = 0.012
"""A surface may lie this far behind what the light saw and still be lit [m]."""


class ShadowMap:
    """What a parallel light sees of one robot."""

    def __init__(self, poses: ShapePoses, towards_light: Float64) -> None:
        self._light = towards_light
        middle = (poses.pos_w.min(axis=0) + poses.pos_w.max(axis=0)) / 2
        reach = float(np.linalg.norm(poses.pos_w - middle, axis=1).max()) + 0.15
        side = np.cross(towards_light, (0.0, 0.0, 1.0))
        if np.linalg.norm(side) < 1e-6:
            side = np.array([1.0, 0.0, 0.0])
        side /= np.linalg.norm(side)
        self._lens = Lens(
            eye=middle + (reach + 1.0) * towards_light,
            right=side,
            down=np.cross(side, towards_light),
            forward=-towards_light,
            step=2 * reach / _RESOLUTION,
            middle=(_RESOLUTION / 2, _RESOLUTION / 2),
            width=_RESOLUTION,
            height=_RESOLUTION,
            parallel=True,
        )
        self._depth = rasterize(poses, self._lens, normals=False).depth
        self._shade = _blur(np.isfinite(self._depth).astype(np.float32), _BLUR)

    def on_floor(self, x: NDArray[Any], y: NDArray[Any]) -> Float32:
        """How much of the light the robot takes from floor points, 0 to 1."""
        u, v = self._floor_pixels(x, y)
        inside = (u > 0.5) & (v > 0.5) & (u < _RESOLUTION - 1) & (v < _RESOLUTION - 1)
        out = np.zeros(np.shape(u), np.float32)
        rows, cols, weights = _corners(u[inside], v[inside])
        out[inside] = sum(
            w * self._shade[r, c] for r, c, w in zip(rows, cols, weights, strict=True)
        )
        return out

    def on_robot(self, points_w: Float32, normal_w: Float32) -> Float32:
        """How much light reaches points (n, 3) on the robot, 0 to 1."""
        # Off the surface by a cell of the map, or a slanting surface shades itself.
        clearance = np.float32(1.5 * self._lens.step)
        pixels, depth = self._lens.pixels(points_w + clearance * normal_w)
        edge = _RESOLUTION - 1.5
        u, v = np.clip(pixels[:, 0], 1, edge), np.clip(pixels[:, 1], 1, edge)
        rows, cols, weights = _corners(u, v)
        limit = depth - _BIAS
        lit = np.zeros(len(points_w), np.float32)
        for r, c, w in zip(rows, cols, weights, strict=True):
            lit += w * (self._depth[r, c] > limit)
        return lit

    def _floor_pixels(
        self, x: NDArray[Any], y: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Pixels of floor points: linear in them, so no 3-D point need be made."""
        lens = self._lens
        out = []
        for axis in (lens.right, lens.down):
            a = (axis / lens.step).astype(np.float32)
            offset = np.float32(_RESOLUTION / 2 - float(lens.eye @ axis) / lens.step)
            out.append(x * a[0] + y * a[1] + offset)
        return out[0], out[1]


def _corners(
    u: NDArray[Any], v: NDArray[Any]
) -> tuple[list[NDArray[Any]], list[NDArray[Any]], list[NDArray[Any]]]:
    """The four cells around points, and their bilinear weights."""
    x, y = u - 0.5, v - 0.5
    c, r = x.astype(np.int32), y.astype(np.int32)
    fx, fy = x - c, y - r
    return (
        [r, r, r + 1, r + 1],
        [c, c + 1, c, c + 1],
        [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy],
    )


def _blur(image: Float32, radius: int) -> Float32:
    """Two passes of a box filter: a tent, soft enough for a shadow's edge."""
    for _ in range(2):
        for axis in (0, 1):
            shifts = range(-radius, radius + 1)
            image = np.mean([np.roll(image, s, axis) for s in shifts], axis=0)
    return np.asarray(image, dtype=np.float32)
