"""What the paper's verifier sees of a motion: 36 numbers a frame, at 50 Hz.

    0       height of the pelvis [m]
    1:4     the world's up seen from the pelvis (roll and pitch, no yaw)
    4       turning speed of the heading, left is positive [rad/s]
    5:7     planar velocity of the pelvis in its heading frame [m/s]
    7:36    joints in MuJoCo order [rad]

The paper's own frames carry the orientation in the world, so that its score changes with
the heading. Here neither the place nor the heading of the start plays a part.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.learning.features import (
    HEADING,
    JOINTS,
    VELOCITY,
    features_from_qpos,
)
from texedo.learning.features import MIN_STD as PLACE_FREE_STD
from texedo.motion import FPS
from texedo.see.semantics.vectors import require_finite

NUM_FEATURES = 36
FRAMES_PER_CODE = 4
"""Two layers of stride 2."""
MIN_STD = np.concatenate(
    (PLACE_FREE_STD[:4], [0.2], PLACE_FREE_STD[VELOCITY], PLACE_FREE_STD[JOINTS])
)
"""Smallest scale of each number: what hardly moves must not be blown up."""

Float32 = NDArray[np.float32]


def motion_features(qpos: NDArray[Any]) -> Float32:
    """Numbers (T', 36) of poses (T, 36) at 50 Hz; T' is T less what is no whole code.

    A motion that is shorter than one code holds its last frame until it is one.
    """
    require_finite(qpos)
    features = features_from_qpos(qpos)
    rows = np.concatenate(
        (
            features[:, :4],
            _turning_speed(features)[:, None],
            features[:, VELOCITY],
            features[:, JOINTS],
        ),
        axis=1,
    )
    return cut_to_codes(rows).astype(np.float32)


def cut_to_codes(rows: NDArray[Any]) -> NDArray[Any]:
    """Rows (T, D) less what is no whole code; the last is held until there is one."""
    missing = max(FRAMES_PER_CODE - len(rows), 0)
    rows = np.pad(rows, ((0, missing), (0, 0)), mode="edge")
    return rows[: whole_codes(len(rows))]


def whole_codes(frames: int) -> int:
    """Frames that make whole codes."""
    return frames // FRAMES_PER_CODE * FRAMES_PER_CODE


def _turning_speed(features: Float32) -> NDArray[np.float64]:
    """Of the step that leads to each frame, (T,) [rad/s]; the first has the second's."""
    cosine, sine = features[:, HEADING].T.astype(np.float64)
    turned = np.unwrap(np.arctan2(sine, cosine))
    speed = np.diff(turned) * FPS
    return np.concatenate((speed[:1], speed)) if len(speed) else np.zeros(1)
