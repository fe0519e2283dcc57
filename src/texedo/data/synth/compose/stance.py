"""The robot at the moment of a cut, and how a motion is moved in the plane."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.synth.author.stage.balance import Rest
from texedo.data.synth.author.stage.legs import FEET_BODIES
from texedo.motion import FPS
from texedo.motion.rotations import (
    quat_from_yaw,
    quat_multiply,
    quat_rotate,
    quat_to_matrix,
)
from texedo.robot.kinematics import forward_kinematics
from texedo.robot.mass import centre_of_mass, mass_centres

Float64 = NDArray[np.float64]


class Stance(NamedTuple):
    """The robot at a cut: all that a bridge has to meet."""

    qpos: Float64
    """(36,)."""
    velocity: Float64
    """Of the joints, (29,) [rad/s]."""
    euler: Float64
    """Yaw, pitch, roll of the pelvis, (3,) [rad]."""
    spin: Float64
    """Their rates, (3,)."""
    climb: float
    """Of the pelvis [m/s]."""
    mass: Rest
    foot_pos: Float64
    """(2, 3) [m]."""
    foot_euler: Float64
    """(2, 3) [rad]."""


def stance_at(frames: NDArray[Any], at: int) -> Stance:
    """The state of a motion (T, 36) in a frame that has neighbours."""
    return stances(frames[None, at - 1 : at + 2])[0]


def stances(near: NDArray[Any]) -> list[Stance]:
    """States in the middle frame of each of (N, 3, 36)."""
    near = near.astype(np.float64)
    poses = forward_kinematics(near[..., :3], near[..., 3:7], near[..., 7:])
    mass = centre_of_mass(mass_centres(poses))[..., :2]
    euler = euler_zyx(near[..., 3:7])
    euler[..., 0] = np.unwrap(euler[..., 0], axis=1)
    foot_euler = euler_zyx(poses.quat_w[:, 1, FEET_BODIES])

    def rate(x: Float64) -> Float64:
        return np.asarray((x[:, 2] - x[:, 0]) * FPS / 2)

    velocity, spin, climb, drift = (
        rate(x) for x in (near[..., 7:], euler, near[..., 2], mass)
    )
    return [
        Stance(
            qpos=near[i, 1],
            velocity=velocity[i],
            euler=euler[i, 1],
            spin=spin[i],
            climb=float(climb[i]),
            mass=Rest(mass[i, 1], drift[i]),
            foot_pos=poses.pos_w[i, 1, FEET_BODIES],
            foot_euler=foot_euler[i],
        )
        for i in range(len(near))
    ]


def euler_zyx(quat: NDArray[Any]) -> Float64:
    """Yaw, pitch, roll (..., 3) of rotations that are not upside down."""
    m = quat_to_matrix(np.asarray(quat, dtype=np.float64))
    yaw = np.arctan2(m[..., 1, 0], m[..., 0, 0])
    pitch = np.arcsin(np.clip(-m[..., 2, 0], -1.0, 1.0))
    roll = np.arctan2(m[..., 2, 1], m[..., 2, 2])
    return np.stack((yaw, pitch, roll), axis=-1)


class Placement(NamedTuple):
    """How the second motion is moved in the plane: turned by `yaw`, then shifted."""

    yaw: float
    shift: Float64
    """(2,) [m]."""

    def moved(self, frames: NDArray[Any]) -> Float64:
        """A motion (T, 36) at its new place."""
        out = frames.astype(np.float64)
        turn = quat_from_yaw(np.array(self.yaw))
        out[:, :3] = quat_rotate(turn, out[:, :3])
        out[:, :2] += self.shift
        out[:, 3:7] = quat_multiply(turn, out[:, 3:7])
        return out
