"""Motions as the page carries them: 16-bit numbers, as text.

A pose is x, y, z, the pelvis' quaternion wxyz and 29 joint angles. An angle is stored to
a ten-thousandth of a radian, a place to a millimetre or better within thirty metres. The
page interpolates between the frames it has.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS

MOST_BYTES = 3_000_000
"""Of all poses together, as text; beyond it fewer frames a second are kept."""
_STRIDES = (2, 3, 4, 5)
_FULL = 32767
_ANGLE = 4.0
"""Radians of the largest number; joints and quaternions are smaller."""
_LEAST_REACH = 4.0
"""Metres of the largest number, at least."""


def stride_for(lengths: Sequence[int]) -> int:
    """Which frames of motions so long are kept: every second, or every fifth at most."""
    for stride in _STRIDES:
        frames = sum(length // stride + 2 for length in lengths)
        if frames * 36 * 2 * 4 / 3 <= MOST_BYTES:
            return stride
    return _STRIDES[-1]


def pack_poses(qpos: NDArray[Any], stride: int) -> dict[str, Any]:
    """Poses (T, 36) as plain values: every so many frames, and the last one."""
    last = len(qpos) - 1
    kept = np.unique(np.append(np.arange(0, len(qpos), stride), last))
    poses = np.asarray(qpos, dtype=np.float64)[kept]
    # A simulation that blew up has no picture; its last good pose stays.
    good = np.isfinite(poses).all(axis=1)
    poses = poses[np.maximum.accumulate(np.where(good, np.arange(len(poses)), 0))]
    poses = np.nan_to_num(poses, nan=0.0, posinf=0.0, neginf=0.0)
    reach = max(_LEAST_REACH, float(np.abs(poses[:, :3]).max()))
    scale = np.full(poses.shape[1], _FULL / _ANGLE)
    scale[:3] = _FULL / reach
    packed = np.clip(np.rint(poses * scale), -_FULL, _FULL).astype("<i2")
    return {
        "frames": len(qpos),
        "stride": stride,
        "fps": FPS,
        "reach": reach,
        "angle": _ANGLE,
        "poses": _text(packed),
    }


def pack_shares(values: NDArray[Any]) -> str:
    """Numbers from 0 to 1 as unsigned 16-bit ones; what is not finite is 0."""
    clean = np.nan_to_num(np.asarray(values, dtype=np.float64), nan=0.0)
    return _text(np.rint(np.clip(clean, 0.0, 1.0) * 65535).astype("<u2"))


def _text(array: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
