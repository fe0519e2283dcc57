"""Punches and kicks: brisk, but within what the motors can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, cast

from texedo.data import events as ev
from texedo.data.synth.author import arms
from texedo.data.synth.author.arms import SIDES, Float64, Side
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.stage.steps import LEFT, RIGHT, Swing, Via

_Known = Literal["jab", "hook", "punch"]
"""Blows as `events.Punch` tells them apart."""
_KNOWN = {"jab": "jab", "straight": "jab", "hook": "hook"}


class _Blow(NamedTuple):
    """Poses of the striking arm, and the chest's turn away from that side [rad]."""

    back: Float64 | None
    through: Float64
    wind: float
    turn: float


def _blow(kind: str) -> _Blow:
    if kind == "jab":
        return _Blow(None, arms.jab(), 0.12, 0.38)
    if kind == "straight":
        return _Blow(arms.drawn_back(), arms.jab(), 0.2, 0.38)
    if kind == "hook":
        return _Blow(arms.hook_back(), arms.hook_through(), 0.3, 0.5)
    return _Blow(arms.low_fist(), arms.high_fist(), 0.2, 0.3)


def raise_guard(scene: Scene, *, seconds: float, sides: Sequence[Side] = SIDES) -> None:
    """Fists before the chin, beginning now."""
    for side in sides:
        scene.arm(side, arms.guard(), start=scene.now, end=scene.now + seconds)


def strike(scene: Scene, blow: str, side: Side, *, tempo: float, force: float) -> None:
    """One blow from the guard and back to it; the clock goes along."""
    parts = _blow(blow)
    # Turning to the left is positive: a left fist goes ahead as the chest turns right.
    away = -1.0 if side == "left" else 1.0
    wind = (0.2 if parts.back is None else 0.3) / tempo
    out, back = 0.3 / tempo, 0.36 / tempo
    scene.move(
        "waist_yaw", -away * parts.wind * force, start=scene.now, end=scene.now + wind
    )
    if parts.back is not None:
        scene.arm(side, parts.back, start=scene.now, end=scene.now + wind)
    scene.wait(wind)
    scene.move(
        "waist_yaw", away * parts.turn * force, start=scene.now, end=scene.now + out
    )
    scene.arm(side, parts.through, start=scene.now, end=scene.now + out)
    scene.wait(out + 0.02)
    scene.move("waist_yaw", 0.0, start=scene.now, end=scene.now + back)
    scene.arm(side, arms.guard(), start=scene.now, end=scene.now + back)
    scene.wait(back)


def blows_of(spec: Spec) -> list[tuple[str, Side]]:
    """The blows of a spec: `way` names the kinds, "jab+hook"; `side` who strikes.

    "alternate" begins with the left.
    """
    kinds = spec.way.split("+")
    order: list[tuple[str, Side]] = []
    for i in range(spec.count):
        for k, kind in enumerate(kinds):
            turn = (i * len(kinds) + k) % 2
            own = turn if spec.side == "both" else SIDES.index(cast(Side, spec.side))
            order.append((kind, SIDES[own]))
    return order


def punch(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Guard up, the blows of the spec, guard down.

    Before a "straight" blow of one hand the other one stays down.
    """
    plain = spec.way == "straight" and spec.side != "both"
    sides = (cast(Side, spec.side),) if plain else SIDES
    raise_guard(scene, seconds=0.6 / spec.tempo, sides=sides)
    scene.wait(0.7 / spec.tempo)
    found: list[ev.Event] = []
    for blow, side in blows_of(spec):
        start = scene.now
        strike(scene, blow, side, tempo=spec.tempo, force=spec.size)
        kind = cast(_Known, _KNOWN.get(blow, "punch"))
        found.append(
            ev.Punch(start=start, end=scene.now, side=side, count=1, kind=kind)
        )
        scene.wait(0.06 / spec.tempo)
    scene.wait(0.15)
    for arm in SIDES:
        scene.arm(arm, None, start=scene.now, end=scene.now + 0.7)
    scene.wait(0.7)
    return found


def feet_of(spec: Spec) -> Sequence[int]:
    """Which foot moves each time; "both" takes turns, the left one first."""
    if spec.side == "both":
        return [(LEFT, RIGHT)[i % 2] for i in range(spec.count)]
    return [SIDES.index(cast(Side, spec.side))] * spec.count


def kick(scene: Scene, spec: Spec) -> list[ev.Event]:
    """A front kick: knee up, foot out, knee back, foot down; arms keep a guard."""
    high = 0.34 + 0.2 * spec.size
    raise_guard(scene, seconds=0.6)
    scene.move("drop", 0.02, start=scene.now, end=scene.now + 0.5)
    scene.wait(0.75)
    found: list[ev.Event] = []
    for foot in feet_of(spec):
        duration = 1.25 / spec.tempo
        place = scene.feet.place(foot)
        via = (
            Via(0.36, 0.1, 0.0, 0.72 * high, 0.35),
            Via(0.55, 0.47, 0.0, high, -0.3),
            Via(0.74, 0.12, 0.0, 0.6 * high, 0.3),
        )
        scene.feet.swings.append(
            Swing(foot=foot, start=scene.now, duration=duration, to=place, via=via)
        )
        scene.sways.append(("lean", scene.now + 0.2, scene.now + duration, -0.14))
        level: Literal["low", "waist"] = "low" if high < 0.45 else "waist"
        side = SIDES[foot]
        end = scene.now + duration
        found.append(
            ev.Kick(
                start=scene.now, end=end, side=side, count=1, level=level, way="front"
            )
        )
        scene.now = end + 0.55 / spec.tempo
    for side in SIDES:
        scene.arm(side, None, start=scene.now, end=scene.now + 0.6)
    scene.move("drop", 0.0, start=scene.now, end=scene.now + 0.5)
    scene.wait(0.6)
    return found


def raise_knee(scene: Scene, spec: Spec) -> list[ev.Event]:
    """A knee comes up to the hips and goes down again."""
    scene.wait(0.35)
    found: list[ev.Event] = []
    for foot in feet_of(spec):
        duration = 1.2 / spec.tempo
        high = 0.26 + 0.1 * spec.size
        via = (Via(0.42, 0.06, 0.0, high, 0.25), Via(0.58, 0.06, 0.0, high, 0.25))
        scene.feet.swings.append(
            Swing(
                foot=foot,
                start=scene.now,
                duration=duration,
                to=scene.feet.place(foot),
                via=via,
            )
        )
        end = scene.now + duration
        side = SIDES[foot]
        found.append(ev.KneeRaise(start=scene.now, end=end, side=side, count=1))
        scene.now = end + 0.42 / spec.tempo
    scene.wait(0.2)
    return found
