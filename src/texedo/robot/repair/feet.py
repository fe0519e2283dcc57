"""Standing feet that slide: the whole robot is moved so that they stand.

Where legs and root do not fit together, as after another scale or a drift, it is the root
that is wrong: the legs step as they were captured. So the root follows the feet. The
velocity of the foot that stands (of the slower one, if both do) is taken away from the
root; in a short flight the change keeps its pace. No joint moves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS
from texedo.motion.runs import true_runs
from texedo.robot.skate import skate_speed

Float64 = NDArray[np.float64]

_SLOW = 0.05
"""Feet slower than this count alike [m/s]."""
_FLIGHT = round(0.4 * FPS)
"""Frames of the longest flight that is bridged."""
_SMOOTHING = 2.0
"""Width of the Gaussian over the change of velocity [frames]."""


def steady_shift(centres: Float64, floor: Float64) -> Float64:
    """How far to move the robot in the plane, (T, 2) [m], so that its feet stand.

    `centres` (T, 2, 3) are those of the soles, `floor` (T,) its height [m]. Zeros if no
    foot ever stands.
    """
    speed = skate_speed(centres, floor)
    stands = np.isfinite(speed)
    known = np.asarray(stands.any(axis=1), dtype=bool)
    if not known.any():
        return np.zeros((len(centres), 2))
    weight = np.where(stands, 1.0 / (np.nan_to_num(speed) ** 2 + _SLOW**2), 0.0)
    velocity = np.gradient(centres[..., :2], 1 / FPS, axis=0)
    total = np.maximum(weight.sum(axis=1), 1e-9)[:, None]
    slide = (weight[..., None] * velocity).sum(axis=1) / total
    frames = np.arange(len(slide))
    away = np.stack(
        [np.interp(frames, frames[known], slide[known, i]) for i in (0, 1)], axis=1
    )
    for start, end in true_runs(np.logical_not(known)):
        if end - start > _FLIGHT:
            away[start:end] = 0.0
    # Here and not above: it takes longer to load than a command should take to answer.
    from scipy.ndimage import gaussian_filter1d

    away = gaussian_filter1d(away, _SMOOTHING, axis=0, mode="nearest")
    return np.asarray(-np.cumsum(away, axis=0) / FPS)
