"""How good a retargeted motion is, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texedo.data.retarget.solver import Targets
from texedo.motion import FPS, Motion
from texedo.robot.collision import (
    ground_clearance,
    self_penetration,
    sole_centres,
    sole_clearance,
)
from texedo.robot.floor import own_floor
from texedo.robot.g1 import BODY_INDEX, JOINT_LOWER, JOINT_UPPER, SPEED_LIMIT
from texedo.robot.kinematics import motion_kinematics
from texedo.robot.skate import skate_speed

Float32 = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class FrameQuality:
    """Per-frame measures of a retargeted motion, all float32."""

    foot_error: Float32
    """Distance of each ankle from its target, (T, 2) [m]."""
    self_penetration: Float32
    """Deepest overlap of two shapes of the robot, (T,) [m]."""
    ground_penetration: Float32
    """Deepest point of any shape below the floor, (T,) [m]."""
    skate: Float32
    """Horizontal speed of a sole that stands, NaN elsewhere, (T, 2) [m/s]; see
    `robot.skate`."""
    lowest: Float32
    """Lowest point of both soles above the floor, (T,) [m]."""
    joint_speed_ratio: Float32
    """Largest joint speed over its motor's limit, (T,)."""
    limit_violation: Float32
    """Largest excess over a joint's range, (T,) [rad]."""


def measure_frames(motion: Motion, targets: Targets) -> FrameQuality:
    """Compare a motion with its targets and the floor."""
    poses = motion_kinematics(motion)
    ankles = [BODY_INDEX[f"{side}_ankle_roll_link"] for side in ("left", "right")]
    foot_error = np.linalg.norm(poses.pos_w[:, ankles] - targets.foot_pos, axis=-1)
    joints = motion.joint_pos.astype(np.float64)
    steps = np.abs(np.diff(joints, axis=0)) * FPS / SPEED_LIMIT
    ratio = np.concatenate((steps, steps[-1:])).max(axis=1)
    excess = np.maximum(joints - JOINT_UPPER, JOINT_LOWER - joints).max(axis=1)
    soles = sole_clearance(poses)
    lowest = ground_clearance(poses).min(axis=-1)
    values = {
        "foot_error": foot_error,
        "self_penetration": self_penetration(poses).depth,
        "ground_penetration": np.maximum(-lowest, 0.0),
        "skate": skate_speed(sole_centres(poses), own_floor(lowest)),
        "lowest": soles.min(axis=-1),
        "joint_speed_ratio": ratio,
        "limit_violation": np.maximum(excess, 0.0),
    }
    return FrameQuality(**{k: v.astype(np.float32) for k, v in values.items()})
