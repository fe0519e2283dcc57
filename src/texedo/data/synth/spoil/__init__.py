"""Motions spoiled on purpose, from hardly to hopelessly.

A verifier that is to know failures has to see many, and most of all those that lie just
on either side of what a controller manages. Every way of spoiling is a pure function of
the poses, a random generator and a strength from 0 (hardly noticed) to 1 (mostly fatal).
Results are finite and have 2 frames at least; joints may leave their range a little, as
they do in files of other makers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.data.synth.spoil.curves import Poses, Rng, Settings
from texedo.data.synth.spoil.joints import (
    amplitude,
    arms,
    feet,
    legs,
    noise,
    offset,
    within_reach,
    wrists,
)
from texedo.data.synth.spoil.root import frozen, height, tilt, turn
from texedo.data.synth.spoil.timing import splice, stutter, tempo
from texedo.motion import FPS
from texedo.motion.curves import ease
from texedo.motion.rotations import quat_normalize
from texedo.robot.collision import ground_clearance
from texedo.robot.kinematics import forward_kinematics

Spoil = Callable[[Poses, Rng, float], tuple[Poses, Settings]]

MAX_FRAMES = 500
"""10 s: what is longer is cut, so that many motions fill a simulator evenly."""
SPLICE, MIXED = "splice", "mixed"
_ALONE: dict[str, Spoil] = {
    "tempo": tempo,
    "tilt": tilt,
    "height": height,
    "feet": feet,
    "offset": offset,
    "noise": noise,
    "frozen": frozen,
    "legs": legs,
    "arms": arms,
    "wrists": wrists,
    "amplitude": amplitude,
    "turn": turn,
    "stutter": stutter,
}
SPOILS = (*_ALONE, SPLICE, MIXED)
"""Names of all ways; "mixed" is two or three of the others at once."""
WEIGHTS = {
    **dict.fromkeys(_ALONE, 1.0),
    **dict.fromkeys(("feet", "offset", "noise", "amplitude"), 1.2),
    **dict.fromkeys(("legs", "stutter", "tempo"), 0.7),
    **dict.fromkeys(("arms", "frozen", "wrists"), 0.3),
    SPLICE: 1.5,
    MIXED: 8.0,
}
"""How often each is used: less of what a controller hardly ever minds."""
_MIXED_STRENGTH = 0.95
"""Faults add up: each is a little weaker."""
_LOWEST, _HIGHEST = -0.08, 0.2
"""Heights that the lowest point of a first pose may have [m]."""
_SETTLING = 0.3
"""Time in which a height that had to be put right at first is wrong again [s]."""
_SKEW = 0.5
"""Exponent of a strength that is drawn: a little more of what is strong."""


def spoil(
    way: str,
    qpos: NDArray[Any],
    rng: Rng,
    *,
    other: NDArray[Any],
    strength: float | None = None,
) -> tuple[NDArray[np.float32], Settings]:
    """The motion (T, 36) spoiled in one of `SPOILS`, and by how much.

    `other` is what it may be spliced with. The strength is drawn if not given.
    """
    if way not in SPOILS:
        raise ValueError(f"{way!r} is no way to spoil; there are {', '.join(SPOILS)}.")
    strength = float(rng.random() ** _SKEW) if strength is None else strength
    poses = np.asarray(qpos, dtype=np.float64)
    if way == MIXED:
        out, settings = _mixed(poses, rng, strength)
    elif way == SPLICE:
        donor = np.asarray(other, dtype=np.float64)
        out, settings = splice(poses, rng, strength, other=donor)
    else:
        out, settings = _ALONE[way](poses, rng, strength)
    out, cut = cut_to_length(within_reach(out), rng)
    out = _begun_on_the_floor(out)
    out[:, 3:7] = quat_normalize(out[:, 3:7])
    return out.astype(np.float32), {"strength": strength} | settings | cut


def cut_to_length(
    qpos: NDArray[Any], rng: Rng, *, longest: int = MAX_FRAMES
) -> tuple[NDArray[Any], Settings]:
    """A piece of at most `longest` frames, from anywhere, and where it began."""
    if len(qpos) <= longest:
        return qpos, {}
    start = int(rng.integers(len(qpos) - longest + 1))
    return qpos[start : start + longest], {"cut_from_frame": float(start)}


def _begun_on_the_floor(poses: Poses) -> Poses:
    """The motion with a first pose that a robot can stand in.

    A motion that begins in mid-air or deep in the floor is not tried at all: there is
    nothing to learn from it. What is wrong with its height comes a moment later.
    """
    root, turn, joints = poses[0, :3], poses[0, 3:7], poses[0, 7:]
    first = forward_kinematics(root, quat_normalize(turn), joints)
    lowest = float(ground_clearance(first).min())
    if _LOWEST <= lowest <= _HIGHEST:
        return poses
    out = poses.copy()
    out[:, 2] -= lowest * (1.0 - ease(np.arange(len(poses)) / (FPS * _SETTLING)))
    return out


def _mixed(poses: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    settings: Settings = {}
    names = list(_ALONE)
    for i in rng.choice(len(names), int(rng.integers(2, 4)), replace=False):
        own = _MIXED_STRENGTH * strength
        poses, said = _ALONE[names[i]](poses, rng, own)
        settings |= said
    return poses, settings
