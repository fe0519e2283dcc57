"""The root gone wrong: tilted, raised or sunk, turning, or held where it is."""

from __future__ import annotations

import numpy as np

from texedo.data.synth.spoil.curves import (
    Poses,
    Rng,
    Settings,
    either_sign,
    from_range,
    from_rest,
    headings,
    turned,
    when,
)
from texedo.motion import FPS
from texedo.motion.rotations import quat_from_rotvec, quat_multiply, quat_rotate

TILT = (0.2, 1.4)
"""[rad]"""
HEIGHT = (0.1, 0.8)
"""[m]"""
SPIN = (1.0, 20.0)
"""[rad/s]"""


def tilt(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """Leaning to some side, all the time or more and more; the limbs lean with it or,
    about the floor, the whole robot does."""
    angle = from_range(*TILT, strength)
    side = rng.uniform(-np.pi, np.pi)
    grows = rng.random() < 0.5
    amount = np.linspace(0.0, 1.0, len(qpos)) if grows else when(rng, len(qpos))
    axis = np.array([np.cos(side), np.sin(side), 0.0])
    turn = quat_from_rotvec(axis * (angle * amount)[:, None])
    about_floor = rng.random() < 0.5
    out = qpos.copy()
    out[:, 3:7] = quat_multiply(turn, qpos[:, 3:7])
    if about_floor:
        up = qpos[:, :3] * [0.0, 0.0, 1.0]
        out[:, :3] += quat_rotate(turn, up) - up
    settings = {"tilt": angle, "side": float(side)}
    return out, settings | {"grows": float(grows), "about_floor": float(about_floor)}


def height(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """Too high or too low, sinking or rising, or bobbing up and down."""
    size = from_range(*HEIGHT, strength)
    kind = rng.integers(3)
    out = qpos.copy()
    if kind == 2:
        size *= 0.5
        rate, phase = from_range(0.4, 4.0, rng.random()), rng.uniform(0.0, 2 * np.pi)
        time = np.arange(len(qpos)) / FPS
        out[:, 2] += (
            size * np.sin(2 * np.pi * rate * time + phase) * from_rest(len(qpos))
        )
        return out, {"bob": size, "bob_hz": rate}
    size *= either_sign(rng)
    whole = when(rng, len(qpos)) if kind == 0 else np.linspace(0.0, 1.0, len(qpos))
    out[:, 2] += size * whole * (from_rest(len(qpos)) if size > 0 else 1.0)
    return out, {"height" if kind == 0 else "rise": size}


def turn(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """Turning on the spot all the while, with or without the way turning along."""
    spin = from_range(*SPIN, strength) * either_sign(rng)
    yaw = spin * np.cumsum(when(rng, len(qpos))) / FPS
    along = rng.random() < 0.5
    out = turned(qpos, yaw, about=qpos[0, :2])
    if not along:
        out[:, :3] = qpos[:, :3]
    return out, {"spin": spin, "along": float(along)}


def frozen(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """Some of place, heading and height stays as it was at some moment."""
    held = min(1.0, 1.5 * strength)
    kept = 1.0 - held
    moment = qpos[int(rng.integers(len(qpos)))]
    place, heading, level = _at_least_one(rng)
    out = qpos.copy()
    if place:
        out[:, :2] = moment[:2] + kept * (qpos[:, :2] - moment[:2])
    if heading:
        yaw = headings(qpos)
        away = held * (yaw - yaw[0])
        spun = turned(out, -away, about=moment[:2])
        out[:, 3:7] = spun[:, 3:7]
    if level:
        out[:, 2] = moment[2] + kept * (qpos[:, 2] - moment[2])
    names = ("place", "heading", "level")
    which = dict(zip(names, map(float, (place, heading, level)), strict=True))
    return out, which | {"held": held}


def _at_least_one(rng: Rng) -> tuple[bool, bool, bool]:
    drawn = rng.random(3) < (0.6, 0.5, 0.4)
    drawn[0] |= not drawn.any()
    return bool(drawn[0]), bool(drawn[1]), bool(drawn[2])
