"""Keeping limbs apart: which shapes can meet, and how joints open the gaps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion.rotations import quat_to_matrix
from texedo.robot.collision import (
    SHAPE_BODIES,
    SHAPE_NAMES,
    closest_points,
    collision_pairs,
)
from texedo.robot.g1 import BODY_INDEX
from texedo.robot.kinematics import BodyPoses
from texedo.robot.tables import BODY_ROWS, JOINT_ROWS

Float64 = NDArray[np.float64]

SIDES = ("left", "right")
NUM_DOF = 35
"""Root translation, root turn (both in the world), 29 joints."""


class Gaps(NamedTuple):
    """How the nearest shapes of each pose come apart: `rows @ step >= need`."""

    rows: Float64
    """(N, K, 35)."""
    need: Float64
    """(N, K) [m]; negative where there is room to spare."""


def _ancestors() -> NDArray[np.bool_]:
    """Which joints move which bodies, (30, 29). Joint j carries body j + 1."""
    moves = np.zeros((len(BODY_ROWS), len(JOINT_ROWS)), dtype=bool)
    for i, row in enumerate(BODY_ROWS[1:], start=1):
        moves[i] = moves[BODY_INDEX[row.parent]]
        moves[i, i - 1] = True
    return moves


MOVES = _ancestors()
_AXIS = np.array(["xyz".index(row.axis) for row in JOINT_ROWS])


def _watched_pairs() -> NDArray[np.int64]:
    """Pairs of shapes that human-like motion can bring together.

    Arms against everything and legs against each other; each foot is watched through
    its outer and middle capsules, which lie on its outline.
    """
    arm = ("shoulder_yaw", "elbow_yaw", "wrist", "hand")
    leg = ("hip", "thigh", "shin", "linkage_brace", "foot1", "foot4", "foot7")
    arms = {s: [f"{s}_{part}_collision" for part in arm] for s in SIDES}
    legs = {s: [f"{s}_{part}_collision" for part in leg] for s in SIDES}
    trunk = ["pelvis_collision", "torso_collision", "head_collision"]
    wanted = {frozenset((a, b)) for a in arms["left"] for b in arms["right"]}
    wanted |= {frozenset((a, b)) for a in legs["left"] for b in legs["right"]}
    for side in SIDES:
        body = trunk + legs["left"][:4] + legs["right"][:4]
        wanted |= {frozenset((a, b)) for a in arms[side][1:] for b in body}
        wanted |= {frozenset((arms[side][0], arms[side][3]))}
    return np.array(
        [
            p
            for p in collision_pairs()
            if frozenset((SHAPE_NAMES[p[0]], SHAPE_NAMES[p[1]])) in wanted
        ]
    )


WATCHED_PAIRS = _watched_pairs()
_MAX_CONTACTS = 8
"""Most pressing pairs per pose that are kept apart."""
_MAX_PUSH = 0.03
"""Largest opening of a gap asked of one step [m]: deeper overlaps take several."""
_PAIR_MOVES = (
    MOVES[SHAPE_BODIES[WATCHED_PAIRS[:, 0]]],
    MOVES[SHAPE_BODIES[WATCHED_PAIRS[:, 1]]],
)  # (P, 29) each


def open_gaps(poses: BodyPoses, clearance: float) -> Gaps:
    """The most pressing gaps and how steps open them.

    Only joints appear: moving the whole robot changes no gap.
    """
    near = closest_points(poses, WATCHED_PAIRS)
    worst = np.argpartition(near.distance, _MAX_CONTACTS, axis=1)[:, :_MAX_CONTACTS]
    take = worst[..., None]
    distance = np.take_along_axis(near.distance, worst, axis=1)
    normal = np.take_along_axis(near.normal, take, axis=1)[:, :, None]  # (N, K, 1, 3)
    first = np.take_along_axis(near.on_first, take, axis=1)[:, :, None]
    second = np.take_along_axis(near.on_second, take, axis=1)[:, :, None]
    axes = joint_axes(poses)[:, None]  # (N, 1, 29, 3)
    anchors = poses.pos_w[:, None, 1:]
    # n . (axis x arm) = axis . (arm x n)
    push_second = (axes * np.cross(second - anchors, normal)).sum(-1)
    push_first = (axes * np.cross(first - anchors, normal)).sum(-1)
    rows = np.zeros((*worst.shape, NUM_DOF))
    rows[..., 6:] = push_second * _PAIR_MOVES[1][worst]
    rows[..., 6:] -= push_first * _PAIR_MOVES[0][worst]
    return Gaps(rows, np.clip(clearance - distance, None, _MAX_PUSH))


def joint_axes(poses: BodyPoses) -> Float64:
    """Hinge axes in the world, (N, 29, 3)."""
    matrix = quat_to_matrix(poses.quat_w[:, 1:])
    return np.take_along_axis(matrix, _AXIS[None, :, None, None], axis=-1)[..., 0]
