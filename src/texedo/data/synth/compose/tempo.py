"""The same motion faster or slower, where that is still the same physics.

Playing a motion at another speed scales its accelerations with the square. Standing on
both feet that matters little; a fall, a hop or a flight cannot be slowed at all, and a
stride only as long as the pressure stays under the soles.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from texedo.data.corpus.store import Clip
from texedo.data.synth.author.stage.balance import outside_support
from texedo.motion import Motion, change_speed
from texedo.robot.kinematics import motion_kinematics

Pace = Literal["slow", "quick"]

SLOW, QUICK = (0.7, 0.75, 0.8, 0.85), (1.15, 1.2, 1.25, 1.3, 1.35)
"""Factors that deserve "slowly" and "quickly"."""
_FIXED = frozenset(
    {"jump", "hop", "leap", "run", "sports", "throw", "catch", "stand", "balance"}
)
"""Families in which the body or a thing flies, or hardly anything moves."""
_STANDING_FEET = 1.9
"""Feet on the floor on average, from which on a motion counts as standing."""
_MAX_AIRBORNE = 0.04
"""[s]"""
_MAX_SPEED_RATIO = 0.8
_OUTSIDE, _MORE_OUTSIDE = 0.03, 0.03
"""The part of frames whose pressure is this far off the soles [m] may grow by so much."""


def allowed_factors(clip: Clip, pace: Pace) -> tuple[float, ...]:
    """Factors at which a clip may be played; empty if its tempo is given by gravity."""
    quality = clip.quality
    if clip.family in _FIXED or not quality:
        return ()
    if quality["airborne_max_s"] > _MAX_AIRBORNE:
        return ()
    factors: tuple[float, ...] = SLOW if pace == "slow" else QUICK
    if quality["contact_feet_mean"] < _STANDING_FEET:
        factors = (0.8, 0.85) if pace == "slow" else (1.15, 1.2)
    speed = quality["joint_speed_ratio_max"]
    lasting = [f for f in factors if 100 <= clip.num_frames / f <= 500]
    return tuple(f for f in lasting if f * speed <= _MAX_SPEED_RATIO)


def at_tempo(motion: Motion, factor: float) -> Motion | None:
    """The motion `factor` times as fast; None if its balance would not survive it."""
    changed = change_speed(motion, factor)
    before, after = (_part_outside(m) for m in (motion, changed))
    return changed if after <= before + _MORE_OUTSIDE else None


def _part_outside(motion: Motion) -> float:
    """Part of the frames whose pressure is off the soles."""
    outside = outside_support(motion_kinematics(motion))
    return float(np.mean(np.nan_to_num(outside, nan=1.0) > _OUTSIDE))
