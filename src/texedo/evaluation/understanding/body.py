"""Where hands, feet, hips and trunk are over a motion, as somebody beside it sees them.

Everything is (T, ...) at 50 Hz and comes from forward kinematics alone. `_f` is the
facing frame: origin on the floor under the pelvis, x where the hips face, y to the left,
z up. The hip axis gives the facing, because it keeps its heading when the body bends.
Pairs are (left, right).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_rotate, quat_rotate_inverse
from texedo.robot.g1 import BODY_INDEX, SOLE_HEIGHT
from texedo.robot.kinematics import BodyPoses, motion_kinematics

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_SWAY = 0.7
"""Averaging time that takes the sway of the steps out of a path [s]."""
_SHAKE = 0.1
"""The same for what trembles: a frame to frame speed is noise [s]."""
_LOW_STANDING = 0.72
"""A pelvis below this is not that of a standing robot [m]."""
_PALM = np.array([0.08, 0.0, 0.0])
_HEAD = np.array([0.0, 0.0, 0.43])
_HEEL, _TOE = np.array([-0.05, 0.0, SOLE_HEIGHT]), np.array([0.13, 0.0, SOLE_HEIGHT])


@dataclass(frozen=True, kw_only=True)
class Body:
    """Curves of one motion or of a part of it."""

    yaw: Floats
    """Facing of the hips, unwrapped, to the left positive, (T,) [degrees]."""
    path_w: Floats
    """Pelvis over the floor without the sway of the steps, (T, 2) [m]."""
    velocity_f: Floats
    """Velocity of the path: ahead and to the left, (T, 2) [m/s]."""
    height: Floats
    """Pelvis above the floor, (T,) [m]."""
    tall: float
    """Pelvis height of the whole motion's own standing [m]."""
    lean: Floats
    """Forward tilt of the trunk, (T,) [degrees]."""
    tilt: Floats
    """Tilt of the trunk to the left, (T,) [degrees]."""
    twist: Floats
    """Chest turned to the left against the hips, (T,) [degrees]."""
    head_f: Floats
    """Middle of the head, (T, 3) [m]."""
    palm_f: Floats
    elbow_f: Floats
    shoulder_f: Floats
    knee_f: Floats
    sole_f: Floats
    """(T, 2, 3) each [m]."""
    sole_w: Floats
    """Middle of the soles in the world, (T, 2, 3) [m]."""
    heel: Floats
    toe: Floats
    """Heights above the floor, (T, 2) each [m]."""
    reach: Floats
    """From each shoulder to its palm, as the chest sees it: ahead, left, up, (T, 2, 3) [m]."""
    stir: Floats
    """Mean speed of trunk, head, hands, knees and feet, (T,) [m/s]."""

    def __len__(self) -> int:
        return len(self.yaw)

    def part(self, first: int, last: int) -> Body:
        """Frames `first` to `last`, the last one left out."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        cut: dict[str, Any] = {
            k: v[first:last] for k, v in values.items() if isinstance(v, np.ndarray)
        }
        return replace(self, **cut)

    @cached_property
    def clear(self) -> Floats:
        """The lowest point of each sole above the floor, (T, 2) [m]."""
        return np.minimum(self.heel, self.toe)

    @cached_property
    def speed(self) -> Floats:
        """Along the path, (T,) [m/s]."""
        return np.asarray(np.linalg.norm(self.velocity_f, axis=1))


def read_body(motion: Motion) -> Body:
    """The curves of a motion."""
    poses = motion_kinematics(motion)
    root = poses.pos_w[:, 0]
    raw_yaw = _facing(poses, "pelvis")
    path = smooth(root[:, :2], _SWAY)
    heel, toe = (_points(poses, "ankle_roll_link", p) for p in (_HEEL, _TOE))
    sole = (heel + toe) / 2
    head = _point(poses, "torso_link", _HEAD)[:, None]
    palm = _points(poses, "wrist_yaw_link", _PALM)
    names = ("elbow_link", "shoulder_pitch_link", "knee_link")
    elbow, shoulder, knee = (_points(poses, name, np.zeros(3)) for name in names)
    chest = poses.quat_w[:, BODY_INDEX["torso_link"]]
    up = turned(quat_rotate(chest, np.array([0.0, 0.0, 1.0])), -raw_yaw)

    def seen(points_w: Floats) -> Floats:
        return turned(points_w - (root * [1.0, 1.0, 0.0])[:, None], -raw_yaw[:, None])

    limbs = np.concatenate((root[:, None], head, palm, elbow, knee, sole), axis=1)
    return Body(
        yaw=np.degrees(smooth(raw_yaw, 0.3)),
        path_w=path,
        velocity_f=turned(rate(path), -smooth(raw_yaw, _SWAY)),
        height=root[:, 2],
        tall=max(float(np.quantile(root[:, 2], 0.9)), _LOW_STANDING),
        lean=np.degrees(np.arctan2(up[:, 0], up[:, 2])),
        tilt=np.degrees(np.arctan2(up[:, 1], np.hypot(up[:, 0], up[:, 2]))),
        twist=np.degrees(_facing(poses, "torso_link") - raw_yaw),
        head_f=seen(head)[:, 0],
        palm_f=seen(palm),
        elbow_f=seen(elbow),
        shoulder_f=seen(shoulder),
        knee_f=seen(knee),
        sole_f=seen(sole),
        sole_w=sole,
        heel=heel[..., 2],
        toe=toe[..., 2],
        reach=np.asarray(quat_rotate_inverse(chest[:, None], palm - shoulder)),
        stir=np.linalg.norm(rate(smooth(limbs, _SHAKE)), axis=-1).mean(axis=1),
    )


def rate(values: Floats) -> Floats:
    """Change per second along the first axis; 0 for a single frame."""
    if len(values) < 2:
        return np.zeros_like(values)
    return np.asarray(np.gradient(values, axis=0) * FPS)


def smooth(values: Floats, seconds: float) -> Floats:
    """Moving average along the first axis over an odd number of frames.

    Beyond the ends the curve goes on as its mirror image through the end point, so that
    a walk does not slow down there.
    """
    half = min(round(seconds * FPS / 2), len(values) - 1)
    if half < 1:
        return values
    before = 2 * values[:1] - values[half:0:-1]
    after = 2 * values[-1:] - values[-2 : -half - 2 : -1]
    total = np.cumsum(np.concatenate((before, values, after)), axis=0)
    total = np.concatenate((np.zeros_like(total[:1]), total))
    return np.asarray((total[2 * half + 1 :] - total[: -2 * half - 1]) / (2 * half + 1))


def turned(vectors: Floats, yaw: Floats) -> Floats:
    """Vectors (..., 2 or 3) turned by `yaw` (...) about the vertical [rad]."""
    cosine, sine = np.cos(yaw), np.sin(yaw)
    out = vectors.copy()
    out[..., 0] = cosine * vectors[..., 0] - sine * vectors[..., 1]
    out[..., 1] = sine * vectors[..., 0] + cosine * vectors[..., 1]
    return out


def _facing(poses: BodyPoses, body: str) -> Floats:
    left = quat_rotate(poses.quat_w[:, BODY_INDEX[body]], np.array([0.0, 1.0, 0.0]))
    return np.unwrap(np.arctan2(-left[:, 0], left[:, 1]))


def _point(poses: BodyPoses, body: str, offset: Floats) -> Floats:
    row = BODY_INDEX[body]
    return np.asarray(poses.pos_w[:, row] + quat_rotate(poses.quat_w[:, row], offset))


def _points(poses: BodyPoses, name: str, offset: Floats) -> Floats:
    """A point fixed to a left and a right body, (T, 2, 3)."""
    sides = [_point(poses, f"{side}_{name}", offset) for side in ("left", "right")]
    return np.stack(sides, axis=1)
