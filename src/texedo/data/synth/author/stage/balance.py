"""Where the centre of mass must go so that the soles can carry it.

The linear inverted pendulum: a mass at height h that accelerates by a presses on the
floor at c - (h / g) a. Given where the pressure should be, a banded least-squares
problem gives the path of the mass; it begins to move before the pressure does, as a
person leans before stepping.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded
from scipy.ndimage import gaussian_filter1d

from texedo.motion import FPS
from texedo.robot.collision import sole_points
from texedo.robot.kinematics import BodyPoses
from texedo.robot.mass import BODY_MASS, GRAVITY, centre_of_mass, mass_centres

Float64 = NDArray[np.float64]

_PAD = int(1.2 * FPS)
"""Frames at rest that are thought before and after: the pendulum forgets in 0.25 s."""
_CONTACT = 0.012
"""A point of a sole this low is on the floor [m]."""
_LIGHT = 0.4
"""A floor that carries less than this part of the weight says nothing."""
_SMOOTHNESS = 1.2e-3
"""A jerk of 1 m/s^3 counts as much as the pressure being off by this [m]."""


def pressure_point(centres: Float64) -> Float64:
    """Where the floor carries a motion, (T, 2) [m], from `mass_centres` (T, 30, 3).

    Every body counts as a point mass. Where hardly anything presses on the floor the
    point is that below the centre of mass.
    """
    smooth = gaussian_filter1d(centres, 1.5, axis=0, mode="nearest")
    bend = np.zeros_like(smooth)
    bend[1:-1] = (smooth[2:] - 2 * smooth[1:-1] + smooth[:-2]) * FPS**2
    push = (bend[..., 2] + GRAVITY) * BODY_MASS  # (T, 30)
    moment = push[..., None] * centres[..., :2]
    moment -= (BODY_MASS * centres[..., 2])[..., None] * bend[..., :2]
    total = push.sum(axis=1)
    point = moment.sum(axis=1) / np.maximum(total, 1e-6)[:, None]
    loose = total < _LIGHT * GRAVITY * BODY_MASS.sum()
    point[loose] = centre_of_mass(centres)[loose, :2]
    return np.asarray(point)


def outside_support(poses: BodyPoses) -> Float64:
    """How far the pressure lies outside what the soles cover, (T,) [m].

    Negative inside; NaN where no sole is on the floor. The soles' outline is tested in
    16 directions, which is never more than 2 % short.
    """
    point = pressure_point(mass_centres(poses))
    soles = sole_points(poses).reshape(len(point), -1, 3)  # (T, 28, 3)
    down = soles[..., 2] < _CONTACT
    angle = np.arange(16) * np.pi / 8
    ways = np.stack((np.cos(angle), np.sin(angle)))  # (2, 16)
    reach = np.where(down[..., None], soles[..., :2] @ ways, -np.inf).max(axis=1)
    out = (point @ ways - reach).max(axis=1)
    return np.where(down.any(axis=1), out, np.nan)


class Rest(NamedTuple):
    """Where a path begins or ends, and how fast, in the ground plane."""

    position: Float64
    """(2,) [m]."""
    velocity: Float64
    """(2,) [m/s]."""


def mass_path(
    pressure: Float64,
    *,
    height: float,
    start: Rest | None = None,
    end: Rest | None = None,
) -> Float64:
    """Path of the mass (T, 2) whose pressure point follows `pressure` (T, 2) [m].

    Without `start` or `end` the motion comes from, or goes to, rest over the pressure.
    """
    head = 0 if start else _PAD
    tail = 0 if end else _PAD
    wanted = np.concatenate(
        (
            np.repeat(pressure[:1], head, axis=0),
            pressure,
            np.repeat(pressure[-1:], tail, axis=0),
        )
    )
    fixed = _fixed(len(wanted), wanted, start, end)
    path = _solve(wanted, height, fixed)
    return path[head : head + len(pressure)]


def _fixed(
    frames: int, wanted: Float64, start: Rest | None, end: Rest | None
) -> dict[int, Float64]:
    """Frames whose place is given: two at each end give place and velocity."""
    fixed: dict[int, Float64] = {}
    if start is None:
        fixed[0] = fixed[1] = wanted[0]
    else:
        fixed[0] = start.position
        fixed[1] = start.position + start.velocity / FPS
    if end is None:
        fixed[frames - 1] = fixed[frames - 2] = wanted[-1]
    else:
        fixed[frames - 1] = end.position
        fixed[frames - 2] = end.position - end.velocity / FPS
    return fixed


def _solve(wanted: Float64, height: float, fixed: dict[int, Float64]) -> Float64:
    """Least squares over pressure errors and jerks, with some frames given."""
    n = len(wanted)
    stretch = height / GRAVITY * FPS**2
    pressure_row = np.array([-stretch, 1 + 2 * stretch, -stretch])  # frames t-1, t, t+1
    jerk_row = np.array([-1.0, 3.0, -3.0, 1.0]) * FPS**3 * _SMOOTHNESS
    bands = np.zeros((4, n))  # lower form: bands[k, i] is entry (i + k, i)
    for row, count in ((pressure_row, n - 2), (jerk_row, n - 3)):
        for a in range(len(row)):
            for b in range(a, len(row)):
                bands[b - a, a : a + count] += row[a] * row[b]
    right = np.zeros_like(wanted)
    for a, value in enumerate(pressure_row):
        right[a : a + n - 2] += value * wanted[1:-1]
    for at, value in fixed.items():
        _hold(bands, right, at, value)
    return np.asarray(solveh_banded(bands, right, lower=True, check_finite=False))


def _hold(bands: Float64, right: Float64, at: int, value: Float64) -> None:
    """Make unknown number `at` equal to `value`, in place."""
    n = len(right)
    for k in range(1, len(bands)):
        if at + k < n:
            right[at + k] -= bands[k, at] * value
            bands[k, at] = 0.0
        if at - k >= 0:
            right[at - k] -= bands[k, at - k] * value
            bands[k, at - k] = 0.0
    bands[0, at] = 1.0
    right[at] = value
