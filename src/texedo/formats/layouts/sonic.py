"""SONIC's reference folder: one csv a quantity, with headers, always at 50 Hz."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.formats.clip import FileClip
from texedo.formats.motion_file import MotionFile
from texedo.formats.proofs import Bodies, prove_bodies
from texedo.formats.rates import pick_rate
from texedo.formats.spec import Format, one_clip
from texedo.formats.tables import read_table, write_table
from texedo.robot.g1 import (
    BODY_INDEX,
    ISAACLAB_BODY_NAMES,
    ISAACLAB_FROM_MUJOCO,
    JOINT_NAMES,
    MUJOCO_FROM_ISAACLAB,
    TRACKED_BODIES,
    TRACKED_BODY_INDICES,
)
from texedo.robot.kinematics import (
    body_velocities,
    com_velocities,
    forward_kinematics,
    joint_velocities,
)

NAME = "sonic"
MARKER = "joint_pos.csv"
"""A folder with this file in it is a clip."""
_FPS = 50.0
_DIGITS = "%.6f"
_XYZ = ("x", "y", "z")
_BODIES = [ISAACLAB_BODY_NAMES.index(name) for name in TRACKED_BODIES]


def is_clip(folder: Path) -> bool:
    return (folder / MARKER).is_file()


def _sniff(source: MotionFile) -> str | None:
    if source.kind == "folder" and is_clip(source.path):
        return f"a folder with {MARKER}"
    return None


def _read(source: MotionFile, *, fps: float | None) -> dict[str, FileClip]:
    source.require("folder", NAME)
    folder = source.path
    joints = _table(folder, MARKER, multiple_of=len(JOINT_NAMES))
    if joints.shape[1] != len(JOINT_NAMES):
        raise FileFormatError(
            f"{folder / MARKER}: has {joints.shape[1]} columns, not {len(JOINT_NAMES)}; "
            "export it for the 29-joint G1."
        )
    quats = _table(folder, "body_quat.csv", multiple_of=4)
    positions = _table(folder, "body_pos.csv", multiple_of=3)
    for name, table in (("body_quat.csv", quats), ("body_pos.csv", positions)):
        if len(table) != len(joints):
            raise FileFormatError(
                f"{folder / name}: has {len(table)} rows, and {MARKER} has "
                f"{len(joints)}; export the clip again."
            )
    clip = FileClip(
        rate=pick_rate(folder, fps, assumed=_FPS),
        root_pos_w=_group(folder / "body_pos.csv", positions, width=3),
        root_quat_w=_group(folder / "body_quat.csv", quats, width=4),
        joint_pos=joints[:, MUJOCO_FROM_ISAACLAB],
    )
    return one_clip(source, replace(clip, proof=_proof(folder, positions, clip)))


def _proof(folder: Path, positions: NDArray[np.float64], clip: FileClip) -> str:
    """That the bodies follow from the joints; SONIC lets them be zero, or the root's."""
    bodies = _body_indexes(folder)
    known = [i for i, b in enumerate(bodies) if b < len(ISAACLAB_BODY_NAMES)]
    places = positions.reshape(len(positions), -1, 3)
    if len(known) < 2 or len(bodies) != places.shape[1] or not positions.any():
        return ""
    found = Bodies(
        clip.root_pos_w,
        clip.root_quat_w,
        clip.joint_pos,
        [BODY_INDEX[ISAACLAB_BODY_NAMES[bodies[i]]] for i in known],
        places[:, known],
    )
    return prove_bodies(folder, found, what="body_pos.csv", order="wxyz")


def _table(folder: Path, name: str, *, multiple_of: int) -> NDArray[np.float64]:
    path = folder / name
    # The same checks as for any file: missing, empty, Git LFS pointer.
    MotionFile(path).require("text", NAME)
    table = read_table(path, columns=None, header=True)
    if table.shape[1] % multiple_of:
        raise FileFormatError(
            f"{path}: has {table.shape[1]} columns, which is no multiple of "
            f"{multiple_of}; export the clip again."
        )
    return table


def _group(
    path: Path, table: NDArray[np.float64], *, width: int
) -> NDArray[np.float64]:
    """The columns of the pelvis."""
    first = width * _pelvis_group(path.parent)
    if first + width > table.shape[1]:
        raise FileFormatError(
            f"{path}: has {table.shape[1]} columns, and metadata.txt puts the pelvis "
            f"into columns {first} to {first + width - 1}; export the clip again."
        )
    return table[:, first : first + width]


def _pelvis_group(folder: Path) -> int:
    """Which column group is the pelvis (Isaac Lab body 0); the first if unsaid."""
    bodies = _body_indexes(folder)
    if bodies and 0 not in bodies:
        raise FileFormatError(
            f"{folder / 'metadata.txt'}: its body indexes {bodies} lack the pelvis (0); "
            "export the clip again with it."
        )
    return bodies.index(0) if bodies else 0


def _body_indexes(folder: Path) -> list[int]:
    """Isaac Lab's number of the body of each column group; empty if unsaid."""
    path = folder / "metadata.txt"
    if not path.is_file():
        return []
    text = path.read_text(encoding="utf-8", errors="replace")[:10_000]
    found = re.search(r"Body part indexes:\s*\[([\d\s,]*)\]", text)
    if found is None:
        return []
    return [int(number) for number in re.findall(r"\d+", found[1])]


def _write(path: Path, clip: FileClip) -> None:
    poses = forward_kinematics(clip.root_pos_w, clip.root_quat_w, clip.joint_pos)
    velocities = body_velocities(poses, fps=clip.fps)
    # Isaac Lab, where these folders come from, means the centre of mass.
    linear = com_velocities(poses, velocities)
    joint_vel = joint_velocities(clip.joint_pos, fps=clip.fps)
    _write_joints(path / "joint_pos.csv", clip.joint_pos, prefix="joint")
    _write_joints(path / "joint_vel.csv", joint_vel, prefix="joint_vel")
    _write_bodies(path / "body_pos.csv", poses.pos_w, parts=_XYZ)
    _write_bodies(path / "body_quat.csv", poses.quat_w, parts=("w", *_XYZ))
    speeds = tuple(f"vel_{axis}" for axis in _XYZ)
    _write_bodies(path / "body_lin_vel.csv", linear, parts=speeds)
    turns = tuple(f"angvel_{axis}" for axis in _XYZ)
    _write_bodies(path / "body_ang_vel.csv", velocities.ang_vel_w, parts=turns)
    indexes = " ".join(map(str, _BODIES))
    (path / "metadata.txt").write_text(
        f"Metadata for: motion\n{'=' * 30}\n\nBody part indexes:\n[{indexes}]\n\n"
        f"Total timesteps: {len(clip)}\n",
        encoding="ascii",
    )


def _write_joints(path: Path, values: NDArray[Any], *, prefix: str) -> None:
    write_table(
        path,
        values[:, ISAACLAB_FROM_MUJOCO],
        header=[f"{prefix}_{i}" for i in range(values.shape[1])],
        digits=_DIGITS,
    )


def _write_bodies(path: Path, values: NDArray[Any], *, parts: tuple[str, ...]) -> None:
    tracked = values[:, TRACKED_BODY_INDICES]  # (T, 14, parts)
    write_table(
        path,
        tracked.reshape(len(tracked), -1),
        header=[f"body_{i}_{part}" for i in range(len(_BODIES)) for part in parts],
        digits=_DIGITS,
    )


FORMATS = (
    Format(
        name=NAME,
        kind="folder",
        extensions=(),
        description="SONIC reference folder: wxyz, isaaclab joints, 50 fps",
        sniff=_sniff,
        read=_read,
        write=_write,
        fps=_FPS,
        owned=frozenset(
            {
                *(f"joint_{part}.csv" for part in ("pos", "vel")),
                *(f"body_{part}.csv" for part in ("pos", "quat", "lin_vel", "ang_vel")),
                *("metadata.txt", "info.txt"),
            }
        ),
    ),
)
