"""What the tokenizer sees of a frame: 37 numbers that do not know where they are.

    0       height of the pelvis [m]
    1:4     the world's up seen from the pelvis (roll and pitch, no yaw)
    4:6     heading relative to the start, cosine and sine
    6:8     planar velocity of the pelvis in its heading frame [m/s]
    8:37    joints in MuJoCo order [rad]

The heading is absolute, so that it cannot drift however long the motion is; the place
on the floor is the running sum of the velocity. The velocity of a frame is the step that
leads to it, so the way there and back is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, NUM_JOINTS
from texedo.motion.rotations import (
    quat_from_yaw,
    quat_make_continuous,
    quat_multiply,
    quat_yaw,
)
from texedo.robot.mirror import MIRROR_JOINT_INDEX, MIRROR_JOINT_SIGN

HEIGHT = slice(0, 1)
UP = slice(1, 4)
HEADING = slice(4, 6)
VELOCITY = slice(6, 8)
JOINTS = slice(8, 8 + NUM_JOINTS)
NUM_FEATURES = 8 + NUM_JOINTS

MIRROR_INDEX = np.concatenate((np.arange(8), 8 + MIRROR_JOINT_INDEX))
MIRROR_SIGN = np.concatenate(([1, 1, -1, 1, 1, -1, 1, -1], MIRROR_JOINT_SIGN))
"""The mirrored features are `features[..., MIRROR_INDEX] * MIRROR_SIGN`."""

MIN_STD = np.concatenate(([0.03], [0.05] * 3, [0.5] * 2, [0.1] * 2, [0.1] * NUM_JOINTS))
"""Smallest scale of each feature: what hardly moves must not be blown up."""

_TINY = 1e-9
_SETTLE = 1.0
"""Time in which a wrong heading of the first frame fades out [s]."""
_MEANT = np.radians(20.0)
"""A first heading beyond this [rad] is no error: the codes start amid a motion."""

Float32 = NDArray[np.float32]


def features_from_qpos(qpos: NDArray[Any]) -> Float32:
    """Features (T, 37) of poses (T, 36): xyz, wxyz, 29 joints at 50 Hz."""
    qpos = np.asarray(qpos, dtype=np.float64)
    pos, quat = qpos[:, :3], qpos[:, 3:7]
    w, x, y, z = quat.T
    up = np.stack(
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)), axis=-1
    )
    yaw = quat_yaw(quat)
    turned = yaw - yaw[0]
    step = np.diff(pos[:, :2], axis=0) * FPS
    step = np.concatenate((step[:1], step)) if len(step) else np.zeros((1, 2))
    # The first frame has no step of its own and is given the second one's.
    facing = np.concatenate((yaw[1:2], yaw[1:])) if len(yaw) > 1 else yaw
    cosine, sine = np.cos(facing), np.sin(facing)
    forward = cosine * step[:, 0] + sine * step[:, 1]
    left = cosine * step[:, 1] - sine * step[:, 0]
    columns = (pos[:, 2], *up.T, np.cos(turned), np.sin(turned), forward, left)
    return np.concatenate((np.stack(columns, -1), qpos[:, 7:]), 1).astype(np.float32)


def qpos_from_features(features: NDArray[Any]) -> Float32:
    """Poses (T, 36) that start above the origin and face +x there."""
    features = np.asarray(features, dtype=np.float64)
    yaw = heading_angle(features)
    yaw = yaw - yaw[0]
    forward, left = features[:, VELOCITY].T
    step = np.stack(
        (
            np.cos(yaw) * forward - np.sin(yaw) * left,
            np.sin(yaw) * forward + np.cos(yaw) * left,
        ),
        axis=-1,
    )
    step[0] = 0.0
    place = np.cumsum(step, axis=0) / FPS
    quat = quat_multiply(quat_from_yaw(yaw), _tilt_quat(features[:, UP]))
    return np.concatenate(
        (place, features[:, HEIGHT], quat_make_continuous(quat), features[:, JOINTS]), 1
    ).astype(np.float32)


def heading_angle(features: NDArray[Any]) -> NDArray[np.float64]:
    """Heading of each frame of features (T, 37), (T,) [rad], within half a turn."""
    cosine, sine = features[:, HEADING].astype(np.float64).T
    return np.asarray(np.arctan2(sine, cosine))


def with_heading(features: Float32, yaw: NDArray[np.float64]) -> Float32:
    """A copy of features (T, 37) that faces `yaw` (T,)."""
    turned = features.copy()
    turned[:, HEADING] = np.stack((np.cos(yaw), np.sin(yaw)), axis=-1)
    return turned


def with_settled_heading(features: Float32) -> Float32:
    """Features (T, 37) whose heading begins at 0 and is as decoded from 1 s on.

    Headings count from the start, so what the first frame has is its own error. Taken
    off all frames, as if it were a turn of the world, it would spoil the whole path.
    """
    yaw = heading_angle(features)
    error = yaw[0]
    if abs(error) > _MEANT:
        return features
    passed = np.minimum(np.arange(len(features)) / (_SETTLE * FPS), 1.0)
    return with_heading(features, yaw - error * (1.0 + np.cos(np.pi * passed)) / 2.0)


def mirror_features(features: NDArray[Any]) -> NDArray[Any]:
    """Features (..., 37) of the motion in the mirror, of the same dtype."""
    sign = MIRROR_SIGN.astype(features.dtype)
    return np.asarray(features[..., MIRROR_INDEX] * sign)


def _tilt_quat(up: NDArray[np.float64]) -> NDArray[np.float64]:
    """Roll, then pitch, that show the world's up as `up` (T, 3)."""
    x, y, z = up.T
    pitch = np.arctan2(-x, np.maximum(np.hypot(y, z), _TINY)) / 2
    roll = np.arctan2(y, z) / 2
    return np.stack(
        (
            np.cos(pitch) * np.cos(roll),
            np.cos(pitch) * np.sin(roll),
            np.sin(pitch) * np.cos(roll),
            -np.sin(pitch) * np.sin(roll),
        ),
        axis=-1,
    )
