"""What a decoded motion needs before a robot sees it: joints in range, feet on the floor.

A generator's pose is right to a centimetre or two, and a robot's limits are hard. So each
candidate is post-processed, and what was changed is recorded:

1. joints are clamped into their range;
2. a joint that outruns its motor is held to the motor's speed: the mean of one pass
   forwards and one backwards, so that it is late as often as early;
3. the whole robot is lowered where it hovers and lifted where it is in the floor. The
   correction follows the lower envelope of the lowest point: a minimum and then a mean
   over the same window, which is smooth and can never push anything under the floor.
   Lowering takes a wide window, wider than a jump lasts, so that a jump stays a jump;
4. the motion starts over the origin and faces +x.

Nothing is smoothed: decoded frames accelerate less than captured ones, and no more at the
seams of tokens than inside them.

Numpy alone. All candidates of a call are worked on together; none depends on another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.edit import canonicalize
from texedo.motion.rotations import quat_yaw
from texedo.robot.g1 import BODY_INDEX, JOINT_LOWER, JOINT_UPPER, SPEED_LIMIT
from texedo.robot.kinematics import BodyPoses, forward_kinematics
from texedo.robot.tables import COLLISION_ROWS

Float64 = NDArray[np.float64]

FLOOR_TOLERANCE = 0.005
"""A sole this near to the floor is on it [m]."""
LOWER_WINDOW = 1.2
"""A robot that hovers for longer than this comes down [s]."""
LIFT_WINDOW = 0.6
"""Time over which a lift out of the floor comes and goes [s]."""
_BLOCK = 64
"""Motions whose body poses are held at once."""
_NOTHING = 1e-6
"""Rounding of float32 is no change."""


@dataclass(frozen=True, kw_only=True)
class PostprocessRecord:
    """What was changed in one candidate; all zero if nothing was."""

    frames_clamped: int
    """Frames in which a joint was outside its range."""
    largest_clamp: float
    """How far at most [rad]."""
    joints_slowed: int
    """Joints that outran their motors."""
    largest_slowing: float
    """How far an angle was moved for it at most [rad]."""
    largest_lift: float
    """How far the robot was lifted out of the floor at most [m]."""
    largest_lowering: float
    """How far it was lowered at most [m]."""
    start_shift: float
    """How far from the origin it began [m]."""
    start_turn: float
    """How far from +x it faced in the beginning [rad]."""

    def to_dict(self) -> dict[str, float | int]:
        return asdict(self)


def postprocess(
    motions: Sequence[Motion],
) -> tuple[list[Motion], list[PostprocessRecord]]:
    """The motions, fit to be performed, and what that took."""
    processed: list[Motion] = []
    records: list[PostprocessRecord] = []
    for start in range(0, len(motions), _BLOCK):
        some, said = _postprocess_block(motions[start : start + _BLOCK])
        processed += some
        records += said
    return processed, records


def _postprocess_block(
    motions: Sequence[Motion],
) -> tuple[list[Motion], list[PostprocessRecord]]:
    processed, records = [], []
    ends = np.cumsum([len(motion) for motion in motions])[:-1]
    given = [motion.joint_pos.astype(np.float64) for motion in motions]
    clamped = [np.clip(joints, JOINT_LOWER, JOINT_UPPER) for joints in given]
    slowed = limit_speed(clamped)
    lowest = np.split(_lowest_points(motions, slowed), ends)
    for i, motion in enumerate(motions):
        rise = floor_correction(lowest[i])
        start = motion.root_pos_w[0].astype(np.float64)
        record = PostprocessRecord(
            **_joint_changes(given[i], clamped[i], slowed[i]),
            largest_lift=max(0.0, float(rise.max())),
            largest_lowering=max(0.0, float(-rise.min())),
            start_shift=float(np.hypot(*start[:2])),
            start_turn=abs(float(quat_yaw(motion.root_quat_w[0].astype(np.float64)))),
        )
        out = Motion(
            root_pos_w=_raised(motion.root_pos_w, rise),
            root_quat_w=motion.root_quat_w,
            joint_pos=_inside(slowed[i]),
        )
        if max(record.start_shift, record.start_turn) > _NOTHING:
            out = canonicalize(out)
        processed.append(out)
        records.append(record)
    return processed, records


def limit_speed(clips: Sequence[Float64]) -> list[Float64]:
    """Angles (T, 29) of each clip with every step within its motor's speed."""
    # A step is rounded to float32 later on; stay below the limit by that much.
    step = SPEED_LIMIT / FPS * (1 - 1e-5)
    fast = [(np.abs(np.diff(clip, axis=0)) > step).any(axis=0) for clip in clips]
    chosen = [i for i, columns in enumerate(fast) if columns.any()]
    out = list(clips)
    if not chosen:
        return out
    # All fast joints of all clips side by side; a clip that is shorter stands still.
    longest = max(len(clips[i]) for i in chosen)
    wanted = np.concatenate(
        [
            np.pad(clips[i][:, fast[i]], ((0, longest - len(clips[i])), (0, 0)), "edge")
            for i in chosen
        ],
        axis=1,
    )
    steps = np.concatenate([step[fast[i]] for i in chosen])
    mean = (_follow(wanted, steps) + _follow(wanted[::-1], steps)[::-1]) / 2
    ends = np.cumsum([fast[i].sum() for i in chosen])
    for i, columns in zip(chosen, np.split(mean, ends[:-1], axis=1), strict=True):
        out[i] = clips[i].copy()
        out[i][:, fast[i]] = columns[: len(clips[i])]
    return out


def _follow(wanted: Float64, step: Float64) -> Float64:
    """The curves that start in `wanted` and run after it, at most `step` a frame."""
    out = wanted.copy()
    for t in range(1, len(out)):
        # Not np.clip: on a handful of numbers its checks take most of the time.
        np.minimum(out[t], out[t - 1] + step, out=out[t])
        np.maximum(out[t], out[t - 1] - step, out=out[t])
    return out


def floor_correction(lowest: Float64) -> Float64:
    """How far to raise the robot in each frame, (T,) [m], from its lowest point (T,)."""
    hover = _beyond_tolerance(lower_envelope(lowest, LOWER_WINDOW))
    lowering = np.maximum(hover, 0.0)
    sunk = _beyond_tolerance(lower_envelope(lowest - lowering, LIFT_WINDOW))
    return np.asarray(-lowering - np.minimum(sunk, 0.0))


def lower_envelope(curve: Float64, window: float) -> Float64:
    """A smooth curve (T,) that is nowhere above `curve`; `window` in seconds.

    Each value is a mean of minima over windows that all hold this frame.
    """
    half = min(round(window * FPS / 2), max(len(curve) - 1, 0))
    if half == 0:
        return curve.copy()
    padded = np.pad(curve, 2 * half, mode="edge")
    width = 2 * half + 1
    view = np.lib.stride_tricks.sliding_window_view(padded, width)
    minima = view.min(axis=1)  # (T + 2 half,)
    # A plain mean would have corners where the minimum jumps; a triangle has none.
    return np.convolve(minima, _triangle(width), mode="valid")


def _triangle(width: int) -> Float64:
    rise = np.minimum(np.arange(1, width + 1), np.arange(width, 0, -1))
    return np.asarray(rise / rise.sum())


def _beyond_tolerance(height: Float64) -> Float64:
    """0 within the tolerance, and continuous: what is beyond it outside."""
    return np.asarray(
        np.sign(height) * np.maximum(np.abs(height) - FLOOR_TOLERANCE, 0.0)
    )


def _lowest_points(motions: Sequence[Motion], joints: Sequence[Float64]) -> Float64:
    """Lowest point of the robot above z = 0 in every frame of all motions [m]."""
    poses = forward_kinematics(
        np.concatenate([motion.root_pos_w for motion in motions]),
        np.concatenate([motion.root_quat_w for motion in motions]),
        np.concatenate(joints),
    )
    return lowest_point(poses)


_BODIES = np.array([BODY_INDEX[row.body] for row in COLLISION_ROWS])
_ENDS = np.array([(row.start, row.end) for row in COLLISION_ROWS])  # (33, 2, 3)
_RADII = np.array([row.radius for row in COLLISION_ROWS])


def lowest_point(poses: BodyPoses) -> Float64:
    """Lowest point of all contact shapes, (...) [m]; only heights are computed."""
    lowest = np.full(poses.pos_w.shape[:-2], np.inf)
    for body in sorted(set(_BODIES.tolist())):
        w, x, y, z = np.moveaxis(poses.quat_w[..., body, :], -1, 0)
        # The last row of the rotation matrix: what of a vector points up.
        up = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
        here = np.full(lowest.shape, np.inf)
        for shape in np.flatnonzero(_BODIES == body):
            for a, b, c in _ENDS[shape]:
                height = a * up[0] + b * up[1] + (c * up[2] - _RADII[shape])
                np.minimum(here, height, out=here)
        np.minimum(lowest, here + poses.pos_w[..., body, 2], out=lowest)
    return lowest


def _joint_changes(before: Float64, within: Float64, after: Float64) -> dict[str, Any]:
    clamp = np.abs(within - before)
    slowing = np.abs(after - within)
    return {
        "frames_clamped": int((clamp > _NOTHING).any(axis=1).sum()),
        "largest_clamp": float(clamp.max()),
        "joints_slowed": int((slowing > _NOTHING).any(axis=0).sum()),
        "largest_slowing": float(slowing.max()),
    }


def _raised(root_pos_w: NDArray[np.float32], rise: Float64) -> NDArray[np.float32]:
    out = root_pos_w.copy()
    out[:, 2] += rise
    return out


_LOWER32 = np.nextafter(JOINT_LOWER.astype(np.float32), np.float32(np.inf))
_UPPER32 = np.nextafter(JOINT_UPPER.astype(np.float32), np.float32(-np.inf))


def _inside(joints: Float64) -> NDArray[np.float32]:
    """Angles as float32; rounding must not carry one over its limit."""
    return np.clip(joints.astype(np.float32), _LOWER32, _UPPER32)
