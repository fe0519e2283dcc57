"""A motion as SONIC reads it from the network: its ZMQ messages, version 1.

A message is one part: the topic, a header of 1280 bytes (JSON, filled up with NUL) that
names the arrays, and the arrays one after the other. It carries joint angles and speeds in
Isaac Lab's order, the pelvis' orientation and a number for each frame; the place of the
robot is not sent. SONIC plays one frame per 1/50 s and looks 46 frames ahead, so each
message holds the frame of its time and the 59 after it. Messages overlap: one that is lost,
or skipped because a newer one is there, is no loss.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_from_yaw, quat_multiply, quat_yaw
from texedo.robot.g1 import ISAACLAB_FROM_MUJOCO
from texedo.robot.kinematics import joint_velocities

TOPIC = b"pose"
VERSION = 1
HEADER_BYTES = 1280
PORT = 5556
AHEAD = 60
"""Frames in a message; SONIC needs 46 and keeps fewer than 200."""
EVERY = 5
"""Frames from one message to the next: ten messages a second."""

_DTYPES = {"f": "f32", "d": "f64", "l": "i64", "q": "i64"}


class Timeline:
    """The frames of a stream, from number 0 on: a motion, or one over and over."""

    def __init__(self, motion: Motion, *, loop: bool = False) -> None:
        self.frames, self.loop = len(motion), loop
        self._pos = motion.joint_pos[:, ISAACLAB_FROM_MUJOCO]
        vel = joint_velocities(motion.joint_pos)[:, ISAACLAB_FROM_MUJOCO]
        self._vel = vel.astype(np.float32)
        self._quat = motion.root_quat_w.astype(np.float64)
        yaws = quat_yaw(self._quat[[0, -1]])
        # A repetition goes on in the direction in which the last one ended.
        self._turn = float(yaws[1] - yaws[0])

    def window(self, first: int, count: int = AHEAD) -> dict[str, NDArray[Any]]:
        """Frames `first` and on, by the names of the protocol.

        After its end a motion that is not repeated stays in its last frame.
        """
        index = np.arange(first, first + count, dtype=np.int64)
        times, at = np.divmod(index, self.frames)
        if not self.loop:
            times, at = np.zeros_like(index), np.minimum(index, self.frames - 1)
        vel = self._vel[at]
        if not self.loop:
            vel = np.where((index >= self.frames)[:, None], np.float32(0.0), vel)
        turned = quat_multiply(quat_from_yaw(times * self._turn), self._quat[at])
        return {
            "joint_pos": self._pos[at],
            "joint_vel": vel,
            "body_quat": turned.astype(np.float32),
            "frame_index": index,
        }


def pack(arrays: dict[str, NDArray[Any]]) -> bytes:
    """A message with these arrays, whose rows are frames."""
    fields = [
        {"name": name, "dtype": _DTYPES[a.dtype.char], "shape": list(a.shape)}
        for name, a in arrays.items()
    ]
    count = len(next(iter(arrays.values())))
    header = {"v": VERSION, "endian": "le", "count": count, "fields": fields}
    text = json.dumps(header, separators=(",", ":")).encode("ascii")
    assert len(text) < HEADER_BYTES  # At least one NUL ends it.
    data = (
        np.ascontiguousarray(a, a.dtype.newbyteorder("<")).tobytes()
        for a in arrays.values()
    )
    return b"".join((TOPIC, text.ljust(HEADER_BYTES, b"\0"), *data))


class Sends(Protocol):
    """As much of a socket as a stream needs."""

    def send(self, data: bytes, /) -> object: ...


class Sent(NamedTuple):
    """How far a stream is."""

    frame: int
    """The frame whose time it is."""
    late: float
    """By how much its message was late [s]."""
    seconds: float
    """Since the first message."""


def publish(
    timeline: Timeline,
    socket: Sends,
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Sent]:
    """Send the stream at its pace, a message at each step; without end if it loops.

    Every message has its own time, counted from the first: delays do not add up.
    """
    start = clock()
    frame = 0
    while timeline.loop or frame < timeline.frames:
        due = start + frame / FPS
        # One long sleep may end late; the clock is asked again.
        while (left := due - clock()) > 0:
            sleep(left)
        socket.send(pack(timeline.window(frame)))
        now = clock()
        yield Sent(frame, now - due, now - start)
        frame += EVERY
