"""Motions that are repaired rather than rejected, with the least change.

    fixed, records = repair([motion])
    records[0].before.verdict, records[0].after.verdict, records[0].pose_change

What `check_motion` finds nothing in comes back as it was, bit for bit. Else each fault is
taken away where it is, in this order:

1. joints are clamped into their range;
2. joints and root that outrun their motors or jump are made calm, just there (`calm`);
3. limbs that overlap are moved apart (`overlap`);
4. feet that slide while they stand are made to stand (`feet`);
5. the clip is put on its floor: moved as a whole first, and only if that is not enough
   frame by frame (`floor`).

What a controller may not manage for other reasons (a jump that is too high, a turn that
is too fast, a body that tips over) is not touched: that would be another motion. If a
repair leads to no better verdict, the motion comes back as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_normalize
from texedo.robot import collision, g1
from texedo.robot.check import VERDICTS, CheckReport, check_motion
from texedo.robot.check_limits import LIMITS
from texedo.robot.check_measures import FileFrames
from texedo.robot.floor import floor_correction, lowest_point, own_floor
from texedo.robot.kinematics import forward_kinematics, motion_kinematics
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
_ROUNDS = 3
"""One repair may bring about a smaller fault of another kind."""
_BELOW = 0.9
"""How much of a limit a repair uses."""


@dataclass(frozen=True, kw_only=True)
class RepairRecord:
    """What was done to one motion."""

    before: CheckReport
    after: CheckReport
    repaired: tuple[str, ...]
    """Checks that no longer find anything, or find less; empty if nothing changed."""
    pose_change: float
    """Mean over all bodies and frames of how far a body was moved, the robot seen from
    above its pelvis and the whole clip put on its floor: without `floor_shift` and
    without what `path_change` says [m]."""
    path_change: float
    """How far the pelvis was moved in the plane at most [m]."""
    floor_shift: float
    """How far the clip was moved up as a whole [m]: the median over the frames."""
    largest_turn: float
    """How far a joint angle was moved at most [rad]."""

    @property
    def changed(self) -> bool:
        return bool(self.repaired)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "before": self.before.verdict,
            "after": self.after.verdict,
            "repaired": list(self.repaired),
            "pose_change_m": self.pose_change,
            "path_change_m": self.path_change,
            "floor_shift_m": self.floor_shift,
            "largest_turn_rad": self.largest_turn,
        }


def repair(
    motions: Sequence[Motion], frames: Sequence[FileFrames | None] | None = None
) -> tuple[list[Motion], list[RepairRecord]]:
    """The motions without the faults that can be taken away, and what that took.

    `frames` are those of the files that they were read from, as in `check_motion`.
    """
    given = frames or [None] * len(motions)
    done = [_repair_one(*pair) for pair in zip(motions, given, strict=True)]
    return [motion for motion, _ in done], [record for _, record in done]


def _repair_one(
    motion: Motion, frames: FileFrames | None
) -> tuple[Motion, RepairRecord]:
    before = after = check_motion(motion, frames)
    best = motion
    for _ in range(_ROUNDS):
        if not _faults(after):
            break
        tried = _one_round(best, after)
        found = check_motion(tried)
        if _badness(found) >= _badness(after):
            break
        best, after = tried, found
    return best, _record(motion, best, before, after)


def _faults(report: CheckReport) -> list[str]:
    return [name for name in REPAIRABLE if report[name].verdict != "pass"]


def _badness(report: CheckReport) -> tuple[int, float]:
    """The verdict, and by how much limits are exceeded in all: less is better."""
    over = [
        item.value / LIMITS[item.name].lowest
        for item in report.items
        if item.verdict != "pass"
    ]
    return VERDICTS.index(report.verdict), float(sum(over))


def _one_round(motion: Motion, report: CheckReport) -> Motion:
    faults = set(_faults(report))
    qpos = motion.to_qpos().astype(np.float64)
    qpos[:, 7:] = np.clip(qpos[:, 7:], g1.JOINT_LOWER, g1.JOINT_UPPER)
    if faults & {"joint speed", "joint jump"}:
        qpos[:, 7:] = _calm_joints(qpos[:, 7:])
    if faults & {"root jump", "root turn jump"}:
        qpos[:, :7] = _calm_root(qpos[:, :7])
    if "self-penetration" in faults:
        qpos[:, 7:] = part_limbs(qpos)
    if "foot skate" in faults:
        qpos[:, :2] += _steady(qpos)
    # Whatever was changed may have moved the lowest point.
    qpos[:, 2] += _onto_floor(qpos)
    return Motion(
        root_pos_w=qpos[:, :3], root_quat_w=qpos[:, 3:7], joint_pos=inside(qpos[:, 7:])
    )


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
    return bool(lowest.min() < -_BELOW * under or own_floor(lowest).max() > _BELOW * over)


def _record(
    given: Motion, out: Motion, before: CheckReport, after: CheckReport
) -> RepairRecord:
    if out is given:
        nothing = dict.fromkeys(
            ("pose_change", "path_change", "floor_shift", "largest_turn"), 0.0
        )
        return RepairRecord(before=before, after=after, repaired=(), **nothing)
    better = [
        item.name
        for item, now in zip(before.items, after.items, strict=True)
        if item.verdict != "pass" and now.value < item.value
    ]
    a, b = motion_kinematics(given).pos_w, motion_kinematics(out).pos_w
    root = b[:, :1] - a[:, :1]
    shift = float(np.median(root[..., 2]))
    aside = np.concatenate((root[..., :2], np.full_like(root[..., 2:], shift)), axis=-1)
    return RepairRecord(
        before=before,
        after=after,
        repaired=tuple(better),
        pose_change=float(np.linalg.norm(b - a - aside, axis=-1).mean()),
        path_change=float(np.linalg.norm(root[..., :2], axis=-1).max()),
        floor_shift=shift,
        largest_turn=float(np.abs(out.joint_pos - given.joint_pos).max()),
    )
