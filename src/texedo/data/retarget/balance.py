"""Where the pelvis must go so that the robot can stand on the feet it stands on.

A person's way of balancing does not fit the robot's masses and stance: carried over as
it is, a lifted leg leaves the centre of mass beside the foot that carries it. The point
where the floor must push (the zero-moment point) says by how much. A shift d of the body
moves it by d - tau^2 d'', tau^2 = height / gravity, so the shift that moves it as wanted
is the wanted move, seen through a two-sided exponential of width tau: a slow balance is
put right in full, the sway of a quick walk hardly changes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_banded

from texedo.motion import FPS
from texedo.motion.rotations import quat_rotate
from texedo.robot.balance import zero_moment_point
from texedo.robot.collision import FEET, sole_centres
from texedo.robot.g1 import BODY_INDEX
from texedo.robot.kinematics import BodyPoses, forward_kinematics
from texedo.robot.mass import GRAVITY, centre_of_mass, mass_centres

Float64 = NDArray[np.float64]

SOLE_MIDDLE = (0.06, 0.012)
"""Half length and half width of the middle of a sole, where the push should be: a tracker
needs the rest of the foot (about 9 by 3 cm) to correct [m]."""
STRIP = 0.06
"""Half width of the strip between two soles, where both carry [m]."""
MAX_MOVE = 0.12
"""No move is wanted farther than this: more is not a matter of balance, a hand or a wall
holds the person [m]."""


def balance_shift(path: Float64, planted: NDArray[np.bool_]) -> Float64:
    """Planar shift (T, 2) [m] of the body along a path (T, 36), T >= 2, that balances it.

    `planted` (T, 2) says which feet carry, left first; where none does no move is wanted.
    """
    poses = forward_kinematics(path[:, :3], path[:, 3:7], path[:, 7:])
    mass = centre_of_mass(mass_centres(poses))
    wanted = _wanted_move(zero_moment_point(mass), poses, planted)
    return through_pendulum(wanted, tau=float(np.sqrt(np.median(mass[:, 2]) / GRAVITY)))


def through_pendulum(wanted: Float64, *, tau: float) -> Float64:
    """The d with d - tau^2 d'' = wanted, (T, 2), that comes to rest at both ends.

    A sway of angular frequency omega passes with the factor 1 / (1 + tau^2 omega^2).
    """
    stiffness = (tau * FPS) ** 2
    bands = np.zeros((3, len(wanted)))
    bands[0, 1:] = bands[2, :-1] = -stiffness
    bands[1] = 1.0 + 2.0 * stiffness
    bands[1, [0, -1]] = 1.0 + stiffness
    return np.asarray(solve_banded((1, 1), bands, wanted))


def _wanted_move(
    push: Float64, poses: BodyPoses, planted: NDArray[np.bool_]
) -> Float64:
    """From the push to where the planted feet can give it, (T, 2)."""
    left, right = planted.T[..., None]
    wanted = np.where(left, _into_sole(push, poses, 0), _into_sole(push, poses, 1))
    wanted = np.where(left & right, _between_soles(push, poses), wanted)
    wanted = np.where(left | right, wanted, 0.0)
    far = np.linalg.norm(wanted, axis=1, keepdims=True)
    return np.asarray(wanted * np.minimum(1.0, MAX_MOVE / np.maximum(far, 1e-9)))


def _into_sole(push: Float64, poses: BodyPoses, foot: int) -> Float64:
    """Shortest move (T, 2) that brings the push into the middle of a sole."""
    toes = quat_rotate(poses.quat_w[:, BODY_INDEX[FEET[foot]]], np.array([1.0, 0, 0]))
    forward = toes[:, :2] / np.maximum(
        np.linalg.norm(toes[:, :2], axis=1, keepdims=True), 1e-6
    )
    left = np.stack((-forward[:, 1], forward[:, 0]), axis=1)
    gap = push - sole_centres(poses)[:, foot, :2]
    along, across = (gap * forward).sum(axis=1), (gap * left).sum(axis=1)
    length, width = SOLE_MIDDLE
    back = np.clip(along, -length, length) - along
    side = np.clip(across, -width, width) - across
    return np.asarray(back[:, None] * forward + side[:, None] * left)


def _between_soles(push: Float64, poses: BodyPoses) -> Float64:
    """Shortest move (T, 2) into the strip from one sole's centre to the other's."""
    centres = sole_centres(poses)[..., :2]
    way = centres[:, 1] - centres[:, 0]
    length2 = np.maximum((way * way).sum(axis=1), 1e-6)
    along = np.clip(((push - centres[:, 0]) * way).sum(axis=1) / length2, 0.0, 1.0)
    gap = centres[:, 0] + along[:, None] * way - push
    far = np.linalg.norm(gap, axis=1, keepdims=True)
    return np.asarray(gap * np.maximum(0.0, 1.0 - STRIP / np.maximum(far, 1e-9)))
