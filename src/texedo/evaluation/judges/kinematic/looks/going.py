"""Deeds of the whole body over the floor: going, turning, jumping, standing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from texedo.data.events import Circle, Hop, Jump, Still, Travel, Turn
from texedo.evaluation.judges.kinematic.scene import Deed, Scene, Window
from texedo.evaluation.understanding.judges import legs, travel
from texedo.evaluation.understanding.spans import reversals, times_high
from texedo.motion import FPS

_USUAL = {"forward": 0.62, "backward": 0.5, "left": 0.3, "right": 0.3}
"""Speed of an ordinary walk of the robot [m/s]; 0.45 across."""
_CALM = 0.25
"""Of the mean speed of all parts: who is slower stands about [m/s]."""
_LEAP = 0.4
"""The path has no sharp corners: a jump's way begins before it and ends after it [s]."""
_USUAL_TURN = 35.0
"""Of an ordinary turn [degrees/s]."""


def ways_between(
    scene: Scene, start: float, end: float, window: Window | None = None
) -> tuple[tuple[str, float], ...]:
    """How far it went each way, as its hips face, from `start` to `end` [s]."""
    start = max(start, 0.0)
    first, last = round(start * FPS), max(round(end * FPS), round(start * FPS) + 1)
    ahead, aside = scene.body.velocity_f[first:last].T / FPS
    if window is not None:
        weight = scene.weights(window)[first:last]
        ahead, aside = ahead * weight, aside * weight
    return (
        ("forward", float(ahead.clip(min=0).sum())),
        ("backward", float(-ahead.clip(max=0).sum())),
        ("left", float(aside.clip(min=0).sum())),
        ("right", float(-aside.clip(max=0).sum())),
    )


def go(scene: Scene) -> list[Deed]:
    """Walking, at any speed."""
    deeds = [
        Deed(
            start=e.start,
            end=e.end,
            ways=ways_between(scene, e.start, e.end),
            count=e.steps,
            size=e.distance,
            pace=e.speed / _USUAL.get(e.direction, 0.45),
            side=e.veer,
        )
        for e in scene.facts.of(Travel)
    ]
    if deeds:
        return deeds
    ways = ways_between(scene, 0.0, scene.seconds)
    steps = len(travel.footfalls(scene.body))
    length = float(np.hypot(*np.diff(scene.body.path_w[[0, -1]], axis=0)[0]))
    if steps >= 1 and (length >= 0.12 or steps >= 2):
        return [
            scene.throughout(
                ways=ways,
                count=steps,
                size=length,
                clear=length >= 0.25 and steps >= 2,
            )
        ]
    return []


def run(scene: Scene) -> list[Deed]:
    """Going fast, or with both feet off the floor between steps."""
    found = []
    for e in scene.facts.of(Travel):
        fast = e.gait == "run" or e.speed > 1.3
        if fast or e.speed > 0.9:
            ways = ways_between(scene, e.start, e.end)
            found.append(
                Deed(
                    start=e.start,
                    end=e.end,
                    clear=fast or e.speed > 1.1,
                    ways=ways,
                    count=e.steps,
                    size=e.distance,
                    pace=e.speed / 1.4,
                )
            )
    return found


def tread(scene: Scene) -> list[Deed]:
    """Feet that go up in turn on one spot."""
    body = scene.body
    near = travel.in_place(body, within=0.8)
    for height, clear in ((0.08, True), (0.045, False)):
        if legs.march(body, height=height):
            return [scene.throughout(clear=clear and near)]
    if legs.knee_up(body, height=0.1):
        return [scene.throughout(clear=False)]
    return []


def march(scene: Scene) -> list[Deed]:
    """Walking or treading with the feet lifted."""
    found = go(scene) or tread(scene)
    high = legs.march(scene.body, height=0.08)
    return [_but(deed, clear=high) for deed in found]


def tiptoe(scene: Scene) -> list[Deed]:
    if legs.tiptoe(scene.body):
        return [scene.throughout()]
    return [_but(deed, clear=False) for deed in go(scene)]


def pacing(scene: Scene) -> list[Deed]:
    if travel.pacing(scene.body):
        return [scene.throughout()]
    return [_but(deed, clear=False) for deed in go(scene) if deed.size > 1.5]


def zigzag(scene: Scene) -> list[Deed]:
    return [scene.throughout()] if travel.zigzag(scene.body) else []


def circle(scene: Scene) -> list[Deed]:
    """A path that closes, or bends most of the way round."""
    found = [
        Deed(start=e.start, end=e.end, side=e.side, angle=360 * e.laps, size=e.laps)
        for e in scene.facts.of(Circle)
    ]
    if found:
        return found
    if travel.circle(scene.body):
        side = "left" if scene.facts.turned > 0 else "right"
        return [scene.throughout(side=side, angle=abs(scene.facts.turned))]
    return [
        Deed(start=e.start, end=e.end, side=e.side, angle=e.angle, clear=False)
        for e in scene.facts.of(Turn)
        if e.angle >= 150
    ]


def turn(scene: Scene) -> list[Deed]:
    """Facing another way, on the spot, along a path or in the air."""
    found = [
        _turned(e.start, e.end, e.side, e.angle, clear=True)
        for e in scene.facts.of(Turn)
    ]
    for jump in scene.facts.of(Jump):
        if jump.turn is not None:
            found.append(
                _turned(jump.start, jump.end, jump.turn, jump.turn_angle, clear=True)
            )
    for way in scene.facts.of(Travel):
        covered = any(d.start < way.end and d.end > way.start for d in found)
        if way.veer is not None and not covered:
            found.append(
                _turned(way.start, way.end, way.veer, way.veer_angle, clear=True)
            )
    if found:
        return found
    yaw = scene.body.yaw - scene.body.yaw[0]
    furthest = float(yaw[np.abs(yaw).argmax()])
    if abs(furthest) < 18:
        return []
    side = "left" if furthest > 0 else "right"
    size = abs(furthest)
    return [scene.throughout(side=side, angle=size, size=size, clear=size > 32)]


def _turned(start: float, end: float, side: str, angle: float, *, clear: bool) -> Deed:
    return Deed(
        start=start,
        end=end,
        side=side,
        angle=angle,
        clear=clear,
        size=angle,
        pace=angle / max(end - start, 0.2) / _USUAL_TURN,
    )


def jump(scene: Scene) -> list[Deed]:
    """Both feet off the floor, or hops."""
    found = [
        Deed(
            start=e.start,
            end=e.end,
            count=e.count if e.counted else None,
            ways=ways_between(scene, e.start - _LEAP, e.end + _LEAP),
            side=e.turn,
            angle=e.turn_angle,
            size=e.height + e.distance,
        )
        for e in scene.facts.of(Jump)
    ]
    found += [_but(deed, clear=False) for deed in _hops(scene)]
    if not found and legs.jump(scene.body):
        found.append(scene.throughout(ways=ways_between(scene, 0, scene.seconds)))
    if not found and _flies(scene):
        found.append(scene.throughout(clear=False))
    return found


def hop(scene: Scene) -> list[Deed]:
    """Jumps on one foot, or on both."""
    return _hops(scene) or [_but(deed, side=None) for deed in jump(scene)]


def _hops(scene: Scene) -> list[Deed]:
    return [
        Deed(
            start=e.start,
            end=e.end,
            count=e.count,
            side=e.side,
            ways=ways_between(scene, e.start - _LEAP, e.end + _LEAP),
            size=e.count,
        )
        for e in scene.facts.of(Hop)
    ]


def _flies(scene: Scene) -> bool:
    """Both soles off the floor for a moment, however little."""
    off = (scene.body.clear > 0.03).all(axis=1)
    return bool(off.sum() >= 3)


def still(scene: Scene) -> list[Deed]:
    found = [Deed(start=e.start, end=e.end) for e in scene.facts.of(Still)]
    if found:
        return found
    if travel.still(scene.body, seconds=0.5):
        return [scene.throughout()]
    calm = float((scene.body.stir < 0.2).mean())
    return [scene.throughout(clear=False)] if calm > 0.5 else _calm(scene, clear=False)


def pause(scene: Scene) -> list[Deed]:
    """Not going anywhere and hardly moving for a moment."""
    found = [Deed(start=e.start, end=e.end) for e in scene.facts.of(Still)]
    return found or _calm(scene, clear=True)


def _calm(scene: Scene, *, clear: bool) -> list[Deed]:
    """Stretches in which little moves, against what moves in the rest of the motion."""
    stir = scene.body.stir
    limit = max(0.12, min(_CALM, 0.4 * float(np.quantile(stir, 0.9))))
    return [
        Deed(start=first / FPS, end=last / FPS, clear=clear, size=(last - first) / FPS)
        for first, last in times_high(-stir, -0.8 * limit, -limit, seconds=0.3)
    ]


def stop(scene: Scene) -> list[Deed]:
    """Slower in the end than before."""
    speed = scene.body.stir
    last = float(speed[-round(0.4 * FPS) :].mean())
    usual = float(np.quantile(speed, 0.7))
    if last < 0.15 or last < 0.4 * usual:
        return [Deed(start=scene.seconds - 0.4, end=scene.seconds)]
    if last < 0.7 * usual:
        return [Deed(start=scene.seconds - 0.4, end=scene.seconds, clear=False)]
    return [deed for deed in _calm(scene, clear=True) if deed.start > 0.2]


def stand(scene: Scene) -> list[Deed]:
    """On its feet on one spot; at the times when it does little else."""
    body = scene.body
    near = travel.in_place(body, within=0.35)
    tall = float((body.height > 0.62).mean()) > 0.7
    if not tall:
        return _calm(scene, clear=False)
    calm = _calm(scene, clear=True)
    if near:
        return calm or [scene.throughout()]
    return calm or [scene.throughout(clear=False)]


def dance(scene: Scene) -> list[Deed]:
    """Arms and hips or feet that keep moving about one place."""
    body = scene.body
    busy = max(reversals(body.reach[:, h, a], 0.08) for h in (0, 1) for a in (0, 1, 2))
    lively = float(np.median(body.stir))
    turns = reversals(body.yaw, 15.0)
    near = travel.in_place(body, within=2.2)
    if near and lively > 0.25 and (busy >= 2 or turns >= 2):
        return [scene.throughout()]
    like = near and lively > 0.12 and (busy >= 1 or turns >= 1)
    return [scene.throughout(clear=False)] if like else []


def _but(deed: Deed, **changes: object) -> Deed:
    return replace(deed, **changes)  # type: ignore[arg-type]
