"""Where a palm may go, by name: a point in front of, beside or on the body."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from texedo.data.synth.author import arms
from texedo.data.synth.author.arms import Float64

Point = tuple[float, float, float]

PLACES: dict[str, Point] = {
    # On the body; a hand is thick, so that a palm stays about 0.1 m off.
    "head": (0.05, 0.07, 0.21),
    "top": (0.02, 0.04, 0.29),
    "face": (0.17, 0.04, 0.15),
    "eyes": (0.17, 0.05, 0.19),
    "forehead": (0.13, 0.07, 0.23),
    "mouth": (0.18, 0.02, 0.11),
    "chin": (0.17, 0.02, 0.06),
    "ear": (0.05, 0.14, 0.18),
    "neck": (-0.05, 0.09, 0.14),
    "throat": (0.15, 0.02, 0.02),
    "chest": (0.18, 0.04, -0.11),
    "heart": (0.18, 0.0, -0.09),
    "belly": (0.2, 0.03, -0.25),
    "shoulder": (0.17, 0.24, 0.12),
    "across": (0.16, -0.13, -0.01),
    "crossed": (0.2, -0.06, -0.12),
    "crossed-over": (0.25, -0.06, -0.05),
    "back": (-0.15, 0.1, -0.3),
    "hip": (0.03, 0.2, -0.31),
    "thigh": (0.14, 0.16, -0.44),
    "together": (0.25, 0.035, -0.12),
    "together-low": (0.23, 0.035, -0.28),
    "together-high": (0.25, 0.035, 0.12),
    "together-clap": (0.28, 0.02, -0.1),
    "wide-clap": (0.28, 0.12, -0.1),
    # Ahead, from low to high; "far" is with a stretched arm.
    "low": (0.24, 0.16, -0.36),
    "table": (0.32, 0.15, -0.26),
    "waist": (0.27, 0.15, -0.24),
    "before": (0.3, 0.14, -0.1),
    "level": (0.34, 0.12, 0.0),
    "guard": (0.22, 0.1, 0.04),
    "high": (0.32, 0.12, 0.18),
    "far": (0.46, 0.12, -0.02),
    "far-low": (0.42, 0.14, -0.22),
    "floor": (0.42, 0.2, -0.2),
    "far-high": (0.4, 0.12, 0.2),
    "far-down": (0.34, 0.14, -0.34),
    "far-across": (0.3, -0.2, -0.06),
    "inward": (0.3, -0.06, -0.08),
    "wide": (0.26, 0.34, -0.1),
    # To the side, above, behind, below.
    "side": (0.03, 0.58, 0.0),
    "side-low": (0.05, 0.5, -0.22),
    "side-high": (0.05, 0.46, 0.24),
    "cheer": (0.12, 0.3, 0.28),
    "up": (0.06, 0.18, 0.44),
    "up-together": (0.14, 0.06, 0.36),
    "behind": (-0.22, 0.22, -0.34),
    "down-ahead": (0.28, 0.07, -0.37),
    "down-side": (0.13, 0.3, -0.4),
    # Of what is only written for sentences: blows and throws, things that are held.
    "ribs": (0.1, 0.22, -0.2),
    "paws": (0.22, 0.12, -0.12),
    "armpit": (0.12, 0.23, -0.08),
    "on-shoulder": (0.16, 0.21, 0.03),
    "cocked": (0.0, 0.36, 0.16),
    "drawn": (0.14, 0.25, -0.02),
    "back-own": (0.16, 0.34, -0.06),
    "back-other": (0.22, -0.2, -0.06),
    "down-across": (0.22, -0.12, -0.34),
    "together-far": (0.4, 0.05, -0.14),
    "watch": (0.24, 0.0, -0.1),
    "look-at": (0.26, 0.08, -0.1),
    "beside": (0.02, 0.24, -0.44),
    "lasso": (0.1, 0.2, 0.34),
}
"""From the middle between the shoulders [m]: x ahead, y to the arm's own side, z up."""
_SHOULDERS = 0.24
"""Their height in the frame of the torso [m]."""
_NEAR = 0.01
"""So much farther from its place is as near [m]."""
_OWN_POSES: dict[str, Float64] = {"side": arms.SIDEWAYS, "up": arms.OVERHEAD}


def pose_at(place: str, shift: Point = (0.0, 0.0, 0.0)) -> Float64:
    """The pose of an arm with its palm at a place, moved by `shift` [m]."""
    if place == "hip":
        return arms.on_hip()
    if place in _OWN_POSES:
        # Stretched out; a little to either side as the shift says.
        return np.asarray(_OWN_POSES[place] + np.array([*shift, 0.0, 0.0, 0.0, 0.0]))
    x, y, z = (a + b for a, b in zip(PLACES[place], shift, strict=True))
    return point_at(x, y, z)


def point_at(x: float, y: float, z: float) -> NDArray[np.float64]:
    """The pose with the palm at a point from the middle between the shoulders [m]."""
    return _reached(round(x, 2), round(y, 2), round(z, 2))


@cache
def _reached(x: float, y: float, z: float) -> NDArray[np.float64]:
    """Of the poses found from several starts the one that comes nearest, and of those
    that do, the first."""
    goal = np.array([x, y, z + _SHOULDERS])
    found = [arms.reach(*goal.tolist(), like=hint) for hint in _hints(x, y, z)]
    off = [np.linalg.norm(arms.hand_in_torso(arm)[:3] - goal) for arm in found]
    near = next(i for i, far in enumerate(off) if far < min(off) + _NEAR)
    return found[near]


def _hints(x: float, y: float, z: float) -> list[tuple[float, float, float, float]]:
    """Poses from which the search begins: shoulder pitch, roll, yaw, elbow."""
    if x < -0.02 and z < 0:
        return [(0.75, 0.25, -0.7, 0.5), (0.9, 0.5, -0.4, 0.0)]
    if z > 0.1 and x < 0.2:
        return [(-0.6, 1.2, 0.5, -0.9), (-0.4, 1.5, 1.0, -0.8), (-1.2, 0.4, 0.0, -0.9)]
    if y < -0.02:
        return [(-0.5, 0.1, -0.7, -0.1), (-0.9, 0.0, -0.9, -0.3)]
    if np.hypot(x, z) > 0.38:
        first = (-1.3, 0.1, -0.1, 1.2) if z > -0.25 else (-0.5, 0.1, 0.0, 1.3)
        return [first]
    first = (-0.3, 0.35, -0.3, -0.6) if z > -0.06 else (-0.1, 0.25, -0.2, 0.2)
    return [first, (0.4, 0.5, -0.2, -0.9), (-0.8, 0.8, -0.3, -0.9)]
