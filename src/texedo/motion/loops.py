"""Where a motion comes back to a posture: it can be cut short there, or do it again.

Two frames are alike if everything about them is but the place and the heading: joints,
height, tilt, and how fast all of it goes. From one of them the motion can go on as from
the other. What lies between is left out if it is the later one, and done once more if it
is the earlier one; either way nothing but a third of a second is changed, in which one
passes into the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion.curves import ease
from texedo.motion.motion import FPS
from texedo.motion.rotations import (
    quat_conjugate,
    quat_from_yaw,
    quat_make_continuous,
    quat_multiply,
    quat_normalize,
    quat_rotate,
    quat_slerp,
    quat_yaw,
)

Float64 = NDArray[np.float64]

SHORTEST = 0.24
"""Less is no loop [s]."""
_ALIKE = 1.6
"""Postures farther apart than this are not alike, in rad over all joints."""
_AWAY, _AND_BACK = 0.5, 2.0
"""Somewhere in between a posture is so far away, and so many times as far as the ends are
apart: who stands or drifts comes back from nowhere."""
_HEIGHT, _TILT, _SPEED, _TURN, _JOINT_SPEED = 4.0, 2.0, 0.6, 0.3, 0.08
"""What a metre, a unit of tilt, a m/s, a rad/s of turning and one of a joint are worth
beside a radian of a joint."""
_AROUND = 4
"""Frames on either side that have to be alike, too."""
_BLEND = 8
"""Frames on either side in which one passes into the other."""
_SAME_LENGTH = 12
"""Of loops that differ in length by less [frames] one is enough."""


class Loop(NamedTuple):
    """Two frames between which a motion comes back to a posture."""

    start: int
    end: int
    apart: float
    """How unlike they are."""

    @property
    def frames(self) -> int:
        """How long it is."""
        return self.end - self.start


def find_loops(qpos: Float64, *, most: int) -> list[Loop]:
    """Of poses (T, 36): the ones that fit best, one for each length."""
    unlike = _apart(qpos)
    frame = np.arange(len(qpos))
    later = frame[None] - frame[:, None] >= round(SHORTEST * FPS)
    apart = np.where(later, unlike, np.inf)
    starts, ends = np.nonzero(_local_minima(apart) & (apart < _ALIKE))
    order = np.argsort(apart[starts, ends], kind="stable")
    found: dict[int, Loop] = {}
    for start, end in zip(starts[order].tolist(), ends[order].tolist(), strict=True):
        far = float(unlike[start, start:end].max())
        if far < max(_AWAY, _AND_BACK * apart[start, end]):
            continue
        loop = Loop(start, end, float(apart[start, end]))
        found.setdefault(loop.frames // _SAME_LENGTH, loop)
        if len(found) == most:
            break
    return list(found.values())


def without(qpos: Float64, loop: Loop) -> Float64:
    """Poses (T, 36) with the loop left out."""
    return _joined(qpos, loop.start, qpos, loop.end)


def repeated(qpos: Float64, loop: Loop, times: int) -> Float64:
    """Poses (T, 36) with the loop done so many times more."""
    out, at = qpos, loop.end
    for _ in range(times):
        out = _joined(out, at, qpos, loop.start)
        at += loop.frames
    return out


def _joined(first: Float64, leave: int, second: Float64, enter: int) -> Float64:
    """The first up to a frame, then the second from a frame on, placed to fit."""
    second = _placed(second, enter, first[leave])
    w = min(_BLEND, leave, len(first) - 1 - leave, enter, len(second) - 1 - enter)
    a, b = first[leave - w : leave + w + 1], second[enter - w : enter + w + 1]
    share = ease(np.arange(2 * w + 1) / max(2 * w, 1))
    middle = a + (b - a) * share[:, None]
    middle[:, 3:7] = quat_slerp(a[:, 3:7], b[:, 3:7], share)
    return np.concatenate((first[: leave - w], middle, second[enter + w + 1 :]))


def _placed(qpos: Float64, frame: int, pose: Float64) -> Float64:
    """Moved in the plane so that a frame has the place and the heading of a pose."""
    turn = quat_from_yaw(quat_yaw(pose[3:7]) - quat_yaw(qpos[frame, 3:7]))
    out = qpos.copy()
    out[:, :3] = quat_rotate(turn, qpos[:, :3] - qpos[frame, :3] * [1, 1, 0])
    out[:, :2] += pose[:2]
    out[:, 3:7] = quat_multiply(turn, qpos[:, 3:7])
    return out


def _apart(qpos: Float64) -> Float64:
    """How unlike each frame is to each other one, (T, T); inf near the ends."""
    looks = _looks(qpos)
    squares = (looks**2).sum(axis=1)
    apart = squares[:, None] + squares[None] - 2.0 * looks @ looks.T
    count = len(qpos) - 2 * _AROUND
    out = np.full(apart.shape, np.inf)
    if count < 1:
        return out
    shifts = range(0, 2 * _AROUND + 1, 2)
    near = sum(apart[k : k + count, k : k + count] for k in shifts)
    inner = slice(_AROUND, _AROUND + count)
    out[inner, inner] = np.sqrt(np.maximum(near / len(shifts), 0.0))
    return out


def _looks(qpos: Float64) -> Float64:
    """All of a posture but its place and heading, and how it moves, (T, F)."""
    quat = quat_make_continuous(quat_normalize(qpos[:, 3:7]))
    yaw = quat_yaw(quat)
    ahead = quat_conjugate(quat_from_yaw(yaw))
    speed = quat_rotate(ahead, np.gradient(qpos[:, :3], axis=0) * FPS)
    up = quat_rotate(
        quat_conjugate(quat), np.broadcast_to([0.0, 0.0, 1.0], speed.shape)
    )
    turn = np.gradient(np.unwrap(yaw)) * FPS
    joints = qpos[:, 7:]
    return np.concatenate(
        (
            joints,
            _HEIGHT * qpos[:, 2:3],
            _TILT * up,
            _SPEED * speed,
            _TURN * turn[:, None],
            _JOINT_SPEED * np.gradient(joints, axis=0) * FPS,
        ),
        axis=1,
    )


def _local_minima(values: Float64) -> NDArray[np.bool_]:
    """Who is finite and no more than any of its eight neighbours."""
    padded = np.pad(values, 1, constant_values=np.inf)
    rows, columns = values.shape
    out = np.isfinite(values)
    for down in range(3):
        for right in range(3):
            out &= values <= padded[down : down + rows, right : right + columns]
    return out
