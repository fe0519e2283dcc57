"""What one roll-out was like: the oracle's quality, and whether it was honest.

A tracker is not a teleporter: how far it drifted from the reference in the plane, how
hard it drove its motors and how much its soles slid are part of the verdict.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS
from texedo.quality import (
    PAPER_RULES,
    Normalizers,
    Quality,
    end_effector_flags,
    rollout_quality,
)
from texedo.robot.collision import sole_centres, sole_clearance
from texedo.robot.g1 import TRACKED_BODY_INDICES
from texedo.robot.kinematics import BodyPoses
from texedo.tracker.policies.reference import Reference

CONTACT_HEIGHT = 0.01
"""A sole within this of the floor touches it [m]."""
SATURATED = 0.999
"""Share of the effort limit from which a motor counts as saturated."""

Float64 = NDArray[np.float64]


class Measures(NamedTuple):
    """One roll-out in numbers."""

    quality: Quality
    """Scalars (shape ())."""
    planar_drift: float
    """Largest horizontal distance of the pelvis from the reference's [m]."""
    saturation: float
    """Share of motors and steps at the effort limit."""
    peak_torque: float
    """Largest torque as a share of the effort limit."""
    foot_slip: float
    """Mean horizontal speed of the soles in contact [m/s]; NaN without contact."""
    limbs: NDArray[np.bool_]
    """End effectors that were too high or too low at the failure, (4,)."""


def measure(
    reference: Reference,
    poses: BodyPoses,
    *,
    torque: Float64,
    normalizers: Normalizers | None,
) -> Measures:
    """From body poses (T, 30, .) and torques as shares of the limit (T - 1, 29).

    Rows from the frame of the failure on may hold anything.
    """
    quality = rollout_quality(
        reference.tracked_pos_w,
        poses.pos_w[:, TRACKED_BODY_INDICES],
        reference.root_quat_w,
        poses.quat_w[:, 0],
        normalizers=normalizers,
    )
    executed = int(quality.failure_frame)
    done = BodyPoses(poses.pos_w[:executed], poses.quat_w[:executed])
    apart = done.pos_w[:, 0, :2] - reference.qpos[:executed, :2]
    # Step t leads to frame t + 1: the step into the failure does not count either.
    driven = torque[: max(executed - 1, 1)]
    return Measures(
        quality,
        planar_drift=float(np.linalg.norm(apart, axis=-1).max()),
        saturation=float((driven >= SATURATED).mean()),
        peak_torque=float(driven.max()),
        foot_slip=foot_slip(done),
        limbs=_limbs(quality, reference.tracked_pos_w, poses),
    )


def _limbs(
    quality: Quality, wanted_pos_w: Float64, poses: BodyPoses
) -> NDArray[np.bool_]:
    if quality.success:
        return np.zeros(len(PAPER_RULES.end_effectors), dtype=np.bool_)
    frame = int(quality.failure_frame)
    robot = poses.pos_w[frame, TRACKED_BODY_INDICES]
    return end_effector_flags(wanted_pos_w[frame], robot)


def foot_slip(poses: BodyPoses) -> float:
    """Mean horizontal speed of the sole centres while in contact [m/s]."""
    if len(poses.pos_w) < 2:
        return float("nan")
    touching = sole_clearance(poses) < CONTACT_HEIGHT  # (T, 2)
    held = touching[1:] & touching[:-1]
    if not held.any():
        return float("nan")
    step = np.diff(sole_centres(poses)[..., :2], axis=0)
    return float((np.linalg.norm(step, axis=-1)[held] * FPS).mean())
