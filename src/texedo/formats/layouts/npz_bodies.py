"""BeyondMimic and mjlab npz: the same keys and shapes, in two orders.

Isaac Lab numbers joints and bodies level by level, MuJoCo limb by limb, and the file
mostly holds no names. Forward kinematics tells them apart: only in the right order do the
joint angles put the bodies where the file has them. So an unnamed file is read in the
order that fits, and a wrongly named one is refused.
"""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.formats.arrays import check_size, write_npz
from texedo.formats.clip import FileClip
from texedo.formats.layouts.holosoma import is_holosoma
from texedo.formats.motion_file import MotionFile
from texedo.formats.proofs import (
    MAX_MISFIT,
    Bodies,
    as_names,
    fitting_reading,
    misfit,
    prove_bodies,
    prove_joint_names,
)
from texedo.formats.rates import pick_rate
from texedo.formats.spec import Format, one_clip
from texedo.robot.g1 import (
    BODY_NAMES,
    ISAACLAB_FROM_MUJOCO,
    ISAACLAB_FROM_MUJOCO_BODIES,
    JOINT_NAMES,
    MUJOCO_FROM_ISAACLAB,
    MUJOCO_FROM_ISAACLAB_BODIES,
)
from texedo.robot.kinematics import (
    body_velocities,
    com_velocities,
    forward_kinematics,
    joint_velocities,
)

Name = Literal["beyondmimic-npz", "mjlab-npz"]

_FPS = 50.0
"""Both trackers play one frame per control step of 1/50 s, whatever `fps` says."""
_KEYS = ("joint_pos", "body_pos_w", "body_quat_w")
NO_FIT = "do NOT fit"
"""Stands in the evidence where the bodies contradict an order."""


class _Order(NamedTuple):
    joints_in: NDArray[np.int64]
    """MuJoCo order from the file's."""
    bodies_in: NDArray[np.int64]
    joints_out: NDArray[np.int64]
    """The file's order from MuJoCo's."""
    bodies_out: NDArray[np.int64]


_SAME_JOINTS, _SAME_BODIES = np.arange(len(JOINT_NAMES)), np.arange(len(BODY_NAMES))
_ORDERS: dict[Name, _Order] = {
    "beyondmimic-npz": _Order(
        MUJOCO_FROM_ISAACLAB,
        MUJOCO_FROM_ISAACLAB_BODIES,
        ISAACLAB_FROM_MUJOCO,
        ISAACLAB_FROM_MUJOCO_BODIES,
    ),
    "mjlab-npz": _Order(_SAME_JOINTS, _SAME_BODIES, _SAME_JOINTS, _SAME_BODIES),
}


def _bodies(data: dict[str, NDArray[Any]], name: Name) -> Bodies:
    order = _ORDERS[name]
    return Bodies(
        data["body_pos_w"][:, 0],
        data["body_quat_w"][:, 0],
        data["joint_pos"][:, order.joints_in],
        range(len(BODY_NAMES)),
        data["body_pos_w"][:, order.bodies_in],
    )


@lru_cache(maxsize=2)
def _fits(source: MotionFile) -> dict[Name, float]:
    """How far the bodies are off in each order [m]; empty if that cannot be told."""
    data = _load(source)
    gaps = {name: misfit(_bodies(data, name)) for name in _ORDERS}
    return gaps if all(np.isfinite(gap) for gap in gaps.values()) else {}


def _load(source: MotionFile) -> dict[str, NDArray[Any]]:
    """The arrays we need, with shapes that agree."""
    path = source.path
    for key in set(_KEYS) & set(source.npz_headers):
        check_size(source.npz_headers[key], path, what=key)
    data = source.npz(*_KEYS)
    frames = len(data["joint_pos"]) if data["joint_pos"].ndim else 0
    widths = {
        "joint_pos": (len(JOINT_NAMES),),
        "body_pos_w": (len(BODY_NAMES), 3),
        "body_quat_w": (len(BODY_NAMES), 4),
    }
    for key, width in widths.items():
        if data[key].shape != (frames, *width) or data[key].dtype.kind not in "fiu":
            raise FileFormatError(
                f"{path}: {key} is {data[key].shape}, and should be {(frames, *width)} "
                "for the 29-joint G1; export it again from that robot."
            )
    if not frames:
        raise FileFormatError(f"{path}: holds no frames; export it again.")
    return data


def _sniff(source: MotionFile, name: Name) -> str | None:
    headers = source.npz_headers
    if any(key not in headers for key in _KEYS) or is_holosoma(source):
        return None
    keys = f"arrays {', '.join(_KEYS)}"
    try:
        gaps = _fits(source)
    except FileFormatError:
        return keys
    if not gaps:
        return keys
    if gaps[name] <= MAX_MISFIT:
        return f"{keys}; its bodies fit this order to {gaps[name] * 1000:.1f} mm"
    if any(gap <= MAX_MISFIT for gap in gaps.values()):
        return None
    return f"{keys}; its bodies {NO_FIT} this order ({gaps[name] * 100:.0f} cm off)"


def _read(source: MotionFile, *, fps: float | None, name: Name) -> dict[str, FileClip]:
    source.require("npz", name)
    data = _load(source)
    clip = FileClip(
        rate=pick_rate(source.path, fps, stored=_stored_fps(source)),
        root_pos_w=data["body_pos_w"][:, 0],
        root_quat_w=data["body_quat_w"][:, 0],
        joint_pos=data["joint_pos"][:, _ORDERS[name].joints_in],
        proof="; ".join(
            filter(None, (_proof(source, data, name), _names(source, name)))
        ),
    )
    return one_clip(source, clip)


def _stored_fps(source: MotionFile) -> Any:
    return source.npz("fps")["fps"] if "fps" in source.npz_headers else None


def _names(source: MotionFile, name: Name) -> str:
    """That the joint names, where a file has them, stand in this order."""
    if "joint_names" not in source.npz_headers:
        return ""
    names = as_names(source.npz("joint_names")["joint_names"])
    wanted = [JOINT_NAMES[i] for i in _ORDERS[name].joints_out]
    return prove_joint_names(source.path, names, wanted, what="its joint_names")


def _proof(source: MotionFile, data: dict[str, NDArray[Any]], name: Name) -> str:
    """That the bodies follow from the joints; the other order is named if it fits."""
    bodies = _bodies(data, name)
    gap = misfit(bodies)
    other: Name = "mjlab-npz" if name == "beyondmimic-npz" else "beyondmimic-npz"
    # Not comparable means NaN or a zero quaternion, which `Motion` words better.
    if MAX_MISFIT < gap < np.inf:
        alike = _bodies(data, other)
        if misfit(alike) <= MAX_MISFIT:
            raise FileFormatError(
                f"{source.path}: is not {name} but {other}: its bodies are "
                f"{gap * 100:.0f} cm off in the first order and fit the second; read it "
                f"as {other}."
            )
        words = fitting_reading(alike, order="wxyz")
        if words and not fitting_reading(bodies, order="wxyz"):
            raise FileFormatError(
                f"{source.path}: body_pos_w contradicts {name} and fits {other} if "
                f"{words}; export it again as {other} has it."
            )
    return prove_bodies(source.path, bodies, what="body_pos_w", order="wxyz")


def _write(path: Path, clip: FileClip, *, name: Name) -> None:
    order = _ORDERS[name]
    # What follows from the joints follows from the numbers that are in the file.
    pos, quat, joints = (
        array.astype(np.float32)
        for array in (clip.root_pos_w, clip.root_quat_w, clip.joint_pos)
    )
    poses = forward_kinematics(pos, quat, joints)
    velocities = body_velocities(poses, fps=clip.fps)
    linear = velocities.lin_vel_w
    if name == "beyondmimic-npz":
        # Isaac Lab's body velocity is that of the centre of mass, not of the link.
        linear = com_velocities(poses, velocities)
    joint_vel = joint_velocities(joints, fps=clip.fps)
    arrays: dict[str, NDArray[Any]] = {
        "joint_pos": joints[:, order.joints_out],
        "joint_vel": joint_vel[:, order.joints_out],
        "body_pos_w": poses.pos_w[:, order.bodies_out],
        "body_quat_w": poses.quat_w[:, order.bodies_out],
        "body_lin_vel_w": linear[:, order.bodies_out],
        "body_ang_vel_w": velocities.ang_vel_w[:, order.bodies_out],
    }
    # The root as it is: kinematics makes its quaternion unit once more.
    arrays["body_quat_w"][:, 0] = quat
    arrays = {key: value.astype(np.float32) for key, value in arrays.items()}
    write_npz(path, {"fps": np.array([clip.fps]), **arrays})


def _format(name: Name, description: str) -> Format:
    def read(source: MotionFile, *, fps: float | None) -> dict[str, FileClip]:
        return _read(source, fps=fps, name=name)

    def write(path: Path, clip: FileClip) -> None:
        _write(path, clip, name=name)

    return Format(
        name=name,
        kind="npz",
        extensions=(".npz",),
        description=description,
        sniff=partial(_sniff, name=name),
        read=read,
        write=write,
        plays_at=_FPS,
    )


FORMATS = (
    _format("beyondmimic-npz", "Isaac Lab order of joints and bodies"),
    _format("mjlab-npz", "MuJoCo order of joints and bodies"),
)
