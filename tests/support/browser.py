"""A real browser for tests: Chromium without a window, told what to do through a pipe.

The DevTools protocol over two file descriptors needs nothing but the standard library.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 20.0
"""Seconds until an answer that does not come is a failure."""
_OPTIONS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
    # Pages of our own alone: containers rarely allow the sandbox.
    "--no-sandbox",
    # WebGL on the CPU where there is no graphics card.
    "--enable-unsafe-swiftshader",
    "--window-size=1280,1000",
)


def find_chrome() -> str | None:
    """Path of `$TEXEDO_CHROME`, or of what the system has."""
    if given := os.environ.get("TEXEDO_CHROME"):
        return shutil.which(given) or given
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """One page: what it is asked, and what it complained about."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._out, self._in = to_browser, from_browser
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.problems: list[str] = []
        """Errors and warnings of the console, exceptions."""
        self.requests: list[str] = []
        """Addresses that it asked for."""
        found = self.call("Target.createTarget", url="about:blank")
        attached = self.call(
            "Target.attachToTarget", targetId=found["targetId"], flatten=True
        )
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask the browser, and wait for its answer."""
        self._number += 1
        message: dict[str, Any] = {
            "id": self._number,
            "method": method,
            "params": parameters,
        }
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result

    def open(self, path: Path, *, before: str = "") -> None:
        """Load a file; `before` runs ahead of the page's own scripts."""
        if before:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.problems.clear()
        self.requests.clear()
        self.call("Page.navigate", url=path.as_uri())
        self.wait(
            "document.readyState === 'complete' && location.href !== 'about:blank'"
        )

    def evaluate(self, code: str) -> Any:
        """The value of an expression on the page."""
        answer = self.call(
            "Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(f"Boolean({condition})"):
            assert time.monotonic() < end, f"{condition}: never; {self.problems}"
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        """With the mouse, in the middle of the element, wherever that is."""
        box = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent",
                type=kind,
                x=box[0],
                y=box[1],
                button="left",
                clickCount=1,
            )

    def press(self, key: str, code: int, text: str = "") -> None:
        """A key, with the number that the protocol has for it."""
        common = {"key": key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def picture(self, selector: str | None = None, *, whole: bool = False) -> bytes:
        """What is seen of an element, or of the page, as a PNG file."""
        options: dict[str, Any] = {"format": "png", "captureBeyondViewport": whole}
        if selector:
            x, y, width, height = self.evaluate(
                f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
                "const b = e.getBoundingClientRect();"
                "return [b.x + scrollX, b.y + scrollY, b.width, b.height]; })()"
            )
            options["clip"] = {
                "x": x,
                "y": y,
                "width": width,
                "height": height,
                "scale": 1,
            }
        return base64.b64decode(self.call("Page.captureScreenshot", **options)["data"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], PATIENCE)
            assert ready, "the browser does not answer"
            part = os.read(self._in, 1 << 20)
            assert part, "the browser has gone"
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, method: str, told: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.problems.append(str(told["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and told["type"] in (
            "error",
            "warning",
            "assert",
        ):
            self.problems.append(str(told["args"]))
        elif method == "Log.entryAdded":
            level, text = told["entry"]["level"], told["entry"]["text"]
            # A driver without a graphics card complains that pictures are taken of it.
            if level in ("error", "warning") and "GL Driver Message" not in text:
                self.problems.append(text)


@contextmanager
def browser(profile: Path, *options: str) -> Iterator[Page]:
    """A browser with an empty profile and one page; it ends with the block."""
    chrome = find_chrome()
    assert chrome, "there is no Chromium"
    down, up = os.pipe(), os.pipe()
    # Away from 3 and 4, where the browser expects its ends.
    ends = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 16) for fd in (down[0], up[1])]
    log = profile / "log.txt"
    actions = [
        (os.POSIX_SPAWN_OPEN, 1, str(log), os.O_WRONLY | os.O_CREAT, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
        (os.POSIX_SPAWN_DUP2, ends[0], 3),
        (os.POSIX_SPAWN_DUP2, ends[1], 4),
    ]
    command = [chrome, *_OPTIONS, f"--user-data-dir={profile}", *options]
    process = os.posix_spawn(
        chrome, command, os.environ, file_actions=actions, setpgroup=0
    )
    for fd in (*ends, down[0], up[1]):
        os.close(fd)
    try:
        yield Page(down[1], up[0])
    finally:
        os.close(down[1])
        os.close(up[0])
        with suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        os.waitpid(process, 0)
