"""Where the robot's mass is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.motion.rotations import quat_rotate
from texedo.robot.kinematics import BodyPoses
from texedo.robot.tables import BODY_ROWS

Float64 = NDArray[np.float64]

GRAVITY = 9.81
"""[m/s^2]"""
BODY_MASS = np.array([row.mass for row in BODY_ROWS])
"""(30,) [kg]"""
_OFFSET = np.array([row.com for row in BODY_ROWS])  # (30, 3) in each body's frame


def mass_centres(poses: BodyPoses) -> Float64:
    """Centres of mass of all bodies in the world, (..., 30, 3) [m]."""
    return np.asarray(poses.pos_w + quat_rotate(poses.quat_w, _OFFSET))


def centre_of_mass(centres: Float64) -> Float64:
    """Of the whole robot, (..., 3) [m], from `mass_centres` (..., 30, 3)."""
    return np.asarray(np.einsum("...bi,b->...i", centres, BODY_MASS / BODY_MASS.sum()))
