"""Kimodo's npz of the G1: rotation matrices of a 34-joint skeleton, y up, z forward.

The skeleton is the robot's tree (pelvis and 29 hinges, limb by limb) with four end
points put in: a toe behind each ankle roll, a hand behind each wrist yaw. Kimodo's
(x, y, z) is our (y, z, x), and its global rotations are the orientations of our links,
seen in that frame. So with B the fixed turn of a link in its parent and a its hinge axis,

    local rotation = B * turn(a, angle)

and the angle is the twist about a of B^-1 * local. A network's output is not exactly a
turn about the hinge; the twist is the closest one.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.formats.arrays import check_size, write_npz
from texedo.formats.clip import FileClip
from texedo.formats.motion_file import MotionFile
from texedo.formats.proofs import Bodies, typical_misfit
from texedo.formats.rates import pick_rate
from texedo.formats.spec import Format, one_clip
from texedo.motion.rotations import (
    quat_conjugate,
    quat_from_matrix,
    quat_multiply,
    quat_normalize,
    quat_rotate,
    quat_to_matrix,
    quat_yaw,
)
from texedo.robot.g1 import BODY_INDEX, BODY_NAMES, JOINT_INDEX
from texedo.robot.kinematics import forward_kinematics
from texedo.robot.tables import BODY_ROWS, JOINT_ROWS

NAME = "kimodo-npz"
_FPS = 30.0

# End points are not in the public description of the robot: where the sole ends in
# front, and the palm. Readers of the pose need not trust them to the centimetre.
_TOE, _HEEL = (0.132, 0.0, -0.035), (-0.054, 0.0, -0.035)
_PALM = (0.08, 0.0, 0.0)
_CONTACT_HEIGHT = 0.01
MAX_TYPICAL_MISFIT = 0.1
"""Most that half of the joints may be from where the rotations put them [m]."""


def _skeleton() -> list[tuple[str, tuple[float, ...]]]:
    """Per skeleton joint: the link that carries it and its place in that link."""
    joints: list[tuple[str, tuple[float, ...]]] = []
    for body in BODY_NAMES:
        joints.append((body, (0.0, 0.0, 0.0)))
        if body.endswith("ankle_roll_link"):
            joints.append((body, _TOE))
        elif body.endswith("wrist_yaw_link"):
            joints.append((body, _PALM))
    return joints


_SKELETON = _skeleton()
NUM_SKELETON_JOINTS = len(_SKELETON)
_CARRIER = np.array([BODY_INDEX[body] for body, _ in _SKELETON])
_OFFSET = np.array([offset for _, offset in _SKELETON])
_FROM_SKELETON = np.array(
    [i for i, (_, offset) in enumerate(_SKELETON) if not any(offset)]
)
"""Where our 30 bodies stand among the 34 joints."""
_PARENT = np.array([BODY_INDEX[row.parent] for row in BODY_ROWS[1:]])
_REST = quat_normalize(np.array([row.quat for row in BODY_ROWS[1:]]))
_AXIS = np.array(["xyz".index(JOINT_ROWS[i].axis) + 1 for i in range(len(JOINT_ROWS))])
_JOINT_OF_BODY = {row.body: JOINT_INDEX[row.name] for row in JOINT_ROWS}
_JOINT = np.array([_JOINT_OF_BODY[body] for body in BODY_NAMES[1:]])

_OURS_FROM_KIMODO = np.array([2, 0, 1])
_KIMODO_FROM_OURS = np.array([1, 2, 0])


def _sniff(source: MotionFile) -> str | None:
    headers = source.npz_headers
    for key in ("local_rot_mats", "global_rot_mats"):
        if key in headers and headers[key].shape[-3:] == (NUM_SKELETON_JOINTS, 3, 3):
            if {"root_positions", "posed_joints"} & set(headers):
                return f"{key} of {NUM_SKELETON_JOINTS} joints"
    return None


def _read(source: MotionFile, *, fps: float | None) -> dict[str, FileClip]:
    source.require("npz", NAME)
    if "local_rot_mats" in source.npz_headers:
        local = _body_quats(source, "local_rot_mats")
        root = local[:, 0]
        local = local[:, 1:]
    else:
        quat = _body_quats(source, "global_rot_mats")
        root = quat[:, 0]
        local = quat_multiply(quat_conjugate(quat[:, _PARENT]), quat[:, 1:])
    stored = source.npz("fps")["fps"] if "fps" in source.npz_headers else None
    clip = FileClip(
        rate=pick_rate(source.path, fps, stored=stored, assumed=_FPS),
        root_pos_w=_root_positions(source, len(root)),
        root_quat_w=root,
        joint_pos=_hinge_angles(local),
    )
    return one_clip(source, replace(clip, proof=_proof(source, clip)))


def _proof(source: MotionFile, clip: FileClip) -> str:
    """That `posed_joints` stands where the angles put it.

    To the decimetre: a network's joints are not quite the robot's hinges.
    """
    if "posed_joints" not in source.npz_headers or not len(clip):
        return ""
    places = _array(source, "posed_joints", shape=(NUM_SKELETON_JOINTS, 3))
    if len(places) != len(clip):
        return ""
    bodies = Bodies(
        clip.root_pos_w,
        clip.root_quat_w,
        clip.joint_pos,
        range(len(BODY_NAMES)),
        places[:, _FROM_SKELETON][..., _OURS_FROM_KIMODO],
    )
    gap = typical_misfit(bodies)
    if MAX_TYPICAL_MISFIT < gap < np.inf:
        raise FileFormatError(
            f"{source.path}: posed_joints contradicts its rotations: the joints are "
            f"{gap * 100:.0f} cm from where these put them, so it is of another robot "
            "or damaged; generate it again with a G1 model."
        )
    return f"posed_joints agrees to {gap * 1000:.0f} mm" if np.isfinite(gap) else ""


def _array(
    source: MotionFile, key: str, *, shape: tuple[int, ...]
) -> NDArray[np.float64]:
    """An array (T, *shape); Kimodo may put a batch axis of one in front."""
    if key in source.npz_headers:
        check_size(source.npz_headers[key], source.path, what=key)
    array = source.npz(key)[key]
    if array.ndim == len(shape) + 2 and len(array) == 1:
        array = array[0]
    if array.ndim != len(shape) + 1 or array.shape[1:] != shape:
        raise FileFormatError(
            f"{source.path}: {key} is {array.shape}, and one motion of the G1 has "
            f"(frames, {', '.join(map(str, shape))}); generate it with a G1 model."
        )
    return np.asarray(array, dtype=np.float64)


def _body_quats(source: MotionFile, key: str) -> NDArray[np.float64]:
    """Rotations of our 30 bodies in our frame, (T, 30, 4)."""
    matrices = _array(source, key, shape=(NUM_SKELETON_JOINTS, 3, 3))[:, _FROM_SKELETON]
    if not np.isfinite(matrices).all():
        raise FileFormatError(
            f"{source.path}: {key} holds NaN or infinity; generate it again."
        )
    gram = matrices @ matrices.swapaxes(-1, -2)
    if np.abs(gram - np.eye(3)).max(initial=0.0) > 0.01:
        raise FileFormatError(
            f"{source.path}: {key} holds matrices that are no rotations; "
            "generate it again."
        )
    if (np.linalg.det(matrices) < 0).any():
        raise FileFormatError(
            f"{source.path}: {key} holds reflections (determinant -1), which no joint "
            "can do; generate it again."
        )
    ours = matrices[..., _OURS_FROM_KIMODO, :][..., _OURS_FROM_KIMODO]
    return np.asarray(quat_from_matrix(ours))


def _root_positions(source: MotionFile, frames: int) -> NDArray[np.float64]:
    if "root_positions" in source.npz_headers:
        root = _array(source, "root_positions", shape=(3,))
    else:
        root = _array(source, "posed_joints", shape=(NUM_SKELETON_JOINTS, 3))[:, 0]
    if len(root) != frames:
        raise FileFormatError(
            f"{source.path}: has {len(root)} root positions for {frames} frames; "
            "the file is damaged."
        )
    return np.asarray(root[:, _OURS_FROM_KIMODO])


def _hinge_angles(local: NDArray[np.float64]) -> NDArray[np.float64]:
    """Joint angles from the rotations of 29 links in their parents, (T, 29)."""
    turn = quat_multiply(quat_conjugate(_REST), local)  # body order
    axis = _AXIS[_JOINT]
    along = np.take_along_axis(turn, axis[None, :, None], axis=-1)[..., 0]
    angle = 2 * np.arctan2(along, turn[..., 0])
    angle = (angle + np.pi) % (2 * np.pi) - np.pi
    joints: NDArray[np.float64] = np.empty(angle.shape)
    joints[:, _JOINT] = angle
    return joints


def _write(path: Path, clip: FileClip) -> None:
    poses = forward_kinematics(clip.root_pos_w, clip.root_quat_w, clip.joint_pos)
    quat = poses.quat_w[:, _CARRIER]
    pos = poses.pos_w[:, _CARRIER] + quat_rotate(quat, _OFFSET)
    to_parent = quat_multiply(
        quat_conjugate(poses.quat_w[:, _PARENT]), poses.quat_w[:, 1:]
    )
    identity = np.broadcast_to([1.0, 0.0, 0.0, 0.0], quat.shape)
    local = identity.copy()
    local[:, _FROM_SKELETON] = np.concatenate((quat[:, :1], to_parent), axis=1)
    yaw = quat_yaw(poses.quat_w[:, 0])
    root = poses.pos_w[:, 0][:, _KIMODO_FROM_OURS]
    arrays: dict[str, NDArray[Any]] = {
        "posed_joints": pos[..., _KIMODO_FROM_OURS],
        "global_rot_mats": _to_kimodo(quat),
        "local_rot_mats": _to_kimodo(local),
        "foot_contacts": _contacts(poses.pos_w, poses.quat_w),
        "smooth_root_pos": root,
        "root_positions": root,
        "global_root_heading": np.stack((np.cos(yaw), np.sin(yaw)), axis=-1),
    }
    arrays = {key: value.astype(np.float32) for key, value in arrays.items()}
    # Kimodo's own files leave the rate out; its readers do not mind one more array.
    write_npz(path, {"fps": np.array(clip.fps), **arrays})


def _to_kimodo(quat: NDArray[np.float64]) -> NDArray[np.float64]:
    matrices = quat_to_matrix(quat)
    return np.asarray(matrices[..., _KIMODO_FROM_OURS, :][..., _KIMODO_FROM_OURS])


def _contacts(
    pos_w: NDArray[np.float64], quat_w: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Left heel, left toe, right heel, right toe on the floor: 1, else 0; (T, 4)."""
    columns = []
    for side in ("left", "right"):
        foot = BODY_INDEX[f"{side}_ankle_roll_link"]
        for point in (_HEEL, _TOE):
            place = pos_w[:, foot] + quat_rotate(quat_w[:, foot], np.array(point))
            columns.append(place[:, 2] < _CONTACT_HEIGHT)
    return np.stack(columns, axis=-1).astype(np.float64)


FORMATS = (
    Format(
        name=NAME,
        kind="npz",
        extensions=(".npz",),
        description="Kimodo: rotation matrices of 34 joints, y up, 30 fps",
        sniff=_sniff,
        read=_read,
        write=_write,
        fps=_FPS,
    ),
)
