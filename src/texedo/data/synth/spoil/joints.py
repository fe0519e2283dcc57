"""Joints gone wrong: feet off their height, offsets, noise, too much, the wrong side."""

from __future__ import annotations

import numpy as np

from texedo.data.synth.spoil.curves import (
    Poses,
    Rng,
    Settings,
    either_sign,
    from_range,
    from_rest,
    wandering,
    when,
)
from texedo.motion import FPS
from texedo.robot.g1 import JOINT_INDEX, JOINT_LOWER, JOINT_NAMES, JOINT_UPPER
from texedo.robot.mirror import MIRROR_JOINT_INDEX, MIRROR_JOINT_SIGN

_BEYOND = 0.3
"""How far a spoiled joint may leave its range [rad]; files of other makers do."""
_LEG_WORDS, _ARM_WORDS = ("hip", "knee", "ankle"), ("shoulder", "elbow", "wrist")


def _columns(words: tuple[str, ...], side: str = "") -> list[int]:
    return [
        7 + i
        for i, name in enumerate(JOINT_NAMES)
        if name.startswith(side) and any(word in name for word in words)
    ]


LEGS, ARMS = _columns(_LEG_WORDS), _columns(_ARM_WORDS)
_WRISTS, _WAIST = _columns(("wrist",)), _columns(("waist",))
_LIMBS = {
    "left_leg": _columns(_LEG_WORDS, "left"),
    "right_leg": _columns(_LEG_WORDS, "right"),
    "left_arm": _columns(_ARM_WORDS, "left"),
    "right_arm": _columns(_ARM_WORDS, "right"),
}
_PITCHES = {
    side: [
        7 + JOINT_INDEX[f"{side}_{part}_joint"]
        for part in ("hip_pitch", "knee", "ankle_pitch")
    ]
    for side in ("left", "right")
}
_BEND = np.array([-1.0, 2.0, -1.0])
"""Hip, knee and ankle: bent so, a foot goes straight up and stays level."""


def within_reach(qpos: Poses) -> Poses:
    """Joints no further beyond their limits than files of other makers have them."""
    out = qpos.copy()
    out[:, 7:] = np.clip(qpos[:, 7:], JOINT_LOWER - _BEYOND, JOINT_UPPER + _BEYOND)
    return out


def feet(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """A foot, or both, lifted off its height or pushed down, or on the edge of its sole."""
    amount = when(rng, len(qpos)) * from_rest(len(qpos))
    sides = [side for side in _PITCHES if rng.random() < 0.7] or ["left"]
    out = qpos.copy()
    if rng.random() < 0.6:
        angle = from_range(0.25, 2.0, strength) * either_sign(rng)
        for side in sides:
            out[:, _PITCHES[side]] += angle * amount[:, None] * _BEND
        return out, {"leg_bend": angle, "feet": float(len(sides))}
    angle = from_range(0.2, 1.6, strength) * either_sign(rng)
    joint = "ankle_pitch" if rng.random() < 0.5 else "ankle_roll"
    for side in sides:
        out[:, 7 + JOINT_INDEX[f"{side}_{joint}_joint"]] += angle * amount
    return out, {joint: angle, "feet": float(len(sides))}


def offset(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """Some joints measured from another zero."""
    count = int(rng.integers(1, len(JOINT_NAMES) + 1))
    size = from_range(0.2, 3.0, strength) / count**0.25
    chosen = rng.choice(len(JOINT_NAMES), count, replace=False)
    out = qpos.copy()
    amount = when(rng, len(qpos))[:, None]
    out[:, 7 + chosen] += rng.normal(0.0, size, count) * amount
    return out, {"offset": size, "joints": float(count)}


def noise(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """Joints, and a little the root, that tremble: from frame to frame or slowly."""
    amount = when(rng, len(qpos))[:, None]
    frames, count = len(qpos), len(JOINT_NAMES)
    out = qpos.copy()
    if rng.random() < 0.5:
        size, rate = from_range(0.05, 1.0, strength), FPS
        out[:, 7:] += size * amount * rng.normal(size=(frames, count))
        out[:, :3] += 0.05 * size * amount * rng.normal(size=(frames, 3))
    else:
        size, rate = from_range(0.1, 1.5, strength), from_range(1.0, 8.0, rng.random())
        out[:, 7:] += size * amount * wandering(rng, frames, count, rate=rate)
        out[:, :3] += 0.05 * size * amount * wandering(rng, frames, 3, rate=rate)
    return out, {"noise": size, "noise_hz": rate}


def amplitude(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """More of everything: angles away from their mean, and the way, exaggerated."""
    factor = from_range(1.2, 6.0, strength)
    chosen = (LEGS, ARMS, list(range(7, qpos.shape[1])))[int(rng.integers(3))]
    middle = np.median(qpos[:, chosen], axis=0)
    out = qpos.copy()
    grown = (factor - 1.0) * when(rng, len(qpos))[:, None]
    out[:, chosen] += grown * (qpos[:, chosen] - middle)
    way = rng.random() < 0.5
    if way:
        out[:, :2] = qpos[0, :2] + factor * (qpos[:, :2] - qpos[0, :2])
    return out, {"amplitude": factor, "joints": float(len(chosen)), "way": float(way)}


def legs(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """Each leg does what the other should, less than that, or more."""
    share = 1.8 * strength
    amount = share * when(rng, len(qpos))[:, None]
    swapped = qpos[:, 7:][:, MIRROR_JOINT_INDEX] * MIRROR_JOINT_SIGN
    out = qpos.copy()
    own = [column - 7 for column in LEGS]
    out[:, LEGS] += amount * (swapped[:, own] - qpos[:, LEGS])
    return out, {"swapped": share}


def arms(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """One limb or more lags behind the rest; mostly the arms."""
    frames = round(from_range(0.06, 2.0, strength) * FPS)
    chosen = [name for name in _LIMBS if rng.random() < _ODDS_OF_LAG[name]]
    late = np.maximum(np.arange(len(qpos)) - frames, 0)
    out = qpos.copy()
    for name in chosen or ["left_arm", "right_arm"]:
        out[:, _LIMBS[name]] = qpos[late][:, _LIMBS[name]]
    return out, {"lag_s": frames / FPS, "limbs": float(max(len(chosen), 1))}


_ODDS_OF_LAG = {"left_arm": 0.7, "right_arm": 0.7, "left_leg": 0.35, "right_leg": 0.35}


def wrists(qpos: Poses, rng: Rng, strength: float) -> tuple[Poses, Settings]:
    """Wrists that rest anywhere and move; the stronger, the faster and wider."""
    size, rate = from_range(0.3, 3.0, strength), from_range(0.5, 8.0, rng.random())
    out = qpos.copy()
    rest = rng.normal(0.0, 0.4, len(_WRISTS))
    out[:, _WRISTS] = rest + size * wandering(rng, len(qpos), len(_WRISTS), rate=rate)
    return out, {"wrists": size, "wrists_hz": rate}
