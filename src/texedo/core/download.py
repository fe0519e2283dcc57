"""A file from the network, whole and of the right content, or not at all.

What has arrived stays beside the place in NAME.part, and the next try asks for the rest.
Nothing here is called unless somebody asked for a download.
"""

from __future__ import annotations

import contextlib
import errno
import http.client
import os
import re
import shutil
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from typing import IO, Any, NamedTuple

from texedo.core.errors import TexedoError
from texedo.core.files import file_sha256

Progress = Callable[[int, int | None], None]
"""Called with the bytes that are there, and of all if that is known."""

_CHUNK = 1 << 20
_TIMEOUT = 30.0
"""Without a byte for so long, a connection is taken to be cut [s]."""
_NETWORK = (
    urllib.error.URLError,
    http.client.HTTPException,
    ConnectionError,
    TimeoutError,
)
_SHA256 = re.compile(r"[0-9a-f]{64}")


class DownloadError(TexedoError):
    """A file that could not be fetched, or is not the one that was asked for."""


class Downloaded(NamedTuple):
    """What came of it."""

    sha256: str
    size: int
    checked: bool
    """Whether the hash was compared with one that was known before."""


@dataclass(frozen=True, kw_only=True)
class Download:
    """One file to fetch, and how patiently."""

    url: str
    place: Path
    sha256: str | None = None
    """What its content must be; else what the server says of it, if it does."""
    tries: int = 5
    """How often a connection that is cut is made again without any new byte."""
    pause: float = 1.0
    """Before the second try, doubled before each one after it [s]."""
    progress: Progress | None = field(default=None, repr=False)

    @property
    def part(self) -> Path:
        """Where it is until it is whole."""
        return self.place.with_name(f"{self.place.name}.part")

    def run(self) -> Downloaded:
        """Fetch it; raises `DownloadError`."""
        try:
            self.place.parent.mkdir(parents=True, exist_ok=True)
            said = self._fetch()
            return self._settle(said)
        except OSError as error:
            raise self._disk_error(error) from error

    def _fetch(self) -> str | None:
        """Bring the part to its full length; the hash that the server tells, if any."""
        failures, before = 0, -1
        while True:
            try:
                return self._continue()
            except _Cut as cut:
                have = self._have()
                failures = failures + 1 if have <= before else 1
                before = have
                if failures >= self.tries:
                    raise DownloadError(
                        f"{self.url}: {cut}; {have:,} bytes are kept, and the same "
                        "command goes on from there."
                    ) from cut
                time.sleep(self.pause * 2 ** (failures - 1))

    def _continue(self) -> str | None:
        """One connection: from what is there to the end."""
        have = self._have()
        request = urllib.request.Request(self.url, headers=_headers(have, self._tag()))
        links = _Links()
        try:
            with urllib.request.build_opener(links).open(
                request, timeout=_TIMEOUT
            ) as response:
                start = have if response.status == 206 else 0
                if not start:
                    self._keep_tag(response.headers.get("ETag", ""))
                self._receive(response, start, _total(response.headers, start))
        except urllib.error.HTTPError as error:
            if error.code == 416 and have:
                # Nothing is left to send: it is whole, or of another file.
                if _range_size(error.headers) != have:
                    self.part.unlink(missing_ok=True)
                    raise _Cut("what was there is not of this file") from error
            else:
                raise self._refused(error) from error
        except _NETWORK as error:
            raise _Cut(
                f"cannot be reached ({getattr(error, 'reason', error)})"
            ) from error
        return links.sha256

    def _receive(self, response: IO[bytes], start: int, total: int | None) -> None:
        if total is not None:
            self._check_room(total - start)
        with open(self.part, "r+b" if start else "wb") as out:
            out.seek(start)
            out.truncate()
            done = start
            while chunk := _read(response):
                out.write(chunk)
                done += len(chunk)
                if self.progress is not None:
                    self.progress(done, total)
        if total is not None and done != total:
            raise _Cut(f"the connection was cut after {done:,} of {total:,} bytes")

    def _settle(self, said: str | None) -> Downloaded:
        wanted = self.sha256 or said
        digest, size = file_sha256(self.part), self.part.stat().st_size
        if wanted is not None and digest != wanted.lower():
            self.part.unlink()
            self._tag_file.unlink(missing_ok=True)
            raise DownloadError(
                f"{self.url}: its sha256 is {digest}, and should be {wanted.lower()}; it "
                "was removed. Fetch it again, or from another address."
            )
        os.replace(self.part, self.place)
        self._tag_file.unlink(missing_ok=True)
        return Downloaded(digest, size, wanted is not None)

    def _tag(self) -> str:
        """What the server calls the content of which the part is the beginning."""
        with contextlib.suppress(FileNotFoundError):
            return self._tag_file.read_text(encoding="utf-8")
        return ""

    def _keep_tag(self, tag: str) -> None:
        if tag.startswith('"'):  # A weak one, W/"...", does not stand for the bytes.
            self._tag_file.write_text(tag, encoding="utf-8")
        else:
            self._tag_file.unlink(missing_ok=True)

    @property
    def _tag_file(self) -> Path:
        return self.place.with_name(f"{self.place.name}.part.etag")

    def _have(self) -> int:
        with contextlib.suppress(FileNotFoundError):
            return self.part.stat().st_size
        return 0

    def _check_room(self, wanted: int) -> None:
        free = shutil.disk_usage(self.place.parent).free
        if wanted > free:
            raise DownloadError(
                f"{self.place}: {wanted:,} bytes are still to come, and the disk has room "
                f"for {free:,}; make room, and the same command goes on."
            )

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        if error.code >= 500:
            return _Cut(f"the server has trouble ({error.code} {error.reason})")
        if error.code == 404:
            says = "is not there (404); is the address right?"
        elif error.code in (401, 403):
            says = f"may not be fetched without a login ({error.code}); take a mirror."
        else:
            says = f"cannot be fetched ({error.code} {error.reason})."
        return DownloadError(f"{self.url}: {says}")

    def _disk_error(self, error: OSError) -> DownloadError:
        if error.errno == errno.ENOSPC:
            return DownloadError(
                f"{self.place}: the disk is full after {self._have():,} bytes; make room, "
                "and the same command goes on."
            )
        return DownloadError(
            f"{self.place}: cannot be written ({error.strerror or error}); choose another "
            "place."
        )


class _Cut(Exception):
    """A connection that ended too early; another may go on."""


class _Links(urllib.request.HTTPRedirectHandler):
    """Follows redirections, and keeps the hash that the first server tells.

    Hugging Face sends on to where a file is, and says before which content it has.
    """

    sha256: str | None = None

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Any,
        newurl: str,
    ) -> urllib.request.Request | None:
        said = str(headers.get("X-Linked-ETag", "")).strip('"')
        if _SHA256.fullmatch(said):
            self.sha256 = said
        if not newurl.startswith(("https://", "http://")) or (
            req.full_url.startswith("https://") and newurl.startswith("http://")
        ):
            raise DownloadError(f"{req.full_url}: sends on to {newurl[:80]}, refused.")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _headers(have: int, tag: str) -> dict[str, str]:
    # No compression: sizes and ranges are those of the file itself.
    headers = {"User-Agent": "texedo", "Accept-Encoding": "identity"}
    if not have:
        return headers
    # With a tag the server sends the rest only if the file is still the same.
    only = {"If-Range": tag} if tag else {}
    return headers | {"Range": f"bytes={have}-"} | only


def _read(response: IO[bytes]) -> bytes:
    try:
        return response.read(_CHUNK)
    except (OSError, http.client.HTTPException) as error:
        raise _Cut(f"the connection was cut ({error})") from error


def _total(headers: Message, start: int) -> int | None:
    """Bytes of the whole file."""
    length = headers.get("Content-Length")
    return start + int(length) if length and length.isdecimal() else None


def _range_size(headers: Message) -> int | None:
    """Of `Content-Range: bytes */SIZE`."""
    found = re.fullmatch(r"bytes \*/(\d+)", headers.get("Content-Range", ""))
    return int(found[1]) if found else None
