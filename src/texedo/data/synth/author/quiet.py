"""Standing: still, on one leg, or with a chest that turns over feet that stay."""

from __future__ import annotations

from texedo.data import events as ev
from texedo.data.synth.author import arms
from texedo.data.synth.author.arms import SIDES
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.stage.steps import Swing, Via


def stand(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Nothing, for `count` seconds."""
    start = scene.now
    scene.wait(float(spec.count))
    return [ev.Still(start=start, end=scene.now)]


def one_leg(scene: Scene, spec: Spec) -> list[ev.Event]:
    """The foot that `side` does not name is lifted and held for `count` seconds."""
    stands = SIDES.index(spec.side)
    foot, wide = 1 - stands, spec.way == "wide"
    if wide:
        for side in SIDES:
            scene.arm(
                side,
                arms.pose(0.0, 1.1, 0.0, 1.3),
                start=scene.now,
                end=scene.now + 0.7,
            )
    scene.wait(0.45)
    lift, hold = 0.55 / spec.tempo, float(spec.count)
    duration = 2 * lift + hold
    high = 0.13 + 0.07 * spec.size
    via = (
        Via(lift / duration, 0.03, 0.0, high, 0.2),
        Via(1 - lift / duration, 0.03, 0.0, high, 0.2),
    )
    start = scene.now
    scene.feet.swings.append(
        Swing(
            foot=foot,
            start=start,
            duration=duration,
            to=scene.feet.place(foot),
            via=via,
        )
    )
    scene.wait(duration)
    if wide:
        for side in SIDES:
            scene.arm(side, None, start=scene.now, end=scene.now + 0.6)
    scene.wait(0.6)
    return [ev.OneLeg(start=start, end=start + duration, side=SIDES[stands])]


def twist(scene: Scene, spec: Spec) -> list[ev.Event]:
    """The chest turns to `side` over feet that stay, waits, and comes back."""
    amount = 0.75 * spec.size * (1.0 if spec.side == "left" else -1.0)
    for _ in range(spec.count):
        took = 0.8 / spec.tempo
        scene.move("waist_yaw", amount, start=scene.now, end=scene.now + took)
        scene.wait(took + float(scene.rng.uniform(0.2, 0.6)))
        scene.move("waist_yaw", 0.0, start=scene.now, end=scene.now + took)
        scene.wait(took)
    return []  # a `Twist` goes to both sides
