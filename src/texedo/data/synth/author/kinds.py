"""All kinds of authored motion, and how a spec becomes a scene."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from texedo.data import events as ev
from texedo.data.synth.author import (
    dances,
    feet,
    held,
    jumps,
    moves,
    quiet,
    strikes,
    walks,
)
from texedo.data.synth.author.arms import HANG, SIDES
from texedo.data.synth.author.gait import settle_into, stand_up, varied
from texedo.data.synth.author.gait_table import gaits
from texedo.data.synth.author.gestures import GESTURES, Gesture
from texedo.data.synth.author.routines import routine
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
        manner = spec.manner if spec.manner in gaits() else "plain"
        gait = varied(gaits()[manner], scene.rng, tempo=1.0, size=1.0)
        settle_into(scene, gait)
        begin = scene.now + 0.55
        scene.now = begin + 0.3
        found = gesture(scene, spec)
        end, scene.now = scene.now, begin
        steps = max(2, math.ceil((end - begin) / (gait.swing + gait.double)) - 1)
        walked = walks.walk_base(scene, spec, gait, steps=steps)
        scene.now = max(scene.now, end)
        stand_up(scene, arms_too=False)
        scene.wait(0.6)
        return [*walked, *found]

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


def _sequence(scene: Scene, spec: Spec) -> list[ev.Event]:
    """The parts of the spec, one after the other, with hardly a pause."""
    found: list[ev.Event] = []
    for i, part in enumerate(spec.parts):
        if i:
            scene.wait(float(scene.rng.uniform(0.05, 0.3)))
        found += KINDS[part.kind].write(scene, part)
    return found


def _posed(scene: Scene, spec: Spec) -> list[ev.Event]:
    return held.posed(scene, spec, KINDS[spec.parts[1].kind].write)


def _posture(scene: Scene, spec: Spec) -> list[ev.Event]:
    write = KINDS[spec.parts[0].kind].write if spec.parts else None
    return held.posture(scene, spec, write)


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
    "jump": Kind(jumps.jump, "jump"),
    "hop": Kind(jumps.hop, "hop"),
    "steps": Kind(walks.steps, "walk"),
    "walk_far": Kind(walks.walk_far, "walk"),
    "walk_turn": Kind(walks.walk_turn, "walk"),
    "walk_pause": Kind(walks.walk_pause, "walk"),
    "hold_pose": Kind(walks.hold_pose, "gesture"),
    "stand": Kind(quiet.stand, "stand"),
    "one_leg": Kind(quiet.one_leg, "balance"),
    "twist": Kind(quiet.twist, "exercise"),
    "sequence": Kind(_sequence, "mixed"),
    "routine": Kind(_over_legs(routine), "gesture"),
    "posed": Kind(_posed, "mixed"),
    "posture": Kind(_posture, "stand"),
    "half_squat": Kind(moves.half_squat, "squat"),
    "crouch": Kind(moves.crouch, "crouch"),
    "zigzag": Kind(walks.zigzag, "walk"),
    "stomp": Kind(feet.stomp, "exercise"),
    "butt_kicks": Kind(feet.butt_kicks, "exercise"),
    "jog_place": Kind(feet.jog_place, "exercise"),
    "leg_out": Kind(feet.leg_out, "kick"),
    "lunge": Kind(feet.lunge, "exercise"),
    "wide_stance": Kind(feet.wide_stance, "stand"),
    "side_to_side": Kind(feet.side_to_side, "sidestep"),
}
WRITTEN_ONLY = frozenset(("posture",))
"""Kinds that no grid of the corpus has: they are written for sentences."""

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
    if spec.kind not in ("walk", "walk_far", "steps", "walk_pause"):
        return KINDS[spec.kind].family
    if spec.manner in _WALK_FAMILIES:
        return _WALK_FAMILIES[spec.manner]
    if spec.way in SIDES:
        return "sidestep"
    return "walk_back" if spec.way.startswith("backward") else "walk"


_SHORTEST = 2.02
"""A clip lasts two seconds at least [s]."""


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
    scene = _free_scene(rng) if spec.free else _scene(rng)
    events = KINDS[spec.kind].write(scene, spec)
    after = (0.08, 0.35) if spec.free else (0.3, 0.5)
    duration = max(scene.now + float(rng.uniform(*after)), _SHORTEST)
    ordered = tuple(sorted(events, key=lambda event: event.start))
    return Written(scene.plan(duration), ordered, duration)


def _scene(rng: np.random.Generator) -> Scene:
    """A robot that stands and is about to begin."""
    width = STANCE_WIDTH * float(rng.uniform(0.96, 1.06))
    scene = Scene(rng, standing(width, toe_out=float(rng.uniform(0.0, 0.08))))
    for side in SIDES:
        hanging = HANG.copy()
        hanging[:4] += rng.uniform(-1, 1, 4) * [0.08, 0.05, 0.1, 0.15]
        scene.rest[side] = hanging
    scene.wait(float(rng.uniform(0.2, 0.4)))
    return scene


def _free_scene(rng: np.random.Generator) -> Scene:
    """The same with stance and resting arms as people have them, and a shorter wait."""
    width = STANCE_WIDTH * float(rng.uniform(0.92, 1.25))
    scene = Scene(rng, standing(width, toe_out=float(rng.uniform(0.0, 0.2))))
    # From nearly straight arms to forearms that are half up.
    bent = float(rng.uniform(-0.45, 0.3))
    for side in SIDES:
        hanging = HANG.copy()
        hanging[3] += bent
        hanging[:4] += rng.uniform(-1, 1, 4) * [0.18, 0.08, 0.15, 0.12]
        scene.rest[side] = hanging
    scene.wait(float(rng.uniform(0.04, 0.25)))
    return scene
