"""What the legs do: squats, kneels, walks, turns, marches and hops."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

import numpy as np

from texedo.data import events as ev
from texedo.data.synth.author import arms
from texedo.data.synth.author.arms import SIDES, Float64
from texedo.data.synth.author.gait import Path, settle_into, stand_up, travel, varied
from texedo.data.synth.author.gait_table import gaits
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.stage.steps import LEFT, RIGHT, Place, Swing, Via
from texedo.motion import FPS
from texedo.motion.curves import ease
from texedo.robot.mass import GRAVITY

WAYS: dict[str, tuple[float, float]] = {
    "forward": (1.0, 0.0),
    "backward": (-0.75, 0.0),
    "left": (0.0, 1.0),
    "right": (0.0, -1.0),
    "forward-left": (0.75, 0.75),
    "forward-right": (0.75, -0.75),
    "backward-left": (-0.6, 0.75),
    "backward-right": (-0.6, -0.75),
}
"""Parts of a gait's forward and side step for each direction of travel."""
_TURN_PER_PAIR = math.radians(46)
"""Most that a pair of steps on the spot may turn."""


def _arms_to(scene: Scene, arm: arms.Float64 | None, *, seconds: float) -> None:
    for side in SIDES:
        scene.arm(side, arm, start=scene.now, end=scene.now + seconds)


_DEPTH = 0.25
"""By which the hips go down in a squat [m]."""


def half_squat(scene: Scene, spec: Spec) -> list[ev.Event]:
    """The same two thirds as deep, which not every eye takes for a squat."""
    squat(scene, replace(spec, size=0.68 * spec.size))
    return []


def squat(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Down and up again `count` times, arms ahead against the weight of the hips.

    With `way` "arms_down" the arms hang.
    """
    ahead = None if spec.way == "arms_down" else arms.pose(-1.1, 0.32, 0.0, 1.2)
    start = scene.now
    depth = _DEPTH * spec.size
    for _ in range(spec.count):
        down = 0.95 / spec.tempo * float(scene.rng.uniform(0.9, 1.1))
        keys = (("drop", depth), ("lean", 0.24 * spec.size), ("waist_pitch", 0.1))
        for channel, value in keys:
            scene.move(channel, value, start=scene.now, end=scene.now + down)
        _arms_to(scene, ahead, seconds=down)
        scene.wait(down + 0.12 / spec.tempo)
        for channel, _ in keys:
            scene.move(channel, 0.0, start=scene.now, end=scene.now + down)
        _arms_to(scene, None, seconds=down)
        scene.wait(down + 0.12 / spec.tempo)
    share = depth / 0.755
    return [ev.Squat(start=start, end=scene.now, count=spec.count, depth=share)]


def crouch(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Down for `count` seconds: a squat that is held; with an even take up again."""
    reach = arms.pose(-1.1, 0.32, 0.0, 1.2) if spec.way == "squat" else arms.BENT
    down = 1.0 / spec.tempo
    low = (("drop", 0.22 * spec.size), ("lean", 0.24), ("waist_pitch", 0.12))
    for channel, value in low:
        scene.move(channel, value, start=scene.now, end=scene.now + down)
    _arms_to(scene, reach, seconds=down)
    scene.wait(down + float(spec.count))
    if spec.take % 2:
        return []
    for channel, _ in low:
        scene.move(channel, 0.0, start=scene.now, end=scene.now + down)
    _arms_to(scene, None, seconds=down)
    scene.wait(down)
    return []


def half_kneel(scene: Scene, spec: Spec) -> list[ev.Event]:
    """One foot steps back, that knee goes down to the floor, and up again.

    With `way` "stay" it stays there.
    """
    foot = SIDES.index(spec.side)
    heel = f"{spec.side}_heel"
    home = scene.feet.place(foot)
    scene.wait(0.3)
    start, step = scene.now, 0.7 / spec.tempo
    back = home.ahead(-0.38, 0.0)
    scene.feet.swings.append(
        Swing(foot=foot, start=scene.now, duration=step, to=back, height=0.07)
    )
    scene.move("drop", 0.06, start=scene.now, end=scene.now + step)
    scene.now += step + 0.3
    down = 1.25 / spec.tempo
    low = (("drop", 0.335), ("lean", 0.04), (heel, 0.95))
    for channel, value in low:
        scene.move(channel, value, start=scene.now, end=scene.now + down)
    scene.wait(down + float(scene.rng.uniform(0.5, 1.1)))
    if spec.way == "stay":
        scene.wait(0.8)
        return [ev.Kneel(start=start, end=scene.now, side=cast(ev.Side, spec.side))]
    for channel, value in (("drop", 0.06), ("lean", 0.0), (heel, 0.0)):
        scene.move(channel, value, start=scene.now, end=scene.now + down)
    scene.wait(down + 0.35)
    scene.feet.swings.append(
        Swing(foot=foot, start=scene.now, duration=step, to=home, height=0.07)
    )
    scene.move("drop", 0.0, start=scene.now, end=scene.now + step + 0.3)
    scene.now += step + 0.35
    return [ev.Kneel(start=start, end=scene.now, side=cast(ev.Side, spec.side))]


def walk(scene: Scene, spec: Spec) -> list[ev.Event]:
    """`count` steps in a direction and a manner, and a last one to stand."""
    gait = varied(gaits()[spec.manner], scene.rng, tempo=spec.tempo, size=spec.size)
    if spec.manner in ("limp", "hobble"):
        gait = replace(gait, limp=spec.side)
    settle_into(scene, gait)
    scene.wait(0.55)
    forward, left = WAYS[spec.way]
    start, before = scene.now, scene.feet.place(LEFT)
    turn = 0.0
    if spec.angle:
        turn = math.radians(spec.angle) / spec.count
    path = Path(forward=forward, left=left, turn=turn, steps=spec.count)
    steps = travel(scene, gait, path)
    found = _travelled(scene, spec, start, before, steps=steps)
    scene.wait(0.1)
    stand_up(scene)
    scene.wait(0.7)
    return found


def _travelled(
    scene: Scene, spec: Spec, start: float, before: Place, *, steps: int
) -> list[ev.Event]:
    after = scene.feet.place(LEFT)
    straight = math.hypot(after.x - before.x, after.y - before.y)
    time = max(scene.now - start, 0.1)
    if spec.angle:
        side: ev.Side = "left" if spec.angle > 0 else "right"
        angle = abs(spec.angle)
        chord = 2 * math.sin(math.radians(min(angle, 359.0)) / 2)
        radius = straight / max(abs(chord), 0.2)
        return [
            ev.Circle(
                start=start, end=scene.now, side=side, laps=angle / 360, radius=radius
            )
        ]
    return [
        ev.Travel(
            start=start,
            end=scene.now,
            gait="walk",
            direction=cast(ev.Direction, spec.way),
            distance=straight,
            speed=straight / time,
            steps=steps,
            low=spec.manner == "crouched",
        )
    ]


def turn(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Turn on the spot by stepping round, a pair of steps at a time.

    With `way` "about" two pairs have to do.
    """
    gait = varied(gaits()[spec.manner], scene.rng, tempo=spec.tempo, size=1.0)
    gait = replace(gait, clearance=max(0.8 * gait.clearance, 0.04))
    settle_into(scene, gait)
    scene.wait(0.5)
    angle = math.radians(spec.angle)
    most = _TURN_PER_PAIR if abs(spec.angle) <= 180 else 1.45 * _TURN_PER_PAIR
    pairs = 2 if spec.way == "about" else max(1, math.ceil(abs(angle) / most))
    start = scene.now
    travel(scene, gait, Path(turn=angle / pairs, steps=2 * pairs))
    side: ev.Side = "left" if angle > 0 else "right"
    found = ev.Turn(
        start=start,
        end=scene.now,
        side=side,
        angle=float(abs(spec.angle)),
        travelling=False,
    )
    scene.wait(0.1)
    stand_up(scene)
    scene.wait(0.6)
    return [found]


def march(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Knees up on the spot, arms swinging against them, `count` steps."""
    scene.wait(0.35)
    first = int(scene.rng.integers(2))
    swing = 0.52 / spec.tempo
    high = 0.14 + 0.1 * spec.size
    for i in range(spec.count):
        foot = first if i % 2 == 0 else 1 - first
        scene.feet.swings.append(
            Swing(
                foot=foot,
                start=scene.now,
                duration=swing,
                to=scene.feet.place(foot),
                height=high,
                scuff=0.2,
            )
        )
        other = SIDES[1 - foot]
        ahead = arms.pose(-0.55, 0.16, 0.0, 0.6)
        middle = scene.now + swing / 2
        scene.arm(other, ahead, start=scene.now - 0.06, end=middle)
        scene.arm(other, None, start=middle, end=scene.now + swing + 0.06)
        scene.now += swing + 0.12 / spec.tempo
    scene.wait(0.3)
    return []  # no event says "in place"; a knee raise would be higher


def step_over(scene: Scene, spec: Spec) -> list[ev.Event]:
    """One big, high step over something, the other foot follows as high."""
    first = SIDES.index(spec.side)
    gait = gaits()["plain"]
    settle_into(scene, replace(gait, drop=0.09))
    scene.wait(0.5)
    start, swing = scene.now, 0.95 / spec.tempo
    middle = scene.feet.place(LEFT).ahead(0.0, -0.12)
    reach, high = 0.32 + 0.1 * spec.size, 0.14 + 0.07 * spec.size
    before = scene.feet.place(LEFT)
    for foot, far in ((first, reach), (1 - first, reach)):
        out = 0.12 if foot == LEFT else -0.12
        scene.feet.swings.append(
            Swing(
                foot=foot,
                start=scene.now,
                duration=swing,
                to=middle.ahead(far, out),
                via=(
                    # Toes hang while the foot is still behind.
                    Via(0.36, 0.0, 0.0, high, 0.5),
                    Via(0.66, 0.0, 0.0, high, -0.05),
                ),
            )
        )
        scene.now += swing + 0.35
    found = _travelled(scene, Spec(kind="walk", way="forward"), start, before, steps=2)
    stand_up(scene)
    scene.wait(0.6)
    return found


_FLIGHT, _PUSH = 0.2, 0.24
"""Of a hop: time in the air, and on the floor before and after [s]."""


def jumping_jack(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Hop the feet apart with the arms up, hop them together with the arms down."""
    start = scene.now
    home = (scene.feet.place(LEFT), scene.feet.place(RIGHT))
    out = 0.14 * spec.size
    wide = (home[0].ahead(0.0, out), home[1].ahead(0.0, -out))
    scene.move("drop", 0.05, start=scene.now, end=scene.now + 0.4)
    scene.wait(0.4)
    push, hops = _PUSH / spec.tempo, 2 * spec.count
    scene.rises.append((scene.now, hop_heights(push, hops)))
    scene.wait(2 * push)
    for i in range(hops):
        opens = i % 2 == 0
        _hop(scene, wide if opens else home)
        up = arms.OVERHEAD + [0.25, 0.15, 0.0, -0.15, 0.0, 0.0, 0.0]
        for side in SIDES:
            scene.arm(
                side,
                up if opens else None,
                start=scene.now - push,
                end=scene.now + _FLIGHT + 0.9 * push,
            )
        scene.now += _FLIGHT + 2 * push
    scene.move("drop", 0.0, start=scene.now, end=scene.now + 0.4)
    scene.wait(0.4)
    return [ev.JumpingJack(start=start, end=scene.now, count=spec.count)]


def hop_heights(push: float, hops: int) -> Float64:
    """Rise of the pelvis over a series of hops, frame by frame [m].

    Dip, then for each hop: push off, fly, and give way, all at constant acceleration;
    `push` is the time of each of them but the flight [s].
    """
    speed = GRAVITY * _FLIGHT / 2
    dip = speed * push / 2
    edges = np.cumsum([0.0, push, *([push, _FLIGHT, push] * hops), push])
    time = np.arange(0.0, edges[-1], 1 / FPS)
    part = np.searchsorted(edges, time, side="right") - 1
    t = time - edges[part]
    out = np.empty(len(time))
    last = 3 * hops + 1
    for i, moment in enumerate(part):
        phase = (
            "rest" if moment in (0, last) else ("push", "fly", "give")[(moment - 1) % 3]
        )
        if phase == "rest":
            s = float(ease(np.array(t[i] / push)))
            out[i] = -dip * (s if moment == 0 else 1 - s)
        elif phase == "push":
            out[i] = -dip + speed * t[i] ** 2 / (2 * push)
        elif phase == "fly":
            out[i] = speed * t[i] - GRAVITY * t[i] ** 2 / 2
        else:
            out[i] = -dip + speed * (push - t[i]) ** 2 / (2 * push)
    return out


def _hop(scene: Scene, to: tuple[Place, Place]) -> None:
    for foot in (LEFT, RIGHT):
        scene.feet.swings.append(
            Swing(
                foot=foot,
                start=scene.now,
                duration=_FLIGHT,
                to=to[foot],
                height=0.06,
                flight=True,
            )
        )
