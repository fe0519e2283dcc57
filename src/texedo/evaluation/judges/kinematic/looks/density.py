"""When something was done: the middle of it, by a curve that tells how much at a time.

A walk of five seconds with a turn in its last one is one event of each kind, both from
beginning to end; how fast the facing changes says when the turn was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from texedo.evaluation.judges.kinematic.scene import Deed, Scene
from texedo.evaluation.understanding.body import Body, Floats, rate, smooth
from texedo.motion import FPS

Look = Callable[[Body], Floats]


def _going(body: Body) -> Floats:
    return body.speed


def _turning(body: Body) -> Floats:
    return np.abs(rate(body.yaw)) / 40


def _twisting(body: Body) -> Floats:
    return np.abs(body.twist) / 20


def _lowering(body: Body) -> Floats:
    return np.maximum(body.tall - body.height, 0.0) / 0.1


def _bending(body: Body) -> Floats:
    return np.maximum(body.lean, 0.0) / 20


def _tilting(body: Body) -> Floats:
    return np.abs(body.tilt) / 10


def _gesturing(body: Body) -> Floats:
    speed = np.linalg.norm(rate(smooth(body.reach, 0.1)), axis=-1).max(axis=1)
    return np.asarray(speed**2)


def _lifting(body: Body) -> Floats:
    above = body.palm_f[..., 2] - body.shoulder_f[..., 2]
    return np.asarray(np.maximum(above.max(axis=1) + 0.3, 0.0) / 0.3)


def _stepping(body: Body) -> Floats:
    return np.asarray(np.maximum(body.clear.max(axis=1) - 0.02, 0.0) / 0.05)


def _always(body: Body) -> Floats:
    return np.ones(len(body))


def _above_usual(look: Look) -> Look:
    """What is more than the median: hands that are up throughout say nothing by that."""

    def curve(body: Body) -> Floats:
        values = look(body)
        return np.maximum(values - np.median(values), 0.0)

    return curve


_CURVES: dict[str, Look] = {
    **dict.fromkeys("go run march tiptoe pacing zigzag".split(), _going),
    **dict.fromkeys("turn circle".split(), _turning),
    "twist": _twisting,
    **dict.fromkeys("squat low kneel lunge".split(), _lowering),
    **dict.fromkeys("bow stoop".split(), _bending),
    **dict.fromkeys("lean sway".split(), _tilting),
    **dict.fromkeys(
        "wave clap punch throw swing push flap gesture arm_swing dance".split(),
        _gesturing,
    ),
    **dict.fromkeys(
        "arm_up arm_out arm_front arm_reach hand_head hand_face".split(), _lifting
    ),
    **dict.fromkeys("tread kick knee jump hop jacks".split(), _stepping),
}


def has_curve(see: str) -> bool:
    """Whether the time of it can be told without its start and end."""
    return see in _CURVES


def centre(scene: Scene, see: str, deeds: Sequence[Deed]) -> float:
    """Mean time, what is surer counting for more [s]."""
    curve = scene.curve(see, _above_usual(_CURVES.get(see, _always)))
    moment, total = 0.0, 0.0
    for deed in deeds:
        first = min(round(deed.start * FPS), len(curve) - 1)
        part = curve[first : max(round(deed.end * FPS), first + 1)] + 0.1
        weight = float(part.sum()) * (1.0 if deed.clear else 0.3)
        time = (np.arange(len(part)) + first + 0.5) / FPS
        moment += weight * float((part * time).sum() / part.sum())
        total += weight
    return moment / total
