"""What every reader returns and every writer takes: our layout, at any rate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError, MotionError
from texedo.motion import FPS, Motion, change_speed, resample

MIN_FPS, MAX_FPS = 0.001, 10_000.0
"""Of a rate that somebody can mean: a frame in 1000 s, and ten times a motor's clock."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FileClip:
    """The frames of a file in our layout (wxyz, MuJoCo joints, m, rad), not resampled.

    Nothing is checked here: `to_motion` gives the arrays to `Motion`, which checks.
    """

    fps: float
    root_pos_w: NDArray[Any]
    """Pelvis position, (T, 3) [m]."""
    root_quat_w: NDArray[Any]
    """Pelvis orientation, (T, 4), wxyz."""
    joint_pos: NDArray[Any]
    """Joint angles in MuJoCo order, (T, 29) [rad]."""

    def __len__(self) -> int:
        return len(self.root_pos_w)

    def to_motion(self) -> Motion:
        """The clip at 50 Hz, checked."""
        # Numbers beyond float32 become infinite here, and are refused as such there.
        with np.errstate(over="ignore", invalid="ignore"):
            pos, quat, joints = (
                np.asarray(array, dtype=np.float32)
                for array in (self.root_pos_w, self.root_quat_w, self.joint_pos)
            )
            return resample(pos, quat, joints, fps=self.fps)


def clip_from_motion(motion: Motion, *, fps: float) -> FileClip:
    """A motion sampled at `fps`: frame k is the motion at time k/fps."""
    check_fps(fps)
    if motion.duration * fps < 1 - 1e-6:
        raise MotionError(
            f"A motion of {motion.duration:.3f} s has less than two frames at {fps:g} "
            "fps; write it at a higher rate."
        )
    if not math.isclose(fps, FPS, rel_tol=1e-9):
        # Played FPS/fps times as fast, 50 frames per second are `fps` of the original.
        motion = change_speed(motion, FPS / fps)
    return FileClip(
        fps=fps,
        root_pos_w=motion.root_pos_w,
        root_quat_w=motion.root_quat_w,
        joint_pos=motion.joint_pos,
    )


def check_fps(fps: float) -> None:
    """Raise `MotionError` for a rate that nobody can mean."""
    if not MIN_FPS <= fps <= MAX_FPS:
        raise MotionError(f"fps must be from {MIN_FPS:g} to {MAX_FPS:g}, got {fps:g}.")


def pick_fps(path: Path | str, given: float | None, *, stored: Any) -> float:
    """The rate of a file: what the caller says, else what the file or format says.

    `stored` may be any number, or an array of one, as files have them.
    """
    if given is not None:
        check_fps(given)
        return float(given)
    if stored is None:
        raise FileFormatError(f"{path}: nothing gives its frame rate; give the fps.")
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
