"""Ways of walking, and the steps they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.data.synth.author import arms
from texedo.data.synth.author.arms import SIDES
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.stage.steps import LEFT, RIGHT, STANCE_WIDTH, Place, Swing

Float64 = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Gait:
    """How steps are made; lengths in metres, times in seconds, angles in radians."""

    step: float = 0.28
    """Length of a forward step."""
    side: float = 0.22
    """Length of a side step."""
    swing: float = 0.46
    double: float = 0.12
    """Time on both feet between two swings."""
    clearance: float = 0.06
    width: float = STANCE_WIDTH
    drop: float = 0.015
    """How much lower than standing."""
    lean: float = 0.04
    """Pelvis forward."""
    stoop: float = 0.0
    """Chest forward over the pelvis."""
    bob: float = 0.0
    """Rise of the pelvis in each swing."""
    roll: float = 0.0
    """Chest over the standing foot in each swing."""
    hips: float = 0.0
    """Pelvis turned to and fro."""
    arm_swing: float = 1.2
    held: tuple[Float64, Float64] | None = None
    """Poses that the arms keep, each as of a left arm."""
    pump: bool = False
    """Forearms go up in turn, one with each step."""
    scuff: float = 0.0
    uneven: float = 0.0
    """Random part of step lengths and times."""
    limp: str = ""
    """The side that is spared."""


def varied(gait: Gait, rng: np.random.Generator, *, tempo: float, size: float) -> Gait:
    """A gait played faster or slower, with shorter or longer steps, and a little off."""

    def near(value: float, spread: float = 0.08) -> float:
        return value * float(1 + spread * rng.uniform(-1, 1))

    return replace(
        gait,
        step=near(gait.step) * size,
        side=near(gait.side) * size,
        swing=max(near(gait.swing) / tempo, 0.2),
        double=max(near(gait.double, 0.15) / tempo, 0.03),
        clearance=near(gait.clearance, 0.15),
        drop=near(gait.drop, 0.3),
        lean=near(gait.lean, 0.3),
        stoop=near(gait.stoop, 0.2),
        arm_swing=near(gait.arm_swing, 0.25),
    )


@dataclass(frozen=True, kw_only=True)
class Path:
    """Where steps lead, in the body's own frame."""

    forward: float = 0.0
    """1 ahead, -1 back; times the gait's step."""
    left: float = 0.0
    """1 to the left, -1 to the right; times the gait's side step."""
    turn: float = 0.0
    """To the left with each step, or with each pair if on the spot [rad]."""
    steps: int = 4
    """Without the one that closes the feet."""


def settle_into(scene: Scene, gait: Gait, *, seconds: float = 0.5) -> None:
    """Take up the posture of a gait, beginning now."""
    start, end = scene.now, scene.now + seconds
    scene.arm_swing = gait.arm_swing
    for channel, value in (
        ("drop", gait.drop),
        ("lean", gait.lean),
        ("waist_pitch", gait.stoop),
    ):
        scene.move(channel, value, start=start, end=end)
    if gait.held is not None:
        for side, arm in zip(SIDES, gait.held, strict=True):
            scene.arm(side, arm, start=start, end=end + 0.2)


def stand_up(scene: Scene, *, seconds: float = 0.6, arms_too: bool = True) -> None:
    """Go back to standing, beginning now."""
    start, end = scene.now, scene.now + seconds
    for channel in ("drop", "lean", "waist_pitch", "twist", "waist_yaw", "waist_roll"):
        scene.move(channel, 0.0, start=start, end=end)
    if arms_too:
        for side in SIDES:
            scene.arm(side, None, start=start, end=end + 0.1)


def travel(scene: Scene, gait: Gait, path: Path) -> int:
    """Walk along a path, feet together at the end; returns the number of steps.

    Sideways and on the spot the feet go in pairs: one leads, the other follows. Ahead
    they take turns.
    """
    body = _middle(scene)
    on_spot = not path.forward
    first = _first_foot(scene, path)
    taken = 0
    for i in range(path.steps):
        foot = first if i % 2 == 0 else 1 - first
        leads = foot == first
        along = path.forward * gait.step * _uneven(scene, gait)
        aside = path.left * gait.side * _uneven(scene, gait) if leads else 0.0
        turn = path.turn if leads or not on_spot else 0.0
        body = body.ahead(along, aside, turn)
        _take_step(scene, gait, foot, body)
        taken += 1
    if not (on_spot and path.steps % 2 == 0):
        _take_step(scene, gait, 1 - foot, body)
        taken += 1
    return taken


def wander(scene: Scene, gait: Gait, paths: Sequence[Path], *, close: bool) -> int:
    """Walk along paths one after the other without a stop; returns the steps taken.

    With `close` the feet come together at the end. All paths lead ahead or back.
    """
    body = _middle(scene)
    foot = int(scene.rng.integers(2))
    taken = 0
    for path in paths:
        for _ in range(path.steps):
            along = path.forward * gait.step * _uneven(scene, gait)
            body = body.ahead(along, 0.0, path.turn)
            _take_step(scene, gait, foot, body)
            foot, taken = 1 - foot, taken + 1
    if close:
        _take_step(scene, gait, foot, body)
        taken += 1
    return taken


def exact_steps(scene: Scene, gait: Gait, path: Path, *, close: bool) -> None:
    """So many steps and not one more.

    With `close` the last one brings the feet together, otherwise they stay apart.
    """
    body, first = _middle(scene), _first_foot(scene, path)
    for i in range(path.steps):
        leads = i % 2 == 0
        foot = first if leads else 1 - first
        last = close and i == path.steps - 1
        along = 0.0 if last else path.forward * gait.step
        aside = path.left * gait.side if leads and not last else 0.0
        body = body.ahead(along, aside, path.turn)
        _take_step(scene, gait, foot, body)


def _middle(scene: Scene) -> Place:
    left, right = scene.feet.place(LEFT), scene.feet.place(RIGHT)
    return Place(
        (left.x + right.x) / 2, (left.y + right.y) / 2, (left.yaw + right.yaw) / 2
    )


def _first_foot(scene: Scene, path: Path) -> int:
    """Sideways and turning, the foot on that side: it must not cross the other."""
    to_left = path.left or (path.turn if not path.forward else 0.0)
    if to_left:
        return LEFT if to_left > 0 else RIGHT
    return int(scene.rng.integers(2))


def _uneven(scene: Scene, gait: Gait) -> float:
    return float(1 + gait.uneven * scene.rng.uniform(-1, 1))


def _take_step(scene: Scene, gait: Gait, foot: int, body: Place) -> None:
    """One swing, beginning now; the clock then stands at the next one."""
    out = 1.0 if foot == LEFT else -1.0
    swing, double = gait.swing * _uneven(scene, gait), gait.double
    clearance = gait.clearance
    if gait.limp:
        # The sound leg hurries, so that the other is spared; that one is dragged along.
        spared = SIDES[foot] == gait.limp
        swing *= 1.25 if spared else 0.72
        double *= 1.6 if spared else 1.0
        clearance *= 0.5 if spared else 1.0
    start = scene.now
    scene.feet.swings.append(
        Swing(
            foot=foot,
            start=start,
            duration=swing,
            to=body.ahead(0.0, out * gait.width / 2),
            height=clearance,
            scuff=gait.scuff,
        )
    )
    end = start + swing
    if gait.bob:
        scene.bobs.append((start - gait.double / 2, end + gait.double / 2, gait.bob))
    _sway(scene, gait, foot, start=start, end=end)
    if gait.pump:
        _pump(scene, foot, start=start, end=end)
    scene.now = end + double


def _pump(scene: Scene, foot: int, *, start: float, end: float) -> None:
    """The arm across from the swinging foot comes up and goes down again."""
    side: Any = SIDES[1 - foot]
    if scene.arms[side][-1][0] > start:
        return  # it has something else to do
    scene.arm(side, arms.CHEER, start=start, end=(start + end) / 2)
    scene.arm(side, None, start=(start + end) / 2, end=end)


def _sway(scene: Scene, gait: Gait, foot: int, *, start: float, end: float) -> None:
    start, end = start - gait.double, end + gait.double
    out = 1.0 if foot == LEFT else -1.0
    lurch = 1.0
    if gait.limp:
        lurch = 1.0 if SIDES[foot] != gait.limp else 0.2
    if gait.roll:
        # Positive roll is to the right: over the right foot while the left one swings.
        scene.sways.append(("waist_roll", start, end, out * gait.roll * lurch))
    if gait.hips:
        scene.sways.append(("twist", start, end, -out * gait.hips))
