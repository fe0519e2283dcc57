"""Plain rows of 36 numbers: root xyz, root quaternion, 29 joints, as csv or npy.

Nothing in such a file says which quaternion and joint order it has, or its rate: the
same numbers read in another order still move the robot, wrongly. That is why none of
these formats is ever guessed.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.formats.arrays import check_size
from texedo.formats.clip import FileClip
from texedo.formats.motion_file import MotionFile
from texedo.formats.rates import Rate, pick_rate
from texedo.formats.spec import Format, one_clip
from texedo.formats.tables import Rows, read_rows, write_table
from texedo.robot.g1 import (
    ISAACLAB_FROM_MUJOCO,
    ISAACLAB_JOINT_NAMES,
    MUJOCO_FROM_ISAACLAB,
)

COLUMNS = 36
_WXYZ_FROM_XYZW = (3, 0, 1, 2)
_XYZW_FROM_WXYZ = (1, 2, 3, 0)
_UNIT = 0.05
# As many digits as bring the number back, be it of 32 or of 64 bits.
_DIGITS = "%s"


class Layout(NamedTuple):
    """The two orders that a row of 36 leaves open."""

    quat: Literal["wxyz", "xyzw"]
    joints: Literal["mujoco", "isaaclab"]


def clip_from_rows(rows: NDArray[Any], layout: Layout, *, rate: Rate) -> FileClip:
    """Rows of 36 in any layout, as a clip."""
    quat, joints = rows[:, 3:7], rows[:, 7:]
    return FileClip(
        rate=rate,
        root_pos_w=rows[:, :3],
        root_quat_w=wxyz_from_xyzw(quat) if layout.quat == "xyzw" else quat,
        joint_pos=(
            joints[:, MUJOCO_FROM_ISAACLAB] if layout.joints == "isaaclab" else joints
        ),
    )


def rows_from_clip(clip: FileClip, layout: Layout) -> NDArray[Any]:
    """A clip as rows of 36 in any layout, (T, 36), every number as it is."""
    quat, joints = clip.root_quat_w, clip.joint_pos
    if layout.quat == "xyzw":
        quat = xyzw_from_wxyz(quat)
    if layout.joints == "isaaclab":
        joints = joints[:, ISAACLAB_FROM_MUJOCO]
    return np.concatenate((clip.root_pos_w, quat, joints), axis=1)


def wxyz_from_xyzw(quat: NDArray[Any]) -> NDArray[Any]:
    return quat[..., _WXYZ_FROM_XYZW]


def xyzw_from_wxyz(quat: NDArray[Any]) -> NDArray[Any]:
    return quat[..., _XYZW_FROM_WXYZ]


def _csv_format(name: str, layout: Layout, *, fps: float, origin: str) -> Format:
    def sniff(source: MotionFile) -> str | None:
        columns = len(source.fields)
        if source.has_header:
            return None
        if columns == COLUMNS:
            return f"{COLUMNS} columns of numbers, no header"
        if columns == COLUMNS + 1 and source.counts_rows:
            return f"{COLUMNS} columns of numbers after one that counts, no header"
        return None

    def read(source: MotionFile, *, fps: float | None) -> dict[str, FileClip]:
        source.require("text", name)
        rows = _csv_rows(source.path)
        rate = pick_rate(source.path, fps, stored=rows.fps, assumed=default_fps)
        return one_clip(source, clip_from_rows(rows.values, layout, rate=rate))

    def write(path: Path, clip: FileClip) -> None:
        write_table(path, rows_from_clip(clip, layout), digits=_DIGITS)

    default_fps = fps
    return Format(
        name=name,
        kind="text",
        extensions=(".csv",),
        description=f"{origin}: {layout.quat}, {layout.joints} joints, {fps:g} fps",
        sniff=sniff,
        read=read,
        write=write,
        fps=fps,
        proves=False,
    )


def _csv_rows(path: Path) -> Rows:
    """36 columns; a first one that counts is left out only if the rest fits."""
    rows = read_rows(path, columns=COLUMNS)
    length = np.linalg.norm(rows.values[:, 3:7], axis=1)
    if rows.counted and not (np.abs(length - 1) < _UNIT).all():
        raise FileFormatError(
            f"{path}: has {COLUMNS + 1} columns, and without the first, which counts, "
            f"columns 5 to 8 are no quaternions; leave out what is no root position, "
            "quaternion or joint."
        )
    return rows


def _sniff_npy(source: MotionFile) -> str | None:
    if source.kind != "npy":
        return None
    shape = source.npy_header.shape
    if len(shape) == 2 and shape[1] == COLUMNS:
        return f"an array of shape {shape}, and nothing more"
    return None


def _npy_rows(source: MotionFile, name: str) -> NDArray[Any]:
    source.require("npy", name)
    header = source.npy_header
    check_size(header, source.path, what="the array")
    if len(header.shape) != 2 or header.shape[1] != COLUMNS:
        raise FileFormatError(
            f"{source.path}: its array is {header.shape}, and {name} has (frames, "
            f"{COLUMNS}); it is no motion of this format."
        )
    if header.dtype.kind not in "fiu":
        raise FileFormatError(
            f"{source.path}: its array holds {header.dtype}, not numbers; save numbers."
        )
    return source.npy()


_TEXEDO_NPY = Layout("wxyz", "isaaclab")
_AMASS_NPY = Layout("xyzw", "mujoco")
_AMASS_RATE = re.compile(r"_(\d+)_jpos$")


def _read_texedo_npy(source: MotionFile, *, fps: float | None) -> dict[str, FileClip]:
    rows = _npy_rows(source, "texedo-npy")
    rate = pick_rate(source.path, fps, assumed=50.0)
    return one_clip(source, clip_from_rows(rows, _TEXEDO_NPY, rate=rate))


def _write_texedo_npy(path: Path, clip: FileClip) -> None:
    with open(path, "wb") as handle:
        rows = rows_from_clip(clip, _TEXEDO_NPY).astype(np.float32, order="C")
        np.save(handle, rows, allow_pickle=False)


def _read_amass_npy(source: MotionFile, *, fps: float | None) -> dict[str, FileClip]:
    rows = _npy_rows(source, "amass-npy")
    found = _AMASS_RATE.search(source.path.stem)
    stored = float(found[1]) if found else None
    if fps is None and stored is None:
        raise FileFormatError(_no_rate(source, rows))
    rate = pick_rate(source.path, fps, stored=stored, origin="name")
    return one_clip(source, clip_from_rows(rows, _AMASS_NPY, rate=rate))


def _no_rate(source: MotionFile, rows: NDArray[Any]) -> str:
    clip = clip_from_rows(rows, _AMASS_NPY, rate=Rate(50.0, "format"))
    usual = clip.at_usual_rates_in_words()
    return (
        f"{source.path}: its name states no rate, as in walk_120_jpos.npy, nor does the "
        f"file{': ' + usual if usual else ''}; give the right one, as in --fps 120 or "
        "fps=120."
    )


FORMATS = (
    _csv_format(
        "unitree-csv", Layout("xyzw", "mujoco"), fps=30.0, origin="Unitree, LAFAN1"
    ),
    _csv_format("kimodo-csv", Layout("wxyz", "mujoco"), fps=30.0, origin="Kimodo"),
    _csv_format(
        "texedo-csv", Layout("xyzw", "mujoco"), fps=50.0, origin="TEXEDO paper"
    ),
    Format(
        name="texedo-npy",
        kind="npy",
        extensions=(".npy",),
        description="TEXEDO paper: wxyz, isaaclab joints, 50 fps",
        sniff=_sniff_npy,
        read=_read_texedo_npy,
        write=_write_texedo_npy,
        fps=50.0,
        proves=False,
        joint_names=ISAACLAB_JOINT_NAMES,
    ),
    Format(
        name="amass-npy",
        kind="npy",
        extensions=(".npy",),
        description="AMASS retargeted for robots: xyzw, mujoco joints, fps in the name",
        sniff=_sniff_npy,
        read=_read_amass_npy,
        proves=False,
    ),
)
