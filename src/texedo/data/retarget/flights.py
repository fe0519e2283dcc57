"""Jumps that fall as fast as the robot does.

A person scaled to the robot's size falls at scale times gravity: the flight takes too long
for its height, and no push-off can give that. Heights and distances are kept and the time
in the air is shortened, by 10 to 15 % for most people; the rest of a motion keeps its pace.
"""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from texedo.data.retarget.solver import Targets
from texedo.motion import FPS
from texedo.motion.rotations import (
    quat_from_matrix,
    quat_make_continuous,
    quat_normalize,
    quat_slerp,
    quat_to_matrix,
)
from texedo.motion.runs import true_runs
from texedo.robot.collision import sole_clearance
from texedo.robot.kinematics import forward_kinematics
from texedo.robot.mass import GRAVITY, centre_of_mass, mass_centres

Float64 = NDArray[np.float64]

_OFF, _HIGH = 0.015, 0.05
"""In a flight both soles are above the first, and once above the second [m]."""
_MIN_FRAMES = 9
"""Shorter flights are steps of a run, which nobody can tell from noise."""
_MIN_FALL = 4.0
"""What falls more slowly than this is no flight [m/s^2]."""
_MIN_PACE = 0.78
"""No flight is shortened to less: that is a person half as tall as the robot."""
_EDGE = 2
"""Frames before and after a flight that keep its pace."""


def flight_pace(path: Float64) -> Float64:
    """How long each frame of a path (T, 36) should last, (T,); 1 away from flights."""
    poses = forward_kinematics(path[:, :3], path[:, 3:7], path[:, 7:])
    clear = sole_clearance(poses).min(axis=-1)
    height = centre_of_mass(mass_centres(poses))[:, 2]
    pace = np.ones(len(path))
    for start, stop in true_runs(clear > _OFF):
        if stop - start < _MIN_FRAMES or clear[start:stop].max() < _HIGH:
            continue
        time = np.arange(stop - start) / FPS
        fall = -2.0 * float(np.polyfit(time, height[start:stop], 2)[0])
        if fall > _MIN_FALL:
            part = slice(max(start - _EDGE, 0), stop + _EDGE)
            pace[part] = np.clip(np.sqrt(fall / GRAVITY), _MIN_PACE, 1.0)
    return np.asarray(gaussian_filter1d(pace, 2.0, mode="nearest"))


def times_at_pace(pace: Float64) -> Float64:
    """The old time [frames] of every new frame, given how long the old ones last (T,)."""
    clock = np.concatenate(([0.0], np.cumsum((pace[1:] + pace[:-1]) / 2)))
    # Rounding must not cost a motion without flights its last frame.
    count = int(clock[-1] + 1e-6) + 1
    return np.interp(np.arange(count), clock, np.arange(len(pace)))


def targets_at(targets: Targets, times: Float64) -> Targets:
    """Targets between their frames, at `times` (N,) [frames]."""
    values = {
        f.name: _turned_at(getattr(targets, f.name), times)
        if f.name.endswith("_rot")
        else _between(getattr(targets, f.name), times)
        for f in fields(targets)
    }
    return replace(targets, **values)


def path_at(path: Float64, times: Float64) -> Float64:
    """A path (T, 36) between its frames, (N, 36)."""
    path = path.copy()
    path[:, 3:7] = quat_make_continuous(path[:, 3:7])
    out = _between(path, times)
    out[:, 3:7] = quat_normalize(out[:, 3:7])
    return out


def _split(times: Float64, frames: int) -> tuple[NDArray[np.int64], Float64]:
    first = np.clip(times.astype(np.int64), 0, max(frames - 2, 0))
    return first, times - first


def _between(values: Float64, times: Float64) -> Float64:
    first, rest = _split(times, len(values))
    rest = rest.reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(values[first] * (1 - rest) + values[first + 1] * rest)


def _turned_at(turns: Float64, times: Float64) -> Float64:
    first, rest = _split(times, len(turns))
    quat = quat_from_matrix(turns)
    share = np.broadcast_to(
        rest.reshape(-1, *[1] * (quat.ndim - 2)), quat[first].shape[:-1]
    )
    return quat_to_matrix(quat_slerp(quat[first], quat[first + 1], share))
