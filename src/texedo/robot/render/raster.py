"""Visibility: which shape each pixel sees, how far, and how its surface is turned.

Each shape is ray-cast inside the box its corners span in the picture, and the nearest
one wins. A lens is linear in the pixel: origin and direction of the ray are
`base + x right + y down`, so one code serves the camera (all rays from one eye) and
the light (all rays parallel).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.robot.render.camera import Camera
from texedo.robot.render.raycast import HIT, Triple, half_extent, normal
from texedo.robot.render.scene import ShapePoses
from texedo.robot.visuals import VISUAL_ROWS, VisualRow

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Rows = tuple[VisualRow, ...]

_NEAR = 0.05
"""Nothing closer than this to the eye is drawn [m]."""
_CORNERS = np.array(
    [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64
)


class Tile(NamedTuple):
    """A rectangle of pixels."""

    rows: slice
    cols: slice


class Lens(NamedTuple):
    """Rays of a picture: t counts metres along `forward`."""

    eye: Float64
    right: Float64
    down: Float64
    forward: Float64
    step: float
    """Metres (parallel) or slope (pinhole) from one pixel to the next."""
    middle: tuple[float, float]
    """The pixel (x, y) that looks along `forward`; a crop may not hold it."""
    width: int
    height: int
    parallel: bool

    @classmethod
    def of_camera(cls, camera: Camera, *, width: int, height: int) -> Lens:
        eye, right, up, forward = camera.frame()
        step = 1.0 / camera.focal(height)
        middle = (width / 2, height / 2)
        return cls(eye, right, -up, forward, step, middle, width, height, False)

    def crop(self, tile: Tile) -> Lens:
        """The rays of one tile alone."""
        (x, y), (rows, cols) = self.middle, tile
        return self._replace(
            middle=(x - cols.start, y - rows.start),
            width=cols.stop - cols.start,
            height=rows.stop - rows.start,
        )

    def finer(self, k: int) -> Lens:
        """The same picture with k times as many pixels each way."""
        return self._replace(
            step=self.step / k,
            middle=(self.middle[0] * k, self.middle[1] * k),
            width=self.width * k,
            height=self.height * k,
        )

    def pixels(self, points_w: Float64) -> tuple[Float64, Float64]:
        """Pixels (..., 2) and depths (...) of world points; depth <= 0 is behind."""
        arm = points_w - self.eye
        depth = arm @ self.forward
        scale = np.full_like(depth, self.step)
        if not self.parallel:
            scale *= np.maximum(depth, 1e-9)
        x = self.middle[0] + (arm @ self.right) / scale
        y = self.middle[1] + (arm @ self.down) / scale
        return np.stack((x, y), axis=-1), depth

    def offsets(self, rows: slice, cols: slice) -> tuple[Float32, Float32]:
        """How far the pixels of a tile are off the middle: (1, w) and (h, 1)."""
        x = (np.arange(cols.start, cols.stop) + 0.5 - self.middle[0]) * self.step
        y = (np.arange(rows.start, rows.stop) + 0.5 - self.middle[1]) * self.step
        return x.astype(np.float32)[None, :], y.astype(np.float32)[:, None]

    def floor_depth(self) -> Float32:
        """Depth at which the rays of each row meet the floor z = 0, (H, 1) [m].

        Infinity above the horizon, or seen from below. A camera never rolls, so a row
        has one slope.
        """
        _, y = self.offsets(slice(0, self.height), slice(0, 1))
        slope = self.forward[2] + y * self.down[2]
        sinks = (slope < -1e-4) & (self.eye[2] > 0)
        depth = np.where(sinks, -self.eye[2] / np.where(sinks, slope, -1.0), np.inf)
        return depth.astype(np.float32)


class Surface(NamedTuple):
    """What the pixels see."""

    depth: Float32
    """(H, W) [m], infinity where neither shape nor floor is."""
    shape: NDArray[np.int16]
    """(H, W), number of the row, -1 where no shape is."""
    normal_w: Float32
    """(H, W, 3), unit; zero where no shape is, or where none was asked for."""


@lru_cache(maxsize=8)
def _corners(rows: Rows) -> Float64:
    """Corners of the boxes around the shapes, each in its own frame, (S, 8, 3)."""
    extent = np.array([half_extent(row.kind, row.size) for row in rows])
    return np.asarray(_CORNERS[None] * extent[:, None])


def shape_tiles(
    poses: ShapePoses, lens: Lens, rows: Rows = VISUAL_ROWS
) -> list[Tile | None]:
    """The tile each shape can touch; None where it is out of the picture."""
    world = _corners(rows) @ np.swapaxes(poses.matrix_w, 1, 2) + poses.pos_w[:, None]
    pixels, depth = lens.pixels(world)
    edge = (lens.width, lens.height)
    low = np.clip(np.floor(pixels.min(axis=1)), 0, edge).astype(np.int64)
    high = np.clip(np.ceil(pixels.max(axis=1)), 0, edge).astype(np.int64)
    # A shape that reaches behind the eye has corners without a pixel.
    reaches_behind = depth.min(axis=1) < _NEAR
    low[reaches_behind], high[reaches_behind] = 0, edge
    visible = (depth.max(axis=1) > _NEAR) & (low < high).all(axis=1)
    return [
        Tile(slice(y0, y1), slice(x0, x1)) if seen else None
        for seen, (x0, y0), (x1, y1) in zip(
            visible, low.tolist(), high.tolist(), strict=True
        )
    ]


def bounding_tile(robots: Sequence[ShapePoses], lens: Lens) -> Tile | None:
    """The tile that holds all shapes; None where they are out of the picture."""
    tiles = [t for poses in robots for t in shape_tiles(poses, lens) if t is not None]
    if not tiles:
        return None
    return Tile(
        *(
            slice(min(s.start for s in spans), max(s.stop for s in spans))
            for spans in ([t.rows for t in tiles], [t.cols for t in tiles])
        )
    )


def rasterize(
    poses: ShapePoses,
    lens: Lens,
    *,
    rows: Rows = VISUAL_ROWS,
    normals: bool = True,
    floor: bool = False,
) -> Surface:
    """The nearest shape in every pixel; `poses` are those of the `rows`.

    With a `floor`, what is under it is not seen.
    """
    size = (lens.height, lens.width)
    surface = Surface(
        np.full(size, np.inf, np.float32),
        np.full(size, -1, np.int16),
        np.zeros((*size, 3), np.float32),
    )
    if floor:
        surface.depth[:] = lens.floor_depth()
    for i, tile in enumerate(shape_tiles(poses, lens, rows)):
        if tile is not None:
            local = _local_rays(lens, tile, poses.matrix_w[i], poses.pos_w[i])
            _draw(surface, i, tile, row=rows[i], rays=local, normals=normals)
    return surface


class _Rays(NamedTuple):
    """The rays of a tile in the frame of a shape."""

    origin: Triple
    direction: Triple
    start: np.float32
    """Depth of the origins [m]."""
    turn: Float32
    """(3, 3), from the shape's frame to the world's."""


def _local_rays(lens: Lens, tile: Tile, turn: Float64, centre: Float64) -> _Rays:
    # Rays start beside the shape, not at the eye: squares of metres would cost
    # float32 the digits that a finger's radius needs.
    start = float((centre - lens.eye) @ lens.forward)
    x, y = lens.offsets(tile.rows, tile.cols)
    base, right, down, forward = (
        (v @ turn).astype(np.float32)[:, None, None]
        for v in (
            lens.eye + start * lens.forward - centre,
            lens.right,
            lens.down,
            lens.forward,
        )
    )
    slant: Float32 = right * x + down * y  # (3, h, w): components are contiguous
    depth = np.float32(start)
    if lens.parallel:
        origin, direction = base + slant, forward
    else:
        origin, direction = base + depth * slant, forward + slant
    return _Rays(
        (origin[0], origin[1], origin[2]),
        (direction[0], direction[1], direction[2]),
        depth,
        turn.astype(np.float32),
    )


def _draw(
    surface: Surface, i: int, tile: Tile, *, row: VisualRow, rays: _Rays, normals: bool
) -> None:
    t = HIT[row.kind](rays.origin, rays.direction, row.size)
    depth = surface.depth[tile]
    nearer = (t + rays.start < depth) & (t + rays.start > _NEAR)
    if not nearer.any():
        return
    np.copyto(depth, t + rays.start, where=nearer, casting="same_kind")
    surface.shape[tile][nearer] = i
    if not normals:
        return
    points = np.stack(
        [
            np.broadcast_to(o, t.shape)[nearer]
            + t[nearer] * np.broadcast_to(d, t.shape)[nearer]
            for o, d in zip(rays.origin, rays.direction, strict=True)
        ],
        axis=1,
    )
    surface.normal_w[tile][nearer] = normal(row.kind, points, row.size) @ rays.turn.T
