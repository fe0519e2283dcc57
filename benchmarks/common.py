"""What several benchmarks share: motions that need no generator, and a clock."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
import torch

from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_from_yaw
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER

CANDIDATES, SECONDS, ROUNDS = 32, 5.0, 25


def busy_motion(seed: int) -> Motion:
    """A walk with all joints in motion: nobody's, but as long as a real one."""
    rng = np.random.default_rng(seed)
    time_s = np.arange(round(SECONDS * FPS)) / FPS
    phase, hertz = rng.uniform(0, 6, 29), rng.uniform(0.2, 1.5, 29)
    swing = 0.3 * np.sin(2 * np.pi * hertz * time_s[:, None] + phase)
    middle, half = (JOINT_UPPER + JOINT_LOWER) / 2, (JOINT_UPPER - JOINT_LOWER) / 2
    zero = np.zeros_like(time_s)
    return Motion(
        root_pos_w=np.column_stack((0.8 * time_s, zero, zero + 0.79)),
        root_quat_w=quat_from_yaw(0.3 * np.sin(time_s)),
        joint_pos=(middle + half * swing).astype(np.float32),
    )


def milliseconds(run: Callable[[], object], place: str) -> float:
    """Median of ROUNDS runs, the first four left out."""
    times = []
    for _ in range(ROUNDS + 4):
        start = time.perf_counter()
        run()
        if place != "cpu":
            torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times[4:])
