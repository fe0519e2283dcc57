"""How far the robot's contact shapes are from each other and from the floor.

Every shape is a capsule (a sphere is one of length zero), so a distance is that of two
segments less two radii. Numpy float64 only, no simulator; the pairs are those that
MuJoCo tests in the model of `robot.mjcf`. Shapes are numbered as in `SHAPE_NAMES`.

Laid out like `robot.kinematics`: components first, frames last, in blocks that stay in
the cache. The lengths of the segments never change, so of the five products that two
segments need only three are left per frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion.rotations import quat_rotate
from texedo.robot.g1 import BODY_INDEX, SOLE_HEIGHT
from texedo.robot.kinematics import BodyPoses
from texedo.robot.tables import BODY_ROWS, COLLISION_ROWS, CONTACT_EXCLUDES

Float64 = NDArray[np.float64]
Pairs = NDArray[np.int64]

SHAPE_NAMES: tuple[str, ...] = tuple(row.name for row in COLLISION_ROWS)
SHAPE_INDEX: dict[str, int] = {name: i for i, name in enumerate(SHAPE_NAMES)}
SHAPE_BODIES = np.array([BODY_INDEX[row.body] for row in COLLISION_ROWS])
"""The body that carries each shape, (33,)."""

FEET: tuple[str, str] = ("left_ankle_roll_link", "right_ankle_roll_link")
"""The order of everything that has a foot axis."""
SOLE_CENTRE: tuple[float, float, float] = (0.04, 0.0, SOLE_HEIGHT)
"""Middle of the sole in the frame of an `ankle_roll` link [m]."""

_START = np.array([row.start for row in COLLISION_ROWS])  # (33, 3)
_AXIS = np.array([row.end for row in COLLISION_ROWS]) - _START  # (33, 3)
_RADIUS = np.array([row.radius for row in COLLISION_ROWS])  # (33,)
_LENGTH2 = (_AXIS**2).sum(axis=1)  # (33,)
_FOOT_SHAPES = np.array(
    [[i for i, r in enumerate(COLLISION_ROWS) if r.body == foot] for foot in FEET]
)  # (2, 7)
_SHAPES_PER_BODY = SHAPE_BODIES[None] == np.arange(len(BODY_ROWS))[:, None]

# A sphere has no length to divide by, parallel segments no unique pair of points:
# these floors make both come out finite, and the clamps then make them right.
_TINY_LENGTH2 = 1e-18
_TINY_SINE2 = 1e-14

_BLOCK_SIZE = 32768
"""Pairs times frames worked on at once: a temporary is 256 KiB."""


class ClosestPoints(NamedTuple):
    """The nearest points of the surfaces of two shapes, per frame and pair."""

    distance: Float64
    """(..., P) [m], negative where the shapes overlap."""
    on_first: Float64
    """(..., P, 3) in the world [m]."""
    on_second: Float64
    """(..., P, 3) in the world [m]."""
    normal: Float64
    """(..., P, 3), unit, from the first shape to the second, also when they overlap."""


class Penetration(NamedTuple):
    """The deepest overlap of each frame."""

    depth: Float64
    """(...) [m], 0 where nothing overlaps."""
    pair: NDArray[np.int64]
    """(...) row of `collision_pairs()`; meaningless where the depth is 0."""


@cache
def collision_pairs() -> Pairs:
    """Pairs of shapes that may touch, (P, 2), first < second.

    As in MuJoCo: not on one body, not on a body and its parent, and not excluded.
    """
    parent = {row.name: row.parent for row in BODY_ROWS}
    apart = {frozenset(pair) for pair in CONTACT_EXCLUDES}
    apart |= {frozenset((name, above)) for name, above in parent.items()}
    pairs = [
        (i, j)
        for i, a in enumerate(COLLISION_ROWS)
        for j, b in enumerate(COLLISION_ROWS)
        if i < j and a.body != b.body and frozenset((a.body, b.body)) not in apart
    ]
    table = np.array(pairs, dtype=np.int64)
    table.setflags(write=False)
    return table


def self_distances(poses: BodyPoses, pairs: Pairs | None = None) -> Float64:
    """Signed distances between shapes, (..., P) [m]; negative where they overlap."""
    pairs = collision_pairs() if pairs is None else pairs
    flat, lead = _flatten(poses)
    out = np.empty((len(pairs), flat.frames))
    for block, distance in _distance_blocks(flat, pairs):
        out[:, block] = distance
    return np.moveaxis(out, -1, 0).reshape(*lead, len(pairs))


def closest_points(poses: BodyPoses, pairs: Pairs | None = None) -> ClosestPoints:
    """Distances, nearest surface points and the direction between them.

    Where two centre lines cross the direction is undefined; it is then +z.
    """
    pairs = collision_pairs() if pairs is None else pairs
    flat, lead = _flatten(poses)
    distance = np.empty((len(pairs), flat.frames))
    points = np.empty((3, 3, len(pairs), flat.frames))
    radius = _RADIUS[pairs].T[..., None]  # (2, P, 1)
    for block in _blocks(flat.frames, len(pairs)):
        first, second = _segments(flat, pairs, block)
        s, t, gap = _nearest(first, second, pairs)
        length = _length(gap)
        normal = -gap / np.maximum(length, 1e-12)
        normal[2, length < 1e-12] = 1.0
        distance[:, block] = length - radius.sum(axis=0)
        points[0, :, :, block] = first.start + s * first.axis + radius[0] * normal
        points[1, :, :, block] = second.start + t * second.axis - radius[1] * normal
        points[2, :, :, block] = normal
    shape = (*lead, len(pairs))
    vectors = points.transpose(0, 3, 2, 1).reshape(3, *shape, 3)
    return ClosestPoints(np.moveaxis(distance, -1, 0).reshape(shape), *vectors)


def self_penetration(poses: BodyPoses) -> Penetration:
    """How deep the robot's shapes overlap at worst in each frame.

    Block by block: all distances of a long motion would not fit into memory.
    """
    flat, lead = _flatten(poses)
    depth = np.empty(flat.frames)
    pair = np.empty(flat.frames, dtype=np.int64)
    for block, distance in _distance_blocks(flat, collision_pairs()):
        pair[block] = distance.argmin(axis=0)
        depth[block] = np.maximum(-distance.min(axis=0), 0.0)
    return Penetration(depth.reshape(lead), pair.reshape(lead))


def ground_clearance(poses: BodyPoses) -> Float64:
    """Lowest point of every shape above z = 0, (..., 33) [m]; negative below it."""
    ends = np.stack((_START, _START + _AXIS))  # (2, 33, 3)
    quat = poses.quat_w[..., None, SHAPE_BODIES, :]
    height = quat_rotate(quat, ends)[..., 2].min(axis=-2)
    return np.asarray(poses.pos_w[..., SHAPE_BODIES, 2] + height - _RADIUS)


def shape_ends(poses: BodyPoses) -> Float64:
    """Lowest points of both ends of every shape, (..., 66, 3) [m]."""
    ends = np.stack((_START, _START + _AXIS))  # (2, 33, 3)
    points = quat_rotate(poses.quat_w[..., None, SHAPE_BODIES, :], ends)
    points = points + poses.pos_w[..., None, SHAPE_BODIES, :]
    points[..., 2] -= _RADIUS
    return np.asarray(points.reshape(*points.shape[:-3], -1, 3))


def sole_points(poses: BodyPoses) -> Float64:
    """Lowest points of the ends of the sole capsules, (..., 2, 14, 3) [m], left first."""
    bodies = [BODY_INDEX[name] for name in FEET]
    start, axis = _START[_FOOT_SHAPES], _AXIS[_FOOT_SHAPES]
    ends = np.concatenate((start, start + axis), axis=1)  # (2, 14, 3)
    points = quat_rotate(poses.quat_w[..., bodies, None, :], ends)
    points = points + poses.pos_w[..., bodies, None, :]
    points[..., 2] -= np.tile(_RADIUS[_FOOT_SHAPES], 2)
    return np.asarray(points)


def sole_clearance(poses: BodyPoses) -> Float64:
    """Lowest point of each sole above z = 0, (..., 2) [m], left first."""
    return np.asarray(sole_points(poses)[..., 2].min(axis=-1))


def sole_centres(poses: BodyPoses) -> Float64:
    """Middle of each sole, (..., 2, 3) [m], left first."""
    bodies = [BODY_INDEX[name] for name in FEET]
    arm = quat_rotate(poses.quat_w[..., bodies, :], np.array(SOLE_CENTRE))
    return np.asarray(poses.pos_w[..., bodies, :] + arm)


class _Flat(NamedTuple):
    """Poses as (30, 3, F) and (30, 4, F): what `forward_kinematics` has in memory."""

    pos: Float64
    quat: Float64
    frames: int


class _Segments(NamedTuple):
    start: Float64
    """(3, P, n)."""
    axis: Float64
    """(3, P, n)."""


class _Nearest(NamedTuple):
    s: Float64
    """Where on the first segment, 0 to 1, (P, n)."""
    t: Float64
    """Where on the second."""
    gap: Float64
    """From the point on the second to the point on the first, (3, P, n)."""


def _flatten(poses: BodyPoses) -> tuple[_Flat, tuple[int, ...]]:
    lead = poses.pos_w.shape[:-2]
    frames = int(np.prod(lead, dtype=np.int64))
    pos = np.moveaxis(poses.pos_w.reshape(frames, len(BODY_ROWS), 3), 0, -1)
    quat = np.moveaxis(poses.quat_w.reshape(frames, len(BODY_ROWS), 4), 0, -1)
    return _Flat(pos, quat, frames), lead


def _blocks(frames: int, num_pairs: int) -> Iterator[slice]:
    step = max(_BLOCK_SIZE // max(num_pairs, 1), 1)
    return (slice(i, min(i + step, frames)) for i in range(0, frames, step))


def _distance_blocks(flat: _Flat, pairs: Pairs) -> Iterator[tuple[slice, Float64]]:
    """Blocks of frames with their signed distances, (P, n)."""
    radii = _RADIUS[pairs].sum(axis=1)[:, None]
    for block in _blocks(flat.frames, len(pairs)):
        first, second = _segments(flat, pairs, block)
        yield block, _length(_nearest(first, second, pairs).gap) - radii


def _segments(flat: _Flat, pairs: Pairs, block: slice) -> tuple[_Segments, _Segments]:
    """Centre lines of both shapes of every pair in a block of frames."""
    start = np.empty((3, len(SHAPE_NAMES), block.stop - block.start))
    axis = np.empty_like(start)
    matrix = _matrices(flat.quat[..., block])
    for body in np.flatnonzero(_SHAPES_PER_BODY.any(axis=1)):
        shapes = _SHAPES_PER_BODY[body]
        turn = matrix[:, :, body]  # (3, 3, n)
        start[:, shapes] = np.einsum("ijn,sj->isn", turn, _START[shapes])
        start[:, shapes] += flat.pos[body, :, None, block]
        axis[:, shapes] = np.einsum("ijn,sj->isn", turn, _AXIS[shapes])
    i, j = pairs.T
    return _Segments(start[:, i], axis[:, i]), _Segments(start[:, j], axis[:, j])


def _matrices(quat: Float64) -> Float64:
    """Rotation matrices (3, 3, B, n) of quaternions (B, 4, n)."""
    w, x, y, z = np.moveaxis(quat, 1, 0)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _nearest(first: _Segments, second: _Segments, pairs: Pairs) -> _Nearest:
    """Nearest points of two segments: solve for both lines, then clamp one by one.

    Clamping s, then the best t for it, then the best s for that t is exact for two
    segments (the squared distance is convex in s and t).
    """
    a, e = _LENGTH2[pairs].T[..., None]  # (P, 1) each
    offset = first.start - second.start
    b = _dot(first.axis, second.axis)
    c = _dot(first.axis, offset)
    f = _dot(second.axis, offset)
    sine2 = np.maximum(a * e - b * b, np.maximum(_TINY_SINE2 * a * e, 1e-30))
    a, e2 = np.maximum(a, _TINY_LENGTH2), np.maximum(e, _TINY_LENGTH2)
    s = np.clip((b * f - c * e) / sine2, 0.0, 1.0)
    t = np.clip((b * s + f) / e2, 0.0, 1.0)
    s = np.clip((b * t - c) / a, 0.0, 1.0)
    return _Nearest(s, t, offset + s * first.axis - t * second.axis)


def _dot(a: Float64, b: Float64) -> Float64:
    return np.asarray(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def _length(v: Float64) -> Float64:
    return np.asarray(np.sqrt(_dot(v, v)))
