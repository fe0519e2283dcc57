"""An HTTP server on this machine that serves a few files, badly if it is told to."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import NamedTuple


class Served(NamedTuple):
    """A file, and what goes wrong with it."""

    data: bytes
    cut_after: list[int] | None = None
    """Bytes after which the first, the second ... connection is cut; used up."""
    ranges: bool = True
    """Whether the server can send a part."""
    etag: str = ""
    status: int = 200
    troubles: int = 0
    """Times that the server answers 503 first."""
    moved_to: str = ""
    """A path to which it sends on."""
    linked: str = ""
    """What it says of the content when it sends on."""


class FileServer:
    """Serves `files` by path while the block lasts; `ranges` is what was asked for."""

    def __init__(self, files: dict[str, Served]) -> None:
        self.ranges: list[str | None] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def log_message(self, *_: object) -> None:
                """Nothing on the screen."""

            def do_GET(self) -> None:
                server._serve(self, files)

        self._trouble: dict[str, int] = {}
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # A test should not wait half a second for the server to notice.
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(0.01,), daemon=True
        )

    def url(self, path: str = "") -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/{path}".rstrip("/")

    def __enter__(self) -> FileServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _serve(self, handler: BaseHTTPRequestHandler, files: dict[str, Served]) -> None:
        path = handler.path.lstrip("/")
        asked = handler.headers.get("Range")
        self.ranges.append(asked)
        file = files.get(path, Served(b"", status=404))
        if self._trouble.setdefault(path, file.troubles):
            self._trouble[path] -= 1
            file = Served(b"", status=503)
        if file.moved_to:
            handler.send_response(302)
            handler.send_header("Location", self.url(file.moved_to))
            handler.send_header("X-Linked-ETag", file.linked)
            handler.end_headers()
            return
        if file.status != 200:
            handler.send_error(file.status)
            return
        same = handler.headers.get("If-Range", file.etag) == file.etag
        start = 0
        if asked and file.ranges and same:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
        self._send(handler, file, start)

    def _send(self, handler: BaseHTTPRequestHandler, file: Served, start: int) -> None:
        if start and start >= len(file.data):
            handler.send_response(416)
            handler.send_header("Content-Range", f"bytes */{len(file.data)}")
            handler.end_headers()
            return
        data = file.data[start:]
        handler.send_response(206 if start else 200)
        handler.send_header("Content-Length", str(len(data)))
        if file.etag:
            handler.send_header("ETag", file.etag)
        handler.end_headers()
        if file.cut_after:
            data = data[: file.cut_after.pop(0)]
        handler.wfile.write(data)
