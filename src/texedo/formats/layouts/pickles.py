"""Pickled motions: GMR, TWIST and GMT, and the motion libraries of SONIC and ASAP.

All are read without running them (see `safe_pickle`). Quaternions are xyzw in every
one of them, also where SONIC's documentation says wxyz: its converter writes xyzw.
"""

from __future__ import annotations

import pickle
import pickletools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.formats.clip import FileClip
from texedo.formats.layouts.rows36 import wxyz_from_xyzw, xyzw_from_wxyz
from texedo.formats.motion_file import PICKLE_SUFFIXES, MotionFile
from texedo.formats.pickle_proofs import NO_WRISTS, prove_pickle
from texedo.formats.rates import pick_rate
from texedo.formats.spec import Format, one_clip
from texedo.motion.rotations import quat_normalize
from texedo.robot.g1 import BODY_NAMES, JOINT_NAMES
from texedo.robot.kinematics import forward_kinematics

_GMR_KEYS = ("root_pos", "root_rot", "dof_pos")
_LIB_KEYS = ("root_trans_offset", "root_rot", "dof")


def _single(source: MotionFile) -> dict[Any, Any] | None:
    """The dict of a one-motion pickle, if that is what the source is."""
    if source.kind != "pickle":
        return None
    data = source.pickle
    if type(data) is dict and all(key in data for key in _GMR_KEYS):
        return data
    return None


def _num_joints(array: Any) -> int:
    if isinstance(array, np.ndarray) and array.ndim == 2:
        return int(array.shape[1])
    return 0


def _sniff_gmr(source: MotionFile) -> str | None:
    data = _single(source)
    if data is None or _num_joints(data["dof_pos"]) != len(JOINT_NAMES):
        return None
    return f"{', '.join(_GMR_KEYS)} with {len(JOINT_NAMES)} joints"


def _sniff_twist(source: MotionFile) -> str | None:
    data = _single(source)
    if data is None or _num_joints(data["dof_pos"]) != len(NO_WRISTS):
        return None
    return f"{', '.join(_GMR_KEYS)} with {len(NO_WRISTS)} joints"


def _read_single(
    source: MotionFile, *, fps: float | None, name: str, joints: int
) -> dict[str, FileClip]:
    source.require("pickle", name)
    data = _single(source)
    if data is None:
        raise FileFormatError(
            f"{source.path}: lacks {', '.join(_GMR_KEYS)}; name the format it really is."
        )
    found = _num_joints(data["dof_pos"])
    if found != joints:
        raise FileFormatError(
            f"{source.path}: has {found} joints, and {name} has {joints}; "
            "name the format it really is."
        )
    return one_clip(source, _clip(source.path, data, keys=_GMR_KEYS, fps=fps))


def _read_gmr(source: MotionFile, *, fps: float | None) -> dict[str, FileClip]:
    return _read_single(source, fps=fps, name="gmr-pkl", joints=len(JOINT_NAMES))


def _read_twist(source: MotionFile, *, fps: float | None) -> dict[str, FileClip]:
    return _read_single(source, fps=fps, name="twist-pkl", joints=len(NO_WRISTS))


def _clip(
    path: Path | str,
    data: dict[Any, Any],
    *,
    keys: tuple[str, str, str],
    fps: float | None,
) -> FileClip:
    pos, quat, joints = (_numbers(path, data, key=key) for key in keys)
    if quat.shape[1] != 4:
        raise FileFormatError(
            f"{path}: {keys[1]} is {quat.shape}, and a quaternion has 4 columns; "
            "export it again."
        )
    quat = wxyz_from_xyzw(quat)
    norm = np.linalg.norm(quat, axis=1)
    if (
        np.isfinite(norm).all()
        and (norm > 0.1).all()
        and np.abs(norm - 1).max(initial=0.0) > 1e-3
    ):
        # GMT's own examples are up to 3 % short; anything shorter is left to fail, and
        # what is unit but for its last digits is left as it is.
        quat = quat_normalize(quat)
    clip = FileClip(
        rate=pick_rate(path, fps, stored=data.get("fps")),
        root_pos_w=pos,
        root_quat_w=quat,
        joint_pos=_lift(path, joints),
    )
    alike = len({len(pos), len(quat), len(joints)}) == 1 and len(pos) > 0
    return replace(clip, proof=prove_pickle(path, data, clip)) if alike else clip


def _numbers(
    path: Path | str, data: dict[Any, Any], *, key: str
) -> NDArray[np.float64]:
    array = data.get(key)
    if not isinstance(array, np.ndarray) or array.ndim != 2:
        found = (
            f"has shape {array.shape}" if isinstance(array, np.ndarray) else "is none"
        )
        raise FileFormatError(
            f"{path}: {key} should be an array (frames, columns) and {found}; "
            "export it again."
        )
    if array.dtype.kind not in "fiu":
        raise FileFormatError(f"{path}: {key} holds {array.dtype}; export numbers.")
    return array.astype(np.float64)


def _lift(path: Path | str, joints: NDArray[np.float64]) -> NDArray[np.float64]:
    """29 joints; from 23, the wrists are zero."""
    if joints.shape[1] == len(JOINT_NAMES):
        return joints
    if joints.shape[1] != len(NO_WRISTS):
        raise FileFormatError(
            f"{path}: has {joints.shape[1]} joints; the G1 has {len(JOINT_NAMES)}, or "
            f"{len(NO_WRISTS)} without wrists; export it for one of these."
        )
    lifted = np.zeros((len(joints), len(JOINT_NAMES)))
    lifted[:, NO_WRISTS] = joints
    return lifted


def _library(source: MotionFile) -> dict[Any, Any] | None:
    if source.kind != "pickle":
        return None
    data = source.pickle
    if type(data) is not dict or not data:
        return None
    fits = (
        type(clip) is dict and all(key in clip for key in _LIB_KEYS)
        for clip in data.values()
    )
    return data if all(fits) else None


def _sniff_library(source: MotionFile) -> str | None:
    data = _library(source)
    return f"{len(data)} clips with {', '.join(_LIB_KEYS)}" if data else None


def _read_library(source: MotionFile, *, fps: float | None) -> dict[str, FileClip]:
    source.require("pickle", "motion-lib-pkl")
    data = _library(source)
    if data is None:
        raise FileFormatError(
            f"{source.path}: is no dict of clips with {', '.join(_LIB_KEYS)}; "
            "name the format it really is."
        )
    clips = {}
    for name, clip in data.items():
        where = f"{source.path} ({str(name)[:80]})"
        clips[str(name)] = _clip(where, clip, keys=_LIB_KEYS, fps=fps)
    return clips


def _write_gmr(path: Path, clip: FileClip) -> None:
    root = np.array([1.0, 0.0, 0.0, 0.0])
    local = forward_kinematics(np.zeros(3), root, clip.joint_pos)
    data = {
        "fps": float(clip.fps),
        "root_pos": clip.root_pos_w.astype(np.float64, order="C"),
        "root_rot": xyzw_from_wxyz(clip.root_quat_w).astype(np.float64, order="C"),
        "dof_pos": clip.joint_pos.astype(np.float64, order="C"),
        # TWIST's loader fails where GMR leaves these two out.
        "local_body_pos": local.pos_w.astype(np.float32),
        "link_body_list": list(BODY_NAMES),
    }
    path.write_bytes(_portable_pickle(data))


def _portable_pickle(data: Any) -> bytes:
    """A pickle that numpy 1 can load too: numpy 2 renamed the module of one function.

    Protocol 3 is the last to spell names out as text, which can be replaced in place.
    """
    raw = pickle.dumps(data, protocol=3)
    parts, done = [], 0
    for opcode, arg, at in pickletools.genops(raw):
        if opcode.name == "GLOBAL" and arg == "numpy._core.multiarray _reconstruct":
            parts += [raw[done:at], b"cnumpy.core.multiarray\n_reconstruct\n"]
            done = (at or 0) + len(b"cnumpy._core.multiarray\n_reconstruct\n")
    return b"".join([*parts, raw[done:]])


FORMATS = (
    Format(
        name="gmr-pkl",
        kind="pickle",
        extensions=PICKLE_SUFFIXES,
        description="GMR: xyzw, mujoco joints, fps inside",
        sniff=_sniff_gmr,
        read=_read_gmr,
        write=_write_gmr,
    ),
    Format(
        name="twist-pkl",
        kind="pickle",
        extensions=PICKLE_SUFFIXES,
        description="TWIST, GMT: as GMR, but 23 joints without wrists",
        sniff=_sniff_twist,
        read=_read_twist,
    ),
    Format(
        name="motion-lib-pkl",
        kind="pickle",
        extensions=PICKLE_SUFFIXES,
        description="SONIC, ASAP: a joblib dict of clips, xyzw, mujoco joints",
        sniff=_sniff_library,
        read=_read_library,
    ),
)
