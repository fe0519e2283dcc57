"""Time of all distances between the robot's shapes, and of a whole check, per frame.

python benchmarks/collision.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from texedo.motion import Motion
from texedo.robot import g1
from texedo.robot.check import check_motion
from texedo.robot.collision import (
    closest_points,
    collision_pairs,
    ground_clearance,
    self_distances,
)
from texedo.robot.kinematics import motion_kinematics

FRAMES, REPEATS = 4000, 5
BUDGET = 60.0
"""Microseconds per frame for all distances."""


def main() -> None:
    rng = np.random.default_rng(0)
    joints = rng.uniform(g1.JOINT_LOWER, g1.JOINT_UPPER, size=(FRAMES, 29))
    root = np.tile([0.0, 0.0, 0.76, 1.0, 0.0, 0.0, 0.0], (FRAMES, 1))
    motion = Motion.from_qpos(np.concatenate((root, joints), axis=1))
    poses = motion_kinematics(motion)
    print(f"{FRAMES} frames, {len(collision_pairs())} pairs, one core [us/frame]:")
    calls: dict[str, Callable[[], object]] = {
        "self_distances": lambda: self_distances(poses),
        "closest_points": lambda: closest_points(poses),
        "ground_clearance": lambda: ground_clearance(poses),
        "check_motion": lambda: check_motion(motion),
    }
    for name, call in calls.items():
        spent = min(_seconds(call) for _ in range(REPEATS)) / FRAMES * 1e6
        print(f"  {name:17} {spent:7.1f}")
    print(f"  budget for self_distances {BUDGET:.0f}")


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
