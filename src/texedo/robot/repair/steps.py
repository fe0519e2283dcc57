"""One round of repair: each fault that a check found is taken away where it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_normalize
from texedo.robot import collision, g1
from texedo.robot.check import CheckReport
from texedo.robot.check_limits import LIMITS
from texedo.robot.floor import floor_correction, lowest_point, own_floor
from texedo.robot.kinematics import forward_kinematics
from texedo.robot.repair.calm import calm
from texedo.robot.repair.feet import steady_shift
from texedo.robot.repair.overlap import part_limbs
from texedo.robot.repair.speed import inside, limit_speed
from texedo.robot.skate import mean_skate, skate_speed

Float64 = NDArray[np.float64]

REPAIRABLE = (
    "joint range",
    "joint speed",
    "joint jump",
    "root jump",
    "root turn jump",
    "self-penetration",
    "foot skate",
    "ground penetration",
    "hover",
)
"""The checks whose faults are taken away."""
_BELOW = 0.9
"""How much of a limit a repair uses."""


def faults(report: CheckReport) -> list[str]:
    """Checks that found something which can be taken away."""
    return [name for name in REPAIRABLE if report[name].verdict != "pass"]


def one_round(motion: Motion, report: CheckReport) -> Motion:
    """The motion with less of each of its faults."""
    found = set(faults(report))
    qpos = motion.to_qpos().astype(np.float64)
    qpos[:, 7:] = np.clip(qpos[:, 7:], g1.JOINT_LOWER, g1.JOINT_UPPER)
    if found & {"joint speed", "joint jump"}:
        qpos[:, 7:] = _calm_joints(qpos[:, 7:])
    if found & {"root jump", "root turn jump"}:
        qpos[:, :7] = _calm_root(qpos[:, :7])
    if "self-penetration" in found:
        qpos[:, 7:] = part_limbs(qpos)
    if "foot skate" in found:
        qpos[:, :2] += _steady(qpos)
    # Whatever was changed may have moved the lowest point.
    qpos[:, 2] += _onto_floor(qpos)
    return Motion.from_qpos(np.concatenate((qpos[:, :7], inside(qpos[:, 7:])), axis=1))


def _calm_joints(joints: Float64) -> Float64:
    bend = _BELOW * LIMITS["joint jump"].lowest / FPS**2
    share = _BELOW * LIMITS["joint speed"].lowest
    out = joints.copy()
    for j, limit in enumerate(g1.SPEED_LIMIT):
        out[:, j : j + 1] = calm(
            joints[:, j : j + 1], step=share * limit / FPS, bend=bend
        )
    out = np.clip(out, g1.JOINT_LOWER, g1.JOINT_UPPER)
    return limit_speed([out])[0]


def _calm_root(root: Float64) -> Float64:
    bend = _BELOW * LIMITS["root jump"].lowest / FPS**2
    # A quaternion turns by half the angle.
    turn = _BELOW * LIMITS["root turn jump"].lowest / FPS**2 / 2
    speed = LIMITS["ground speed"].fail / FPS
    pos = calm(root[:, :3], step=speed, bend=bend)
    quat = calm(root[:, 3:], step=np.inf, bend=turn)
    return np.concatenate((pos, quat_normalize(quat)), axis=1)


def _steady(qpos: Float64) -> Float64:
    """Shift in the plane (T, 2); zeros where it would make feet slide more."""
    poses = forward_kinematics(qpos[:, :3], qpos[:, 3:7], qpos[:, 7:])
    centres, floor = collision.sole_centres(poses), own_floor(lowest_point(poses))
    shift = steady_shift(centres, floor)
    moved = centres.copy()
    moved[..., :2] += shift[:, None]
    before, after = (mean_skate(skate_speed(c, floor)) for c in (centres, moved))
    return shift if after < before else np.zeros_like(shift)


def _onto_floor(qpos: Float64) -> Float64:
    """How far to raise each frame, (T,): all alike, if that is enough."""
    poses = forward_kinematics(qpos[:, :3], qpos[:, 3:7], qpos[:, 7:])
    lowest = lowest_point(poses)
    if not _off_floor(lowest):
        return np.zeros(len(lowest))
    whole = -float(np.median(own_floor(lowest)))
    if not _off_floor(lowest + whole):
        return np.full(len(lowest), whole)
    return whole + floor_correction(lowest + whole)


def _off_floor(lowest: Float64) -> bool:
    under, over = LIMITS["ground penetration"].lowest, LIMITS["hover"].lowest
    return bool(
        lowest.min() < -_BELOW * under or own_floor(lowest).max() > _BELOW * over
    )
