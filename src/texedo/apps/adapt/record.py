"""What an adaptation has found so far, in `adapt.json`: points of the curve, one by one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from texedo.apps.adapt.curve import Point
from texedo.apps.adapt.judge import Figures
from texedo.core.errors import FileFormatError, TexedoError
from texedo.core.files import write_whole

RECORD = "adapt.json"


class Record:
    """Points of one request; each is written as soon as it is known."""

    def __init__(self, folder: Path, request: dict[str, Any]) -> None:
        self._path, self._request = folder / RECORD, request
        self._known: dict[int, Figures] = {}
        if self._path.exists():
            self._read()

    def point(self, labels: int, make: Callable[[], Figures]) -> Point:
        """The point with so many labels, made unless it is known."""
        if labels not in self._known:
            self._known[labels] = make()
            self._write()
        return Point(labels, self._known[labels])

    def add(self, **said: Any) -> None:
        """Write something beside the points."""
        self._write(**said)

    def _read(self) -> None:
        try:
            stored = json.loads(self._path.read_bytes())
            request, points = stored["request"], stored["points"]
            known = {int(row.pop("labels")): _figures(row) for row in points}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FileFormatError(
                f"{self._path}: cannot be read ({error}); remove it."
            ) from error
        if request != self._request:
            other = [key for key in request if request[key] != self._request.get(key)]
            raise TexedoError(
                f"{self._path}: is of another adaptation ({', '.join(other)}); choose "
                "another -o."
            )
        self._known = known

    def _write(self, **said: Any) -> None:
        points = [
            {"labels": n, **self._known[n].to_dict()} for n in sorted(self._known)
        ]
        record = {"request": self._request, "points": points, **said}
        write_whole(self._path, (json.dumps(record, indent=1) + "\n").encode())


def _figures(row: dict[str, Any]) -> Figures:
    known: dict[str, Any] = {
        name: float("nan") if value is None else value for name, value in row.items()
    }
    return Figures(**known)
