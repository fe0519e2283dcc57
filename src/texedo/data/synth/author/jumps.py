"""Jumps on the spot and ahead: a dip, a push, a flight at gravity's pace, a landing."""

from __future__ import annotations

from typing import cast

import numpy as np

from texedo.data import events as ev
from texedo.data.synth.author import arms
from texedo.data.synth.author.arms import SIDES, Float64
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.stage.steps import LEFT, RIGHT, Swing, Via
from texedo.motion import FPS
from texedo.motion.curves import ease
from texedo.robot.mass import GRAVITY

_DIP_SECONDS = 0.42
"""Bending the knees before the first jump, and stretching them after the last [s]."""
_PUSH = 0.26
"""Pushing off, and giving way after a landing [s]."""
_FLIGHT = 0.25
"""Of a jump of size 1 [s]; it rises by gravity * flight^2 / 8, 7.7 cm."""
_HOP_FLIGHT, _LIFT_SECONDS = 0.19, 0.5
"""In the air on one leg, and lifting the other one beforehand [s]."""
_WAYS = {"": 0.0, "forward": 1.0, "backward": -0.7, "left": 0.0, "right": 0.0}
_ASIDE = {"left": 0.85, "right": -0.85}


def jump(scene: Scene, spec: Spec) -> list[ev.Event]:
    """`count` jumps with both feet, on the spot or in the direction of `way`."""
    flight = _FLIGHT * float(np.sqrt(spec.size)) * float(scene.rng.uniform(0.96, 1.06))
    reach = 0.2 * float(scene.rng.uniform(0.92, 1.15))
    far, aside = (by * reach for by in (_WAYS[spec.way], _ASIDE.get(spec.way, 0.0)))
    push = _PUSH / float(np.sqrt(spec.tempo))
    for channel, value in (("drop", 0.04), ("lean", 0.05)):
        scene.move(channel, value, start=scene.now, end=scene.now + 0.3)
    scene.wait(0.15)
    scene.rises.append((scene.now, jump_heights(push, flight, spec.count)))
    back = arms.pose(0.45, 0.28, 0.0, 0.9)
    ahead = arms.pose(-0.9 * spec.size, 0.3, 0.0, 0.9)
    swing = scene.rng.random() < 0.7
    _swing_arms(scene, back if swing else None, seconds=_DIP_SECONDS)
    scene.wait(_DIP_SECONDS)
    first = scene.now + push
    for i in range(spec.count):
        _swing_arms(scene, ahead if swing else None, seconds=push + 0.5 * flight)
        scene.wait(push)
        for foot in (LEFT, RIGHT):
            _fly(scene, foot, far, aside, seconds=flight, height=0.08 * spec.size)
        scene.wait(flight)
        down = back if swing and i < spec.count - 1 else None
        _swing_arms(scene, down, seconds=push + 0.1)
        scene.wait(push)
    last = scene.now - push
    scene.wait(_DIP_SECONDS)
    for channel in ("drop", "lean"):
        scene.move(channel, 0.0, start=scene.now - 0.2, end=scene.now + 0.25)
    scene.wait(0.25)
    return [
        ev.Jump(
            start=first,
            end=last,
            count=spec.count,
            height=GRAVITY * flight**2 / 8,
            direction=cast(ev.Direction, spec.way) if spec.way else None,
            distance=abs(far + aside) * spec.count,
        )
    ]


def hop(scene: Scene, spec: Spec) -> list[ev.Event]:
    """`count` hops on the foot of `side`, the other one lifted all the while."""
    foot = SIDES.index(spec.side)
    far = _WAYS[spec.way] * 0.12 * float(scene.rng.uniform(0.95, 1.15))
    flight, push = _HOP_FLIGHT * float(np.sqrt(spec.size)), _PUSH
    scene.move("drop", 0.04, start=scene.now, end=scene.now + 0.4)
    scene.wait(0.5)
    lift = scene.now
    series = 2 * _DIP_SECONDS + spec.count * (2 * push + flight)
    whole = series + 2 * _LIFT_SECONDS
    up, gone = _LIFT_SECONDS / whole, far * spec.count
    via = (Via(up, -0.02, 0.0, 0.14, 0.3), Via(1 - up, -0.02, 0.0, 0.14, 0.3))
    to = scene.feet.place(1 - foot).ahead(gone, 0.0)
    lifted = Swing(foot=1 - foot, start=lift, duration=whole, to=to, via=via)
    scene.feet.swings.append(lifted)
    scene.wait(_LIFT_SECONDS)
    scene.rises.append((scene.now, jump_heights(push, flight, spec.count)))
    scene.wait(_DIP_SECONDS)
    start = scene.now + push
    for _ in range(spec.count):
        scene.wait(push)
        _fly(scene, foot, far, 0.0, seconds=flight, height=0.05)
        scene.wait(flight + push)
    end = scene.now - push
    scene.wait(_DIP_SECONDS + _LIFT_SECONDS + 0.1)
    scene.move("drop", 0.0, start=scene.now, end=scene.now + 0.4)
    scene.wait(0.5)
    way = cast(ev.Direction, spec.way) if spec.way else None
    side = SIDES[foot]
    return [ev.Hop(start=start, end=end, side=side, count=spec.count, direction=way)]


def _fly(
    scene: Scene, foot: int, far: float, aside: float, *, seconds: float, height: float
) -> None:
    """A foot leaves the floor now and lands `far` ahead and `aside` to the left [m]."""
    to = scene.feet.place(foot).ahead(far, aside)
    scene.feet.swings.append(
        Swing(
            foot=foot,
            start=scene.now,
            duration=seconds,
            to=to,
            height=height,
            flight=True,
        )
    )


def _swing_arms(scene: Scene, arm: Float64 | None, *, seconds: float) -> None:
    for side in SIDES:
        scene.arm(side, arm, start=scene.now, end=scene.now + seconds)


def jump_heights(push: float, flight: float, count: int) -> Float64:
    """Rise of the pelvis over a series of jumps, frame by frame [m].

    Dip; for each jump push off, fly, and give way, at constant acceleration; come up.
    """
    speed = GRAVITY * flight / 2
    dip = speed * push / 2
    edges = np.cumsum(
        [0.0, _DIP_SECONDS, *([push, flight, push] * count), _DIP_SECONDS]
    )
    time = np.arange(0.0, edges[-1], 1 / FPS)
    part = np.minimum(np.searchsorted(edges, time, side="right") - 1, len(edges) - 2)
    t = time - edges[part]
    away = ease(t / _DIP_SECONDS)
    rest = np.where(part == 0, -dip * away, -dip * (1 - away))
    pushed = -dip + speed * t**2 / (2 * push)
    flown = speed * t - GRAVITY * t**2 / 2
    given = -dip + speed * (push - t) ** 2 / (2 * push)
    phase = (part - 1) % 3
    moving = np.choose(phase, (pushed, flown, given))
    return np.where((part == 0) | (part == len(edges) - 2), rest, moving)
