"""At which rate a file is read, and who says so."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from texedo.core.errors import FileFormatError, MotionError
from texedo.motion.resample import MAX_FPS, MIN_FPS, same_rate

Origin = Literal["file", "name", "format", "given"]
"""Who says it: the file, its name, the format it is read as, or whoever reads it."""

_WORDS: dict[Origin, str] = {
    "file": "stated in the file",
    "name": "stated in the file's name",
    "format": "assumed: the file states none",
    "given": "as given",
}
_ONE_WORD: dict[Origin, str] = {
    "file": "stated",
    "name": "stated",
    "format": "assumed",
    "given": "given",
}
_MAX_GROUPS = 5
USUAL_RATES = (30.0, 50.0, 60.0, 120.0)
"""What files without a rate are most often recorded at."""


class Rate(NamedTuple):
    """A frame rate and who says so."""

    fps: float
    origin: Origin
    overruled: float | None = None
    """What the file states, where something else was given."""

    def __str__(self) -> str:
        """As in "30 fps (assumed: the file states none)"."""
        words = _WORDS[self.origin]
        if self.overruled is not None:
            words += f"; the file states {self.overruled:g}"
        return f"{self.fps:g} fps ({words})"

    @property
    def brief(self) -> str:
        """As in "30 fps assumed", for a column of a table."""
        return f"{self.fps:g} fps {_ONE_WORD[self.origin]}"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"fps": round(self.fps, 6), "fps_is": _ONE_WORD[self.origin]}


class Reading(NamedTuple):
    """At which rate some frames were read, and what that makes of them."""

    rate: Rate
    frames: int

    @property
    def duration(self) -> float:
        """Time from the first frame to the last [s]."""
        return max(self.frames - 1, 0) / self.rate.fps

    def __str__(self) -> str:
        """As in "30 fps (stated in the file), 12.40 s"."""
        return f"{self.rate}, {self.duration:.2f} s"

    @property
    def brief(self) -> str:
        """As in "30 fps stated, 12.40 s"."""
        return f"{self.rate.brief}, {self.duration:.2f} s"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {**self.rate.to_dict(), "duration_s": round(self.duration, 6)}


def tally(readings: Iterable[Reading]) -> str:
    """Of many files, as in "40 at 30 fps (assumed: the file states none), 510.3 s"."""
    groups: dict[Rate, list[float]] = {}
    for reading in readings:
        groups.setdefault(reading.rate, []).append(reading.duration)
    rows = sorted(groups.items(), key=lambda item: -len(item[1]))
    said = [f"{len(s)} at {rate}, {sum(s):.1f} s" for rate, s in rows[:_MAX_GROUPS]]
    if len(rows) > _MAX_GROUPS:
        said.append(f"{sum(len(s) for _, s in rows[_MAX_GROUPS:])} at other rates")
    return "; ".join(said)


def check_fps(fps: float) -> None:
    """Raise `MotionError` for a rate that nobody can mean."""
    if not MIN_FPS <= fps <= MAX_FPS:
        raise MotionError(f"fps must be from {MIN_FPS:g} to {MAX_FPS:g}, got {fps:g}.")


def given_rate(fps: float) -> Rate:
    """The rate that whoever reads or writes has named."""
    check_fps(fps)
    return Rate(float(fps), "given")


def pick_rate(
    path: Path | str,
    given: float | None,
    *,
    stored: Any = None,
    origin: Origin = "file",
    assumed: float | None = None,
) -> Rate:
    """The rate of a file: what the caller says, else the file, else its format.

    `stored` is what the file (or, by `origin`, its name) says: any number, or an array
    of one, as files have them. `assumed` is the rate of all files of the format.
    """
    if given is not None:
        stated = one_number(stored)
        rate = given_rate(given)
        same = stated is None or same_rate(rate.fps, stated)
        return rate if same else rate._replace(overruled=stated)
    if stored is not None:
        return Rate(_stored_fps(path, stored), origin)
    if assumed is not None:
        return Rate(assumed, "format")
    raise FileFormatError(f"{path}: nothing gives its frame rate; give the fps.")


def _stored_fps(path: Path | str, stored: Any) -> float:
    fps = one_number(stored)
    if fps is None:
        raise FileFormatError(
            f"{path}: its fps is not a number; give the right fps yourself."
        )
    if not MIN_FPS <= fps <= MAX_FPS:
        raise FileFormatError(
            f"{path}: its fps is {fps:g}, and must be from {MIN_FPS:g} to {MAX_FPS:g}; "
            "give the right fps yourself."
        )
    return fps


def one_number(value: Any) -> float | None:
    """A number, or the only one in an array or a list; None if it is neither.

    Lists are not handed to numpy: one that holds itself twice, sixty times over, would
    keep it busy for ever.
    """
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, np.ndarray):
        if value.size != 1 or value.dtype.kind not in "fiub":
            return None
        value = value.reshape(-1)[0]
    if not isinstance(value, int | float | np.number | np.bool_):
        return None
    try:
        return float(value)
    except (OverflowError, TypeError):
        return math.inf
