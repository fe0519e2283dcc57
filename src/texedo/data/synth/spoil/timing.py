"""Time gone wrong: another tempo, lost frames, two motions put together without care."""

from __future__ import annotations

import numpy as np

from texedo.data.synth.spoil.curves import (
    Poses,
    Rng,
    Settings,
    at_frames,
    either_sign,
    from_range,
    placed,
    turned,
    wandering,
)
from texedo.motion import FPS
from texedo.motion.rotations import quat_slerp

TEMPO = (0.5, 2.8)
_ODDS_OF_FASTER = 0.8
_ODDS_OF_UNSTEADY = 0.3
_ODDS_OF_HARD_CUT = 0.6
_MAX_BLEND = 0.3
"""A blend that is too short for most pairs of poses [s]."""


def tempo(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """Played at another speed; sometimes the speed itself comes and goes."""
    end = TEMPO[1] if rng.random() < _ODDS_OF_FASTER else TEMPO[0]
    factor = from_range(1.0, end, strength)
    rates = np.full(len(qpos), factor)
    unsteady = rng.random() < _ODDS_OF_UNSTEADY
    if unsteady:
        change = np.tanh(wandering(rng, len(qpos), 1, rate=1.0)[:, 0])
        rates = np.clip(factor ** (1.0 + change), *TEMPO)
    times = np.concatenate(([0.0], np.cumsum(1.0 / rates[1:])))
    # 1e-6 of a frame: the last one must not be lost to rounding.
    wanted = np.arange(max(int(times[-1] + 1e-6), 1) + 1)
    at = np.interp(wanted, times, np.arange(len(qpos)))
    return at_frames(qpos, at), {"tempo": factor, "unsteady": float(unsteady)}


def stutter(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """Frames were lost: poses are held until the next one comes, or time leaps on."""
    if rng.random() < 0.5:
        held = max(2, round(from_range(3.0, 60.0, strength)))
        phase = int(rng.integers(held))
        at = np.maximum((np.arange(len(qpos)) + phase) // held * held - phase, 0)
        return qpos[at], {"held_s": held / FPS}
    leap = max(2, round(from_range(5.0, 150.0, strength)))
    leap = min(leap, max(len(qpos) // 2 - 1, 1))
    count = 1 + int(rng.integers(3)) if leap < len(qpos) // 6 else 1
    keep = np.ones(len(qpos), dtype=np.bool_)
    for start in rng.integers(1, max(len(qpos) - leap, 2), count):
        keep[start : start + leap] = False
    keep[-1] = True
    return qpos[keep], {"leap_s": leap / FPS, "leaps": float(count)}


def splice(
    qpos: Poses, rng: Rng, strength: float, *, other: Poses
) -> tuple[Poses, Settings]:
    """The beginning of one motion and the end of another.

    The stronger, the further the second stands and looks away from the first.
    """
    first = _moment(rng, len(qpos))
    second = _moment(rng, len(other))
    last = qpos[first]
    # Heights stay as they are: a motion that ends low and one that begins high differ.
    rest = placed(other[second:], like=last)
    yaw = either_sign(rng) * np.pi * strength * rng.random()
    shift = rng.normal(size=2) * 0.3 * strength
    rest = turned(rest, yaw, about=rest[0, :2])
    rest[:, :2] += shift
    hard = rng.random() < _ODDS_OF_HARD_CUT
    blend = 0.0 if hard else rng.uniform(0.04, _MAX_BLEND) * (1.2 - strength)
    steps = round(blend * FPS)
    s = np.arange(1, steps + 1) / (steps + 1)
    bridge = (1 - s[:, None]) * last + s[:, None] * rest[0]
    if steps:
        bridge[:, 3:7] = quat_slerp(last[3:7], rest[0, 3:7], s)
    poses = np.concatenate((qpos[: first + 1], bridge, rest))
    return poses, {"cut_s": first / FPS, "blend_s": steps / FPS, "yaw": float(yaw)}


def _moment(rng: Rng, frames: int) -> int:
    """A frame of the middle, so that both sides have something of it."""
    return int(frames * rng.uniform(0.15, 0.75))
