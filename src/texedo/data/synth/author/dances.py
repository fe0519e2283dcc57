"""Dance steps: a happy side-touch, and the basic step of salsa."""

from __future__ import annotations

from texedo.data import events as ev
from texedo.data.synth.author import arms
from texedo.data.synth.author.arms import SIDES
from texedo.data.synth.author.gait import stand_up
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.stage.steps import LEFT, Place, Swing


def _step(
    scene: Scene, foot: int, to: Place, *, swing: float, height: float = 0.05
) -> None:
    scene.feet.swings.append(
        Swing(foot=foot, start=scene.now, duration=swing, to=to, height=height)
    )


def _pump(scene: Scene, beat: float, *, up: int, size: float) -> None:
    """One forearm up, the other down and out, within a beat."""
    for foot, side in enumerate(SIDES):
        rises = foot == up
        arm = (
            arms.reach(0.22, 0.2, 0.34, like=(-0.3, 0.6, 0.2, -0.7))
            if rises
            else arms.pose(0.1, 0.45 * size, 0.0, 0.35)
        )
        scene.arm(side, arm, start=scene.now, end=scene.now + 0.9 * beat)


def happy_dance(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Step aside and touch, to and fro, bouncing, arms pumping; `count` beats.

    With `way` "forward" every step also goes ahead.
    """
    beat = 0.62 / spec.tempo
    swing = 0.62 * beat
    scene.move("drop", 0.05, start=scene.now, end=scene.now + 0.4)
    scene.wait(0.55)
    start = scene.now
    ahead = 0.11 * spec.size if spec.way == "forward" else 0.0
    wide = 0.13 * spec.size
    lead = int(scene.rng.integers(2))
    x = 0.0
    for i in range(spec.count):
        # Beats come in pairs: one foot steps out, then the other joins it.
        foot = lead if i % 4 in (0, 3) else 1 - lead
        sign = 1.0 if lead == LEFT else -1.0
        shift = sign * wide * (1.0 if i % 4 in (0, 1) else 0.0)
        x += ahead
        out = 0.115 if foot == LEFT else -0.115
        _step(scene, foot, Place(x, shift + out, 0.0), swing=swing, height=0.07)
        scene.bobs.append((scene.now - 0.15 * beat, scene.now + 0.85 * beat, 0.035))
        side = 1.0 if foot == LEFT else -1.0
        scene.sways.append(
            ("waist_roll", scene.now, scene.now + beat, 0.1 * side * spec.size)
        )
        scene.sways.append(("twist", scene.now, scene.now + beat, 0.12 * side))
        _pump(scene, beat, up=i % 2, size=spec.size)
        scene.now += beat
    last = scene.feet.place(foot)
    out = 0.115 if foot == LEFT else -0.115
    _step(scene, 1 - foot, Place(last.x, last.y - 2 * out, 0.0), swing=swing)
    scene.now += beat
    return _danced(scene, spec, start, distance=x)


def salsa(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Break forward with the left, replace, close; break back with the right, close.

    `count` bars of three steps and a pause, hips swaying over the standing foot.
    """
    beat = 0.5 / spec.tempo
    swing = 0.62 * beat
    scene.move("drop", 0.05, start=scene.now, end=scene.now + 0.4)
    for side in SIDES:
        scene.arm(
            side,
            arms.reach(0.24, 0.2, 0.06, like=(0.1, 0.35, 0.0, 0.0)),
            start=scene.now,
            end=scene.now + 0.5,
        )
    scene.wait(0.6)
    start = scene.now
    first = SIDES.index(spec.side) if spec.side in SIDES else LEFT
    reach = 0.2 * spec.size
    sideways = spec.way == "side"
    for bar in range(spec.count):
        foot = first if bar % 2 == 0 else 1 - first
        sign = 1.0 if foot == LEFT else -1.0
        there = (
            (0.0, sign * 0.15 * spec.size)
            if sideways
            else ((reach, 0.0) if bar % 2 == 0 else (-reach, 0.0))
        )
        home, other = _homes(foot)
        out = Place(home.x + there[0], home.y + there[1], 0.0)
        for mover, to in ((foot, out), (1 - foot, other), (foot, home)):
            _step(scene, mover, to, swing=swing, height=0.045)
            _sway_hips(scene, mover, beat, size=spec.size)
            scene.now += beat
        _sway_hips(scene, 1 - foot, beat, size=0.6 * spec.size)
        scene.now += beat
    return _danced(scene, spec, start, distance=0.0)


def _homes(foot: int) -> tuple[Place, Place]:
    side = 0.12 if foot == LEFT else -0.12
    return Place(0.0, side, 0.0), Place(0.0, -side, 0.0)


def _sway_hips(scene: Scene, mover: int, beat: float, *, size: float) -> None:
    """Hips over the standing foot, chest held against them, forearms to and fro."""
    side = 1.0 if mover == LEFT else -1.0
    span = (scene.now - 0.1 * beat, scene.now + 1.1 * beat)
    scene.sways.append(("tilt", *span, -0.09 * side * size))
    scene.sways.append(("waist_roll", *span, 0.13 * side * size))
    scene.sways.append(("twist", *span, -0.16 * side * size))
    scene.sways.append(("waist_yaw", *span, 0.16 * side * size))
    arm = SIDES[1 - mover]
    ahead = arms.reach(0.3, 0.16, 0.12, like=(-0.1, 0.3, -0.1, 0.0))
    near = arms.reach(0.2, 0.22, 0.04, like=(0.2, 0.4, 0.0, 0.0))
    scene.arm(arm, ahead, start=scene.now, end=scene.now + beat)
    scene.arm(SIDES[mover], near, start=scene.now, end=scene.now + beat)


def _danced(
    scene: Scene, spec: Spec, start: float, *, distance: float
) -> list[ev.Event]:
    scene.wait(0.1)
    stand_up(scene)
    scene.wait(0.6)
    if not distance:
        return []
    time = scene.now - start
    return [
        ev.Travel(
            start=start,
            end=scene.now,
            gait="walk",
            direction="forward",
            distance=distance,
            speed=distance / time,
            steps=spec.count + 1,
        )
    ]
