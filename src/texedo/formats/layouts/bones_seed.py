"""BONES-SEED csv of the G1: named columns, centimetres, degrees, Euler, 120 fps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.formats.clip import FileClip
from texedo.formats.motion_file import MotionFile
from texedo.formats.rates import pick_rate
from texedo.formats.spec import Format, one_clip
from texedo.formats.tables import read_table, write_table
from texedo.motion.rotations import quat_from_euler, quat_normalize, quat_to_matrix
from texedo.robot.g1 import JOINT_NAMES

NAME = "bones-seed-csv"
_FPS = 120.0
_POSITION = tuple(f"root_translate{axis}" for axis in "XYZ")
_ROTATION = tuple(f"root_rotate{axis}" for axis in "XYZ")
_JOINTS = tuple(f"{name}_dof" for name in JOINT_NAMES)
_CM = 100.0
# Six decimals are 1e-8 m and 2e-8 rad: below what a float32 keeps.
_DIGITS = "%.6f"


def _sniff(source: MotionFile) -> str | None:
    if {*_POSITION, *_ROTATION} <= set(source.fields):
        return f"header with {_POSITION[0]}, {_ROTATION[0]}"
    return None


def _read(source: MotionFile, *, fps: float | None) -> dict[str, FileClip]:
    source.require("text", NAME)
    names = source.fields
    wanted = (*_POSITION, *_ROTATION, *_JOINTS)
    if missing := [name for name in wanted if name not in names]:
        raise FileFormatError(
            f"{source.path}: its header lacks {len(missing)} columns of {NAME} "
            f"({missing[0]}, ...); name the format it really is."
        )
    table = read_table(source.path, columns=len(names), header=True)

    def columns(group: tuple[str, ...]) -> NDArray[np.float64]:
        return table[:, [names.index(name) for name in group]]

    clip = FileClip(
        rate=pick_rate(source.path, fps, assumed=_FPS),
        root_pos_w=columns(_POSITION) / _CM,
        # Lower case: about the fixed axes, x first.
        root_quat_w=quat_from_euler("xyz", np.deg2rad(columns(_ROTATION))),
        joint_pos=np.deg2rad(columns(_JOINTS)),
    )
    return one_clip(source, clip)


def _write(path: Path, clip: FileClip) -> None:
    table = np.concatenate(
        (
            np.arange(len(clip))[:, None],
            clip.root_pos_w.astype(np.float64) * _CM,
            np.rad2deg(euler_xyz(quat_normalize(clip.root_quat_w.astype(np.float64)))),
            np.rad2deg(clip.joint_pos.astype(np.float64)),
        ),
        axis=1,
    )
    header = ("Frame", *_POSITION, *_ROTATION, *_JOINTS)
    write_table(path, table, header=header, digits=_DIGITS)


def euler_xyz(quat: NDArray[np.float64]) -> NDArray[np.float64]:
    """Angles about the fixed axes x, then y, then z, (..., 3) [rad]."""
    m = quat_to_matrix(quat)
    level = np.hypot(m[..., 0, 0], m[..., 1, 0])
    pitch = np.arctan2(-m[..., 2, 0], level)
    # Nose straight up or down, x and z turn about the same line: x takes it all.
    locked = level < 1e-6
    roll = np.arctan2(
        np.where(locked, -m[..., 1, 2], m[..., 2, 1]),
        np.where(locked, m[..., 1, 1], m[..., 2, 2]),
    )
    yaw = np.where(locked, 0.0, np.arctan2(m[..., 1, 0], m[..., 0, 0]))
    return np.stack((roll, pitch, yaw), axis=-1)


FORMATS = (
    Format(
        name=NAME,
        kind="text",
        extensions=(".csv",),
        description="BONES-SEED: named columns, cm, degrees, Euler xyz, 120 fps",
        sniff=_sniff,
        read=_read,
        write=_write,
        fps=_FPS,
    ),
)
