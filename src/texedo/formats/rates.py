"""At which rate a file is read, and who says so."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from texedo.core.errors import FileFormatError, MotionError
from texedo.motion.resample import MAX_FPS

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
USUAL_RATES = (30.0, 50.0, 60.0, 120.0)
"""What files without a rate are most often recorded at."""


class Rate(NamedTuple):
    """A frame rate and who says so."""

    fps: float
    origin: Origin

    def __str__(self) -> str:
        """As in "30 fps (assumed: the file states none)"."""
        return f"{self.fps:g} fps ({_WORDS[self.origin]})"

    @property
    def brief(self) -> str:
        """As in "30 fps assumed", for a column of a table."""
        return f"{self.fps:g} fps {_ONE_WORD[self.origin]}"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"fps": round(self.fps, 6), "fps_is": _ONE_WORD[self.origin]}


def check_fps(fps: float) -> None:
    """Raise `MotionError` for a rate that nobody can mean."""
    if not (math.isfinite(fps) and 0 < fps <= MAX_FPS):
        raise MotionError(f"fps must be above 0 and at most {MAX_FPS:g}, got {fps}.")


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
        return given_rate(given)
    if stored is not None:
        return Rate(_stored_fps(path, stored), origin)
    if assumed is not None:
        return Rate(assumed, "format")
    raise FileFormatError(f"{path}: nothing gives its frame rate; give the fps.")


def _stored_fps(path: Path | str, stored: Any) -> float:
    try:
        values = np.asarray(stored, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        values = np.empty(0)
    if len(values) != 1:
        raise FileFormatError(
            f"{path}: its fps is not a number; give the right fps yourself."
        )
    fps = float(values[0])
    if not (math.isfinite(fps) and 0 < fps <= MAX_FPS):
        raise FileFormatError(
            f"{path}: its fps is {fps:g}, and must be above 0 and at most {MAX_FPS:g}; "
            "give the right fps yourself."
        )
    return fps
