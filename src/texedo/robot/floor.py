"""The floor under the feet: how far to raise or lower the robot in each frame.

The correction follows the lower envelope of the lowest point: a minimum and then a mean
over the same window, which is smooth and can never push anything under the floor. Lowering
takes a wide window, wider than a jump lasts, so that a jump stays a jump.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS
from texedo.robot.g1 import BODY_INDEX
from texedo.robot.kinematics import BodyPoses
from texedo.robot.tables import COLLISION_ROWS

Float64 = NDArray[np.float64]

FLOOR_TOLERANCE = 0.005
"""A sole this near to the floor is on it [m]."""
LOWER_WINDOW = 1.2
"""A robot that hovers for longer than this comes down [s]."""
LIFT_WINDOW = 0.6
"""Time over which a lift out of the floor comes and goes [s]."""


def own_floor(lowest: Float64) -> Float64:
    """Height of the floor that a motion keeps to, (T,) [m], from its lowest point (T,).

    0 for a motion on the floor, 0.03 for one that hovers by 3 cm all the time. Jumps
    shorter than `LOWER_WINDOW` leave it where it is.
    """
    return lower_envelope(lowest, LOWER_WINDOW)


def floor_correction(lowest: Float64) -> Float64:
    """How far to raise the robot in each frame, (T,) [m], from its lowest point (T,)."""
    hover = _beyond_tolerance(own_floor(lowest))
    lowering = np.maximum(hover, 0.0)
    sunk = _beyond_tolerance(lower_envelope(lowest - lowering, LIFT_WINDOW))
    return np.asarray(-lowering - np.minimum(sunk, 0.0))


def lower_envelope(curve: Float64, window: float) -> Float64:
    """A smooth curve (T,) that is nowhere above `curve`; `window` in seconds.

    Each value is a mean of minima over windows that all hold this frame.
    """
    half = min(round(window * FPS / 2), max(len(curve) - 1, 0))
    if half == 0:
        return curve.copy()
    padded = np.pad(curve, 2 * half, mode="edge")
    width = 2 * half + 1
    view = np.lib.stride_tricks.sliding_window_view(padded, width)
    minima = view.min(axis=1)  # (T + 2 half,)
    # A plain mean would have corners where the minimum jumps; a triangle has none.
    return np.convolve(minima, triangle(width), mode="valid")


def triangle(width: int) -> Float64:
    """Weights of a smooth mean, (width,)."""
    rise = np.minimum(np.arange(1, width + 1), np.arange(width, 0, -1))
    return np.asarray(rise / rise.sum())


def _beyond_tolerance(height: Float64) -> Float64:
    """0 within the tolerance, and continuous: what is beyond it outside."""
    return np.asarray(
        np.sign(height) * np.maximum(np.abs(height) - FLOOR_TOLERANCE, 0.0)
    )


_BODIES = np.array([BODY_INDEX[row.body] for row in COLLISION_ROWS])
_ENDS = np.array([(row.start, row.end) for row in COLLISION_ROWS])  # (33, 2, 3)
_RADII = np.array([row.radius for row in COLLISION_ROWS])


def lowest_point(poses: BodyPoses) -> Float64:
    """Lowest point of all contact shapes, (...) [m]; only heights are computed."""
    lowest = np.full(poses.pos_w.shape[:-2], np.inf)
    for body in sorted(set(_BODIES.tolist())):
        w, x, y, z = np.moveaxis(poses.quat_w[..., body, :], -1, 0)
        # The last row of the rotation matrix: what of a vector points up.
        up = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
        here = np.full(lowest.shape, np.inf)
        for shape in np.flatnonzero(_BODIES == body):
            for a, b, c in _ENDS[shape]:
                height = a * up[0] + b * up[1] + (c * up[2] - _RADII[shape])
                np.minimum(here, height, out=here)
        np.minimum(lowest, here + poses.pos_w[..., body, 2], out=lowest)
    return lowest
