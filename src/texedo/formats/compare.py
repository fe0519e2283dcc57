"""Files that are read back before they count: what was written is what will be read.

For a file that a robot will play it is not enough that writing raised no error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.atomic import write_json
from texedo.core.errors import FileFormatError
from texedo.formats.clip import FileClip, clip_from_motion
from texedo.formats.io import (
    clip_for_writing,
    format_for_writing,
    read_clips,
    written_clip,
)
from texedo.formats.spec import Format
from texedo.motion import Motion
from texedo.robot.g1 import JOINT_NAMES


class Written(NamedTuple):
    """A motion on disk, as it was read back."""

    files: tuple[Path, ...]
    """The file or folder, and the file with its labels if they are not inside."""
    format: Format
    fps: float
    frames: int
    worst: float
    """Largest difference between what was written and what was read [m, rad]."""


def save_compared(
    motion: Motion,
    path: Path | str,
    *,
    format: str | None = None,
    fps: float | None = None,
    labels: Mapping[str, Any],
) -> Written:
    """Write a motion with labels, read it back and compare; else nothing is left.

    Labels stand in the file where its format has room for them, and else beside it in
    a file of the same name with `.json` behind.
    """
    path = Path(path)
    chosen = format_for_writing(path, format)
    clip = clip_for_writing(clip_from_motion(motion), chosen, fps)
    clip = replace(clip, labels=labels)
    with written_clip(clip, path, chosen) as temporary:
        # A clip whose file does not say its rate is read at the one it was written in.
        said = clip.fps if chosen.fps is not None else None
        found = list(read_clips(temporary, format=chosen.name, fps=said).clips.values())
        if len(found) != 1:
            raise FileFormatError(
                f"{path}: {len(found)} motions were read back, not 1."
            )
        worst = difference(clip, found[0], where=str(path))
        if not worst <= chosen.tolerance:
            raise FileFormatError(
                f"{path}: a number that was read back differs by {worst:.2g} from the one "
                f"that was written ({chosen.name} allows {chosen.tolerance:g}); nothing was "
                "kept. Choose another format."
            )
    files = [path]
    if not chosen.carries_labels:
        files.append(path.with_name(f"{path.name}.json"))
        write_json(files[-1], {**labels, "joint_names": _column_names(chosen)})
    return Written(tuple(files), chosen, clip.fps, len(clip), worst)


def difference(written: FileClip, read: FileClip, *, where: str) -> float:
    """Largest difference of any number [m, rad]; q and -q are the same rotation."""
    if len(written) != len(read) or not np.isclose(written.fps, read.fps, rtol=1e-6):
        raise FileFormatError(
            f"{where}: {len(read)} frames at {read.fps:g} fps were read back, and "
            f"{len(written)} at {written.fps:g} written; nothing was kept."
        )
    quats = [_float(c.root_quat_w) for c in (written, read)]
    sign = np.where((quats[0] * quats[1]).sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    gaps = (
        _float(written.root_pos_w) - _float(read.root_pos_w),
        quats[0] - sign * quats[1],
        _float(written.joint_pos) - _float(read.joint_pos),
    )
    return float(max(np.abs(gap).max() for gap in gaps))


def _float(array: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(array, dtype=np.float64)


def _column_names(chosen: Format) -> list[str]:
    return list(chosen.joint_names or JOINT_NAMES)
