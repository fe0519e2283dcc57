"""Where the floor must push, and whether anything of the robot is there.

Gravity and the acceleration of the mass say where the floor's push must come from: the
zero-moment point. If it lies outside of what touches the floor, the robot tips over,
whatever its controller does, unless it soon moves back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS
from texedo.robot.collision import shape_ends
from texedo.robot.kinematics import BodyPoses
from texedo.robot.mass import GRAVITY

Float64 = NDArray[np.float64]

NEAR_FLOOR = 0.05
"""What is no higher above the robot's lowest point may carry it [m]."""
_MIN_LOAD = 3.0
"""A body that falls nearly freely has no zero-moment point to speak of [m/s^2]."""
_SMOOTHING = 2.0
"""Width of the Gaussian before the path of the mass is differentiated [frames]."""
_PAD = 10
"""Frames by which a path is continued: four widths and two for the derivatives."""
_ANGLES = np.arange(16) * (2 * np.pi / 16)
DIRECTIONS = np.stack((np.cos(_ANGLES), np.sin(_ANGLES)))
"""(2, 16) in the plane."""


def mass_velocity(mass: Float64) -> Float64:
    """Velocity (T, 3) [m/s] of a centre of mass on a path (T, 3)."""
    return _rate(mass)[0]


def zero_moment_point(mass: Float64) -> Float64:
    """Where the floor must push, (T, 2) [m], for a centre of mass on a path (T, 3)."""
    acceleration = _rate(mass)[1]
    load = np.maximum(GRAVITY + acceleration[:, 2:], _MIN_LOAD)
    return np.asarray(mass[:, :2] - mass[:, 2:] * acceleration[:, :2] / load)


def sideways_push(mass: Float64) -> Float64:
    """How hard the floor must push along itself, (T,), as a share of against itself."""
    acceleration = _rate(mass)[1]
    load = np.maximum(GRAVITY + acceleration[:, 2], _MIN_LOAD)
    return np.asarray(np.linalg.norm(acceleration[:, :2], axis=1) / load)


def _rate(mass: Float64) -> tuple[Float64, Float64]:
    """Velocity and acceleration (T, 3) along a path (T, 3), T >= 2."""
    # Reflected about its end points a path keeps its speed there; held, it would brake.
    pad = min(_PAD, len(mass) - 1)
    longer = np.pad(mass, ((pad, pad), (0, 0)), mode="reflect", reflect_type="odd")
    smooth = _smooth(longer)
    velocity = np.gradient(smooth, 1 / FPS, axis=0)
    acceleration = np.gradient(velocity, 1 / FPS, axis=0)
    return velocity[pad:-pad], acceleration[pad:-pad]


def _smooth(path: Float64) -> Float64:
    """Through a Gaussian, the ends held. Not scipy's: a check must not load it."""
    radius = round(4 * _SMOOTHING)
    kernel = np.exp(-0.5 * (np.arange(-radius, radius + 1) / _SMOOTHING) ** 2)
    kernel /= kernel.sum()
    longer = np.pad(path, ((radius, radius), (0, 0)), mode="edge")
    columns = [np.convolve(column, kernel, mode="valid") for column in longer.T]
    return np.stack(columns, axis=1)


def support_reach(poses: BodyPoses) -> Float64:
    """How far what may touch the floor reaches along `DIRECTIONS`, (T, 16) [m]."""
    points = shape_ends(poses)  # (T, 66, 3)
    height = points[..., 2]
    near = height < height.min(axis=1, keepdims=True) + NEAR_FLOOR
    reach = points[..., :2] @ DIRECTIONS
    return np.asarray(np.where(near[..., None], reach, -np.inf).max(axis=1))


def outside_support(push: Float64, reach: Float64) -> Float64:
    """How far a point (T, 2) lies outside of the support, (T,) [m]; 0 inside."""
    return np.asarray(np.maximum((push @ DIRECTIONS - reach).max(axis=1), 0.0))
