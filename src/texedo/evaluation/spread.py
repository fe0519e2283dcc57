"""How different the candidates of one prompt are.

Spread [cm]: every candidate starts over the origin and faces +x. The distance of two is
the mean over frames and over the 14 tracked bodies of how far a body is from the same
body, up to the end of the shorter one. The spread is the mean over all pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from texedo.motion import Motion
from texedo.motion.edit import canonicalize
from texedo.robot.g1 import TRACKED_BODY_INDICES
from texedo.robot.kinematics import motion_kinematics


def spread_cm(motions: Sequence[Motion]) -> float:
    """Mean distance over all pairs [cm]; not a number for fewer than two motions."""
    bodies = [_bodies(motion) for motion in motions]
    apart = [_distance(a, b) for a, b in combinations(bodies, 2)]
    return 100 * float(np.mean(apart)) if apart else float("nan")


def _bodies(motion: Motion) -> NDArray[np.float32]:
    """Tracked bodies (T, 14, 3) from the origin [m]."""
    poses = motion_kinematics(canonicalize(motion))
    return poses.pos_w[:, TRACKED_BODY_INDICES].astype(np.float32)


def _distance(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    length = min(len(a), len(b))
    return float(np.linalg.norm(a[:length] - b[:length], axis=-1).mean())
