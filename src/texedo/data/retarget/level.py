"""The floor of a recording, made level.

Capture volumes are calibrated by hand: many floors lean by a degree, which is 7 cm from
one end of a walk to the other. On such a floor a person seems to wade at one end and to
float at the other, and leans all the way. Toes that rest say where the floor is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from texedo.data.capture.source import SourceMotion
from texedo.data.retarget.feet import sound_foot
from texedo.motion import FPS
from texedo.motion.rotations import quat_from_rotvec, quat_multiply, quat_rotate
from texedo.robot.gaps import SIDES

Float64 = NDArray[np.float64]

_SLOW = 0.45
"""A toe slower than this rests, as a rule on the floor [m/s]."""
_NEAR = 0.02
"""A resting toe this far from the floor counts half: it may be held up [m]."""
_NOISE = 0.015
"""How well half a second of rest tells the height of the floor [m]."""
_LEAN = 0.015
"""What a floor's slope is expected to be; large spread of evidence overrules it."""
_MAX_LEAN = 0.022
"""A steeper fit is no floor: somebody climbs."""
_ROUNDS = 12


def level_floor(source: SourceMotion) -> SourceMotion:
    """A 50 Hz source turned so that the floor its toes rest on is level."""
    slope = floor_slope([sound_foot(source, side)[1] for side in SIDES])
    angle = np.arctan(np.linalg.norm(slope))
    if angle == 0.0:
        return source
    # The normal (-x, -y, 1) falls towards -slope; this axis turns it up.
    axis = np.array([-slope[1], slope[0], 0.0]) / np.linalg.norm(slope)
    turn = quat_from_rotvec(axis * angle)
    return replace(
        source,
        positions={
            role: quat_rotate(turn, np.asarray(p, dtype=np.float64))
            for role, p in source.positions.items()
        },
        orientations={
            role: quat_multiply(turn, np.asarray(q, dtype=np.float64))
            for role, q in source.orientations.items()
        },
    )


def floor_slope(toes: list[Float64]) -> Float64:
    """Rise of the floor along x and y, (2,), under toes (T, 3) [m] at 50 Hz; 0 if unsure.

    A robust fit of a plane to the resting toes, each foot with a height of its own.
    """
    rows, heights = [], []
    for foot, toe in enumerate(toes):
        smooth = gaussian_filter1d(toe, 1.0, axis=0)
        speed = np.linalg.norm(np.gradient(smooth, 1 / FPS, axis=0), axis=1)
        rest = toe[speed < _SLOW]
        which = np.zeros((len(rest), len(toes)))
        which[:, foot] = 1.0
        rows.append(np.concatenate((rest[:, :2], which), axis=1))
        heights.append(rest[:, 2])
    matrix, height = np.concatenate(rows), np.concatenate(heights)
    if len(height) < FPS:
        return np.zeros(2)
    matrix[:, :2] -= matrix[:, :2].mean(axis=0)
    prior = np.diag([_LEAN**-2] * 2 + [1e-6] * len(toes))
    evidence = 2 / FPS / _NOISE**2
    plane = np.concatenate((np.zeros(2), np.full(len(toes), np.median(height))))
    for _ in range(_ROUNDS):
        weight = evidence / (1 + ((height - matrix @ plane) / _NEAR) ** 2)
        hessian = matrix.T @ (weight[:, None] * matrix) + prior
        plane = np.linalg.solve(hessian, matrix.T @ (weight * height))
    slope = plane[:2]
    return np.asarray(slope if np.linalg.norm(slope) < _MAX_LEAN else np.zeros(2))
