"""`texedo stream`, from one process to another and to a receiver in this one."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import zmq

from tests.do.test_sonic_stream import decode
from tests.support.ctrl_c import heeding_ctrl_c
from tests.support.standing import leap, standing
from texedo.apps import cli
from texedo.formats import save_motion
from texedo.robot.g1 import ISAACLAB_FROM_MUJOCO

Capture = pytest.CaptureFixture[str]
QUICK = ("--no-perform", "--dynamics", "none")


@pytest.fixture
def motion(tmp_path: Path) -> Path:
    path = tmp_path / "motion.npz"
    save_motion(standing(41), path)
    return path


def free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


class Receiver:
    """What a subscriber hears on a thread of its own, until nothing comes for a second."""

    def __init__(self, address: str) -> None:
        self.messages: list[bytes] = []
        self._address = address
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        context = zmq.Context()
        subscriber = context.socket(zmq.SUB)
        subscriber.connect(f"tcp://{self._address}")
        subscriber.setsockopt(zmq.SUBSCRIBE, b"pose")
        patience = 60_000
        while subscriber.poll(patience):
            self.messages.append(subscriber.recv())
            patience = 1000
        subscriber.close(linger=0)
        context.term()

    def heard(self) -> list[bytes]:
        self._thread.join(timeout=120)
        return self.messages


def test_a_receiver_hears_every_frame_in_its_order(
    motion: Path, capsys: Capture
) -> None:
    address = free_address()
    receiver = Receiver(address)
    args = ["stream", str(motion), "--bind", address, "--no-blend", *QUICK]
    assert cli.main(args) == 0
    heard = [decode(message)[1] for message in receiver.heard()]
    assert [int(one["frame_index"][0]) for one in heard] == list(range(0, 41, 5))
    played = np.concatenate([one["joint_pos"][:5] for one in heard])[:41]
    wanted = standing(41).joint_pos[:, ISAACLAB_FROM_MUJOCO]
    np.testing.assert_array_equal(played, wanted)
    said = capsys.readouterr().out
    assert f"publishing on tcp://{address}, topic 'pose'" in said
    assert "sent 41 frames" in said


def test_what_fails_is_not_sent(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "bad.npz"
    save_motion(leap(standing(60)), path)
    args = ["stream", str(path), "--bind", free_address(), "--wait", "0", *QUICK]
    assert cli.main(args) == 1
    assert capsys.readouterr().err.startswith("refused, nothing is sent. check:")


def test_nobody_who_listens_is_an_error(motion: Path, capsys: Capture) -> None:
    args = ["stream", str(motion), "--bind", free_address(), "--wait", "0.1", *QUICK]
    assert cli.main(args) == 2
    assert "nobody listened within 0.1 s" in capsys.readouterr().err


def test_a_port_that_is_taken_is_named(motion: Path, capsys: Capture) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = f"127.0.0.1:{other.getsockname()[1]}"
        assert cli.main(["stream", str(motion), "--bind", address, *QUICK]) == 2
    said = capsys.readouterr().err
    assert f"{address}: cannot be published on (Address already in use)" in said


@pytest.mark.parametrize("bind", ["5556", "host:", "host:0", "host:70000", ":5556"])
def test_an_address_is_a_host_and_a_port(
    motion: Path, bind: str, capsys: Capture
) -> None:
    assert cli.main(["stream", str(motion), "--bind", bind, *QUICK]) == 2
    assert "--bind must be HOST:PORT" in capsys.readouterr().err


def test_a_loop_without_the_way_back_is_refused(motion: Path, capsys: Capture) -> None:
    assert cli.main(["stream", str(motion), "--loop", "--no-blend", *QUICK]) == 2
    assert "every repetition begins with a jump" in capsys.readouterr().err


def test_without_pyzmq_the_way_to_get_it_is_told(
    motion: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name != "zmq" or None)
    monkeypatch.setattr("texedo.apps.cli.available_commands", lambda: cli.COMMANDS)
    assert cli.main(["stream", str(motion), *QUICK]) == 2
    assert "pip install 'texedo[robot]'" in capsys.readouterr().err


def test_ctrl_c_ends_a_loop_with_a_line(motion: Path) -> None:
    address = free_address()
    receiver = Receiver(address)
    command = [sys.executable, "-m", "texedo", "stream", str(motion), "--loop"]
    with heeding_ctrl_c():
        process = subprocess.Popen(
            [*command, "--bind", address, *QUICK],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ,
        )
    while not receiver.messages and process.poll() is None:
        receiver._thread.join(timeout=0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; nothing more is sent" in said
    assert "Traceback" not in said
