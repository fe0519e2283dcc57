"""What arms and trunk say while the legs stand or walk.

Each gesture begins at the scene's clock, leaves the clock at its end, and reports what
it did.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np

from texedo.data import events as ev
from texedo.data.synth.author import arms
from texedo.data.synth.author.arms import SIDES, Float64, Side
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.scene import Scene

Gesture = Callable[[Scene, Spec], list[ev.Event]]


def sides_of(spec: Spec) -> tuple[Side, ...]:
    """The arms that a spec names."""
    return cast(tuple[Side, ...], SIDES if spec.side == "both" else (spec.side,))


def _near(scene: Scene, arm: Float64, spread: float = 0.06) -> Float64:
    """The pose, a little off, so that no two takes are the same."""
    jitter = scene.rng.uniform(-spread, spread, 7) * [1, 1, 1, 1, 0.5, 0.5, 0.5]
    return np.asarray(arm + jitter)


def _span(scene: Scene, spec: Spec, seconds: float, spread: float = 0.1) -> float:
    """A time at the spec's tempo, a little off [s]."""
    return seconds / spec.tempo * float(1 + spread * scene.rng.uniform(-1, 1))


def _to(
    scene: Scene, spec: Spec, poses: dict[Side, Float64 | None], took: float
) -> None:
    """Move arms together from now on, and the clock with them."""
    end = scene.now + took
    for side, arm in poses.items():
        scene.arm(side, arm, start=scene.now, end=end)
    scene.now = end


def _same(spec: Spec, arm: Float64 | None) -> dict[Side, Float64 | None]:
    return {side: arm for side in sides_of(spec)}


def wave(scene: Scene, spec: Spec) -> list[ev.Event]:
    """A raised hand swings out and in `count` times."""
    high = spec.way == "high"
    start, swing = scene.now, 0.42 * spec.size
    up, beat = _span(scene, spec, 0.8), _span(scene, spec, 0.34)
    _to(scene, spec, _same(spec, _near(scene, arms.wave(-0.3 * swing, high=high))), up)
    for _ in range(spec.count):
        _to(scene, spec, _same(spec, arms.wave(swing, high=high)), beat)
        _to(scene, spec, _same(spec, arms.wave(-swing, high=high)), beat)
    _to(scene, spec, _same(spec, None), _span(scene, spec, 0.8))
    side, level = cast(ev.Sides, spec.side), cast(ev.Level, _WAVE_LEVELS[high])
    return [
        ev.Wave(start=start, end=scene.now, side=side, count=spec.count, level=level)
    ]


_WAVE_LEVELS = {True: "overhead", False: "head"}


_RAISED: dict[str, tuple[Float64, ev.Level, ev.Way]] = {
    "up": (arms.OVERHEAD, "overhead", "up"),
    "forward": (arms.FORWARD, "shoulder", "front"),
    "side": (arms.SIDEWAYS, "shoulder", "side"),
}


def raise_hand(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Hands go up, stay a moment, and come down, `count` times."""
    arm, level, way = _RAISED[spec.way]
    found: list[ev.Event] = []
    for _ in range(spec.count):
        start = scene.now
        _to(scene, spec, _same(spec, _near(scene, arm)), _span(scene, spec, 0.95))
        scene.wait(_span(scene, spec, 0.45 if spec.count > 1 else 0.8, 0.3))
        _to(scene, spec, _same(spec, None), _span(scene, spec, 0.9))
        found.append(
            ev.ArmRaise(
                start=start,
                end=scene.now,
                side=cast(ev.Sides, spec.side),
                level=level,
                way=way,
            )
        )
    return found


def point(scene: Scene, spec: Spec) -> list[ev.Event]:
    """One arm is stretched towards something and held there."""
    arm, level, way = _RAISED[spec.way]
    start = scene.now
    _to(scene, spec, _same(spec, _near(scene, arm)), _span(scene, spec, 0.7))
    scene.wait(_span(scene, spec, 1.1, 0.4))
    _to(scene, spec, _same(spec, None), _span(scene, spec, 0.8))
    side = cast(ev.Sides, spec.side)
    return [ev.ArmRaise(start=start, end=scene.now, side=side, level=level, way=way)]


def clap(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Hands meet `count` times, before the chest or above the head."""
    high = spec.way == "overhead"
    closed = arms.above_head(0.06) if high else arms.before_chest(0.06)
    gap = 0.16 * spec.size
    open_ = arms.above_head(0.06 + gap) if high else arms.before_chest(0.06 + gap)
    start, beat = scene.now, _span(scene, spec, 0.24)
    both = Spec(kind="clap", side="both")
    _to(scene, spec, _same(both, open_), _span(scene, spec, 1.1 if high else 0.7))
    for _ in range(spec.count):
        _to(scene, spec, _same(both, closed), beat)
        _to(scene, spec, _same(both, open_), beat)
    _to(scene, spec, _same(both, None), _span(scene, spec, 1.0 if high else 0.75))
    return [ev.Clap(start=start, end=scene.now, count=spec.count)]


def salute(scene: Scene, spec: Spec) -> list[ev.Event]:
    """A hand goes to the forehead, stays, and drops."""
    return _to_head(scene, spec, arms.salute(), up=0.6, hold=0.9, down=0.6)


def hand_to_head(scene: Scene, spec: Spec) -> list[ev.Event]:
    """A hand goes to the side of the head and back."""
    return _to_head(scene, spec, arms.beside_head(), up=0.9, hold=0.6, down=0.9)


def _to_head(
    scene: Scene, spec: Spec, arm: Float64, *, up: float, hold: float, down: float
) -> list[ev.Event]:
    start = scene.now
    _to(scene, spec, _same(spec, _near(scene, arm, 0.03)), _span(scene, spec, up))
    scene.wait(_span(scene, spec, hold, 0.3))
    _to(scene, spec, _same(spec, None), _span(scene, spec, down))
    return [ev.HandToHead(start=start, end=scene.now, side=cast(ev.Sides, spec.side))]


def hands_on_hips(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Hands are put on the hips and stay there a while."""
    start = scene.now
    _to(scene, spec, _same(spec, arms.on_hip()), _span(scene, spec, 0.9))
    hold = _span(scene, spec, 1.6, 0.3)
    if spec.way == "twist":
        # The chest looks to one side and the other.
        amount = 0.35 * spec.size * float(scene.rng.choice([-1, 1]))
        for value, part in ((amount, 0.3), (-amount, 0.75), (0.0, 1.0)):
            scene.move(
                "waist_yaw", value, start=scene.now, end=scene.now + part * 2 * hold
            )
        hold *= 2
    scene.wait(hold)
    _to(scene, spec, _same(spec, None), _span(scene, spec, 0.9))
    return [ev.HandOnHip(start=start, end=scene.now, side=cast(ev.Sides, spec.side))]


def stretch_up(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Both arms reach above the head; the trunk follows, to the sides if asked."""
    start = scene.now
    both = Spec(kind="stretch_up", side="both")
    up = _span(scene, spec, 1.5)
    _to(
        scene,
        spec,
        _same(both, _near(scene, arms.OVERHEAD + [-0.1, -0.12, 0, 0.05, 0, 0, 0])),
        up,
    )
    scene.move("waist_pitch", -0.12, start=start, end=start + up)
    found: list[ev.Event] = []
    hold = _span(scene, spec, 1.0, 0.3)
    if spec.way == "sides":
        sign = float(scene.rng.choice([-1, 1]))
        for i in range(2 * spec.count):
            lean = 0.3 * spec.size * sign * (1 if i % 2 == 0 else -1)
            scene.move("waist_roll", lean, start=scene.now, end=scene.now + 0.75 * hold)
            side: ev.Side = "right" if lean > 0 else "left"
            found.append(
                ev.Lean(start=scene.now, end=scene.now + hold, side=side, angle=17.0)
            )
            scene.wait(hold)
        scene.move("waist_roll", 0.0, start=scene.now, end=scene.now + 0.6 * hold)
        scene.wait(0.5 * hold)
    else:
        scene.wait(hold)
    down = _span(scene, spec, 1.3)
    scene.move("waist_pitch", 0.0, start=scene.now, end=scene.now + down)
    _to(scene, spec, _same(both, None), down)
    raised = ev.ArmRaise(
        start=start, end=scene.now, side="both", level="overhead", way="up"
    )
    return [raised, *found]


def bow(scene: Scene, spec: Spec) -> list[ev.Event]:
    """The trunk bends forward from the hips and comes up again, `count` times."""
    start, deep = scene.now, spec.size
    for _ in range(spec.count):
        down, hold = _span(scene, spec, 1.0), _span(scene, spec, 0.35, 0.4)
        for channel, value in (("lean", 0.62 * deep), ("waist_pitch", 0.42 * deep)):
            scene.move(channel, value, start=scene.now, end=scene.now + down)
        for side in sides_of(Spec(kind="bow", side="both")):
            arm = arms.pose(-0.62 * deep, 0.34, 0.0, 1.35)
            scene.arm(side, arm, start=scene.now, end=scene.now + down)
        scene.wait(down + hold)
        up = _span(scene, spec, 1.0)
        for channel in ("lean", "waist_pitch"):
            scene.move(channel, 0.0, start=scene.now, end=scene.now + up)
        for side in sides_of(Spec(kind="bow", side="both")):
            scene.arm(side, None, start=scene.now, end=scene.now + up)
        scene.wait(up)
    angle = float(np.degrees(1.04 * deep))
    return [ev.Bow(start=start, end=scene.now, count=spec.count, angle=angle)]


def spread_arms(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Both arms open to the sides, stay, and come back."""
    return raise_hand(scene, Spec(**{**spec.__dict__, "side": "both", "way": "side"}))


GESTURES: dict[str, Gesture] = {
    "wave": wave,
    "raise_hand": raise_hand,
    "point": point,
    "clap": clap,
    "salute": salute,
    "hand_to_head": hand_to_head,
    "hands_on_hips": hands_on_hips,
    "stretch_up": stretch_up,
    "bow": bow,
    "spread_arms": spread_arms,
}
