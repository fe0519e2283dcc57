"""Features at 25 frames per second to motions at 50.

The frames between are those of a spline through the others (`motion.splines`), so that
what the model does not see, motion faster than 12 Hz, is not invented either.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.learning.features import qpos_from_features, with_settled_heading
from texedo.motion import Motion
from texedo.motion.splines import spline_at
from texedo.text.diffusion.model import EVERY


def motion_of(features: NDArray[np.float32], frames: int | None = None) -> Motion:
    """The motion through features (T, 37) at 25 Hz, cut to so many frames at 50 Hz."""
    at = np.arange(EVERY * (len(features) - 1) + 1) / EVERY
    dense = spline_at(features, at[:frames]).astype(np.float32)
    return Motion.from_qpos(qpos_from_features(with_settled_heading(dense)))
