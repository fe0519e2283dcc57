"""Arms that keep a pose while the rest of the body does something: hands on the hips, a squat."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from texedo.data import events as ev
from texedo.data.captions.postures.types import read_posture
from texedo.data.synth.author.arms import SIDES, Float64, Side
from texedo.data.synth.author.held.posture import arm_poses, trunk_of
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.walks import held_events, pose_of

Write = Callable[[Scene, Spec], list[ev.Event]]


def posed(scene: Scene, spec: Spec, write: Write) -> list[ev.Event]:
    """The second part of the spec, done with the arms (and the trunk) of the first."""
    pose, deed = spec.parts
    arms, trunk = _held_by(pose)
    before = {side: len(scene.arms[side]) for side in arms}
    start, up = scene.now, 0.75 / pose.tempo
    for name, value in trunk.items():
        scene.move(name, value, start=start, end=start + up)
    scene.wait(up * float(scene.rng.uniform(0.4, 0.9)))
    held = {name: scene.channels[name] for name in trunk}
    for name in trunk:
        scene.channels[name] = list(held[name])
    found = write(scene, deed)
    end = scene.now
    for name, keys in held.items():
        # What the deed wanted of these gives way, as below.
        scene.channels[name] = keys
        scene.move(name, 0.0, start=end, end=end + up)
    for side, arm in arms.items():
        del scene.arms[side][before[side] :]
        scene.arm(side, arm, start=start, end=start + up)
        scene.arm(side, None, start=end, end=end + up)
    scene.now = end + up
    told = held_events(pose, start, end + up) if pose.kind == "hold_pose" else []
    return [*found, *told]


def _held_by(pose: Spec) -> tuple[dict[Side, Float64 | None], dict[str, float]]:
    """Arms and channels of the trunk that a pose names."""
    if pose.kind == "posture":
        held = read_posture(pose.way)
        arms = {cast(Side, side): arm for side, arm in arm_poses(held).items()}
        return arms, trunk_of(held)
    sides = SIDES if pose.side == "both" else (cast(Side, pose.side),)
    return {s: pose_of(pose.way, i + pose.take) for i, s in enumerate(sides)}, {}
