"""What single legs do: stamps, heels up behind, kicks aside and back, lunges, wide stances."""

from __future__ import annotations

from dataclasses import replace

from texedo.data import events as ev
from texedo.data.synth.author import arms
from texedo.data.synth.author.arms import SIDES
from texedo.data.synth.author.gait import Path, settle_into, stand_up, travel, varied
from texedo.data.synth.author.gait_table import gaits
from texedo.data.synth.author.moves import WAYS
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.stage.steps import LEFT, RIGHT, Place, Swing, Via
from texedo.data.synth.author.strikes import feet_of

_WIDE = 0.48
"""Between the feet of a wide stance [m]."""


def _outward(foot: int) -> float:
    return 1.0 if foot == LEFT else -1.0


def _swing(
    scene: Scene, foot: int, duration: float, via: tuple[Via, ...], to: Place
) -> None:
    """One swing of a foot, beginning now; the clock then stands at its end."""
    scene.feet.swings.append(
        Swing(foot=foot, start=scene.now, duration=duration, to=to, via=via)
    )
    scene.now += duration


def stomp(scene: Scene, spec: Spec) -> list[ev.Event]:
    """A foot is lifted and comes down hard, `count` times; "both" take turns."""
    scene.wait(0.3)
    for foot in feet_of(spec):
        high = 0.15 * spec.size
        via = (Via(0.6, 0.03, 0.0, high, -0.05),)
        _swing(scene, foot, 0.62 / spec.tempo, via, scene.feet.place(foot))
        scene.now += 0.3 / spec.tempo
    scene.wait(0.2)
    return []


def butt_kicks(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Heels swing up behind in turn, `count` times, on the spot."""
    _run_ready(scene)
    first = int(scene.rng.integers(2))
    for i in range(spec.count):
        foot = first if i % 2 == 0 else 1 - first
        via = (Via(0.5, -0.25, 0.0, 0.36 * spec.size, 1.0),)
        _pumping(scene, foot, 0.5 / spec.tempo)
        _swing(scene, foot, 0.5 / spec.tempo, via, scene.feet.place(foot))
        scene.now += 0.06
    _run_done(scene)
    return []


def jog_place(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Quick steps on the spot with arms that pump; `way` "high" brings the knees up."""
    _run_ready(scene)
    first = int(scene.rng.integers(2))
    knee = spec.way == "high"
    for i in range(spec.count):
        foot = first if i % 2 == 0 else 1 - first
        swing = (0.46 if knee else 0.32) / spec.tempo
        high = (0.3 if knee else 0.12) * spec.size
        via = (Via(0.5, 0.05 if knee else -0.03, 0.0, high, 0.3),)
        _pumping(scene, foot, swing)
        _swing(scene, foot, swing, via, scene.feet.place(foot))
        scene.now += 0.04
    _run_done(scene)
    return []


def _run_ready(scene: Scene) -> None:
    for side in SIDES:
        scene.arm(side, arms.BENT, start=scene.now, end=scene.now + 0.4)
    scene.move("drop", 0.02, start=scene.now, end=scene.now + 0.4)
    scene.wait(0.45)


def _run_done(scene: Scene) -> None:
    for side in SIDES:
        scene.arm(side, None, start=scene.now, end=scene.now + 0.6)
    scene.move("drop", 0.0, start=scene.now, end=scene.now + 0.4)
    scene.wait(0.6)


def _pumping(scene: Scene, foot: int, seconds: float) -> None:
    """The arm across from the foot swings ahead, the other one back."""
    ahead, behind = arms.pose(-0.45, 0.2, 0.0, 0.1), arms.pose(0.6, 0.25, 0.0, 0.1)
    end = scene.now + seconds
    scene.arm(SIDES[1 - foot], ahead, start=scene.now, end=end)
    scene.arm(SIDES[foot], behind, start=scene.now, end=end)


def leg_out(scene: Scene, spec: Spec) -> list[ev.Event]:
    """A leg goes out in front, aside or back, as `way` says, `count` times.

    `manner` "kick" is a quick kick; otherwise the leg is held there for a moment.
    """
    kicks = spec.manner == "kick"
    for side in SIDES:
        arm = arms.guard() if kicks else arms.pose(0.0, 0.55, 0.0, 1.1)
        scene.arm(side, arm, start=scene.now, end=scene.now + 0.6)
    scene.move("drop", 0.02, start=scene.now, end=scene.now + 0.5)
    scene.wait(0.75)
    found: list[ev.Event] = []
    for foot in feet_of(spec):
        start = scene.now
        duration = (1.3 if kicks else 2.9) / spec.tempo
        via, lean = _leg_way(spec, foot)
        scene.sways.append((*lean[:1], start + 0.1, start + duration, lean[1]))
        _swing(scene, foot, duration, via, scene.feet.place(foot))
        if kicks and spec.way == "out":  # a kick back is not told from a step
            found.append(
                ev.Kick(
                    start=start,
                    end=scene.now,
                    side=SIDES[foot],
                    count=1,
                    level="low",
                    way="side",
                )
            )
        scene.now += 0.5 / spec.tempo
    for side in SIDES:
        scene.arm(side, None, start=scene.now, end=scene.now + 0.6)
    scene.move("drop", 0.0, start=scene.now, end=scene.now + 0.5)
    scene.wait(0.6)
    return found


def _leg_way(spec: Spec, foot: int) -> tuple[tuple[Via, ...], tuple[str, float]]:
    """Where the foot goes, and how the hips lean against it meanwhile."""
    high, out = (0.2 + 0.12 * spec.size), _outward(foot)
    held = (0.34, 0.66) if spec.manner != "kick" else (0.5, 0.58)
    if spec.way == "out":
        at = (0.0, 0.44 * out, high, 0.0)
        near, lean = (0.02, 0.1 * out, 0.6 * high, 0.2), ("tilt", 0.2 * out)
    elif spec.way == "back":
        at, near = (-0.42, 0.0, high, 0.7), (-0.06, 0.0, 0.5 * high, 0.5)
        lean = ("lean", 0.32)
    else:
        at, near = (0.44, 0.0, high, -0.2), (0.1, 0.0, 0.6 * high, 0.2)
        lean = ("lean", -0.12)
    if spec.manner == "kick":
        return (Via(0.3, *near), Via(0.52, *at), Via(0.78, *near)), lean
    return (Via(held[0], *at), Via(held[1], *at)), lean


def lunge(scene: Scene, spec: Spec) -> list[ev.Event]:
    """A long step ahead, or aside with `way` "out", down, and back, `count` times."""
    scene.wait(0.3)
    for foot in feet_of(spec):
        home = scene.feet.place(foot)
        out = _outward(foot)
        to = home.ahead(0.0, 0.3 * out) if spec.way == "out" else home.ahead(0.44, 0.0)
        step, down = 0.75 / spec.tempo, 0.6 / spec.tempo
        scene.move("drop", 0.06, start=scene.now, end=scene.now + step)
        heel = f"{SIDES[1 - foot]}_heel"
        _swing(scene, foot, step, (Via(0.5, 0.0, 0.0, 0.09, 0.1),), to)
        scene.wait(0.1)
        low = (("drop", 0.17 * spec.size), ("lean", 0.1), (heel, 0.5))
        for channel, value in low if spec.way != "out" else low[:2]:
            scene.move(channel, value, start=scene.now, end=scene.now + down)
        scene.wait(down + float(scene.rng.uniform(0.2, 0.6)))
        for channel, value in (("drop", 0.05), ("lean", 0.0), (heel, 0.0)):
            scene.move(channel, value, start=scene.now, end=scene.now + down)
        scene.wait(down + 0.2)
        _swing(scene, foot, step, (Via(0.5, 0.0, 0.0, 0.09, 0.1),), home)
        scene.move("drop", 0.0, start=scene.now, end=scene.now + 0.4)
        scene.wait(0.45)
    return []


def wide_stance(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Both feet go out to a wide stance; `way` "arms" spreads the arms, too.

    A take of an odd number stays there; the others bring the feet together again.
    """
    scene.wait(0.2)
    first = SIDES.index(spec.side) if spec.side in SIDES else LEFT
    homes = {foot: scene.feet.place(foot) for foot in (LEFT, RIGHT)}
    aside = (_WIDE * (0.94 + 0.1 * spec.size) - 0.24) / 2
    step = 0.6 / spec.tempo
    for foot in (first, 1 - first):
        to = homes[foot].ahead(0.0, aside * _outward(foot))
        _swing(scene, foot, step, (Via(0.5, 0.0, 0.0, 0.06, 0.0),), to)
        scene.now += 0.2
    scene.move("drop", 0.05, start=scene.now - 0.8, end=scene.now)
    if spec.way == "arms":
        for side in SIDES:
            scene.arm(side, arms.SIDEWAYS, start=scene.now - 0.4, end=scene.now + 0.5)
    scene.wait(float(scene.rng.uniform(1.6, 2.6)) / spec.tempo)
    if spec.take % 2:
        return []
    for side in SIDES:
        scene.arm(side, None, start=scene.now, end=scene.now + 0.7)
    for foot in (first, 1 - first):
        _swing(scene, foot, step, (Via(0.5, 0.0, 0.0, 0.06, 0.0),), homes[foot])
        scene.now += 0.2
    scene.move("drop", 0.0, start=scene.now, end=scene.now + 0.4)
    scene.wait(0.5)
    return []


def side_to_side(scene: Scene, spec: Spec) -> list[ev.Event]:
    """A step to one side and back to the other, `count` times to and fro."""
    gait = varied(gaits()["plain"], scene.rng, tempo=1.1 * spec.tempo, size=spec.size)
    gait = replace(gait, side=1.15 * gait.side)
    settle_into(scene, gait, seconds=0.35)
    scene.wait(0.3)
    first = spec.side if spec.side in SIDES else "left"
    second = {"left": "right", "right": "left"}[first]
    for way in (first, second) * spec.count:
        forward, left = WAYS[way]
        travel(scene, gait, Path(forward=forward, left=left, steps=2))
        scene.wait(0.06)
    stand_up(scene, seconds=0.4)
    scene.wait(0.4)
    return []
