"""How the hands move: to and fro, round and round, busy or quiet, in turns or together."""

from __future__ import annotations

import numpy as np

from texedo.data.captions.activities.predicates.grades import (
    INDEX,
    at_least,
    at_most,
    by_side,
    counted,
    grade,
    plain,
    sided,
    weakly,
)
from texedo.data.captions.activities.scene import Scene
from texedo.data.events.spans import Bools, Floats, spans, turning_points
from texedo.data.events.types import ArmRaise, Clap, Wave
from texedo.motion import FPS

_AXES = {"x": 0, "y": 1, "z": 2}
_RATE = 0.4
"""What is done again and again is done so often [1/s]."""
_PLANES = {"wheel": (0, 2), "front": (1, 2), "table": (0, 1)}


def _zone(palm: Floats, zone: str) -> Bools:
    """Frames in which a palm (T, 3) is in a part of the space around the torso."""
    x, z = palm[:, 0], palm[:, 2]
    if zone == "front":
        return np.asarray((x > 0.10) & (z > -0.42))
    if zone == "chest":
        return np.asarray((x > 0.08) & (z > -0.30) & (z < 0.05))
    if zone == "high":
        return np.asarray(z > -0.08)
    if zone == "overhead":
        return np.asarray(z > 0.2)
    if zone == "head":
        return np.asarray(
            (z > 0.0) & (np.linalg.norm(palm - (0.05, 0.05, 0.17), axis=1) < 0.32)
        )
    if zone == "mouth":
        return np.asarray(np.linalg.norm(palm - (0.15, 0.03, 0.10), axis=1) < 0.24)
    if zone == "low":
        return np.asarray((z < -0.2) & (x > 0.05))
    return np.ones(len(palm), dtype=bool)


def _swings(values: Floats, swing: float) -> int:
    """Times that a curve goes to and back."""
    return max(len(turning_points(values, swing)) - 1, 0) // 2


def _swings_any(palm: Floats, swing: float) -> int:
    """The same along the axes of the torso, or those along which the hand moves most:
    where it is raised first, it need not shake along the way up."""
    own = palm - palm.mean(axis=0)
    _, axes = np.linalg.eigh(own.T @ own)
    curves = np.concatenate((own, own @ axes), axis=1)
    return max(_swings(curve, swing) for curve in curves.T)


def shakes(
    scene: Scene,
    axis: str = "any",
    side: str = "either",
    min: float = 2,
    swing: float = 0.06,
    zone: str = "any",
) -> float:
    """A hand goes to and fro at least `min` times by `swing` metres, in a zone."""

    def count(index: int) -> float:
        palm = scene.palm[:, index]
        best = 0
        for span in spans(_zone(palm, zone), min_seconds=0.5, max_gap=0.15):
            own = palm[span.frames]
            if axis == "any":
                best = max(best, _swings_any(own, swing))
            else:
                best = max(best, _swings(own[:, _AXES[axis]], swing))
        wanted = float(np.maximum(min, _RATE * scene.seconds))
        return grade(best, 0.5 * wanted, wanted)

    return by_side(count, side)


def mainly(scene: Scene, axis: str, side: str = "either") -> float:
    """A hand moves more along one axis of the torso than along the others."""

    def share(index: int) -> float:
        moved = np.abs(scene.palm_rate[:, index]).sum(axis=0)
        return grade(
            float(moved[_AXES[axis]] / np.maximum(moved.sum(), 1e-6)), 0.3, 0.45
        )

    return by_side(share, side)


def circles(
    scene: Scene,
    plane: str = "wheel",
    side: str = "either",
    min: float = 1.5,
    radius: float = 0.06,
    zone: str = "any",
) -> float:
    """A hand goes round and round in a plane."""
    first, second = _PLANES[plane]

    def rounds(index: int) -> float:
        palm, best = scene.palm[:, index], 0.0
        for span in spans(_zone(palm, zone), min_seconds=0.6, max_gap=0.15):
            own = palm[span.frames][:, [first, second]]
            velocity = np.gradient(own, axis=0)
            moving = np.hypot(*velocity.T) > 0.002
            if moving.sum() < 20:
                continue
            angle = np.unwrap(np.arctan2(velocity[moving, 1], velocity[moving, 0]))
            size = float(np.minimum(*np.ptp(own, axis=0))) / 2
            turned = abs(float(angle[-1] - angle[0])) / (2 * np.pi)
            best = max(best, turned * plain(grade(size, 0.4 * radius, radius)))
        return grade(best, 0.55 * min, min)

    return by_side(rounds, side)


def wave(scene: Scene, side: str = "either", n: float = 0) -> float:
    """A raised hand swings to and fro."""
    found = [
        (one.side, one.count)
        for one in scene.facts.of(Wave)
        if _liveliness(scene, one) > 0.2
    ]
    exact = sided(found, side, n)
    weak = 0.0 if n else weakly(shakes(scene, "y", side, 2, 0.05, "high"))
    return max(exact, weak)


def _liveliness(scene: Scene, one: Wave) -> float:
    """Mean speed of the quicker hand while it waves [m/s]."""
    frames = slice(round(one.start * FPS), max(round(one.end * FPS), 1))
    speed = np.linalg.norm(scene.palm_rate[frames], axis=2)
    return float(speed.mean(axis=0).max()) if len(speed) else 0.0


def clap(scene: Scene, n: float = 0) -> float:
    """The hands meet, again and again."""
    count = sum(one.count for one in scene.facts.of(Clap))
    if n == 1:
        return (
            0.5 if count <= 2 else 0.0
        )  # a single clap is not told from hands that meet
    return counted(count, n, least=2)


def raises(scene: Scene, side: str = "either", n: float = 0) -> float:
    """A hand rises above the shoulder, `n` times."""
    found = [
        (one.side, one.count)
        for one in scene.facts.of(ArmRaise)
        if one.level in ("shoulder", "head", "overhead")
    ]
    return sided(found, side, n)


def hand_speed(scene: Scene, min: float = 0.0, max: float = 9.0) -> float:
    """Mean speed of the busier hand relative to the torso [m/s]."""
    speed = np.linalg.norm(scene.palm_rate, axis=2).mean(axis=0)
    busiest = float(speed.max())
    low = at_least(busiest, min) if min > 0 else 1.0
    return float(np.minimum(low, at_most(busiest, max, margin=0.6)))


def hand_busy(scene: Scene, side: str = "either", min: float = 0.25) -> float:
    """A hand moves at this mean speed, and more than the other if one is asked for."""
    speed = np.linalg.norm(scene.palm_rate, axis=2).mean(axis=0)
    return by_side(lambda i: at_least(float(speed[i]), min), side)


def hands_still(scene: Scene, side: str = "both", max: float = 0.12) -> float:
    """A hand hardly moves."""
    speed = np.linalg.norm(scene.palm_rate, axis=2).mean(axis=0)
    slow = [at_most(float(speed[i]), max, margin=1.0) for i in (0, 1)]
    if side in INDEX:
        return slow[INDEX[side]]
    return float(np.min(slow) if side == "both" else np.max(slow))


def arm_swing(scene: Scene, min: float = 0.0, max: float = 9.0) -> float:
    """How far the palms go ahead and back, the larger of the two [m]."""
    x = scene.palm[:, :, 0]
    spread = float((np.quantile(x, 0.92, axis=0) - np.quantile(x, 0.08, axis=0)).max())
    low = at_least(spread, min) if min > 0 else 1.0
    return float(np.minimum(low, at_most(spread, max, margin=0.6)))


def alternate(scene: Scene, axis: str = "x") -> float:
    """The hands take turns along an axis."""
    return grade(-_together(scene, axis), 0.05, 0.4)


def in_time(scene: Scene, axis: str = "z") -> float:
    """The hands move alike along an axis (y: both out, both in)."""
    return grade(_together(scene, axis), 0.25, 0.6)


def _together(scene: Scene, axis: str) -> float:
    pair = scene.palm[:, :, _AXES[axis]]
    if len(pair) < 10 or float(np.ptp(pair, axis=0).min()) < 0.04:
        return 0.0
    return float(np.corrcoef(pair[:, 0], pair[:, 1])[0, 1])


def one_handed(scene: Scene, side: str = "either", times: float = 2.0) -> float:
    """One hand moves much more than the other."""
    path = np.linalg.norm(scene.palm_rate, axis=2).mean(axis=0) + 0.02
    own, other = (path[0], path[1]) if side == "left" else (path[1], path[0])
    ratio = float(own / other)
    if side not in ("left", "right"):
        ratio = float(np.maximum(ratio, 1.0 / ratio))
    return grade(ratio, 1.0, times)


def calm_hands(scene: Scene, max: float = 0.4) -> float:
    """The quicker hand is never faster than `max`, moments left out [m/s]."""
    return at_most(_peak_speed(scene), max, margin=1.0)


def quick_hands(scene: Scene, min: float = 0.9) -> float:
    """The quicker hand is at least that fast for moments [m/s]."""
    return at_least(_peak_speed(scene), min, margin=0.5)


def _peak_speed(scene: Scene) -> float:
    speed = np.linalg.norm(scene.palm_rate, axis=2).max(axis=1)
    return float(np.quantile(speed, 0.9))
