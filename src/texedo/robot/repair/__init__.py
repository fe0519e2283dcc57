"""Motions that are repaired rather than rejected, with the least change.

    fixed, records = repair([motion])
    records[0].before.verdict, records[0].after.verdict, records[0].pose_change

What `check_motion` finds nothing in comes back as it was, bit for bit. Else each fault is
taken away where it is (`steps`), in this order:

1. joints are clamped into their range;
2. joints and root that outrun their motors or jump are made calm, just there (`calm`);
3. limbs that overlap are moved apart (`overlap`);
4. feet that slide while they stand are made to stand (`feet`);
5. the clip is put on its floor: moved as a whole first, and only if that is not enough
   frame by frame (`floor`).

What still fails then is too fast for the robot. Only such a motion is made gentler
(`pace`): its jumps lower, and its clock slower where it turns, runs or pushes too hard.
A repair that leads to no better verdict is not made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.robot.check import VERDICTS, CheckReport, check_motion
from texedo.robot.check_limits import LIMITS
from texedo.robot.check_measures import FileFrames
from texedo.robot.kinematics import forward_kinematics, motion_kinematics
from texedo.robot.repair.pace import at_frames, gentler
from texedo.robot.repair.steps import faults, one_round

Float64 = NDArray[np.float64]

_ROUNDS = 3
"""One repair may bring about a smaller fault of another kind."""


@dataclass(frozen=True, kw_only=True)
class RepairRecord:
    """What was done to one motion."""

    before: CheckReport
    after: CheckReport
    repaired: tuple[str, ...]
    """Checks that find less than before; empty if nothing was changed."""
    pose_change: float
    """Mean over all frames and the 30 bodies of how far a body was moved [m], each frame
    compared with that of the same moment of the motion as it was; the pelvis of both is
    put over the same place, and the change that `floor_shift` tells is left out."""
    path_change: float
    """How far the pelvis was moved in the plane at most [m]."""
    floor_shift: float
    """How far the clip was moved up as a whole [m]: the median over the frames."""
    largest_turn: float
    """How far a joint angle was moved at most [rad]."""
    seconds_added: float
    """How much longer it lasts [s]."""

    @property
    def changed(self) -> bool:
        return bool(self.repaired)

    @property
    def saved(self) -> bool:
        """It failed and no longer does."""
        return self.before.verdict == "fail" != self.after.verdict

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
            "seconds_added": self.seconds_added,
        }


def repair(
    motions: Sequence[Motion],
    frames: Sequence[FileFrames | None] | None = None,
    *,
    only_failing: bool = False,
) -> tuple[list[Motion], list[RepairRecord]]:
    """The motions without the faults that can be taken away, and what that took.

    `frames` are those of the files that they were read from, as in `check_motion`. With
    `only_failing` motions that do not fail are left alone, whatever their faults.
    """
    done = []
    given = frames or [None] * len(motions)
    for motion, filed in zip(motions, given, strict=True):
        report = check_motion(motion, filed)
        state = _State(motion, report, np.arange(len(motion), dtype=np.float64))
        alone = only_failing and report.verdict != "fail"
        done.append((state, state if alone else _repaired(state)))
    return [after.motion for _, after in done], [_record(*pair) for pair in done]


class _State(NamedTuple):
    motion: Motion
    report: CheckReport
    at: Float64
    """Frame of the motion as it was that each frame comes from, (T,)."""


def _repaired(state: _State) -> _State:
    state = _without_faults(state)
    return _made_gentler(state) if state.report.verdict == "fail" else state


def _without_faults(state: _State) -> _State:
    for _ in range(_ROUNDS):
        if not faults(state.report):
            break
        tried = one_round(state.motion, state.report)
        found = check_motion(tried)
        if _badness(found) >= _badness(state.report):
            break
        state = _State(tried, found, state.at)
    return state


def _made_gentler(state: _State) -> _State:
    """Lower and slower if that helps; what comes of it is repaired again."""
    motion, at = gentler(state.motion)
    found = check_motion(motion)
    tried = _without_faults(
        _State(motion, found, np.interp(at, range(len(state.at)), state.at))
    )
    better = tried.report.verdict != "fail"
    return tried if better else state


def _badness(report: CheckReport) -> tuple[int, float]:
    """The verdict, and by how much limits are exceeded in all: less is better."""
    over = [
        item.value / LIMITS[item.name].lowest
        for item in report.items
        if item.verdict != "pass"
    ]
    return VERDICTS.index(report.verdict), float(sum(over))


def _record(first: _State, last: _State) -> RepairRecord:
    before, after = first.report, last.report
    if last.motion is first.motion:
        names = ("pose_change", "path_change", "floor_shift", "largest_turn")
        nothing = dict.fromkeys((*names, "seconds_added"), 0.0)
        return RepairRecord(before=before, after=after, repaired=(), **nothing)
    better = [
        item.name
        for item, now in zip(before.items, after.items, strict=True)
        if item.verdict != "pass" and now.value < item.value
    ]
    given = at_frames(first.motion.to_qpos().astype(np.float64), last.at)
    a = forward_kinematics(given[:, :3], given[:, 3:7], given[:, 7:]).pos_w
    b = motion_kinematics(last.motion).pos_w
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
        largest_turn=float(np.abs(last.motion.joint_pos - given[:, 7:]).max()),
        seconds_added=(len(last.motion) - len(first.motion)) / FPS,
    )
