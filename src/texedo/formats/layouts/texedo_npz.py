"""Our own file: an npz that says everything about itself.

Names of joints and bodies, quaternion order, rate, robot, units and a version travel
with the numbers, so that a reader can check instead of assume, and reorder by name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from texedo.core.errors import FileFormatError
from texedo.formats.arrays import write_npz
from texedo.formats.clip import FileClip
from texedo.formats.layouts.rows36 import wxyz_from_xyzw
from texedo.formats.motion_file import MotionFile
from texedo.formats.rates import pick_rate
from texedo.formats.spec import Format, one_clip
from texedo.robot.g1 import BODY_NAMES, JOINT_NAMES, ROBOT_NAME

MAGIC = "texedo-motion"
VERSION = 1
_UNITS = "m, rad, s"

_TEXTS = ("format", "robot", "units", "quat_order")
_ARRAYS = ("root_pos_w", "root_quat_w", "joint_pos")


def _sniff(source: MotionFile) -> str | None:
    headers = source.npz_headers
    if "format" not in headers or "format_version" not in headers:
        return None
    if _text(source.npz("format")["format"]) != MAGIC:
        return None
    return f"says so itself: {MAGIC}"


def _read(source: MotionFile, *, fps: float | None) -> dict[str, FileClip]:
    source.require("npz", "texedo")
    data = source.npz(*_TEXTS, "format_version", "fps", "joint_names", *_ARRAYS)
    path = source.path
    _check_labels(path, data)
    names = [str(name) for name in data["joint_names"].reshape(-1)]
    if sorted(names) != sorted(JOINT_NAMES):
        odd = sorted(set(names) ^ set(JOINT_NAMES))
        raise FileFormatError(
            f"{path}: its joint names are not the G1's ({', '.join(odd[:3])} differ); "
            "write it again with 'texedo convert'."
        )
    joints = data["joint_pos"]
    if joints.ndim != 2 or joints.shape[1] != len(names):
        raise FileFormatError(
            f"{path}: joint_pos is {joints.shape} for {len(names)} names; "
            "the file is damaged."
        )
    quat = data["root_quat_w"]
    if _text(data["quat_order"]) == "xyzw":
        quat = wxyz_from_xyzw(quat)
    clip = FileClip(
        rate=pick_rate(path, fps, stored=data["fps"]),
        root_pos_w=data["root_pos_w"],
        root_quat_w=quat,
        joint_pos=joints[:, [names.index(name) for name in JOINT_NAMES]],
    )
    return one_clip(source, clip)


def _check_labels(path: Path, data: dict[str, Any]) -> None:
    version = data["format_version"].reshape(-1)
    if version.shape != (1,) or version.dtype.kind not in "iu" or version[0] < 1:
        raise FileFormatError(f"{path}: its format version is damaged; copy it again.")
    if version[0] > VERSION:
        raise FileFormatError(
            f"{path}: is of format version {version[0]}, and this program reads up to "
            f"{VERSION}; update texedo."
        )
    known = {
        "format": (MAGIC,),
        "robot": (ROBOT_NAME,),
        "units": (_UNITS,),
        "quat_order": ("wxyz", "xyzw"),
    }
    for key, choices in known.items():
        if (text := _text(data[key])) not in choices:
            raise FileFormatError(
                f"{path}: its {key} is {text[:40]!r}, not {' or '.join(choices)}; "
                "it cannot be played on this robot as it is."
            )


def _text(array: Any) -> str:
    """The text in an array of one."""
    return str(array.reshape(-1)[0]) if array.size == 1 else ""


def _write(path: Path, clip: FileClip) -> None:
    write_npz(
        path,
        {
            "format": np.array(MAGIC),
            "format_version": np.array(VERSION),
            "robot": np.array(ROBOT_NAME),
            "units": np.array(_UNITS),
            "quat_order": np.array("wxyz"),
            "fps": np.array(clip.fps),
            "joint_names": np.array(JOINT_NAMES),
            "body_names": np.array(BODY_NAMES),
            "root_pos_w": clip.root_pos_w.astype(np.float32),
            "root_quat_w": clip.root_quat_w.astype(np.float32),
            "joint_pos": clip.joint_pos.astype(np.float32),
        },
        compress=True,
    )


FORMATS = (
    Format(
        name="texedo",
        kind="npz",
        extensions=(".npz",),
        description="Texedo's own: names, orders, fps and robot inside",
        sniff=_sniff,
        read=_read,
        write=_write,
    ),
)
