"""Small motions with known facts, made from joint angles.

A foot that is planted stays where it is: the pelvis is placed so. Legs move in their
planes, soles stay level, and everything begins and ends standing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_from_euler
from texedo.robot.g1 import BODY_INDEX, JOINT_INDEX, SOLE_HEIGHT
from texedo.robot.kinematics import forward_kinematics

Floats = NDArray[np.float64]
FEET = [BODY_INDEX["left_ankle_roll_link"], BODY_INDEX["right_ankle_roll_link"]]


def ramp(frames: int) -> Floats:
    """From 0 to 1, smooth at both ends."""
    s = np.linspace(0.0, 1.0, frames)
    return s * s * (3 - 2 * s)


def bump(frames: int) -> Floats:
    """From 0 to 1 and back."""
    return np.sin(np.pi * np.linspace(0.0, 1.0, frames)) ** 2


class Pose:
    """Joint angles and facing over time, written phase by phase."""

    def __init__(self) -> None:
        self.joints: list[Floats] = []
        self.yaw: list[float] = []
        self.lean: list[float] = []
        self.plant: list[int] = []
        self.lift: list[float] = []
        self._facing = 0.0

    def phase(
        self,
        seconds: float,
        *,
        plant: int = 0,
        turn: float = 0.0,
        lift: float = 0.0,
        lean: Callable[[int], Floats] | None = None,
        **angles: Callable[[int], Floats],
    ) -> Pose:
        """Append a phase; `angles` are curves by joint name, the rest stands.

        `plant` is the foot that stays (0 left, 1 right), `turn` the change of facing
        [rad], `lift` the height of a flight [m], `lean` the pitch of the pelvis [rad].
        """
        frames = round(seconds * FPS)
        block = np.zeros((frames, 29))
        block[:, [JOINT_INDEX[f"{s}_elbow_joint"] for s in ("left", "right")]] = 1.2
        block[:, JOINT_INDEX["left_shoulder_roll_joint"]] = 0.2
        block[:, JOINT_INDEX["right_shoulder_roll_joint"]] = -0.2
        for name, curve in angles.items():
            block[:, JOINT_INDEX[f"{name}_joint"]] += curve(frames)
        self.joints += list(block)
        self.yaw += list(self._facing + turn * ramp(frames))
        self._facing += turn
        self.lean += list(np.zeros(frames) if lean is None else lean(frames))
        self.plant += [plant] * frames
        time = np.linspace(0.0, 1.0, frames)
        self.lift += list(lift * 4 * time * (1 - time))
        return self

    def stand(self, seconds: float = 0.6) -> Pose:
        """Stand; the left foot is planted."""
        return self.phase(seconds, plant=self.plant[-1] if self.plant else 0)

    def motion(self) -> Motion:
        """The motion, planted foot by planted foot."""
        joints = _level_soles(np.array(self.joints), np.array(self.lean))
        zeros = np.zeros(len(joints))
        quat = quat_from_euler("xyz", np.stack((zeros, self.lean, self.yaw), axis=1))
        feet = forward_kinematics(np.zeros((len(joints), 3)), quat, joints).pos_w[
            :, FEET
        ]
        root = np.zeros((len(joints), 3))
        anchor, last = np.zeros(3), -1
        for t, foot in enumerate(self.plant):
            if foot != last:
                anchor = (
                    (root[t - 1] + feet[t - 1, foot]) if t else feet[0, foot].copy()
                )
                anchor[2], last = -SOLE_HEIGHT, foot
            root[t] = anchor - feet[t, foot]
        root[:, 2] += self.lift
        return Motion(root_pos_w=root, root_quat_w=quat, joint_pos=joints)


def _level_soles(joints: Floats, lean: Floats) -> Floats:
    joints = joints.copy()
    for side in ("left", "right"):
        hip = joints[:, JOINT_INDEX[f"{side}_hip_pitch_joint"]] - lean
        joints[:, JOINT_INDEX[f"{side}_hip_pitch_joint"]] = hip
        knee = joints[:, JOINT_INDEX[f"{side}_knee_joint"]]
        joints[:, JOINT_INDEX[f"{side}_ankle_pitch_joint"]] = -(lean + hip + knee)
    return joints


def squat_angles(depth: float) -> dict[str, Callable[[int], Floats]]:
    """Both legs bent and straightened once; `depth` is half the angle of the knee."""
    curves: dict[str, Callable[[int], Floats]] = {}
    for side in ("left", "right"):
        curves[f"{side}_hip_pitch"] = lambda n: -depth * bump(n)
        curves[f"{side}_knee"] = lambda n: 2 * depth * bump(n)
    return curves


def walk(steps: int, *, stride: float = 0.35, seconds: float = 0.55) -> Pose:
    """Stand, walk `steps` steps, stand; a negative stride goes backward.

    The first step swings the left foot and the last one closes the stance.
    """
    pose = Pose().phase(0.6, plant=1)
    reach = 0.0
    for i in range(steps):
        swing, stance = ("left", "right") if i % 2 == 0 else ("right", "left")
        start, reach = reach, 0.0 if i == steps - 1 else stride
        pose.phase(
            seconds,
            plant=1 if swing == "left" else 0,
            **{
                f"{stance}_hip_pitch": _between(-start, reach),
                f"{swing}_hip_pitch": _swing(start, -reach),
                f"{swing}_knee": lambda n: 0.9 * bump(n),
            },
        )
    return pose.stand()


def _between(a: float, b: float) -> Callable[[int], Floats]:
    return lambda n: a + (b - a) * ramp(n)


def _swing(a: float, b: float) -> Callable[[int], Floats]:
    """Like `_between`, with the thigh lifted on the way, so that the foot clears."""
    return lambda n: a + (b - a) * ramp(n) - 0.45 * bump(n)
