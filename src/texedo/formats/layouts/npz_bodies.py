"""BeyondMimic and mjlab npz: the same keys and shapes, in two orders.

Isaac Lab numbers joints and bodies level by level, MuJoCo limb by limb, and the file
holds no names. Forward kinematics tells them apart: only in the right order do the
joint angles put the bodies where the file has them. So a wrongly named file is refused;
an unnamed one is refused too, with the two fits in the message.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.formats.arrays import check_size, write_npz
from texedo.formats.clip import FileClip, label_arrays, pick_fps
from texedo.formats.motion_file import MotionFile
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

MAX_MISFIT = 0.02
"""Largest distance of a body from our kinematics in a file of this robot [m]."""

_KEYS = ("joint_pos", "body_pos_w", "body_quat_w")
_FIT_FRAMES = 32


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


def misfit(data: dict[str, NDArray[Any]], name: Name) -> float:
    """Largest distance between the file's bodies and our kinematics of its joints [m].

    Infinite where they cannot be compared.
    """
    order = _ORDERS[name]
    frames = len(data["joint_pos"])
    at = np.unique(np.linspace(0, frames - 1, min(frames, _FIT_FRAMES)).astype(int))
    pos = data["body_pos_w"][at].astype(np.float64)
    quat = data["body_quat_w"][at, 0].astype(np.float64)
    joints = data["joint_pos"][at].astype(np.float64)
    if not all(np.isfinite(a).all() for a in (pos, quat, joints)) or not quat.any():
        return np.inf
    poses = forward_kinematics(pos[:, 0], quat, joints[:, order.joints_in])
    gaps = np.linalg.norm(poses.pos_w - pos[:, order.bodies_in], axis=-1)
    return float(gaps.max())


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
    if any(key not in headers for key in _KEYS):
        return None
    keys = f"arrays {', '.join(_KEYS)}"
    try:
        gap = misfit(_load(source), name)
    except FileFormatError:
        return keys
    if gap <= MAX_MISFIT:
        return f"{keys}; its bodies fit this order to {gap * 1000:.1f} mm"
    return f"{keys}; its bodies do NOT fit this order ({gap * 100:.0f} cm off)"


def _read(source: MotionFile, *, fps: float | None, name: Name) -> dict[str, FileClip]:
    source.require("npz", name)
    data = _load(source)
    _check_fit(source.path, data, name=name)
    stored = source.npz("fps")["fps"] if "fps" in source.npz_headers else None
    clip = FileClip(
        fps=pick_fps(source.path, fps, stored=stored),
        root_pos_w=data["body_pos_w"][:, 0],
        root_quat_w=data["body_quat_w"][:, 0],
        joint_pos=data["joint_pos"][:, _ORDERS[name].joints_in],
    )
    return one_clip(source, clip)


def _check_fit(path: Path, data: dict[str, NDArray[Any]], *, name: Name) -> None:
    gap = misfit(data, name)
    # Not comparable means NaN or a zero quaternion, which `Motion` words better.
    if gap <= MAX_MISFIT or not np.isfinite(gap):
        return
    other: Name = "mjlab-npz" if name == "beyondmimic-npz" else "beyondmimic-npz"
    other_gap = misfit(data, other)
    if other_gap <= MAX_MISFIT:
        raise FileFormatError(
            f"{path}: is not {name} but {other}: its bodies are {gap * 100:.0f} cm off "
            f"in the first order and fit the second; read it as {other}."
        )
    raise FileFormatError(
        f"{path}: its body positions do not follow from its joint angles in either "
        f"order ({name}: {gap * 100:.0f} cm off, {other}: {other_gap * 100:.0f} cm); "
        "export it again from the 29-joint G1 rev 1.0."
    )


def _write(path: Path, clip: FileClip, *, name: Name) -> None:
    order = _ORDERS[name]
    poses = forward_kinematics(clip.root_pos_w, clip.root_quat_w, clip.joint_pos)
    velocities = body_velocities(poses, fps=clip.fps)
    linear = velocities.lin_vel_w
    if name == "beyondmimic-npz":
        # Isaac Lab's body velocity is that of the centre of mass, not of the link.
        linear = com_velocities(poses, velocities)
    joint_vel = joint_velocities(clip.joint_pos, fps=clip.fps)
    arrays: dict[str, NDArray[Any]] = {
        "joint_pos": clip.joint_pos[:, order.joints_out],
        "joint_vel": joint_vel[:, order.joints_out],
        "body_pos_w": poses.pos_w[:, order.bodies_out],
        "body_quat_w": poses.quat_w[:, order.bodies_out],
        "body_lin_vel_w": linear[:, order.bodies_out],
        "body_ang_vel_w": velocities.ang_vel_w[:, order.bodies_out],
    }
    arrays = {key: value.astype(np.float32) for key, value in arrays.items()}
    labels = label_arrays(
        clip,
        joints=[JOINT_NAMES[i] for i in order.joints_out],
        bodies=[BODY_NAMES[i] for i in order.bodies_out],
    )
    write_npz(path, {"fps": np.array([clip.fps]), **arrays, **labels})


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
        proves=False,
        carries_labels=True,
    )


FORMATS = (
    _format("beyondmimic-npz", "Isaac Lab order of joints and bodies"),
    _format("mjlab-npz", "MuJoCo order of joints and bodies"),
)
