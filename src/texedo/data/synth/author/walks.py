"""Walks that do what a sentence asks: exact steps, bends, stops, busy or quiet arms."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

from texedo.data import events as ev
from texedo.data.synth.author import arms
from texedo.data.synth.author.arms import SIDES, Float64, Side
from texedo.data.synth.author.gait import (
    Gait,
    Path,
    exact_steps,
    settle_into,
    stand_up,
    travel,
    varied,
    wander,
)
from texedo.data.synth.author.gait_table import gaits
from texedo.data.synth.author.moves import WAYS
from texedo.data.synth.author.routines.places import pose_at
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.stage.steps import LEFT, Place

HELD_PLACES = {
    "chest": "heart",
    "belly": "belly",
    "back": "back",
    "salute": "forehead",
    "fists": "cheer",
    "chin": "chin",
    "ahead": "far",
}
"""Ways of holding arms that are places of a palm (`routines.places`)."""
_CROSSED = ("crossed", "crossed-over")
"""Where crossed arms have their palms."""
_TURN_PER_STEP = math.radians(31)
"""Most that a step of a walk may turn."""
_SPOT_TURN = math.radians(46)
"""Most that a pair of steps on the spot may turn."""


def _gait(scene: Scene, spec: Spec) -> Gait:
    manner = spec.manner if spec.manner in gaits() else "plain"
    return varied(gaits()[manner], scene.rng, tempo=spec.tempo, size=spec.size)


def _went(start: float, scene: Scene, before: Place, way: str, steps: int) -> ev.Travel:
    after = scene.feet.place(LEFT)
    distance = math.hypot(after.x - before.x, after.y - before.y)
    return ev.Travel(
        start=start,
        end=scene.now,
        gait="walk",
        direction=cast(ev.Direction, way),
        distance=distance,
        speed=distance / max(scene.now - start, 0.1),
        steps=steps,
    )


def _ended(scene: Scene, *, arms_too: bool = True) -> None:
    stand_up(scene, seconds=0.5, arms_too=arms_too)
    scene.wait(0.5)


def steps(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Exactly `count` steps; a single one, and some others, leave the feet apart."""
    gait = _gait(scene, spec)
    settle_into(scene, gait, seconds=0.35)
    scene.wait(0.35)
    forward, left = WAYS[spec.way]
    start, before = scene.now, scene.feet.place(LEFT)
    sideways = not forward
    close = spec.count % 2 == 0 if sideways else spec.count > 1 and spec.take % 3 > 0
    path = Path(forward=forward, left=left, steps=spec.count)
    # Sideways the other foot follows anyway.
    exact_steps(scene, gait, path, close=close and not sideways)
    found = _went(start, scene, before, spec.way, spec.count)
    _ended(scene)
    return [found]


def walk_far(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Walk `count` centimetres, in steps that come out even."""
    gait = _gait(scene, spec)
    settle_into(scene, gait, seconds=0.4)
    scene.wait(0.4)
    forward, left = WAYS[spec.way]
    along, aside = abs(forward) * gait.step, abs(left) * gait.side
    number = max(1, round(spec.count / 100 / max(along, aside)))
    # Sideways every other step only follows.
    steps = number if forward else 2 * number
    fit = spec.count / 100 / (number * max(along, aside))
    gait = replace(gait, step=gait.step * fit, side=gait.side * fit)
    start, before = scene.now, scene.feet.place(LEFT)
    taken = travel(scene, gait, Path(forward=forward, left=left, steps=steps))
    found = _went(start, scene, before, spec.way, taken)
    _ended(scene)
    return [found]


def walk_turn(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Walk `count` steps, bend by `angle` without a stop, and walk on."""
    gait = _gait(scene, spec)
    settle_into(scene, gait, seconds=0.4)
    scene.wait(0.4)
    angle = math.radians(spec.angle)
    bend = max(2, math.ceil(abs(angle) / _TURN_PER_STEP))
    start = scene.now
    taken = wander(
        scene,
        gait,
        (
            Path(forward=1.0, steps=spec.count),
            Path(forward=0.7, turn=angle / bend, steps=bend),
            Path(forward=1.0, steps=max(spec.count - 1, 1)),
        ),
        close=True,
    )
    side: ev.Side = "left" if angle > 0 else "right"
    middle = start + (scene.now - start) * spec.count / taken
    found: list[ev.Event] = [
        ev.Travel(
            start=start,
            end=scene.now,
            gait="walk",
            direction="forward",
            distance=gait.step * (taken - 1),
            speed=gait.step * (taken - 1) / (scene.now - start),
            steps=taken,
        ),
        ev.Turn(
            start=middle,
            end=scene.now,
            side=side,
            angle=float(abs(spec.angle)),
            travelling=True,
        ),
    ]
    _ended(scene)
    return found


def walk_pause(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Walk `count` steps, stand for one to two seconds, and walk as many again."""
    gait = _gait(scene, spec)
    forward, left = WAYS[spec.way]
    found: list[ev.Event] = []
    for turn in (0, 1):
        settle_into(scene, gait, seconds=0.35)
        scene.wait(0.35)
        start, before = scene.now, scene.feet.place(LEFT)
        path = Path(forward=forward, left=left, steps=spec.count - 1)
        taken = travel(scene, gait, path)
        found.append(_went(start, scene, before, spec.way, taken))
        _ended(scene)
        if turn == 0:
            pause = float(scene.rng.uniform(0.9, 1.6))
            found.append(ev.Still(start=scene.now, end=scene.now + pause))
            scene.wait(pause)
    return found


def zigzag(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Walk ahead, bending off to one side and the other: `count` legs of three steps."""
    gait = _gait(scene, spec)
    settle_into(scene, gait, seconds=0.4)
    scene.wait(0.4)
    sign = 1.0 if spec.side == "left" else -1.0
    bend = math.radians(48) * spec.size / 2
    paths = [Path(forward=0.8, turn=sign * bend, steps=1), Path(forward=1.0, steps=2)]
    for _ in range(spec.count - 1):
        sign = -sign
        paths.append(Path(forward=0.8, turn=2 * sign * bend / 2, steps=2))
        paths.append(Path(forward=1.0, steps=1))
    wander(scene, gait, paths, close=True)
    _ended(scene)
    return []


def pose_of(way: str, number: int = 0) -> Float64 | None:
    """What arms hold on to, the first or the second; None hangs."""
    if way == "crossed":
        return pose_at(_CROSSED[number % 2])
    if way in HELD_PLACES:
        return pose_at(HELD_PLACES[way])
    poses = {
        "hips": arms.on_hip(),
        "head": arms.beside_head(),
        "side": arms.SIDEWAYS,
        "up": arms.OVERHEAD,
        "forward": arms.FORWARD,
        "still": None,
    }
    return poses[way]


def held_events(spec: Spec, start: float, end: float) -> list[ev.Event]:
    """What is seen of arms that keep the pose of `way`."""
    side = cast(ev.Sides, spec.side)
    if spec.way == "hips":
        return [ev.HandOnHip(start=start, end=end, side=side)]
    if spec.way == "head":
        return [ev.HandToHead(start=start, end=end, side=side)]
    if spec.way in ("still", "crossed", *HELD_PLACES):
        return []
    level: ev.Level = "overhead" if spec.way == "up" else "shoulder"
    ways: dict[str, ev.Way] = {"up": "up", "forward": "front", "side": "side"}
    raised = ways[spec.way]
    return [ev.ArmRaise(start=start, end=end, side=side, level=level, way=raised)]


def hold_pose(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Arms keep a pose, "still" the hanging one, while the legs go where `base` says."""
    gait = replace(_gait(scene, spec), held=None, pump=False)
    if spec.way == "still":
        gait = replace(gait, arm_swing=0.0)
    start, up = scene.now, 0.75 / spec.tempo
    arm, sides = pose_of(spec.way), SIDES if spec.side == "both" else (spec.side,)
    for i, side in enumerate(sides if arm is not None else ()):
        own = pose_of(spec.way, i + spec.take)
        scene.arm(cast(Side, side), own, start=scene.now, end=scene.now + up)
    settle_into(scene, gait, seconds=0.4)
    # Some set out while the arms are still on their way.
    scene.wait(0.35 if arm is None else up * float(scene.rng.uniform(0.5, 1.0)))
    found = walk_base(scene, spec, gait, steps=spec.count)
    if arm is not None:
        for side in sides:
            scene.arm(cast(Side, side), None, start=scene.now, end=scene.now + up)
    found += held_events(spec, start, scene.now + up)
    stand_up(scene, seconds=0.5, arms_too=False)
    scene.wait(max(0.5, up if arm is not None else 0.0))
    return found


def walk_base(scene: Scene, spec: Spec, gait: Gait, *, steps: int) -> list[ev.Event]:
    """What the legs do as `base` says, in about `steps` steps, beginning now."""
    start, before = scene.now, scene.feet.place(LEFT)
    if spec.base == "stand":
        scene.wait(0.5 * steps)
        return []
    if spec.base == "turn":
        angle = math.radians(spec.angle)
        pairs = max(1, math.ceil(abs(angle) / _SPOT_TURN))
        travel(scene, gait, Path(turn=angle / pairs, steps=2 * pairs))
        side: ev.Side = "left" if angle > 0 else "right"
        return [
            ev.Turn(
                start=start,
                end=scene.now,
                side=side,
                angle=float(abs(spec.angle)),
                travelling=False,
            )
        ]
    if spec.base == "march":
        high = replace(gait, clearance=0.13, swing=0.5)
        travel(scene, high, Path(steps=steps + steps % 2))
        return []
    way = "forward" if spec.base == "walk" else spec.base
    forward, left = WAYS[way]
    taken = travel(scene, gait, Path(forward=forward, left=left, steps=steps))
    return [_went(start, scene, before, way, taken)]
