"""What a pickled motion holds beside its motion, held against how it is read.

GMR and TWIST keep the bodies as seen from the pelvis (`local_body_pos`) with their names
(`link_body_list`); motion libraries keep every joint as a turn about its axis, the root
in front (`pose_aa`). Any of them may be left out, empty or zero.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.formats.clip import FileClip
from texedo.formats.proofs import (
    Bodies,
    as_names,
    known_bodies,
    prove_bodies,
    prove_joint_names,
    sample_frames,
)
from texedo.motion.rotations import quat_angle, quat_from_rotvec, quat_normalize
from texedo.robot.g1 import (
    BODY_NAMES,
    ISAACLAB_FROM_MUJOCO,
    JOINT_NAMES,
    MUJOCO_FROM_ISAACLAB,
    WRIST_JOINTS,
)
from texedo.robot.tables import JOINT_ROWS

NO_WRISTS = tuple(i for i, n in enumerate(JOINT_NAMES) if n not in WRIST_JOINTS)
"""The 23 joints of TWIST, GMT and ASAP; their robots' wrists are stiff."""
_MAX_MISFIT = 0.03
"""Retargeters keep older models of the G1, whose torso sits 1 cm higher [m]."""
_WHOLE = 12
"""Names from which on a list of bodies stands for a whole robot."""
_MAX_TURN = 0.05
"""Angle up to which two statements about a joint or the root are one [rad]."""
_AXES = np.eye(3)[["xyz".index(row.axis) for row in JOINT_ROWS]]


def prove_pickle(path: Path | str, data: dict[Any, Any], clip: FileClip) -> str:
    """The words of what confirms a clip; raises what contradicts it."""
    width = data_width(data)
    wanted = [JOINT_NAMES[i] for i in _joints(width)]
    said = [
        prove_joint_names(path, as_names(data.get(key)), wanted, what=f"its {key}")
        for key in ("joint_names", "dof_names")
    ]
    said += [
        _prove_links(path, data, clip, width),
        _prove_turns(path, data, clip, width),
    ]
    return "; ".join(filter(None, said))


def data_width(data: dict[Any, Any]) -> int:
    """How many joints the file has; 29 for one that has none."""
    for key in ("dof_pos", "dof"):
        array = data.get(key)
        if isinstance(array, np.ndarray) and array.ndim == 2:
            return int(array.shape[1])
    return len(JOINT_NAMES)


def _joints(width: int) -> tuple[int, ...]:
    return NO_WRISTS if width == len(NO_WRISTS) else tuple(range(len(JOINT_NAMES)))


def _prove_links(
    path: Path | str, data: dict[Any, Any], clip: FileClip, width: int
) -> str:
    """That bodies seen from the pelvis are where the joints put them."""
    names = as_names(data.get("link_body_list"))
    if names is None or len(names) < _WHOLE:
        return ""
    indices = known_bodies(path, names, what="its link_body_list")
    places: Any = data.get("local_body_pos")
    if not _is_array(places, (len(clip), len(names), 3)):
        return "link_body_list agrees"
    # Without wrists, what comes behind the elbow differs from robot to robot.
    wrists = width == len(NO_WRISTS)
    ours = [
        i
        for i, index in enumerate(indices)
        if index >= 0 and not (wrists and "_wrist_" in BODY_NAMES[index])
    ]
    upright = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (len(clip), 4))
    bodies = Bodies(
        np.zeros((len(clip), 3)),
        upright,
        clip.joint_pos,
        [indices[i] for i in ours],
        places[:, ours],
    )
    return prove_bodies(
        path, bodies, what="local_body_pos", order=None, limit=_MAX_MISFIT
    )


def _is_array(value: Any, shape: tuple[int, ...]) -> bool:
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiu":
        return False
    return value.shape == shape and bool(len(value)) and bool(np.any(value))


def _prove_turns(
    path: Path | str, data: dict[Any, Any], clip: FileClip, width: int
) -> str:
    """That `pose_aa` turns the root and the joints as the other arrays do."""
    turns = data.get("pose_aa")
    if not isinstance(turns, np.ndarray) or turns.ndim != 3 or turns.shape[1] < 1:
        return ""
    if not _is_array(turns, (len(clip), turns.shape[1], 3)):
        return ""
    at = sample_frames(len(clip))
    turns = np.asarray(turns[at], dtype=np.float64)
    quat = np.asarray(clip.root_quat_w[at], dtype=np.float64)
    joints = np.asarray(clip.joint_pos[at], dtype=np.float64)[:, _joints(width)]
    if not all(np.isfinite(a).all() for a in (turns, quat, joints)):
        return ""
    agrees = _prove_root(path, turns[:, 0], quat)
    if turns.shape[1] > width:
        _refuse_other_joints(path, turns[:, 1 : 1 + width], joints, width)
    return "pose_aa agrees" if agrees else ""


def _prove_root(
    path: Path | str, turn: NDArray[np.float64], quat: NDArray[np.float64]
) -> bool:
    root = quat_from_rotvec(turn)

    def off(order: list[int]) -> float:
        return float(np.median(quat_angle(root, quat_normalize(quat[:, order]))))

    as_read, as_wxyz = off([0, 1, 2, 3]), off([1, 2, 3, 0])
    if as_wxyz < _MAX_TURN < as_read:
        raise FileFormatError(
            f"{path}: its root_rot is wxyz, and the format has xyzw: pose_aa is "
            f"{np.rad2deg(as_read):.0f} degrees off as xyzw and fits as wxyz; put w last "
            "and save it again."
        )
    return as_read <= _MAX_TURN


def _refuse_other_joints(
    path: Path | str,
    turns: NDArray[np.float64],
    joints: NDArray[np.float64],
    width: int,
) -> None:
    """Refuse joints that `pose_aa` has in another order or about other axes."""
    axes = _AXES[list(_joints(width))]

    def off(order: Any) -> NDArray[np.float64]:
        """Of every joint, its distance from what pose_aa says, (J,)."""
        gap = np.linalg.norm(turns - axes * joints[:, order, None], axis=-1)
        return np.asarray(np.median(gap, axis=0))

    bad = off(slice(None))
    if bad.max() <= _MAX_TURN:
        return
    worst = JOINT_NAMES[_joints(width)[int(bad.argmax())]]
    orders = {"Isaac Lab": MUJOCO_FROM_ISAACLAB, "MuJoCo": ISAACLAB_FROM_MUJOCO}
    for words, order in orders.items():
        if width == len(JOINT_NAMES) and off(order).max() <= _MAX_TURN:
            raise FileFormatError(
                f"{path}: pose_aa contradicts its joints: {worst} is {bad.max():.2f} rad "
                f"off, and all fit if they are in {words} order; save them in the order "
                "of the format."
            )
    sizes = np.abs(np.linalg.norm(turns, axis=-1) - np.abs(joints))
    if np.median(sizes, axis=0).max() <= _MAX_TURN:
        raise FileFormatError(
            f"{path}: pose_aa turns {worst} about another axis than the G1 does, so it "
            "is of another robot; export it for the 29-joint G1."
        )
