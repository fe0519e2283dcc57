"""All kinds of authored motion, and how a spec becomes a scene."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from texedo.data import events as ev
from texedo.data.synth.author import dances, moves, strikes
from texedo.data.synth.author.arms import HANG, SIDES
from texedo.data.synth.author.gait import Path, settle_into, stand_up, travel, varied
from texedo.data.synth.author.gait_table import gaits
from texedo.data.synth.author.gestures import GESTURES, Gesture
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.perform import StagePlan
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.stage.steps import STANCE_WIDTH, standing


class Kind(NamedTuple):
    """How a kind is written, and the action family it belongs to."""

    write: Callable[[Scene, Spec], list[ev.Event]]
    family: str


def _over_legs(gesture: Gesture) -> Gesture:
    """The gesture while standing, or while walking if the spec asks for that."""

    def write(scene: Scene, spec: Spec) -> list[ev.Event]:
        if spec.base == "stand":
            return gesture(scene, spec)
        gait = varied(gaits()[spec.manner], scene.rng, tempo=1.0, size=1.0)
        settle_into(scene, gait)
        begin = scene.now + 0.55
        scene.now = begin + 0.3
        found = gesture(scene, spec)
        end, scene.now = scene.now, begin
        steps = max(2, math.ceil((end - begin) / (gait.swing + gait.double)) - 1)
        forward, left = moves.WAYS["forward"]
        before = scene.feet.place(0)
        taken = travel(scene, gait, Path(forward=forward, left=left, steps=steps))
        after = scene.feet.place(0)
        walked = ev.Travel(
            start=begin,
            end=scene.now,
            gait="walk",
            direction="forward",
            distance=after.x - before.x,
            speed=(after.x - before.x) / (scene.now - begin),
            steps=taken,
        )
        scene.now = max(scene.now, end)
        stand_up(scene, arms_too=False)
        scene.wait(0.6)
        return [walked, *found]

    return write


def _punch_and_squat(scene: Scene, spec: Spec) -> list[ev.Event]:
    """Blows while the knees bend and stretch."""
    start = scene.now
    found = strikes.punch(scene, spec)
    end = scene.now
    times = max(1, round((end - start) / 2.4))
    each = (end - start) / times
    for i in range(times):
        low, high = start + (i + 0.5) * each, start + (i + 1) * each
        for channel, value in (("drop", 0.17 * spec.size), ("lean", 0.2)):
            scene.move(channel, value, start=start + i * each, end=low)
            scene.move(channel, 0.0, start=low, end=high)
    depth = 0.17 * spec.size / 0.755
    return [ev.Squat(start=start, end=end, count=times, depth=depth), *found]


KINDS: dict[str, Kind] = {
    **{
        name: Kind(_over_legs(gesture), "wave" if name == "wave" else "gesture")
        for name, gesture in GESTURES.items()
    },
    "stretch_up": Kind(_over_legs(GESTURES["stretch_up"]), "stretch"),
    "bow": Kind(GESTURES["bow"], "bend"),
    "punch": Kind(_over_legs(strikes.punch), "box"),
    "punch_squat": Kind(_punch_and_squat, "box"),
    "kick": Kind(strikes.kick, "kick"),
    "raise_knee": Kind(strikes.raise_knee, "exercise"),
    "squat": Kind(moves.squat, "squat"),
    "half_kneel": Kind(moves.half_kneel, "crouch"),
    "walk": Kind(moves.walk, "walk"),
    "turn": Kind(moves.turn, "turn"),
    "march": Kind(moves.march, "march"),
    "step_over": Kind(moves.step_over, "walk"),
    "jumping_jack": Kind(moves.jumping_jack, "exercise"),
    "happy_dance": Kind(dances.happy_dance, "dance"),
    "salsa": Kind(dances.salsa, "dance"),
}

_WALK_FAMILIES = {
    "sneaky": "sneak",
    "crouched": "crouch",
    "carrying": "carry",
    "heavy": "carry",
    "limp": "limp",
    "shamble": "act_character",
    "zombie": "act_character",
    "panic": "act_emotion",
}


def family_of(spec: Spec) -> str:
    """The action family, in the words of the captured corpus."""
    if spec.kind != "walk":
        return KINDS[spec.kind].family
    if spec.manner in _WALK_FAMILIES:
        return _WALK_FAMILIES[spec.manner]
    if spec.way in SIDES:
        return "sidestep"
    return "walk_back" if spec.way.startswith("backward") else "walk"


class Written(NamedTuple):
    """A spec as a plan for the body, and what happens in it."""

    plan: StagePlan
    events: tuple[ev.Event, ...]
    duration: float
    """[s]"""


def write(spec: Spec, *, seed: int = 0) -> Written:
    """The plan of a spec; random numbers depend on the seed and the spec alone."""
    digest = hashlib.sha256(f"{seed}:{spec.id}".encode()).digest()
    rng = np.random.default_rng(int.from_bytes(digest[:8], "big"))
    width = STANCE_WIDTH * float(rng.uniform(0.96, 1.06))
    scene = Scene(rng, standing(width, toe_out=float(rng.uniform(0.0, 0.08))))
    for side in SIDES:
        hanging = HANG.copy()
        hanging[:4] += rng.uniform(-1, 1, 4) * [0.08, 0.05, 0.1, 0.15]
        scene.rest[side] = hanging
    scene.wait(float(rng.uniform(0.2, 0.4)))
    events = KINDS[spec.kind].write(scene, spec)
    duration = scene.now + float(rng.uniform(0.3, 0.5))
    ordered = tuple(sorted(events, key=lambda event: event.start))
    return Written(scene.plan(duration), ordered, duration)
