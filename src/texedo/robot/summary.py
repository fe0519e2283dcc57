"""What a motion does, in a handful of numbers that can be read off a picture of it.

    summary = summarize(motion)
    summary.displacement, summary.turn, summary.jumps

They say nothing about whether the robot can do it: that is `robot.check`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion, relative_yaw
from texedo.motion.runs import true_runs
from texedo.robot.check import CONTACT_HEIGHT
from texedo.robot.collision import sole_clearance
from texedo.robot.g1 import BODY_INDEX
from texedo.robot.kinematics import BodyPoses, motion_kinematics

IDLE_SPEED = 0.1
"""Nothing on a robot that stands still is faster [m/s]."""
IDLE_WINDOW = 5
"""Frames over which a speed is measured, so that jitter of a millimetre is no motion."""
MIN_FLIGHT, MAX_FLIGHT = 0.10, 0.9
"""Shorter moments without contact are noise, longer ones a robot that hovers [s]."""
LEAP_FLIGHT = 0.34
"""From one foot to the other a running stride flies at most this long [s]."""
_FEET_AT = round(0.08 * FPS)
"""Which feet push off and land is read over this many frames."""
_HANDS = [BODY_INDEX[f"{side}_wrist_yaw_link"] for side in ("left", "right")]


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What a motion does."""

    displacement: float
    """From where the pelvis starts to where it ends, on the floor [m]."""
    turn: float
    """How far the heading has turned by the end, left positive; two full turns are 720
    [degrees]."""
    hand_height: float
    """Highest point that either wrist reaches above the floor [m]."""
    foot_height: float
    """Most that either sole is lifted, by its lowest point [m]."""
    jumps: int
    """Flights of 0.1 to 0.9 s that both feet begin or end together, or that go from one
    foot to the other in more than 0.34 s: neither strides of a run nor hops."""
    idle_share: float
    """Share of the time in which no part of the robot is faster than 0.1 m/s, as a mean
    over 0.1 s."""

    def to_dict(self) -> dict[str, float | int]:
        """The numbers by names with their units, rounded to what can be seen."""
        units = {"displacement": "displacement_m", "turn": "turn_deg"}
        units |= {"hand_height": "hand_height_m", "foot_height": "foot_height_m"}
        return {units.get(k, k): round(v, 3) for k, v in asdict(self).items()}


def summarize(motion: Motion, poses: BodyPoses | None = None) -> Summary:
    """Measure a motion; its body poses are computed if they are not given."""
    if poses is None:
        poses = motion_kinematics(motion)
    soles = sole_clearance(poses)  # (T, 2)
    way = motion.root_pos_w[-1, :2].astype(np.float64) - motion.root_pos_w[0, :2]
    return Summary(
        displacement=float(np.linalg.norm(way)),
        turn=float(np.rad2deg(relative_yaw(motion)[-1])),
        hand_height=float(poses.pos_w[:, _HANDS, 2].max()),
        foot_height=max(float(soles.max()), 0.0),
        jumps=count_jumps(soles < CONTACT_HEIGHT),
        idle_share=idle_share(poses.pos_w),
    )


def idle_share(body_pos_w: NDArray[np.float64]) -> float:
    """Share of the time in which no body moves, from positions (T, B, 3) [m]."""
    window = min(IDLE_WINDOW, len(body_pos_w) - 1)
    moved = np.linalg.norm(body_pos_w[window:] - body_pos_w[:-window], axis=-1)
    return float((moved.max(axis=-1) < IDLE_SPEED * window / FPS).mean())


def count_jumps(contact: NDArray[np.bool_]) -> int:
    """Number of jumps, from which sole touches the floor, (T, 2)."""
    flights = true_runs(~(contact[:, 0] | contact[:, 1]))
    return sum(_is_jump(contact, int(start), int(stop)) for start, stop in flights)


def _is_jump(contact: NDArray[np.bool_], start: int, stop: int) -> bool:
    seconds = (stop - start) / FPS
    cut = start == 0 or stop == len(contact)
    if cut or not MIN_FLIGHT <= seconds <= MAX_FLIGHT:
        return False
    off = contact[max(start - _FEET_AT, 0) : start].any(axis=0)
    on = contact[stop : stop + _FEET_AT].any(axis=0)
    if off.all() or on.all():
        return True
    return bool((off != on).any() and seconds > LEAP_FLIGHT)
