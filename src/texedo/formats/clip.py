"""What every reader returns and every writer takes: our layout, at any rate."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError, MotionError
from texedo.motion import FPS, Motion, change_speed, resample

MAX_FPS = 10_000.0
LABELS_KEY = "texedo"
"""Under which the labels of a clip stand in an npz or a pickle."""


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
    labels: Mapping[str, Any] | None = None
    """What else to write into a file that can carry it, as for JSON: names, hashes."""

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


def label_arrays(
    clip: FileClip, *, joints: Sequence[str], bodies: Sequence[str] = ()
) -> dict[str, NDArray[Any]]:
    """The labels of a clip for an npz, with the names in the order of its columns."""
    if clip.labels is None:
        return {}
    arrays = {LABELS_KEY: np.array(json.dumps(clip.labels, ensure_ascii=False))}
    arrays["joint_names"] = np.array(joints)
    return arrays | ({"body_names": np.array(bodies)} if bodies else {})


def check_fps(fps: float) -> None:
    """Raise `MotionError` for a rate that nobody can mean."""
    if not (math.isfinite(fps) and 0 < fps <= MAX_FPS):
        raise MotionError(f"fps must be above 0 and at most {MAX_FPS:g}, got {fps}.")


def pick_fps(path: Path | str, given: float | None, *, stored: Any) -> float:
    """The rate of a file: what the caller says, else what the file or format says.

    `stored` may be any number, or an array of one, as files have them.
    """
    if given is not None:
        check_fps(given)
        return float(given)
    if stored is None:
        raise FileFormatError(f"{path}: nothing gives its frame rate; give the fps.")
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
