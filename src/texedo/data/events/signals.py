"""The curves that events are read from, computed once for a motion.

Everything is (T, ...) at 50 Hz. `_f` is the facing frame: origin under the pelvis on the
floor, x where the hips face, y to the left, z up. The hip axis gives the facing, because
it keeps its heading when the body bends forward. Pairs are (left, right).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_rotate
from texedo.robot.g1 import BODY_INDEX, SOLE_HEIGHT
from texedo.robot.kinematics import BodyPoses, forward_kinematics

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

STANDING_HEIGHT = 0.76
"""Pelvis height of the robot standing with its knees slightly bent [m]."""
CONTACT_HEIGHT = 0.025
"""A foot whose heel or toe is below this touches the floor [m]: captured feet drag."""
STRIDE_SECONDS = 0.9
"""Averaging time that takes the sway of the steps out of a walk's facing."""
SWAY_SECONDS, MAX_SWAY_SECONDS = 0.6, 2.4
"""The same for the path: a whole stride, within these bounds; a single step must still
stand out."""
MIN_STRIDES = 3
"""Fewer are no rhythm."""
STANCE_SPEED = 0.3
"""A foot slower than this over the floor bears weight [m/s]; swinging feet do 1 to 4."""
STANCE_HEIGHT = 0.06
"""A foot held still in the air is not a step [m]."""
HEAD_HEIGHT = 0.43
"""Centre of the head above the torso link [m]."""
_FLOOR = np.array([1.0, 1.0, 0.0])
_PALM = np.array([0.08, 0.0, 0.0])
_HEEL, _TOE = np.array([-0.05, 0.0, SOLE_HEIGHT]), np.array([0.13, 0.0, SOLE_HEIGHT])


@dataclass(frozen=True, kw_only=True)
class Signals:
    """Curves of one motion; see the module for frames and units."""

    height: Floats
    """Pelvis above the floor, (T,) [m]."""
    yaw: Floats
    """Facing without the sway of the steps, unwrapped, (T,) [rad]."""
    yaw_raw: Floats
    """Facing of the hips as it is, unwrapped, (T,) [rad]."""
    path_w: Floats
    """Pelvis over the floor without the sway of the steps, (T, 2) [m]."""
    velocity_f: Floats
    """Velocity along the path, seen from the facing, (T, 2) [m/s]."""
    lean: Floats
    """Forward tilt of the torso, backward negative, (T,) [degrees]."""
    tilt: Floats
    """Tilt of the torso to the left, (T,) [degrees]."""
    foot_w: Floats
    """Middle of the soles in the world, (T, 2, 3)."""
    foot_f: Floats
    """The same in the facing frame."""
    foot_height: Floats
    """Lowest of heel and toe of each foot, (T, 2) [m]."""
    contact: Bools
    """Foot on the floor, (T, 2)."""
    stance: Bools
    """Foot on the floor and at rest there, (T, 2)."""
    feet_yaw: Floats
    """Mean direction of the feet, unwrapped, (T,) [rad]."""
    twist: Floats
    """Chest turned to the left relative to the feet, (T,) [degrees]."""
    knee_f: Floats
    hip_f: Floats
    palm_f: Floats
    elbow_f: Floats
    shoulder_f: Floats
    """(T, 2, 3) each, in the facing frame."""
    head_f: Floats
    """(T, 3)"""
    palm_t: Floats
    """Palms seen from the torso: origin between the shoulders, x ahead, (T, 2, 3)."""

    def __len__(self) -> int:
        return len(self.height)


def compute_signals(motion: Motion) -> Signals:
    """All curves of a motion."""
    return compute_many([motion.to_qpos()])[0]


def compute_many(clips: Sequence[NDArray[Any]]) -> list[Signals]:
    """All curves of each clip (T, 36).

    What a frame is by itself is worked out for all frames of all clips at once: a few
    hundred frames cost numpy more in calls than in numbers.
    """
    frames = _frames(np.concatenate(clips).astype(np.float64))
    ends = np.cumsum([len(clip) for clip in clips])
    return [
        _signals(
            {name: values[end - len(clip) : end] for name, values in frames.items()}
        )
        for clip, end in zip(clips, ends.tolist(), strict=True)
    ]


def _frames(qpos: Floats) -> dict[str, Floats]:
    """What needs no other frame, (F, ...) each; angles are not unwrapped yet."""
    poses = forward_kinematics(qpos[:, :3], qpos[:, 3:7], qpos[:, 7:])
    yaw = _heading(poses)
    root_w = poses.pos_w[:, 0]
    heel, toe = _points(poses, "ankle_roll_link", _HEEL, _TOE)
    shoulder_w = _pair(poses, "shoulder_pitch_link")
    palm_w = _points(poses, "wrist_yaw_link", _PALM)[0]
    foot = (heel + toe) / 2
    points = (
        *(foot, _pair(poses, "knee_link"), _pair(poses, "hip_roll_link"), palm_w),
        *(_pair(poses, "elbow_link"), shoulder_w, _head(poses)[:, None], toe - heel),
    )
    # Vectors such as toe - heel are turned with the points, but not moved.
    moved = (root_w * _FLOOR)[:, None]
    joined = np.concatenate([*(point - moved for point in points[:-1]), points[-1]], 1)
    turned = turn_points(joined, -yaw)
    sole = turned[:, 13:]
    flat = (sole[..., :2] / np.linalg.norm(sole, axis=2, keepdims=True)).mean(axis=1)
    lean, tilt = _torso_angles(poses, yaw)
    return {
        **{"root_w": root_w, "yaw": yaw, "lean": lean, "tilt": tilt, "foot_w": foot},
        **{name: turned[:, 2 * i : 2 * i + 2] for i, name in enumerate(_PAIRS)},
        "head_f": turned[:, 12],
        "foot_height": np.minimum(heel[..., 2], toe[..., 2]),
        "feet_off": np.arctan2(flat[:, 1], flat[:, 0]),
        "torso_yaw": _heading(poses, "torso_link"),
        "palm_t": _from_torso(poses, palm_w - shoulder_w.mean(axis=1, keepdims=True)),
    }


_PAIRS = ("foot_f", "knee_f", "hip_f", "palm_f", "elbow_f", "shoulder_f")


def _signals(frames: dict[str, Floats]) -> Signals:
    """The curves of one clip."""
    yaw_raw = np.unwrap(frames["yaw"])
    yaw = smooth(yaw_raw, STRIDE_SECONDS)
    foot_height, root_w = frames["foot_height"], frames["root_w"]
    stance = _stance(frames["foot_w"], foot_height)
    path = average(average(root_w[:, :2], _stride_seconds(stance)), SWAY_SECONDS / 2)
    # Near the facing, so that it has no jumps.
    feet_yaw = yaw_raw + frames["feet_off"]
    return Signals(
        height=root_w[:, 2],
        yaw=yaw,
        yaw_raw=yaw_raw,
        path_w=path,
        velocity_f=turn_points(rate(path)[:, None], -yaw)[:, 0],
        lean=frames["lean"],
        tilt=frames["tilt"],
        foot_w=frames["foot_w"],
        foot_height=foot_height,
        contact=foot_height < CONTACT_HEIGHT,
        stance=stance,
        feet_yaw=feet_yaw,
        twist=np.degrees(np.unwrap(frames["torso_yaw"]) - feet_yaw),
        head_f=frames["head_f"],
        palm_t=frames["palm_t"],
        **{name: frames[name] for name in _PAIRS},
    )


_SWAPPED = np.array([1.0, -1.0, 1.0])


def mirror_signals(signals: Signals) -> Signals:
    """The curves of the mirrored motion, to the last bit."""
    pairs = (*_PAIRS, "foot_w", "palm_t")
    changed: dict[str, Any] = {
        name: getattr(signals, name)[:, ::-1] * _SWAPPED for name in pairs
    }
    for name in ("foot_height", "contact", "stance"):
        changed[name] = getattr(signals, name)[:, ::-1]
    for name in ("yaw", "yaw_raw", "tilt", "feet_yaw", "twist"):
        changed[name] = -getattr(signals, name)
    for name in ("path_w", "velocity_f"):
        changed[name] = getattr(signals, name) * _SWAPPED[:2]
    return replace(signals, head_f=signals.head_f * _SWAPPED, **changed)


def average(values: NDArray[Any], seconds: float) -> Floats:
    """Moving average over about `seconds`.

    The ends are mirrored through the end point, which keeps a straight line straight.
    """
    values = np.asarray(values, dtype=np.float64)
    half = min(round(seconds * FPS / 2), len(values) - 1)
    head = 2 * values[0] - values[half:0:-1]
    tail = 2 * values[-1] - values[-2 : -half - 2 : -1]
    total = np.cumsum(np.concatenate((head, values, tail)), axis=0)
    total = np.concatenate((np.zeros_like(total[:1]), total))
    width = 2 * half + 1
    return np.asarray((total[width:] - total[:-width]) / width)


def smooth(values: NDArray[Any], seconds: float) -> Floats:
    """Moving average over about `seconds`, twice, so that no ripple passes."""
    return average(average(values, seconds), seconds)


def _stance(foot_w: Floats, foot_height: Floats) -> Bools:
    moving = rate(foot_w[..., :2])
    speed = np.hypot(moving[..., 0], moving[..., 1])
    return np.asarray((speed < STANCE_SPEED) & (foot_height < STANCE_HEIGHT))


def _stride_seconds(stance: Bools) -> float:
    """Usual time from one landing of a foot to its next [s], within sensible bounds.

    Averaged over a stride, the hips go straight however much they sway.
    """
    gaps: list[int] = []
    for foot in stance.T:
        landings = np.flatnonzero(np.diff(foot.astype(np.int8)) == 1)
        gaps += np.diff(landings).tolist()
    usual = [gap / FPS for gap in gaps if 0.5 <= gap / FPS <= 3.0]
    if len(usual) < MIN_STRIDES:
        return SWAY_SECONDS
    return float(np.clip(np.median(usual), SWAY_SECONDS, MAX_SWAY_SECONDS))


def change(values: Floats) -> Floats:
    """Change per frame along the first axis; none where there is a single frame."""
    if len(values) < 2:
        return np.zeros_like(values)
    return np.asarray(np.gradient(values, axis=0))


def rate(values: Floats) -> Floats:
    """Change per second along the first axis."""
    return np.asarray(change(values) * FPS)


def turn_points(points: Floats, yaw: Floats) -> Floats:
    """Points (T, N, 2 or 3) turned by `yaw` (T,) about the vertical."""
    cosine, sine = np.cos(yaw)[:, None], np.sin(yaw)[:, None]
    out = points.copy()
    out[..., 0] = cosine * points[..., 0] - sine * points[..., 1]
    out[..., 1] = sine * points[..., 0] + cosine * points[..., 1]
    return out


def _heading(poses: BodyPoses, body: str = "pelvis") -> Floats:
    """Where the left-right axis of a body faces, not unwrapped, (F,) [rad]."""
    left = quat_rotate(poses.quat_w[:, BODY_INDEX[body]], np.array([0.0, 1.0, 0.0]))
    return np.asarray(np.arctan2(-left[:, 0], left[:, 1]))


def _torso_angles(poses: BodyPoses, yaw: Floats) -> tuple[Floats, Floats]:
    up = quat_rotate(poses.quat_w[:, BODY_INDEX["torso_link"]], np.array([0.0, 0, 1]))
    up = turn_points(up[:, None], -yaw)[:, 0]
    lean = np.degrees(np.arctan2(up[:, 0], up[:, 2]))
    return lean, np.degrees(np.arctan2(up[:, 1], np.hypot(up[:, 0], up[:, 2])))


def _pair(poses: BodyPoses, name: str) -> Floats:
    rows = [BODY_INDEX[f"left_{name}"], BODY_INDEX[f"right_{name}"]]
    return poses.pos_w[:, rows]


def _points(poses: BodyPoses, name: str, *points: Floats) -> list[Floats]:
    """World places of points fixed to a left and right body, (T, 2, 3) each."""
    rows = [BODY_INDEX[f"left_{name}"], BODY_INDEX[f"right_{name}"]]
    pos, quat = poses.pos_w[:, rows], poses.quat_w[:, rows]
    return [pos + quat_rotate(quat, point) for point in points]


def _head(poses: BodyPoses) -> Floats:
    row = BODY_INDEX["torso_link"]
    offset = np.array([0.0, 0.0, HEAD_HEIGHT])
    return poses.pos_w[:, row] + quat_rotate(poses.quat_w[:, row], offset)


def _from_torso(poses: BodyPoses, vectors: Floats) -> Floats:
    quat = poses.quat_w[:, BODY_INDEX["torso_link"]] * np.array([1.0, -1, -1, -1])
    return np.asarray(quat_rotate(quat[:, None], vectors))
