"""A server of the tests' own that speaks as the models' servers do."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Step:
    """What the server does with one request."""

    answer: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    body: str | None = None
    """Sent as it is, instead of an answer in the interface's form."""


@dataclass
class ChatServer:
    """A script of steps, the last of them for ever, and what was asked."""

    steps: list[Step]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def next(self) -> Step:
        return self.steps[min(len(self.requests), len(self.steps)) - 1]


@contextmanager
def chat_server(steps: Sequence[Step]) -> Iterator[ChatServer]:
    """OpenAI's interface under /chat/completions, Google's under any other path."""
    state = ChatServer(list(steps))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            state.requests.append(json.loads(self.rfile.read(length)))
            state.headers.append({k.lower(): v for k, v in self.headers.items()})
            step = state.next()
            state.stop.wait(step.delay)
            body = (step.body if step.body is not None else self._body(step)).encode()
            try:
                self.send_response(step.status)
                for name, value in step.headers.items():
                    self.send_header(name, value)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except OSError:
                pass  # The client has gone.

        def _body(self, step: Step) -> str:
            if step.status != 200:
                return json.dumps({"error": {"code": step.status, "message": "busy"}})
            if self.path.endswith("/chat/completions"):
                message = {"role": "assistant", "content": step.answer}
                choice = {"index": 0, "finish_reason": "stop", "message": message}
                return json.dumps(
                    {
                        "id": "1",
                        "object": "chat.completion",
                        "created": 0,
                        "model": "m",
                        "choices": [choice],
                    }
                )
            content = {"role": "model", "parts": [{"text": step.answer}]}
            return json.dumps({"candidates": [{"content": content}]})

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.stop.set()
        server.shutdown()
        server.server_close()
