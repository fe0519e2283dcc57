"""What the verifier sees of a motion: 80 numbers, 25 times a second.

    0       height of the pelvis [m]
    1:4     the world's up seen from the pelvis
    4:6     planar velocity of the pelvis in its heading frame [m/s]
    6       turning speed [rad/s]
    7       how far it has turned since the start [rad], whole turns counted
    8:10    cosine and sine of that
    10:12   place on the floor seen from the start: ahead and to the left [m]
    12:41   joints [rad]
    41:80   the 13 tracked bodies beside the pelvis, in its heading frame [m]

Where the motion starts and which way it faces there plays no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from texedo.learning.kinematics_torch import BodyTree
from texedo.motion import FPS
from texedo.motion.rotations import (
    quat_from_yaw,
    quat_multiply,
    quat_to_matrix,
    quat_yaw,
)
from texedo.robot.g1 import TRACKED_BODIES
from texedo.robot.mirror import MIRROR_JOINT_INDEX, MIRROR_JOINT_SIGN

EVERY = 2
"""Frames at 50 Hz of which one is looked at."""
RATE = FPS / EVERY
UP, VELOCITY = slice(1, 4), slice(4, 6)
TURNING, TURNED, HEADING, PLACE = 6, 7, slice(8, 10), slice(10, 12)
JOINTS, BODIES = slice(12, 41), slice(41, 80)
FRAME_SIZE = 80
MIN_STD = np.concatenate(
    ([0.03], [0.05] * 3, [0.1] * 2, [0.2, 0.3], [0.5] * 2, [0.2] * 2, [0.1] * 29)
    + ([0.03] * 39,)
)
"""Smallest scale of each number: what hardly moves must not be blown up."""

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]


def frames_of(clips: Sequence[NDArray[Any]]) -> list[Float32]:
    """Frames (ceil(T / 2), 80) of the poses (T, 36) of each clip, all in one go."""
    thinned = [np.asarray(qpos[::EVERY], dtype=np.float64) for qpos in clips]
    ends = np.cumsum([len(qpos) for qpos in thinned])
    tops = [_root_columns(qpos) for qpos in thinned]
    every = np.concatenate(thinned)
    rows = np.concatenate(
        (np.concatenate(tops), every[:, 7:], _bodies(every)), axis=1, dtype=np.float32
    )
    return np.split(rows, ends[:-1])


def _root_columns(qpos: Float64) -> Float64:
    """The first twelve numbers of each frame, (T, 12)."""
    pos, (w, x, y, z) = qpos[:, :3], qpos[:, 3:7].T
    up = (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    yaw = np.unwrap(quat_yaw(qpos[:, 3:7]))
    turned = yaw - yaw[0]
    way = (pos[:, :2] - pos[0, :2]) @ _turn(yaw[:1])[0]
    step = _differences(way)
    velocity = np.einsum("ti,tij->tj", step, _turn(turned))
    columns = (pos[:, 2], *up, *velocity.T, _differences(turned), turned)
    return np.stack((*columns, np.cos(turned), np.sin(turned), *way.T), axis=-1)


def _turn(yaw: Float64) -> Float64:
    """Matrices (T, 2, 2) that take a row vector into the frames that face `yaw`."""
    cosine, sine = np.cos(yaw), np.sin(yaw)
    return np.stack((cosine, -sine, sine, cosine), axis=-1).reshape(-1, 2, 2)


def _differences(values: Float64) -> Float64:
    """Steps per second that lead to each frame; the first one has the second's."""
    if len(values) < 2:
        return np.zeros_like(values)
    steps = np.diff(values, axis=0) * RATE
    return np.concatenate((steps[:1], steps))


def _bodies(qpos: Float64) -> Float32:
    """Tracked bodies but the pelvis, seen along the heading, (T, 39)."""
    quat = qpos[:, 3:7]
    level = quat_multiply(quat_from_yaw(-quat_yaw(quat)), quat)
    root = torch.from_numpy(quat_to_matrix(level).astype(np.float32))
    joints = torch.from_numpy(qpos[:, 7:].astype(np.float32))
    with torch.inference_mode():
        places = _tree().tracked_positions(root, joints)[:, 1:]
    return np.asarray(places.flatten(1).numpy())


@cache
def _tree() -> BodyTree:
    return BodyTree()


def _mirror() -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    index, sign = np.arange(FRAME_SIZE), np.ones(FRAME_SIZE)
    sign[[2, 5, TURNING, TURNED, 9, 11]] = -1
    index[JOINTS] = 12 + MIRROR_JOINT_INDEX
    sign[JOINTS] = MIRROR_JOINT_SIGN
    names = list(TRACKED_BODIES[1:])
    for i, name in enumerate(names):
        side = {"left": "right", "right": "left"}.get(name.split("_")[0])
        other = name if side is None else side + name[name.index("_") :]
        index[41 + 3 * i : 44 + 3 * i] = 41 + 3 * names.index(other) + np.arange(3)
        sign[42 + 3 * i] = -1
    return index, sign.astype(np.float32)


MIRROR_INDEX, MIRROR_SIGN = _mirror()
"""The mirrored frames are `frames[..., MIRROR_INDEX] * MIRROR_SIGN`."""
