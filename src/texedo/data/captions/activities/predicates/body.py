"""What trunk and hips do: bending, leaning, height, rhythm, energy, stillness."""

from __future__ import annotations

import numpy as np

from texedo.data.captions.activities.predicates.grades import (
    CLEARLY,
    at_least,
    at_most,
    counted,
    grade,
    held,
    weakly,
)
from texedo.data.captions.activities.scene import Scene
from texedo.data.events.signals import STANDING_HEIGHT, rate, smooth
from texedo.data.events.spans import Floats, turning_points
from texedo.data.events.types import Bow, Still

_RHYTHM = (0.25, 1.3)
"""Shortest and longest period of a rhythm [s]."""


def bow(scene: Scene, n: float = 0, angle: float = 30) -> float:
    """The upper body bends forward and comes up again."""
    found = [one for one in scene.facts.of(Bow) if one.angle >= angle]
    count = sum(one.count for one in found)
    if n:
        return counted(count, n)
    weak = float(np.minimum(bent(scene, angle, 0.1), 1.0 - bent_end(scene)))
    return max(counted(count, 0), weakly(weak))


def bent(scene: Scene, min: float = 30, hold: float = 0.3) -> float:
    """The torso leans forward by at least `min` degrees for a while."""
    return held(scene.signals.lean, hold, no=0.65 * min, yes=min)


def bent_end(scene: Scene) -> float:
    """Still bent forward at the end."""
    return grade(float(scene.signals.lean[-10:].mean()), 15.0, 28.0)


def slouched(scene: Scene, min: float = 12) -> float:
    """Leaning forward most of the time."""
    return grade(float(np.median(scene.signals.lean)), 0.5 * min, min)


def upright(scene: Scene, max: float = 12) -> float:
    """Neither bent nor leaning most of the time."""
    off = np.hypot(scene.signals.lean, scene.signals.tilt)
    return at_most(float(np.quantile(off, 0.8)), max)


def unbent(scene: Scene, max: float = 35) -> float:
    """Never bent or leaning farther than that."""
    off = np.hypot(scene.signals.lean, scene.signals.tilt)
    return at_most(float(off.max()), max)


def leans(
    scene: Scene, side: str = "either", min: float = 14, hold: float = 0.3
) -> float:
    """The upper body tilts to the left or right, or back."""
    tilt = scene.signals.tilt
    own = {
        "left": tilt,
        "right": -tilt,
        "back": -scene.signals.lean,
        "forward": scene.signals.lean,
    }.get(side, np.abs(tilt))
    return held(own, hold, no=0.55 * min, yes=min)


def sways(scene: Scene, min: float = 3, angle: float = 8) -> float:
    """The upper body tilts from side to side."""
    points = turning_points(smooth(scene.signals.tilt, 0.1), angle)
    return grade(len(points) - 1, 0.4 * min, min)


def _height(scene: Scene) -> Floats:
    return np.asarray(scene.signals.height / STANDING_HEIGHT)


def low(scene: Scene, max: float = 0.82, hold: float = 0.5) -> float:
    """The hips are low for a while: their height over that of standing."""
    return held(_height(scene), hold, no=max + 0.1, yes=max)


def tall(scene: Scene, min: float = 0.88) -> float:
    """The hips never get low."""
    return grade(float(np.quantile(_height(scene), 0.03)), min - 0.12, min)


def ends_low(scene: Scene, max: float = 0.8) -> float:
    """The hips are low at the end."""
    return grade(-float(_height(scene)[-12:].mean()), -max - 0.1, -max)


def rises(scene: Scene, min: float = 0.15) -> float:
    """The hips end that much higher than their lowest before, over standing height."""
    height = _height(scene)
    gain = float(np.mean(height[-12:]) - height[: max(len(height) * 2 // 3, 1)].min())
    return grade(gain, 0.6 * min, min)


def bobs(scene: Scene, min: float = 3, size: float = 0.02) -> float:
    """The hips go up and down in time [m]."""
    points = turning_points(smooth(scene.signals.height, 0.06), size)
    return grade((len(points) - 1) / 2, 0.4 * min, min)


def hips_sway(scene: Scene, min: float = 3, size: float = 0.05) -> float:
    """The hips go from side to side over the feet [m]."""
    feet = scene.signals.foot_f[:, :, 1].mean(axis=1)
    points = turning_points(smooth(feet, 0.1), size)
    return grade(len(points) - 1, 0.4 * min, min)


def rhythmic(scene: Scene, min: float = 0.45) -> float:
    """What the limbs do repeats after a period."""
    limbs = np.concatenate(
        [
            scene.signals.palm_t.reshape(len(scene), -1),
            scene.signals.foot_f[..., 2],
            scene.signals.height[:, None],
        ],
        axis=1,
    )
    if len(limbs) < 75:
        return 0.0
    moves = rate(limbs)
    moves = moves - moves.mean(axis=0)
    power = np.abs(np.fft.rfft(moves, n=2 * len(moves), axis=0)) ** 2
    like = np.fft.irfft(power, axis=0)[: len(moves)].sum(axis=1)
    like = like / np.maximum(like[0], 1e-9)
    like = like * len(like) / (len(like) - np.arange(len(like)))
    first, last = (
        round(_RHYTHM[0] * 50),
        np.minimum(round(2 * _RHYTHM[1] * 50), len(like) // 2),
    )
    lags = like[first : max(int(last), first + 2)]
    dip = int(np.argmin(lags[: max(len(lags) * 2 // 3, 1)]))
    return grade(float(lags[dip:].max()), 0.5 * min, min)


def _energy(scene: Scene) -> float:
    """Mean speed of hands and feet seen from the body [m/s]."""
    hands = np.linalg.norm(scene.palm_rate, axis=2).mean()
    feet = np.linalg.norm(rate(scene.signals.foot_f), axis=2).mean()
    return float(hands + feet) / 2


def energy(scene: Scene, min: float = 0.0, max: float = 9.0) -> float:
    """How lively it is: mean speed of hands and feet [m/s]; a calm walk has 0.5."""
    value = _energy(scene)
    own = at_least(value, min) if min > 0 else 1.0
    return float(np.minimum(own, at_most(value, max, margin=0.5)))


def still(scene: Scene, share: float = 0.6) -> float:
    """Hardly anything moves in that part of the time."""
    rest = sum(one.duration for one in scene.facts.of(Still)) / max(scene.seconds, 1e-9)
    calm = at_most(_energy(scene), 0.06, margin=0.7)
    return max(grade(rest, 0.5 * share, share), calm)


def freezes(scene: Scene) -> float:
    """It moves, and then it keeps still."""
    tail = scene.part(len(scene) - max(len(scene) // 4, 30), len(scene))
    head = scene.part(0, max(len(scene) // 2, 1))
    return float(
        np.minimum(at_most(_energy(tail), 0.07), at_least(_energy(head), 0.15))
    )


def jerks(scene: Scene, min: float = 3) -> float:
    """Sudden starts and stops of the hands, like a machine or a startle."""
    speed = np.linalg.norm(scene.palm_rate, axis=2).max(axis=1)
    points = turning_points(speed, 0.6)
    return grade(sum(p.top for p in points), 0.4 * min, min)


def startles(scene: Scene, speed: float = 1.2) -> float:
    """One sudden move of hands or hips after calm."""
    hands = np.linalg.norm(scene.palm_rate, axis=2).max(axis=1)
    peak = int(np.argmax(hands))
    before = hands[max(peak - 40, 0) : max(peak - 12, 1)]
    calm = at_most(float(before.mean()), 0.25)
    return float(np.minimum(grade(float(hands[peak]), 0.6 * speed, speed), calm))


def ducks(scene: Scene, drop: float = 0.12) -> float:
    """The head goes down quickly, and comes up again perhaps [m]."""
    head = smooth(scene.signals.head_f[:, 2], 0.06)
    fall = float(-(rate(head)).min())
    down = float(head[: max(len(head) // 3, 1)].max() - head.min())
    return float(np.minimum(grade(down, 0.5 * drop, drop), grade(fall, 0.2, 0.45)))


def quick_body(scene: Scene, min: float = 0.5) -> float:
    """The head goes at least so fast up, down or about for moments [m/s]."""
    return at_least(_head_speed(scene), min, margin=0.5)


def slow_body(scene: Scene, max: float = 0.3) -> float:
    """The head never goes faster than that for long [m/s]."""
    return at_most(_head_speed(scene), max, margin=1.0)


def _head_speed(scene: Scene) -> float:
    speed = np.linalg.norm(rate(smooth(scene.signals.head_f, 0.06)), axis=1)
    return float(np.quantile(speed, 0.92))


def anything(scene: Scene) -> float:
    """Whatever happens: a step of an order that nobody can measure."""
    del scene
    return CLEARLY
