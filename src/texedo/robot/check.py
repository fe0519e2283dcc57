"""What can be said about a motion without a controller: `check_motion`.

Each check is one number with two limits: over the first it warns, over the second it
fails; `check_limits` has them and the reason for each. A check measures what no
controller can fix, so failing is certain trouble; passing is no promise that the robot
stays on its feet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import (
    quat_conjugate,
    quat_from_yaw,
    quat_multiply,
    quat_to_rotvec,
    quat_yaw,
)
from texedo.motion.runs import true_runs
from texedo.robot import collision, g1
from texedo.robot.check_limits import LIMITS
from texedo.robot.kinematics import forward_kinematics

Float64 = NDArray[np.float64]
Verdict = Literal["pass", "warn", "fail"]

CONTACT_HEIGHT = 0.01
"""A shape this near to the floor touches it [m]."""

_NOTHING = 1e-6
"""Rounding of float32: not worth naming a joint or body for."""
_BLOCK = 4096
"""Frames whose body poses are held at once; a motion may have a million."""


@dataclass(frozen=True, kw_only=True)
class CheckItem:
    """One check of one motion."""

    name: str
    value: float
    """The worst value, in `unit`."""
    warn: float
    fail: float
    unit: str
    verdict: Verdict
    frame: int
    """Where the worst value is; the first frame of a stretch."""
    where: str
    """Joint, body or pair of shapes of the worst value; empty if it is the robot."""
    frames_over: int
    """Frames whose own value is over the limit that warns."""

    @property
    def time(self) -> float:
        """When the worst value is [s]."""
        return self.frame / FPS

    @property
    def phrase(self) -> str:
        """Value, time and place in a few words."""
        place = f", {self.where}" if self.where else ""
        value = short_number(self.value)
        return f"{self.name} {value} {self.unit} ({self.time:.2f} s{place})"

    @property
    def why(self) -> str:
        """What is measured, and the reason for the limits."""
        return LIMITS[self.name].why


@dataclass(frozen=True, kw_only=True)
class CheckReport:
    """All checks of one motion, in the order of `LIMITS`."""

    num_frames: int
    items: tuple[CheckItem, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of all items."""
        order: tuple[Verdict, ...] = ("pass", "warn", "fail")
        return max((item.verdict for item in self.items), key=order.index)

    def __getitem__(self, name: str) -> CheckItem:
        return next(item for item in self.items if item.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings, ready for JSON."""
        items = [
            {
                "name": item.name,
                "value": item.value,
                "unit": item.unit,
                "warn": item.warn,
                "fail": item.fail,
                "verdict": item.verdict,
                "frame": item.frame,
                "time_s": item.time,
                "where": item.where,
                "frames_over": item.frames_over,
            }
            for item in self.items
        ]
        return {
            "num_frames": self.num_frames,
            "duration_s": (self.num_frames - 1) / FPS,
            "verdict": self.verdict,
            "checks": items,
        }


def check_motion(motion: Motion) -> CheckReport:
    """Measure a motion against everything in `LIMITS`."""
    series = _Series(motion)
    items = tuple(_judge(name, _CHECKS[name](series)) for name in LIMITS)
    return CheckReport(num_frames=len(motion), items=items)


class _Worst(NamedTuple):
    """A check's value before it is judged."""

    value: float
    frame: int
    where: str
    each: Float64
    """The values that are counted against the limit, one a frame."""


class _Series:
    """What the checks need of every frame; body poses are not kept."""

    def __init__(self, motion: Motion) -> None:
        self.root_pos = motion.root_pos_w.astype(np.float64)  # (T, 3)
        self.root_quat = motion.root_quat_w.astype(np.float64)  # (T, 4)
        self.joint_pos = motion.joint_pos.astype(np.float64)  # (T, 29)
        parts = [
            self._block(slice(i, i + _BLOCK)) for i in range(0, len(motion), _BLOCK)
        ]
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        self.depth, self.pair = columns[:2]  # (T,)
        self.lowest, self.lowest_shape = columns[2:4]  # (T,)
        self.sole_clearance, self.sole_centres = columns[4:]  # (T, 2), (T, 2, 3)

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
            collision.sole_clearance(poses),
            collision.sole_centres(poses),
        )


def _judge(name: str, worst: _Worst) -> CheckItem:
    limit = LIMITS[name]
    value = float(worst.value)
    failed, warned = value > limit.fail, value > limit.warn
    return CheckItem(
        name=name,
        value=value,
        warn=limit.warn,
        fail=limit.fail,
        unit=limit.unit,
        verdict="fail" if failed else "warn" if warned else "pass",
        frame=int(worst.frame),
        where=worst.where,
        frames_over=int((worst.each > limit.warn).sum()),
    )


def _per_frame(each: Float64, where: Callable[[int], str] = lambda _: "") -> _Worst:
    frame = int(each.argmax())
    return _Worst(float(each[frame]), frame, where(frame), each)


def _per_joint(values: Float64, *, first: int = 0) -> _Worst:
    """Worst of (T', 29) values whose first row belongs to frame `first`."""
    if not len(values):
        return _Worst(0.0, 0, "", np.zeros(1))
    row, joint = np.unravel_index(int(values.argmax()), values.shape)
    value = float(values[row, joint])
    where = g1.JOINT_NAMES[joint] if value > _NOTHING else ""
    return _Worst(value, int(row) + first, where, values.max(axis=1))


def _joint_range(series: _Series) -> _Worst:
    beyond = np.maximum(
        g1.JOINT_LOWER - series.joint_pos, series.joint_pos - g1.JOINT_UPPER
    )
    return _per_joint(np.maximum(beyond, 0.0))


def _joint_speed(series: _Series) -> _Worst:
    # Not central differences: they would halve a one-frame step.
    speed = np.abs(np.diff(series.joint_pos, axis=0)) * FPS
    return _per_joint(speed / g1.SPEED_LIMIT, first=1)


def _self_penetration(series: _Series) -> _Worst:
    def shapes(frame: int) -> str:
        if series.depth[frame] < _NOTHING:
            return ""
        pair = collision.collision_pairs()[series.pair[frame]]
        return " / ".join(_short(collision.SHAPE_NAMES[i]) for i in pair)

    return _per_frame(series.depth, shapes)


def _ground_penetration(series: _Series) -> _Worst:
    def shape(frame: int) -> str:
        if series.lowest[frame] > -_NOTHING:
            return ""
        return _short(collision.SHAPE_NAMES[series.lowest_shape[frame]])

    return _per_frame(np.maximum(-series.lowest, 0.0), shape)


def _float_time(series: _Series) -> _Worst:
    """Longest run of frames without contact, as the time they stand for."""
    starts, ends = true_runs(series.lowest > CONTACT_HEIGHT).T
    each = np.zeros(len(series.lowest))
    if not len(starts):
        return _Worst(0.0, 0, "", each)
    times = (ends - starts) / FPS
    for start, end, time in zip(starts, ends, times, strict=True):
        each[start:end] = time
    longest = int(times.argmax())
    return _Worst(float(times[longest]), int(starts[longest]), "", each)


def _float_height(series: _Series) -> _Worst:
    return _per_frame(np.maximum(series.lowest, 0.0))


def _foot_skate(series: _Series) -> _Worst:
    """The foot that skates more; the frame is where it is fastest in contact."""
    velocity = np.gradient(series.sole_centres[..., :2], 1 / FPS, axis=0)
    touching = series.sole_clearance < CONTACT_HEIGHT  # (T, 2)
    speed = np.where(touching, np.linalg.norm(velocity, axis=-1), 0.0)
    mean = speed.sum(axis=0) / np.maximum(touching.sum(axis=0), 1)  # (2,)
    foot = int(mean.argmax())
    frame = int(speed[:, foot].argmax())
    where = collision.FEET[foot] if mean[foot] > _NOTHING else ""
    return _Worst(float(mean[foot]), frame, where, speed.max(axis=1))


def _root_speed(series: _Series) -> _Worst:
    step = np.linalg.norm(np.diff(series.root_pos, axis=0), axis=1)
    return _shifted(step * FPS)


def _root_jump(series: _Series) -> _Worst:
    bend = np.linalg.norm(np.diff(series.root_pos, n=2, axis=0), axis=1)
    return _shifted(bend * FPS**2)


def _root_turn_jump(series: _Series) -> _Worst:
    quat = series.root_quat
    turn = quat_to_rotvec(quat_multiply(quat[1:], quat_conjugate(quat[:-1])))
    return _shifted(np.linalg.norm(np.diff(turn, axis=0), axis=1) * FPS**2)


def _joint_jump(series: _Series) -> _Worst:
    bend = np.abs(np.diff(series.joint_pos, n=2, axis=0)) * FPS**2
    return _per_joint(bend, first=1)


def _shifted(each: Float64) -> _Worst:
    """Worst of differences: the first belongs to frame 1. Two frames have no bend."""
    if not len(each):
        return _Worst(0.0, 0, "", np.zeros(1))
    worst = _per_frame(each)
    return worst._replace(frame=worst.frame + 1)


def _start_pose(series: _Series) -> _Worst:
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
    return _Worst(mean, 0, g1.TRACKED_BODIES[int(far.argmax())], np.array([mean]))


def short_number(value: float) -> str:
    """Three digits, and no powers of ten for what is as good as zero."""
    return f"{value:.0f}" if value >= 100 else f"{round(value, 4):.3g}"


def _short(shape: str) -> str:
    return shape.removesuffix("_collision")


_CHECKS: dict[str, Callable[[_Series], _Worst]] = {
    "joint range": _joint_range,
    "joint speed": _joint_speed,
    "self-penetration": _self_penetration,
    "ground penetration": _ground_penetration,
    "float time": _float_time,
    "float height": _float_height,
    "foot skate": _foot_skate,
    "root speed": _root_speed,
    "root jump": _root_jump,
    "root turn jump": _root_turn_jump,
    "joint jump": _joint_jump,
    "start pose": _start_pose,
}
