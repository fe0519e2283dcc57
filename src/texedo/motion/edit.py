"""Trim, join, speed up and canonicalise motions. Every function returns a new one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import MotionError
from texedo.motion.motion import FPS, MIN_FRAMES, Motion
from texedo.motion.resample import num_frames_at, same_rate
from texedo.motion.rotations import (
    quat_conjugate,
    quat_from_yaw,
    quat_multiply,
    quat_normalize,
    quat_rotate,
    quat_slerp,
    quat_yaw,
)


def change_speed(motion: Motion, factor: float) -> Motion:
    """The same path played `factor` times as fast (2 halves the duration).

    Straight lines between frames, and slerp for the root: the corpus is made so.
    """
    if not (np.isfinite(factor) and factor > 0):
        raise ValueError(f"factor must be positive, got {factor}.")
    fps = FPS * factor
    if same_rate(fps, FPS):
        return motion
    count = num_frames_at(len(motion), fps=fps, to_fps=FPS)
    pos, quat, joints = (
        np.asarray(a, dtype=np.float64)
        for a in (motion.root_pos_w, motion.root_quat_w, motion.joint_pos)
    )
    return _sample(pos, quat_normalize(quat), joints, np.arange(count) * (fps / FPS))


def trim(motion: Motion, start: float = 0.0, end: float | None = None) -> Motion:
    """The part between two times [s], both frames included."""
    end = motion.duration if end is None else end
    finite = bool(np.isfinite([start, end]).all())
    first, last = (round(t * FPS) if finite else -1 for t in (start, end))
    if not 0 <= first < last < len(motion):
        raise MotionError(
            f"Cannot trim to {start:g}-{end:g} s: the motion lasts from 0 to "
            f"{motion.duration:g} s and needs at least {MIN_FRAMES} frames."
        )
    return Motion.from_qpos(motion.to_qpos()[first : last + 1])


def place(motion: Motion, *, xy: NDArray[Any], yaw: float) -> Motion:
    """Move the whole motion in the ground plane: its first frame goes to `xy`, `yaw`."""
    return Motion.from_qpos(place_qpos(motion.to_qpos(), xy=xy, yaw=yaw))


def place_qpos(
    qpos: NDArray[Any], *, xy: NDArray[Any], yaw: float
) -> NDArray[np.float32]:
    """The same for poses (T, 36)."""
    pos, quat = qpos[:, :3].astype(np.float64), qpos[:, 3:7].astype(np.float64)
    turn = quat_from_yaw(yaw - quat_yaw(quat[0]))
    pos = quat_rotate(turn, pos - pos[0] * [1, 1, 0]) + [*np.asarray(xy, float), 0.0]
    return np.concatenate(
        (pos, quat_multiply(turn, quat), qpos[:, 7:]), axis=1, dtype=np.float32
    )


def canonicalize(motion: Motion) -> Motion:
    """Start above the origin, facing +x. Heights stay as they are."""
    return place(motion, xy=np.zeros(2), yaw=0.0)


def concatenate(first: Motion, second: Motion, *, blend: float = 0.4) -> Motion:
    """`first`, then `second` moved to where and whither `first` ends.

    `blend` seconds of new frames ease from the end of one to the start of the other
    with a smooth step, so neither motion loses a frame; 0 puts them back to back.
    """
    if not (np.isfinite(blend) and blend >= 0):
        raise ValueError(f"blend must be zero or positive seconds, got {blend}.")
    end_yaw = float(quat_yaw(first.root_quat_w[-1].astype(np.float64)))
    second = place(second, xy=first.root_pos_w[-1, :2], yaw=end_yaw)
    a, b = (m.to_qpos().astype(np.float64) for m in (first, second))
    steps = round(blend * FPS)
    t = np.arange(1, steps + 1) / (steps + 1)
    s = (t * t * (3 - 2 * t))[:, None]
    bridge = (1 - s) * a[-1] + s * b[0]
    if steps:
        bridge[:, 3:7] = quat_slerp(a[-1, 3:7], b[0, 3:7], s[:, 0])
    return Motion.from_qpos(np.concatenate((a, bridge, b)))


def relative_yaw(motion: Motion) -> NDArray[np.float64]:
    """Heading against the first frame, unwrapped: two full turns are 4 pi, (T,) [rad]."""
    quat = motion.root_quat_w.astype(np.float64)
    start = quat_conjugate(quat_from_yaw(quat_yaw(quat[0])))
    return np.unwrap(quat_yaw(quat_multiply(start, quat)))


def _sample(
    pos: NDArray[Any],
    quat: NDArray[Any],
    joints: NDArray[Any],
    at: NDArray[Any],
) -> Motion:
    """The arrays at fractional frame numbers `at`."""
    low = np.minimum(np.floor(at + 1e-9).astype(np.int64), len(pos) - 2)
    t = np.clip(at - low, 0.0, 1.0)
    s = t[:, None]
    return Motion(
        root_pos_w=(1 - s) * pos[low] + s * pos[low + 1],
        root_quat_w=quat_slerp(quat[low], quat[low + 1], t),
        joint_pos=(1 - s) * joints[low] + s * joints[low + 1],
    )
