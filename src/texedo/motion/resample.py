"""Motions from one frame rate to another, along smooth curves through the frames."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import MotionError
from texedo.motion.motion import FPS, MAX_FRAMES, MIN_FRAMES, Motion
from texedo.motion.rotations import (
    quat_angle,
    quat_make_continuous,
    quat_normalize,
    quat_slerp,
)
from texedo.motion.splines import spline_at

Float64 = NDArray[np.float64]
Ranges = tuple[NDArray[Any], NDArray[Any]]
"""Lowest and highest angle of every joint, (29,) each [rad]."""

MIN_FPS, MAX_FPS = 0.01, 10_000.0
"""Of a rate that somebody can mean: a frame in 100 s, and ten times a motor's clock."""
_BIG_TURN = 0.5
"""Turn of the root between two frames past which it is taken at a constant rate [rad].

Components of a quaternion are smooth curves of time only while it turns little; half a
radian per frame is no motion but a jump, and a spline would swing about it.
"""


class Frames(NamedTuple):
    """The arrays of a motion at any rate."""

    root_pos_w: NDArray[Any]
    """(T, 3) [m]."""
    root_quat_w: NDArray[Any]
    """(T, 4), wxyz."""
    joint_pos: NDArray[Any]
    """(T, 29) [rad]."""


def same_rate(fps: float, to_fps: float) -> bool:
    """Whether two rates are one, but for rounding."""
    return bool(np.isclose(fps, to_fps, rtol=1e-9, atol=0.0))


def num_frames_at(frames: int, *, fps: float, to_fps: float) -> int:
    """How many frames of the other rate the given ones cover; raises `MotionError`."""
    for rate in (fps, to_fps):
        if not MIN_FPS <= rate <= MAX_FPS:
            raise MotionError(
                f"fps must be from {MIN_FPS:g} to {MAX_FPS:g}, got {rate:g}."
            )
    if frames < MIN_FRAMES:
        raise MotionError(f"A motion needs at least {MIN_FRAMES} frames, got {frames}.")
    # 1e-6 of a frame: (n-1)*50/fps must not lose its last frame to rounding.
    covered = (frames - 1) * (to_fps / fps) + 1e-6
    if covered >= MAX_FRAMES:
        raise MotionError(
            f"{frames} frames at {fps:g} fps make {covered + 1:.0f} frames at "
            f"{to_fps:g} Hz; at most {MAX_FRAMES} are allowed. Is the fps right?"
        )
    if covered < 1:
        raise MotionError(
            f"{frames} frames at {fps:g} fps last {(frames - 1) / fps:.4f} s: less than "
            f"two frames at {to_fps:g} Hz."
        )
    return int(covered) + 1


def resample(
    root_pos_w: NDArray[Any],
    root_quat_w: NDArray[Any],
    joint_pos: NDArray[Any],
    *,
    fps: float,
    ranges: Ranges | None = None,
) -> Motion:
    """A `Motion` from arrays at any rate; at 50 Hz they are taken as they are.

    See `resample_frames` for what is done at other rates.
    """
    frames = Frames(*(np.asarray(a) for a in (root_pos_w, root_quat_w, joint_pos)))
    if not same_rate(fps, FPS):
        num_frames_at(len(frames.root_pos_w), fps=fps, to_fps=FPS)
        # Checks NaN and zero quaternions before a spline spreads them.
        Motion(**frames._asdict())
        frames = resample_frames(frames, fps=fps, to_fps=FPS, ranges=ranges)
    return Motion(**frames._asdict())


def resample_frames(
    frames: Frames, *, fps: float, to_fps: float, ranges: Ranges | None = None
) -> Frames:
    """Finite frames at another rate, along the quintic splines through them.

    Output frame k is the input at time k/to_fps, so both share the instant 0 and every
    instant that is a multiple of both frame times; the last output frame is the last
    one that the input still covers. Joints stay within `ranges`, where the frames
    around them do.
    """
    if same_rate(fps, to_fps):
        return frames
    count = num_frames_at(len(frames.root_pos_w), fps=fps, to_fps=to_fps)
    at: Float64 = np.arange(count) * np.float64(fps / to_fps)
    low = np.minimum(np.floor(at + 1e-9).astype(np.int64), len(frames.root_pos_w) - 2)
    joints = spline_at(frames.joint_pos, at)
    if ranges is not None:
        before, after = frames.joint_pos[low], frames.joint_pos[low + 1]
        lower = np.minimum(np.minimum(before, after), ranges[0])
        upper = np.maximum(np.maximum(before, after), ranges[1])
        np.clip(joints, lower, upper, out=joints)
    return Frames(
        root_pos_w=spline_at(frames.root_pos_w, at),
        root_quat_w=_turns(frames.root_quat_w, at, low),
        joint_pos=joints,
    )


def _turns(quat: NDArray[Any], at: Float64, low: NDArray[np.int64]) -> Float64:
    """Unit quaternions on the way, (N, 4): splines of their components, made unit."""
    quat = quat_make_continuous(quat_normalize(np.asarray(quat, dtype=np.float64)))
    smooth = quat_normalize(spline_at(quat, at))
    big = (quat_angle(quat[:-1], quat[1:]) > _BIG_TURN)[low]
    if big.any():
        here, t = low[big], np.clip((at - low)[big], 0.0, 1.0)
        smooth[big] = quat_slerp(quat[here], quat[here + 1], t)
    return np.asarray(smooth)
