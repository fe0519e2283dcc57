"""Too fast for the robot: jumps are made lower, and the clock runs slower.

A jump takes a speed that the motors do not have: it is flattened, and stays a jump. A run,
a turn or a push along the floor that is too fast keeps its path and is played slower, just
there, easing into it and out of it: s times slower, speeds are s times and pushes s^2
times smaller. The height is what is wrong with a jump, not its pace.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion import Motion
from texedo.motion.rotations import quat_make_continuous, quat_normalize
from texedo.robot import balance
from texedo.robot.check_limits import LIMITS
from texedo.robot.check_measures import Series, turn_speeds

Float64 = NDArray[np.float64]

SLOWEST = 3.0
"""No part is played more than so many times slower."""
TAKE_OFF = 1.0
"""Vertical speed of a jump that most controllers manage [m/s]."""
_OVER = 1.25
"""Speeds and pushes come down to so many times what warns."""
_GROUND = 0.01
"""A lowest point this near to the floor is no flight [m]."""
_AROUND = 9
"""Frames over which the slowest pace is held."""
_SMOOTHING = 4.0
"""Width of the Gaussian over the pace [frames]."""
_ROUNDS = 3


class Gentler(NamedTuple):
    """A motion made gentler."""

    motion: Motion
    at: Float64
    """Frame of the motion as it was that each frame comes from, (T,)."""


def gentler(motion: Motion) -> Gentler:
    """The motion with lower jumps, and slower where it is too fast."""
    # Twice: the mass rises before the feet leave the floor.
    qpos = _lower_jumps(_lower_jumps(motion.to_qpos().astype(np.float64)))
    at = np.arange(len(qpos), dtype=np.float64)
    for _ in range(_ROUNDS):
        here = clock(_excess(qpos))
        if len(here) == len(qpos):
            break
        qpos = at_frames(qpos, here)
        at = np.interp(here, np.arange(len(at)), at)
    return Gentler(Motion.from_qpos(qpos), at)


def clock(excess: Float64) -> Float64:
    """Frames (T',) to show one after the other, each `excess` (T,) times as long."""
    # Here and not above: it takes longer to load than a command should take to answer.
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d

    pace = np.clip(excess, 1.0, SLOWEST)
    pace = gaussian_filter1d(
        maximum_filter1d(pace, _AROUND), _SMOOTHING, mode="nearest"
    )
    times = np.concatenate(([0.0], np.cumsum((pace[1:] + pace[:-1]) / 2)))
    frames = np.arange(len(excess), dtype=np.float64)
    if times[-1] < frames[-1] + 0.5:
        return frames
    return np.interp(np.arange(int(times[-1] + 1e-6) + 1), times, frames)


def at_frames(qpos: Float64, at: Float64) -> Float64:
    """The motion (T, 36) at frames (T',) that need not be whole; whole ones are exact."""
    from scipy.interpolate import CubicSpline

    curve = qpos.copy()
    curve[:, 3:7] = quat_make_continuous(qpos[:, 3:7])
    out = np.asarray(CubicSpline(np.arange(len(qpos)), curve)(at))
    out[:, 3:7] = quat_normalize(out[:, 3:7])
    return out


def _lower_jumps(qpos: Float64) -> Float64:
    series = Series(Motion.from_qpos(qpos))
    speed = float(np.abs(balance.mass_velocity(series.mass)[:, 2]).max())
    if speed <= TAKE_OFF:
        return qpos
    rise = np.maximum(series.lowest - series.floor - _GROUND, 0.0)
    out = qpos.copy()
    # A height goes with the square of the speed it takes.
    out[:, 2] -= (1.0 - (TAKE_OFF / speed) ** 2) * rise
    return out


def _excess(qpos: Float64) -> Float64:
    """How many times too fast each frame is, (T,)."""
    series = Series(Motion.from_qpos(qpos))
    ground = np.linalg.norm(balance.mass_velocity(series.mass)[:, :2], axis=1)
    push = balance.sideways_push(series.mass)
    limit = {name: _OVER * LIMITS[name].warn for name in _SLOWED}
    worst: Float64 = np.maximum.reduce(
        (
            ground / limit["ground speed"],
            turn_speeds(series.root_quat) / limit["turn speed"],
            np.sqrt(push / limit["sideways push"]),
        )
    )
    return worst


_SLOWED = ("ground speed", "turn speed", "sideways push")
