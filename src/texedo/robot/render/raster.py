"""Visibility: which shape each pixel sees, how far, and how its surface is turned.

Each shape is ray-cast inside the box its corners span in the picture, and the nearest
one wins. A lens is linear in the pixel: origin and direction of the ray are
`base + x right + y down`, so one code serves the camera (all rays from one eye) and
the light (all rays parallel).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.robot.render.camera import Camera
from texedo.robot.render.raycast import HIT, half_extent, normal
from texedo.robot.render.scene import ShapePoses
from texedo.robot.visuals import VISUAL_ROWS, Kind, VisualRow

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Rows = tuple[VisualRow, ...]

_NEAR = 0.05
"""Nothing closer than this to the eye is drawn [m]."""
_PIXELS = 1 << 16
"""Pixels of shapes that are cast at once: as much as a cache holds."""
_CORNERS = np.array(
    [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64
)


class Tile(NamedTuple):
    """A rectangle of pixels."""

    rows: slice
    cols: slice

    @property
    def pixels(self) -> int:
        """How many there are."""
        high, wide = self.rows.stop - self.rows.start, self.cols.stop - self.cols.start
        return int(high * wide)


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

    def points(self, depth: Float32, hit: NDArray[np.bool_]) -> Float32:
        """World points (n, 3) that the pixels of `hit` see at their depth (H, W)."""
        rows, cols = np.nonzero(hit)
        x = ((cols + 0.5 - self.middle[0]) * self.step).astype(np.float32)
        y = ((rows + 0.5 - self.middle[1]) * self.step).astype(np.float32)
        eye, f, r, d = (
            v.astype(np.float32)
            for v in (self.eye, self.forward, self.right, self.down)
        )
        slant, far = x[:, None] * r + y[:, None] * d, depth[hit][:, None]
        if self.parallel:
            return np.asarray(eye + slant + far * f)
        return np.asarray(eye + far * (f + slant))

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
    rays = _Rays.of(poses, lens)
    for kind, group in _groups(rows, shape_tiles(poses, lens, rows)):
        sizes = np.array([rows[i].size for i in group], np.float32)
        for i, depth in _cast(kind, group, rays, sizes):
            nearest = surface.depth[group[i]]
            nearer = depth < nearest
            np.copyto(nearest, depth, where=nearer)
            np.copyto(surface.shape[group[i]], np.int16(i), where=nearer)
    if normals and (surface.shape >= 0).any():
        _add_normals(surface, poses, lens, rows)
    return surface


def _groups(
    rows: Rows, tiles: Sequence[Tile | None]
) -> Iterator[tuple[Kind, dict[int, Tile]]]:
    """Shapes of one kind, by number, that are cast together: a call costs more than the
    sums of a small tile."""
    seen = [(rows[i].kind, i, tile) for i, tile in enumerate(tiles) if tile is not None]
    group: dict[int, Tile] = {}
    kind: Kind = "box"
    pixels = 0
    for own, i, tile in sorted(seen, key=lambda row: row[0]):
        if group and (own != kind or pixels + tile.pixels > _PIXELS):
            yield kind, group
            group, pixels = {}, 0
        kind, group[i] = own, tile
        pixels += tile.pixels
    if group:
        yield kind, group


class _Rays(NamedTuple):
    """The rays of a picture in the frames of S shapes: a part of the column, (S, 3, W),
    and one of the row, (S, 3, H), to be added."""

    origin: tuple[Float32, Float32]
    direction: tuple[Float32, Float32]
    start: Float32
    """Depth of the origins, (S,) [m]."""

    @classmethod
    def of(cls, poses: ShapePoses, lens: Lens) -> _Rays:
        # Rays start beside the shape, not at the eye: squares of metres would cost
        # float32 the digits that a finger's radius needs.
        start = (poses.pos_w - lens.eye) @ lens.forward
        beside = lens.eye + start[:, None] * lens.forward - poses.pos_w
        base = np.einsum("si,sij->sj", beside, poses.matrix_w)
        right, down, forward = (
            np.einsum("i,sij->sj", v, poses.matrix_w)
            for v in (lens.right, lens.down, lens.forward)
        )
        base, right, down, forward = (
            v.astype(np.float32)[..., None] for v in (base, right, down, forward)
        )
        far = start.astype(np.float32)
        x, y = lens.offsets(slice(0, lens.height), slice(0, lens.width))
        along, across = right * x, down * y.T
        if lens.parallel:
            none = np.zeros_like(across)
            return cls((base + along, across), (forward + 0 * along, none), far)
        depth = far[:, None, None]
        origin = base + depth * along, depth * across
        return cls(origin, (forward + along, across), far)


def _cast(
    kind: Kind, group: Mapping[int, Tile], rays: _Rays, sizes: Float32
) -> Iterator[tuple[int, Float32]]:
    """The shapes, each with the depth of its tile, infinity where it is not."""
    counts = [tile.pixels for tile in group.values()]
    ends = np.cumsum(counts).tolist()
    origin, direction = np.empty((2, 3, ends[-1]), np.float32)
    for (i, (down, across)), end, count in zip(
        group.items(), ends, counts, strict=True
    ):
        shape = (3, down.stop - down.start, across.stop - across.start)
        own = slice(end - count, end)
        for all_of_them, (column, row) in (
            (origin, rays.origin),
            (direction, rays.direction),
        ):
            out = all_of_them[:, own].reshape(shape)
            np.add(column[i, :, None, across], row[i, :, down, None], out=out)
    size = tuple(np.repeat(part, counts) for part in sizes.T)
    o, d = ((v[0], v[1], v[2]) for v in (origin, direction))
    t = HIT[kind](o, d, size) + np.repeat(rays.start[list(group)], counts)
    np.copyto(t, np.inf, where=t <= _NEAR)
    for (i, (down, _)), end, count in zip(group.items(), ends, counts, strict=True):
        yield i, t[end - count : end].reshape(down.stop - down.start, -1)


def _add_normals(surface: Surface, poses: ShapePoses, lens: Lens, rows: Rows) -> None:
    """How the surface is turned where a shape is seen."""
    hit = surface.shape >= 0
    which = surface.shape[hit]
    points = lens.points(surface.depth, hit)
    found = np.empty_like(points)
    order = np.argsort(which, kind="stable")
    seen, starts = np.unique(which[order], return_index=True)
    for i, own in zip(seen, np.split(order, starts[1:]), strict=True):
        turn = poses.matrix_w[i].astype(np.float32)
        local = (points[own] - poses.pos_w[i].astype(np.float32)) @ turn
        found[own] = normal(rows[i].kind, local, rows[i].size) @ turn.T
    surface.normal_w[hit] = found
