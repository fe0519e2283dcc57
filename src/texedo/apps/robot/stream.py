"""`texedo stream`: a motion to SONIC over the network."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import tyro

from texedo.apps.bars import Bar
from texedo.apps.robot.prepare import MotionOptions, prepare, refusal, report_lines
from texedo.core.errors import TexedoError
from texedo.do.sonic_stream import EVERY, PORT, TOPIC, Sent, Timeline, publish
from texedo.motion import FPS

if TYPE_CHECKING:
    import zmq

INTERRUPTED = "nothing more is sent; SONIC stays in the last frame that it got"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_POLL_MS = 200


@dataclass(frozen=True, kw_only=True)
class Cfg(MotionOptions):
    """Publish a motion as SONIC's deployment reads it (ZMQ, protocol version 1, 50 Hz).

    The motion is made ready and asked about as in `texedo export`, then sent in real time:
    ten messages a second, each with the frame of its time and the 59 after it. Start SONIC
    with `--input-type zmq` and `--zmq-host` set to this machine, switch its streaming on,
    and then start this; it begins as soon as somebody listens.
    Exit code 0: all was sent. 1: refused, nothing was sent. 2: bad input, or nobody
    listens. Ctrl-C stops.

    Example: texedo stream out/generate/wave --hold 2
    """

    bind: Annotated[str, tyro.conf.arg(metavar="HOST:PORT")] = f"{_LOOPBACK[0]}:{PORT}"
    """Where to listen for receivers; `0.0.0.0:5556` is reachable from other machines."""
    loop: bool = False
    """Over and over, until Ctrl-C."""
    wait: Annotated[float, tyro.conf.arg(metavar="SECONDS")] = 60.0
    """How long to wait for a receiver; 0 begins at once."""


def run(cfg: Cfg) -> int:
    if importlib.util.find_spec("zmq") is None:
        raise TexedoError("Streaming needs pyzmq: pip install 'texedo[robot]'.")
    host, port = _address(cfg.bind)
    if cfg.loop and cfg.no_blend:
        raise TexedoError(
            "--loop needs the way back to standing, or every repetition begins with a "
            "jump; leave out --no-blend."
        )
    with _publisher(host, port) as socket:  # Before the work: the port may be taken.
        prepared = prepare(cfg)
        print("\n".join(report_lines(cfg, prepared)))
        if prepared.objections and not cfg.force:
            print(refusal(prepared, "nothing is sent"), file=sys.stderr)
            return 1
        print(
            f"publishing on tcp://{host}:{port}, topic {TOPIC.decode()!r}", flush=True
        )
        if host not in _LOOPBACK:
            print("whoever reaches this address can listen", flush=True)
        if cfg.wait > 0:
            _await_receiver(socket, cfg.wait)
        _send(Timeline(prepared.motion, loop=cfg.loop), socket)
    return 0


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise TexedoError(
            f"--bind must be HOST:PORT with a port from 1 to 65535, got {text!r}."
        )
    return host, int(port)


@contextmanager
def _publisher(host: str, port: int) -> Iterator[zmq.Socket[bytes]]:
    """A socket that publishes, and also hears who subscribes."""
    import zmq

    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    socket = context.socket(zmq.XPUB)
    try:
        socket.bind(f"tcp://{host}:{port}")
        yield socket
        # What is on its way gets there; after Ctrl-C or an error nothing has to.
        socket.close(linger=1000)
    except zmq.ZMQError as error:
        raise TexedoError(
            f"{host}:{port}: cannot be published on ({zmq.strerror(error.errno or 0)}); choose another "
            "address with --bind."
        ) from error
    finally:
        socket.close(linger=0)
        context.term()


def _await_receiver(socket: zmq.Socket[bytes], seconds: float) -> None:
    print(f"waiting up to {seconds:g} s for a receiver", flush=True)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        # Short: Ctrl-C is heard between two of them.
        if socket.poll(_POLL_MS) and socket.recv()[:1] == b"\x01":
            return
    raise TexedoError(
        f"nobody listened within {seconds:g} s; start SONIC with --input-type zmq first, "
        "or begin at once with --wait 0."
    )


def _send(timeline: Timeline, socket: zmq.Socket[bytes]) -> None:
    total = None if timeline.loop else timeline.frames
    last = Sent(0, 0.0, 0.0)
    latest = 0.0
    with Bar("streaming", total=total) as bar:
        for last in publish(timeline, socket):
            latest = max(latest, last.late)
            bar.show(min(last.frame + EVERY, total or sys.maxsize))
        left = (timeline.frames - 1 - last.frame) / FPS
        time.sleep(max(left, 0.0))  # The receiver is still playing what it has.
    if last.seconds:
        print(
            f"sent {timeline.frames} frames; {last.frame / last.seconds:.2f} frames a "
            f"second, no message more than {1000 * latest:.1f} ms late"
        )
