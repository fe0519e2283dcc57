"""What `robot.check` measures: one number of a motion for each of its limits.

Poses are looked at as the motion has them, 50 times a second. Steps and jumps are
looked at in the frames of the file where those are given: between two frames of a 30 Hz
file a resampled motion has corners and bends that nobody recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import (
    quat_conjugate,
    quat_from_yaw,
    quat_make_continuous,
    quat_multiply,
    quat_to_rotvec,
    quat_yaw,
)
from texedo.robot import balance, collision, g1
from texedo.robot.floor import own_floor
from texedo.robot.kinematics import forward_kinematics
from texedo.robot.mass import centre_of_mass, mass_centres
from texedo.robot.skate import mean_skate, skate_speed

Float64 = NDArray[np.float64]

_NOTHING = 1e-6
"""Rounding of float32: not worth naming a joint or body for."""
_BLOCK = 4096
"""Frames whose body poses are held at once; a motion may have a million."""
_TIPPING = 0.5
"""Time over which being out of balance is averaged [s]."""
_FARTHEST = 0.75
"""What a frame counts at most there [m]: where it is out by more, it is a moment's dart."""
_PUSH = 0.2
"""Time over which a push along the floor is averaged [s]."""
_TURNING = 0.1
"""Time over which a turn is averaged [s]."""
_EDGE = 2
"""Frames at the ends at which a smoothed path has no sound velocity."""


class FileFrames(Protocol):
    """The frames of a file as they came; `formats.FileClip` is one."""

    @property
    def fps(self) -> float: ...
    @property
    def root_pos_w(self) -> NDArray[Any]: ...
    @property
    def root_quat_w(self) -> NDArray[Any]: ...
    @property
    def joint_pos(self) -> NDArray[Any]: ...


class Worst(NamedTuple):
    """A check's value before it is judged."""

    value: float
    frame: int
    """At 50 Hz."""
    where: str
    each: Float64
    """The values that are counted against the limit, one a frame."""


class Steps:
    """What changes from frame to frame, at the rate that the frames came in."""

    def __init__(self, frames: FileFrames | Motion) -> None:
        self.fps = FPS if isinstance(frames, Motion) else frames.fps
        self.root_pos = np.asarray(frames.root_pos_w, dtype=np.float64)  # (F, 3)
        quat = np.asarray(frames.root_quat_w, dtype=np.float64)
        self.root_quat = quat_make_continuous(quat)  # (F, 4)
        self.joint_pos = np.asarray(frames.joint_pos, dtype=np.float64)  # (F, 29)

    def frame(self, row: int) -> int:
        """The frame at 50 Hz that is nearest to a frame of the file."""
        return round(row * FPS / self.fps)


class Series:
    """What the checks need of every frame; body poses are not kept."""

    def __init__(self, motion: Motion, frames: FileFrames | None = None) -> None:
        self.root_pos = motion.root_pos_w.astype(np.float64)  # (T, 3)
        self.root_quat = motion.root_quat_w.astype(np.float64)  # (T, 4)
        self.joint_pos = motion.joint_pos.astype(np.float64)  # (T, 29)
        self.steps = Steps(motion if frames is None else frames)
        parts = [
            self._block(slice(i, i + _BLOCK)) for i in range(0, len(motion), _BLOCK)
        ]
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        self.depth, self.pair = columns[:2]  # (T,)
        self.lowest, self.lowest_shape = columns[2:4]  # (T,)
        self.sole_centres = columns[4]  # (T, 2, 3)
        self.mass, self.reach = columns[5:]  # (T, 3), (T, 16)
        self.floor = own_floor(self.lowest)  # (T,)

    def _block(self, at: slice) -> tuple[NDArray[Any], ...]:
        poses = forward_kinematics(
            self.root_pos[at], self.root_quat[at], self.joint_pos[at]
        )
        overlap = collision.self_penetration(poses)
        clearance = collision.ground_clearance(poses)
        return (
            overlap.depth,
            overlap.pair,
            clearance.min(axis=1),
            clearance.argmin(axis=1),
            collision.sole_centres(poses),
            centre_of_mass(mass_centres(poses)),
            balance.support_reach(poses),
        )


def _per_frame(each: Float64, where: Callable[[int], str] = lambda _: "") -> Worst:
    frame = int(each.argmax())
    return Worst(float(each[frame]), frame, where(frame), each)


def _stepwise(each: Float64, steps: Steps) -> Worst:
    """Worst of values of whose rows the first belongs to frame 1 of the file."""
    if not len(each):
        return Worst(0.0, 0, "", np.zeros(1))
    row = int(each.argmax())
    return Worst(float(each[row]), steps.frame(row + 1), "", each)


def _joint_steps(values: Float64, steps: Steps) -> Worst:
    """The same of (F', 29) values, with the joint of the worst."""
    if not len(values):
        return Worst(0.0, 0, "", np.zeros(1))
    worst = _stepwise(values.max(axis=1), steps)
    joint = int(values[int(worst.each.argmax())].argmax())
    return worst._replace(where=g1.JOINT_NAMES[joint] if worst.value > _NOTHING else "")


def _joint_range(series: Series) -> Worst:
    beyond = np.maximum(
        g1.JOINT_LOWER - series.joint_pos, series.joint_pos - g1.JOINT_UPPER
    )
    each = np.maximum(beyond.max(axis=1), 0.0)

    def joint(frame: int) -> str:
        if each[frame] < _NOTHING:
            return ""
        return g1.JOINT_NAMES[int(beyond[frame].argmax())]

    return _per_frame(each, joint)


def _joint_speed(series: Series) -> Worst:
    # Not central differences: they would halve a one-frame step.
    steps = series.steps
    speed = np.abs(np.diff(steps.joint_pos, axis=0)) * steps.fps
    return _joint_steps(speed / g1.SPEED_LIMIT, steps)


def _joint_jump(series: Series) -> Worst:
    steps = series.steps
    bend = np.abs(np.diff(steps.joint_pos, n=2, axis=0)) * steps.fps**2
    return _joint_steps(bend, steps)


def _self_penetration(series: Series) -> Worst:
    def shapes(frame: int) -> str:
        if series.depth[frame] < _NOTHING:
            return ""
        pair = collision.collision_pairs()[series.pair[frame]]
        return " / ".join(_short(collision.SHAPE_NAMES[i]) for i in pair)

    return _per_frame(series.depth, shapes)


def _ground_penetration(series: Series) -> Worst:
    def shape(frame: int) -> str:
        if series.lowest[frame] > -_NOTHING:
            return ""
        return _short(collision.SHAPE_NAMES[series.lowest_shape[frame]])

    return _per_frame(np.maximum(-series.lowest, 0.0), shape)


def _hover(series: Series) -> Worst:
    return _per_frame(np.maximum(series.floor, 0.0))


def _vertical_speed(series: Series) -> Worst:
    return _per_frame(np.abs(_mass_velocity(series)[:, 2]))


def _ground_speed(series: Series) -> Worst:
    return _per_frame(np.linalg.norm(_mass_velocity(series)[:, :2], axis=1))


def _mass_velocity(series: Series) -> Float64:
    """Of the centre of mass, (T, 3) [m/s]; the ends repeat what is next to them."""
    velocity = balance.mass_velocity(series.mass)
    edge = min(_EDGE, (len(velocity) - 1) // 2)
    return np.pad(velocity[edge : len(velocity) - edge], ((edge, edge), (0, 0)), "edge")


def _balance(series: Series) -> Worst:
    """Mean distance over `_TIPPING` of the push from what could give it."""
    above = series.mass - series.floor[:, None] * [0.0, 0.0, 1.0]
    push = balance.zero_moment_point(above)
    outside = np.minimum(balance.outside_support(push, series.reach), _FARTHEST)
    return _per_frame(_window_mean(outside, _TIPPING))


def _sideways_push(series: Series) -> Worst:
    """Mean over `_PUSH` of the push along the floor as a share of that against it."""
    return _per_frame(_window_mean(balance.sideways_push(series.mass), _PUSH))


def _tilt(series: Series) -> Worst:
    x, y = series.root_quat[:, 1], series.root_quat[:, 2]
    upright = np.clip(1 - 2 * (x * x + y * y), -1.0, 1.0)
    return _per_frame(np.degrees(np.arccos(upright)))


def _foot_skate(series: Series) -> Worst:
    """Of both feet; the frame and the foot are where it is fastest."""
    speed = skate_speed(series.sole_centres, series.floor)
    each = np.nan_to_num(speed)
    frame, foot = np.unravel_index(int(each.argmax()), each.shape)
    mean = mean_skate(speed)
    where = collision.FEET[foot] if mean > _NOTHING else ""
    return Worst(mean, int(frame), where, each.max(axis=1))


def _turn_speed(series: Series) -> Worst:
    return _per_frame(turn_speeds(series.root_quat))


def _root_jump(series: Series) -> Worst:
    steps = series.steps
    bend = np.linalg.norm(np.diff(steps.root_pos, n=2, axis=0), axis=1)
    return _stepwise(bend * steps.fps**2, steps)


def _root_turn_jump(series: Series) -> Worst:
    steps = series.steps
    bend = np.linalg.norm(np.diff(_turns(steps.root_quat, 1), axis=0), axis=1)
    return _stepwise(bend * steps.fps**2, steps)


def _start_pose(series: Series) -> Worst:
    quat = series.root_quat[0]
    unturned = quat_multiply(quat_conjugate(quat_from_yaw(quat_yaw(quat))), quat)
    height = np.array([0.0, 0.0, series.root_pos[0, 2]])
    start = forward_kinematics(height, unturned, series.joint_pos[0])
    standing = forward_kinematics(
        np.array([0.0, 0.0, g1.KNEES_BENT_HEIGHT]),
        np.array([1.0, 0.0, 0.0, 0.0]),
        g1.KNEES_BENT,
    )
    far = np.linalg.norm(start.pos_w - standing.pos_w, axis=1)[g1.TRACKED_BODY_INDICES]
    mean = float(far.mean())
    return Worst(mean, 0, g1.TRACKED_BODIES[int(far.argmax())], np.array([mean]))


def turn_speeds(quat: Float64) -> Float64:
    """How fast the pelvis (T, 4) turns around each frame, over `_TURNING`, (T,) [rad/s]."""
    apart = min(round(_TURNING * FPS), len(quat) - 1)
    speed = np.linalg.norm(_turns(quat, apart), axis=1) * (FPS / apart)
    before = apart // 2
    return np.pad(speed, (before, apart - before), mode="edge")


def _turns(quat: Float64, apart: int) -> Float64:
    """Rotation vectors from each frame to that `apart` frames later."""
    return quat_to_rotvec(quat_multiply(quat[apart:], quat_conjugate(quat[:-apart])))


def _window_mean(each: Float64, seconds: float) -> Float64:
    """Means over so long around every frame, (T,); shorter at the ends."""
    half = round(seconds * FPS / 2)
    total = np.concatenate(([0.0], np.cumsum(each)))
    index = np.arange(len(each))
    first, last = np.maximum(index - half, 0), np.minimum(index + half + 1, len(each))
    return np.asarray((total[last] - total[first]) / (2 * half + 1))


def _short(shape: str) -> str:
    return shape.removesuffix("_collision")


MEASURES: dict[str, Callable[[Series], Worst]] = {
    "joint range": _joint_range,
    "joint speed": _joint_speed,
    "joint jump": _joint_jump,
    "self-penetration": _self_penetration,
    "ground penetration": _ground_penetration,
    "hover": _hover,
    "foot skate": _foot_skate,
    "root jump": _root_jump,
    "root turn jump": _root_turn_jump,
    "vertical speed": _vertical_speed,
    "ground speed": _ground_speed,
    "turn speed": _turn_speed,
    "sideways push": _sideways_push,
    "balance": _balance,
    "tilt": _tilt,
    "start pose": _start_pose,
}
"""By the names of `check_limits.LIMITS`, in their order."""
