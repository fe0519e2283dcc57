"""Motions from one frame rate to another, along smooth curves through the frames."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import MotionError
from texedo.motion.motion import FPS, MAX_FRAMES, MIN_FRAMES, Motion
from texedo.motion.peaks import MAX_FRAMES_IN_ROUNDS, calmed
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
_RETURNS, _RETURNED = 12, 1e-4
"""Most rounds of correction where a joint is held back, and when to stop [rad]."""
_BIG_TURN = 1.0
"""Turn of the root between two frames past which it is taken at a constant rate [rad].

Components of a quaternion are smooth curves of time only while it turns little; a
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

    Towards a higher rate no joint bends much harder than its frames do (`calmed`).
    Output frame k is the input at time k/to_fps, so both share the instant 0 and every
    instant that is a multiple of both frame times; the last output frame is the last
    one that the input still covers. Joints stay within `ranges`, where the frames
    around them do.
    """
    if same_rate(fps, to_fps):
        return frames
    count = num_frames_at(len(frames.root_pos_w), fps=fps, to_fps=to_fps)
    at: Float64 = np.arange(count) * np.float64(fps / to_fps)
    joints = _along(frames.joint_pos, at)
    return Frames(
        root_pos_w=_along(frames.root_pos_w, at),
        root_quat_w=_turns(frames.root_quat_w, at),
        joint_pos=joints if ranges is None else _held(frames[2], joints, at, ranges),
    )


def _along(values: NDArray[Any], at: Float64) -> Float64:
    """Values (T, C) at the given times, (N, C)."""
    return calmed(values, spline_at(values, at), float(at[1]))


def _held(given: NDArray[Any], joints: Float64, at: Float64, ranges: Ranges) -> Float64:
    """Joints on the way, (N, 29), held back where a curve leaves their range.

    A curve that is cut off at a joint's stop leads back to other frames than it came
    from. So, towards a higher rate, what is missing on the way back is added and cut off
    again, until the frames return to a tenth of a milliradian.
    """
    low = _frame_before(at, len(given))
    # Frames that are out of range themselves are not ours to change.
    least, most = np.minimum(given, ranges[0]), np.maximum(given, ranges[1])
    lower = np.minimum(least[low], least[low + 1])
    upper = np.maximum(most[low], most[low + 1])
    held = np.clip(joints, lower, upper)
    cut = np.flatnonzero((held != joints).any(axis=0))
    step = float(at[1])
    if not len(cut) or step >= 1 or len(at) > MAX_FRAMES_IN_ROUNDS:
        return np.asarray(held)
    back = np.arange(int((len(at) - 1) * step + 1e-6) + 1) / step
    wanted, part = np.asarray(given[:, cut], dtype=np.float64), held[:, cut]
    count = len(back)
    for _ in range(_RETURNS):
        there = spline_at(part, back)
        missing = np.zeros_like(wanted)
        missing[:count] = wanted[:count] - np.clip(
            there, least[:count, cut], most[:count, cut]
        )
        if np.abs(missing).max() < _RETURNED:
            break
        part = np.clip(part + spline_at(missing, at), lower[:, cut], upper[:, cut])
    held[:, cut] = part
    return np.asarray(held)


def _frame_before(at: Float64, frames: int) -> NDArray[np.int64]:
    """The frame that a time comes after, the last one never."""
    return np.minimum(np.floor(at + 1e-9).astype(np.int64), frames - 2)


def _turns(quat: NDArray[Any], at: Float64) -> Float64:
    """Unit quaternions on the way, (N, 4): splines of their components, made unit."""
    quat = quat_make_continuous(quat_normalize(np.asarray(quat, dtype=np.float64)))
    low = _frame_before(at, len(quat))
    big = (quat_angle(quat[:-1], quat[1:]) > _BIG_TURN)[low]
    smooth = quat_normalize(spline_at(quat, at) if big.any() else _along(quat, at))
    if big.any():
        here, t = low[big], np.clip((at - low)[big], 0.0, 1.0)
        smooth[big] = quat_slerp(quat[here], quat[here + 1], t)
    return np.asarray(smooth)
