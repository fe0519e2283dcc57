"""The motion seen in a mirror: left and right swapped, with the right signs.

The mirror is the plane y = 0. A position flips its y; an axial quantity such as a turn
flips its x and z parts, so hinges about y keep their angle and hinges about x and z
change sign when they swap sides.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import Motion
from texedo.robot.g1 import BODY_INDEX, BODY_NAMES, JOINT_INDEX, JOINT_NAMES
from texedo.robot.tables import JOINT_ROWS


def _other_side(name: str) -> str:
    if name.startswith("left_"):
        return "right_" + name.removeprefix("left_")
    if name.startswith("right_"):
        return "left_" + name.removeprefix("right_")
    return name


MIRROR_JOINT_INDEX = np.array([JOINT_INDEX[_other_side(n)] for n in JOINT_NAMES])
MIRROR_JOINT_SIGN = np.array([1.0 if r.axis == "y" else -1.0 for r in JOINT_ROWS])
MIRROR_BODY_INDEX = np.array([BODY_INDEX[_other_side(n)] for n in BODY_NAMES])
_POS_SIGN = np.array([1.0, -1.0, 1.0])
_QUAT_SIGN = np.array([1.0, -1.0, 1.0, -1.0])


def mirror_joint_pos(joint_pos: NDArray[Any]) -> NDArray[Any]:
    """Joint angles (..., 29) of the mirrored pose."""
    signs = MIRROR_JOINT_SIGN.astype(joint_pos.dtype)
    return np.asarray(joint_pos[..., MIRROR_JOINT_INDEX] * signs)


def mirror_qpos(qpos: NDArray[Any]) -> NDArray[Any]:
    """Poses (..., 36) in the mirror, of the same dtype."""
    signs = np.concatenate((_POS_SIGN, _QUAT_SIGN)).astype(qpos.dtype)
    joints = mirror_joint_pos(qpos[..., 7:])
    return np.concatenate((qpos[..., :7] * signs, joints), axis=-1)


def mirror(motion: Motion) -> Motion:
    """The mirrored motion. Twice is the identity, to the last bit."""
    return Motion.from_qpos(mirror_qpos(motion.to_qpos()))
