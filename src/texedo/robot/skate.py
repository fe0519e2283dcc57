"""Foot skate: how fast a foot slides that stands. The one definition of it.

A foot stands while the centre of its sole is within 1 cm of the floor, or under it, for a
tenth of a second or more. The edges do not count: in every step a heel or a toe touches
the floor while the rest of the foot still moves. The floor is the one that the motion itself keeps to, see
`floor.own_floor`: a clip that hovers by 3 cm skates no less for it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS
from texedo.motion.runs import true_runs

Float64 = NDArray[np.float64]

STANDING_HEIGHT = 0.01
"""The centre of a sole that stands is no higher above the floor [m]."""
SHORTEST_STAND = 5
"""Frames of the shortest stand."""


def skate_speed(centres: Float64, floor: Float64) -> Float64:
    """Horizontal speed of each sole while it stands, NaN elsewhere, (T, 2) [m/s].

    `centres` (T, 2, 3) are those of the soles, `floor` (T,) is its height [m].
    """
    velocity = np.gradient(centres[..., :2], 1 / FPS, axis=0)
    stands = centres[..., 2] < floor[:, None] + STANDING_HEIGHT
    for foot in (0, 1):
        for start, end in true_runs(stands[:, foot]):
            if end - start < SHORTEST_STAND:
                stands[start:end, foot] = False
    return np.where(stands, np.linalg.norm(velocity, axis=-1), np.nan)


def mean_skate(speed: Float64) -> float:
    """Mean of `skate_speed` over both feet while they stand [m/s]; 0 if none ever does."""
    known = speed[np.isfinite(speed)]
    return float(known.mean()) if len(known) else 0.0
