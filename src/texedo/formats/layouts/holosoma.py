"""Holosoma's npz: MuJoCo's whole state, with the names of joints and bodies.

`joint_pos` has 36 columns, the root in front: xyz, wxyz, then the joints that
`joint_names` lists. `body_pos_w` is of all bodies of the model, which `body_names`
lists: the world first, the robot's links, points on the soles, an object at the end.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.formats.arrays import check_size
from texedo.formats.clip import FileClip
from texedo.formats.motion_file import MotionFile
from texedo.formats.proofs import (
    Bodies,
    as_names,
    joint_order,
    known_bodies,
    prove_bodies,
)
from texedo.formats.rates import pick_rate
from texedo.formats.spec import Format, one_clip
from texedo.robot.g1 import JOINT_NAMES

NAME = "holosoma-npz"
COLUMNS = 7 + len(JOINT_NAMES)


def is_holosoma(source: MotionFile) -> bool:
    """Whether an npz has named joints behind a root, as no other format has."""
    headers = source.npz_headers
    shape = headers["joint_pos"].shape if "joint_pos" in headers else ()
    return "joint_names" in headers and len(shape) == 2 and shape[1] > len(JOINT_NAMES)


def _sniff(source: MotionFile) -> str | None:
    if not is_holosoma(source):
        return None
    return "joint_names, and a root in front of the joints of joint_pos"


def _read(source: MotionFile, *, fps: float | None) -> dict[str, FileClip]:
    source.require("npz", NAME)
    path, headers = source.path, source.npz_headers
    for key in {"joint_pos", "body_pos_w"} & set(headers):
        check_size(headers[key], path, what=key)
    data = source.npz("joint_pos", "joint_names")
    names = as_names(data["joint_names"])
    if names is None:
        raise FileFormatError(f"{path}: its joint_names are no names; export it again.")
    gather = joint_order(path, names, what="its joint_names")
    rows = data["joint_pos"]
    if rows.ndim != 2 or rows.shape[1] != COLUMNS or rows.dtype.kind not in "fiu":
        raise FileFormatError(
            f"{path}: joint_pos is {rows.shape} of {rows.dtype}, and {NAME} has (frames, "
            f"{COLUMNS}) numbers: root and 29 joints; export it again."
        )
    stored = source.npz("fps")["fps"] if "fps" in headers else None
    clip = FileClip(
        rate=pick_rate(path, fps, stored=stored),
        root_pos_w=rows[:, :3],
        root_quat_w=rows[:, 3:7],
        joint_pos=rows[:, 7:][:, gather],
        proof="; ".join(
            filter(None, ("joint names agree", _proof(source, rows, gather)))
        ),
    )
    return one_clip(source, clip)


def _proof(source: MotionFile, rows: NDArray[Any], gather: list[int]) -> str:
    """That the bodies follow from the joints; empty if the file has none."""
    if not {"body_pos_w", "body_names"} <= set(source.npz_headers) or not len(rows):
        return ""
    data = source.npz("body_pos_w", "body_names")
    names, places = as_names(data["body_names"]), data["body_pos_w"]
    if names is None or places.shape != (len(rows), len(names), 3):
        return ""
    indices = known_bodies(source.path, names, what="its list of bodies (body_names)")
    ours = [i for i, index in enumerate(indices) if index >= 0]
    bodies = Bodies(
        rows[:, :3],
        rows[:, 3:7],
        rows[:, 7:][:, gather],
        [indices[i] for i in ours],
        places[:, ours],
    )
    return prove_bodies(source.path, bodies, what="body_pos_w", order="wxyz")


FORMATS = (
    Format(
        name=NAME,
        kind="npz",
        extensions=(".npz",),
        description="Holosoma: root and named joints in one array, wxyz",
        sniff=_sniff,
        read=_read,
    ),
)
