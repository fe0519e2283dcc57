"""Clips as they come from a reader, looked over before a motion is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from texedo.core.budget import Budget
from texedo.core.errors import FileFormatError
from texedo.core.visible import visible
from texedo.formats.clip import FileClip
from texedo.motion import FPS, MAX_FRAMES
from texedo.motion.motion import NUM_JOINTS

_WIDTHS = {"root_pos_w": 3, "root_quat_w": 4, "joint_pos": NUM_JOINTS}
_WORDS = {
    "root_pos_w": "root positions",
    "root_quat_w": "root quaternions",
    "joint_pos": "joint angles",
}
_MOTION_BYTES = 4 * (7 + NUM_JOINTS)
"""Of a frame in a motion."""
_SAME_BYTES = 600
"""Of a frame that is taken as it is, on its way there: float64 and checks."""
_IN_BYTES, _OUT_BYTES = 400, 1150
"""Of a frame in the file, and of one made of its neighbours, at another rate."""


def check_clips(path: Path, clips: Mapping[str, FileClip], *, size: int) -> None:
    """Refuse clips that are no rows of numbers, or motions that would be too large."""
    budget = Budget(path, size=size)
    most = 0
    for name, clip in clips.items():
        where = path if len(clips) == 1 else f"{path} ({visible(name[:80])})"
        _check_arrays(where, clip)
        frames = (len(clip) - 1) * FPS / clip.fps
        if frames >= MAX_FRAMES:
            raise FileFormatError(
                f"{where}: {len(clip)} frames at {clip.fps:g} fps last "
                f"{frames / FPS:.4g} s, and at most {MAX_FRAMES / FPS:g} s are read; "
                "give the right fps, or split the file."
            )
        there = clip.root_pos_w.nbytes + clip.root_quat_w.nbytes + clip.joint_pos.nbytes
        budget.take(there + int(frames + 1) * _MOTION_BYTES, "its motions")
        work = len(clip) * _SAME_BYTES
        if clip.fps != FPS:
            work = len(clip) * _IN_BYTES + int(frames + 1) * _OUT_BYTES
        most = max(most, work)
    budget.take(most, "its longest motion")


def _check_arrays(where: Path | str, clip: FileClip) -> None:
    frames = None
    for key, width in _WIDTHS.items():
        array: np.ndarray[Any, Any] = getattr(clip, key)
        if array.dtype.kind not in "fiu":
            kind = "text" if array.dtype.kind in "US" else str(array.dtype)
            raise FileFormatError(
                f"{where}: its {_WORDS[key]} are {kind}, not numbers; export numbers."
            )
        if array.ndim != 2 or array.shape[1] != width:
            raise FileFormatError(
                f"{where}: its {_WORDS[key]} have shape {array.shape}, and should have "
                f"(frames, {width}); export it again for the 29-joint G1."
            )
        frames = len(array) if frames is None else frames
        if len(array) != frames:
            raise FileFormatError(
                f"{where}: has {frames} root positions and {len(array)} {_WORDS[key]}; "
                "they must be as many; export it again."
            )
