"""A standing robot, a short walk and a camera for the tests of pictures."""

import numpy as np

from texedo.motion import Motion
from texedo.robot.g1 import JOINT_INDEX, KNEES_BENT, KNEES_BENT_HEIGHT
from texedo.robot.render import Camera

STANDING = np.array([0, 0, KNEES_BENT_HEIGHT, 1, 0, 0, 0, *KNEES_BENT])
FRONT = Camera((0, 0, 0.67), azimuth=180, elevation=-5)
SIZE = (64, 48)


def stroll(frames: int = 26) -> Motion:
    """Half a metre forward in half a second, a hand going up."""
    qpos = np.tile(STANDING, (frames, 1))
    qpos[:, 0] = np.linspace(0, (frames - 1) / 50, frames)
    qpos[:, 7 + JOINT_INDEX["left_shoulder_roll_joint"]] += np.linspace(0, 1, frames)
    return Motion.from_qpos(qpos)


def shifted(qpos, x=0.0, y=0.0):
    return qpos + np.array([x, y, *np.zeros(34)])
