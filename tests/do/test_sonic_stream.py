"""SONIC's messages, decoded here by what the protocol says and nothing of ours."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tests.support.motions import random_motion
from texedo.do.sonic_stream import Timeline, pack, publish
from texedo.motion import Motion
from texedo.motion.rotations import quat_from_yaw, quat_yaw
from texedo.robot.g1 import ISAACLAB_JOINT_NAMES, JOINT_NAMES, KNEES_BENT

TYPES = {"f32": "<f4", "f64": "<f8", "i64": "<i8"}


def decode(message: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays of a message on the topic `pose`."""
    assert message[:4] == b"pose"
    header = json.loads(message[4 : 4 + 1280].split(b"\0", 1)[0])
    rest, arrays = message[4 + 1280 :], {}
    for field in header["fields"]:
        kind = np.dtype(TYPES[field["dtype"]])
        size = int(np.prod(field["shape"])) * kind.itemsize
        arrays[field["name"]] = np.frombuffer(rest[:size], kind).reshape(field["shape"])
        rest = rest[size:]
    assert rest == b""
    return header, arrays


class Recorder:
    """A socket that keeps what it is given."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def send(self, data: bytes, /) -> None:
        self.messages.append(data)


class Clock:
    """Time that passes only in sleep, which takes a little longer than it should."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds + 0.003


def test_a_message_has_the_fields_of_version_1() -> None:
    header, arrays = decode(pack(Timeline(random_motion(0, 80)).window(7)))
    assert (header["v"], header["endian"], header["count"]) == (1, "le", 60)
    shapes = {name: array.shape for name, array in arrays.items()}
    assert shapes == {
        "joint_pos": (60, 29),
        "joint_vel": (60, 29),
        "body_quat": (60, 4),
        "frame_index": (60,),
    }
    np.testing.assert_array_equal(arrays["frame_index"], np.arange(7, 67))


def test_joints_are_in_the_order_of_isaac_lab() -> None:
    qpos = np.zeros((3, 36))
    qpos[:, 3] = 1.0
    qpos[:, 7 + JOINT_NAMES.index("left_knee_joint")] = [0.5, 0.6, 0.8]
    arrays = decode(pack(Timeline(Motion.from_qpos(qpos)).window(0, 3)))[1]
    knee = ISAACLAB_JOINT_NAMES.index("left_knee_joint")
    assert knee == 9
    np.testing.assert_allclose(arrays["joint_pos"][:, knee], [0.5, 0.6, 0.8])
    np.testing.assert_allclose(
        arrays["joint_vel"][:, knee], [5.0, 7.5, 10.0], rtol=1e-5
    )
    assert np.count_nonzero(arrays["joint_pos"]) == 3


def test_after_its_end_a_motion_rests_in_its_last_frame() -> None:
    motion = random_motion(1, 10)
    window = Timeline(motion).window(8, 6)
    last = Timeline(motion).window(9, 1)
    for name in ("joint_pos", "body_quat"):
        for row in window[name][1:]:
            np.testing.assert_array_equal(row, last[name][0])
    assert (window["joint_vel"][2:] == 0).all()
    np.testing.assert_array_equal(window["frame_index"], np.arange(8, 14))


def test_a_repetition_goes_on_in_the_heading_of_the_last() -> None:
    """A quarter turn in 11 frames, three times over: 270 degrees, without a jump."""
    qpos = np.zeros((11, 36))
    qpos[:, 2], qpos[:, 7:] = 0.76, KNEES_BENT
    qpos[:, 3:7] = quat_from_yaw(np.linspace(0, np.pi / 2, 11))
    window = Timeline(Motion.from_qpos(qpos), loop=True).window(0, 33)
    yaw = np.unwrap(quat_yaw(window["body_quat"].astype(np.float64)))
    assert yaw[-1] == pytest.approx(3 * np.pi / 2, abs=1e-5)
    assert np.abs(np.diff(yaw)).max() < 0.16
    np.testing.assert_array_equal(window["frame_index"], np.arange(33))


def test_messages_overlap_and_cover_every_frame_46_ahead() -> None:
    recorder, clock = Recorder(), Clock()
    sent = list(
        publish(
            Timeline(random_motion(2, 101)), recorder, clock=clock, sleep=clock.sleep
        )
    )
    windows = [decode(message)[1]["frame_index"] for message in recorder.messages]
    assert [int(w[0]) for w in windows] == list(range(0, 101, 5))
    for before, after in zip(windows, windows[1:], strict=False):
        # At the time of the next message what is there still reaches 46 frames on.
        assert before[-1] >= after[0] + 46
    assert sent[-1].frame == 100


def test_delays_do_not_add_up() -> None:
    recorder, clock = Recorder(), Clock()
    timeline = Timeline(random_motion(3, 501))
    sent = list(publish(timeline, recorder, clock=clock, sleep=clock.sleep))
    # 500 frames are 10 s; each of 100 sleeps was 3 ms too long.
    assert sent[-1].seconds == pytest.approx(10.0, abs=0.004)
    assert max(one.late for one in sent) < 0.004
