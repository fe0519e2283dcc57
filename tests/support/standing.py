"""Motions and controllers whose physics can be foretold."""

from __future__ import annotations

import numpy as np

from texedo.motion import Motion
from texedo.robot import g1
from texedo.tracker.policies.open_loop import OpenLoopPolicy
from texedo.tracker.policies.protocol import Actuation

ON_THE_FLOOR = 0.757
"""Pelvis height at which the soles of the bent-knees pose touch the floor [m]."""


def standing(
    frames: int, *, swing: float = 0.1, seed: int = 0, height: float = ON_THE_FLOOR
) -> Motion:
    """Standing with bent knees; waist and arms swing by up to `swing` radians."""
    phase = np.random.default_rng(seed).random(17) * 2 * np.pi
    time = np.arange(frames)[:, None] / 50
    qpos = np.zeros((frames, 36))
    qpos[:, 2], qpos[:, 3], qpos[:, 7:] = height, 1.0, g1.KNEES_BENT
    qpos[:, 19:] += swing * np.sin(5 * time + phase) * np.minimum(time / 0.4, 1.0)
    return Motion.from_qpos(qpos)


def leap(motion: Motion) -> Motion:
    """The same motion, a metre further from frame 20 on: no robot passes a check so."""
    qpos = motion.to_qpos()
    qpos[20:, 0] += 1.0
    return Motion.from_qpos(qpos)


def stiff() -> OpenLoopPolicy:
    """Motors so strong that the robot is nearly a statue, which stands by itself."""
    return OpenLoopPolicy(
        actuation=Actuation(
            stiffness=20 * g1.STIFFNESS,
            damping=9 * g1.DAMPING,
            effort=10 * g1.EFFORT_LIMIT,
            armature=4 * g1.ARMATURE,
        )
    )
