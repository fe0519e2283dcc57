"""Arms that keep a pose while the rest of the body does something: hands on the hips, a squat."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from texedo.data import events as ev
from texedo.data.synth.author.arms import SIDES, Side
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.walks import held_events, pose_of

Write = Callable[[Scene, Spec], list[ev.Event]]


def posed(scene: Scene, spec: Spec, write: Write) -> list[ev.Event]:
    """The second part of the spec, done with the arms of the first."""
    pose, deed = spec.parts
    sides = SIDES if pose.side == "both" else (cast(Side, pose.side),)
    before = {side: len(scene.arms[side]) for side in sides}
    start, up = scene.now, 0.75 / pose.tempo
    scene.wait(up * float(scene.rng.uniform(0.4, 0.9)))
    found = write(scene, deed)
    end = scene.now
    for number, side in enumerate(sides):
        # What the deed wanted of these arms gives way.
        del scene.arms[side][before[side] :]
        arm = pose_of(pose.way, number + pose.take)
        scene.arm(side, arm, start=start, end=start + up)
        scene.arm(side, None, start=end, end=end + up)
    scene.now = end + up
    return [*found, *held_events(pose, start, end + up)]
