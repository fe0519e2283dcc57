"""The G1 with 23 joints: the same robot without six of them.

It cannot lean its waist forward or sideways, and its wrists only roll. Where a file or a
controller has 29 columns, those six are zero.
"""

from __future__ import annotations

import numpy as np

from texedo.motion import Motion
from texedo.robot.g1 import JOINT_INDEX, JOINT_NAMES

LOCKED_JOINTS: tuple[str, ...] = (
    "waist_roll_joint",
    "waist_pitch_joint",
    *(
        f"{side}_wrist_{axis}_joint"
        for side in ("left", "right")
        for axis in ("pitch", "yaw")
    ),
)
"""Joints that the 23-joint G1 does not have; they stand at zero."""
LOCKED_INDICES = np.array([JOINT_INDEX[name] for name in LOCKED_JOINTS])
FREE_JOINTS: tuple[str, ...] = tuple(n for n in JOINT_NAMES if n not in LOCKED_JOINTS)
"""Its 23 joints, in the order of its motors."""


def lock_joints(motion: Motion) -> Motion:
    """The motion with the six joints at zero."""
    qpos = motion.to_qpos()
    qpos[:, 7 + LOCKED_INDICES] = 0.0
    return Motion.from_qpos(qpos)
