"""Motions to test with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_from_euler
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER


def smooth_noise(
    rng: np.random.Generator, frames: int, width: int, *, max_hz: float = 1.5
) -> NDArray[np.float64]:
    """Band-limited curves in [-1, 1], (frames, width): sums of four slow sines."""
    time = np.arange(frames)[:, None, None] / FPS
    hertz = rng.uniform(0.1, max_hz, (1, 4, width))
    phase = rng.uniform(0, 2 * np.pi, (1, 4, width))
    weight = rng.dirichlet(np.ones(4), width).T[None]
    return (weight * np.sin(2 * np.pi * hertz * time + phase)).sum(axis=1)


def random_motion(seed: int, frames: int = 100) -> Motion:
    """A smooth random motion: joints within limits, root wandering, leaning, yawing."""
    rng = np.random.default_rng(seed)
    centre, half = (JOINT_UPPER + JOINT_LOWER) / 2, (JOINT_UPPER - JOINT_LOWER) / 2
    joints = centre + 0.95 * half * smooth_noise(rng, frames, 29)
    root = smooth_noise(rng, frames, 3, max_hz=0.5) * [2.0, 2.0, 0.2] + [0, 0, 0.75]
    lean = smooth_noise(rng, frames, 2) * 0.4
    turn = np.cumsum(smooth_noise(rng, frames, 1), axis=0) * (3.0 / FPS)
    yaw = rng.uniform(-np.pi, np.pi) + turn
    quat = quat_from_euler("xyz", np.concatenate((lean, yaw), axis=1))
    return Motion(root_pos_w=root, root_quat_w=quat, joint_pos=joints)
