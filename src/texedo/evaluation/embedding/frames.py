"""What the embedding sees of a motion: 39 numbers every 0.08 s.

    0:37    the features of `texedo.learning.features`, mean of four frames
    37      how far it has turned since the start [rad], whole turns counted
    38      turning speed [rad/s]

Neither the place on the floor nor the heading of the start plays a part.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.learning.features import (
    HEADING,
    MIN_STD,
    NUM_FEATURES,
    features_from_qpos,
)
from texedo.motion import FPS

FRAME_SIZE = NUM_FEATURES + 2
FRAMES_TOGETHER = 4
"""Frames at 50 Hz that become one."""
MIN_FRAME_STD = np.concatenate((MIN_STD, [0.3, 0.2]))
"""Smallest scale of each number."""


def motion_frames(qpos: NDArray[Any]) -> NDArray[np.float32]:
    """Frames (T // 4, 39) of poses (T, 36) at 50 Hz; one at least."""
    features = features_from_qpos(qpos)
    cosine, sine = features[:, HEADING].T.astype(np.float64)
    turned = np.unwrap(np.arctan2(sine, cosine))
    speed = np.gradient(turned) * FPS if len(turned) > 1 else np.zeros_like(turned)
    rows = np.column_stack((features, turned, speed))
    if len(rows) < FRAMES_TOGETHER:
        rows = np.pad(rows, ((0, FRAMES_TOGETHER - len(rows)), (0, 0)), mode="edge")
    whole = len(rows) // FRAMES_TOGETHER * FRAMES_TOGETHER
    blocks = rows[:whole].reshape(-1, FRAMES_TOGETHER, FRAME_SIZE)
    return np.asarray(blocks.mean(axis=1), dtype=np.float32)
