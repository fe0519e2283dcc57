"""A posture that is taken, held, and left again: `way` tells it, as `Posture` writes it.

Arms, trunk and legs set out together. A step that a posture needs (a lunge, a wide stance)
comes first, and the hips go down when the feet are there.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from math import radians
from typing import NamedTuple, cast

from texedo.data import events as ev
from texedo.data.captions.postures.types import Posture, read_posture
from texedo.data.synth.author.arms import SIDES, Float64
from texedo.data.synth.author.routines.places import PLACES, Point, point_at, pose_at
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.stage.steps import LEFT, RIGHT, Place, Swing, Via

HELD_SECONDS = 2
"""Where no time is said."""
_MOST_SECONDS = 12
_HANG = "hang"
_WITH_THE_HIPS = ("lean", "tilt")
"""What leans when the hips go down, after a step."""
_OFF = 0.012
"""By how much a place differs from take to take [m]."""
_BESIDE = 0.075
"""From the middle to a hand that has the other one beside it [m]."""
_ON_BODY = ("belly", "chest", "heart", "mouth", "chin", "face", "eyes", "throat", "top")
_WAIST = 26
"""Most that the waist bends; the hips do the rest [degrees]."""
_WIDE, _CLOSE, _ASIDE = 0.46, 0.19, 0.27
"""Between the feet of a wide stance and of feet that are together, and how far a foot
goes aside [m]."""


class Drop(NamedTuple):
    """How far the hips go down [m], and how the trunk leans against it [rad]."""

    down: float
    lean: float = 0.0


_DROPS = {
    "bent": Drop(0.09, 0.08),
    "half": Drop(0.17, 0.17),
    "squat": Drop(0.25, 0.26),
    "wide": Drop(0.05),
    "lunge": Drop(0.12, 0.05),
    "aside": Drop(0.13, 0.05),
    "kneel": Drop(0.312, 0.04),
    "tiptoe": Drop(-0.03),
    "one": Drop(0.02),
}


@dataclass(frozen=True)
class _Lift:
    """Where a lifted foot is held, and how the hips lean against it."""

    forward: float
    out: float
    up: float
    pitch: float
    lean: float = 0.0
    tilt: float = 0.0


_LIFTS = {
    "low": _Lift(0.03, 0.0, 0.2, 0.2),
    "knee": _Lift(0.17, 0.0, 0.37, 0.25),
    "front": _Lift(0.42, 0.0, 0.3, -0.2, lean=-0.1),
    "side": _Lift(0.0, 0.42, 0.3, 0.0, tilt=0.18),
    "back": _Lift(-0.42, 0.0, 0.32, 0.7, lean=0.3),
}


Write = Callable[[Scene, Spec], list[ev.Event]]


def posture(scene: Scene, spec: Spec, write: Write | None = None) -> list[ev.Event]:
    """Taken `count` times; with `manner` "swaps" on the other side each second time, with
    "stays" not left again.

    What a part of the spec tells is done by the arms meanwhile, and `write` writes it.
    """
    found: list[ev.Event] = []
    held = read_posture(spec.way)
    for number in range(spec.count):
        own = held.mirrored() if spec.manner == "swaps" and number % 2 else held
        found += _Taken(scene, spec, own, write).play()
        scene.wait(0.15)
    return found


def arm_poses(held: Posture, shift: Float64 | None = None) -> dict[str, Float64 | None]:
    """Of the hands that a posture names; None hangs."""
    x, y, z = (0.0, 0.0, 0.0) if shift is None else shift.tolist()
    own: Point = (x, y, z)
    same = held.left == held.right
    return {
        side: None if place == _HANG else _pose_of(place, own, number, same)
        for number, (side, place) in enumerate(
            zip(SIDES, (held.left, held.right), strict=True)
        )
        if place
    }


def _pose_of(place: str, shift: Point, number: int, same: bool) -> Float64:
    """As `pose_at` has it, but that two hands in one place are side by side."""
    if place == "back":  # they meet there
        return point_at(-0.16 + shift[0], 0.03 + shift[1], -0.3 + shift[2])
    if not same or place not in PLACES:
        return pose_at(place, shift)
    if place == "crossed":
        return pose_at(("crossed", "crossed-over")[number], shift)
    x, y, z = PLACES[place]
    if abs(y) >= _BESIDE or not place.startswith(_ON_BODY):
        return pose_at(place, shift)
    return point_at(x + shift[0], _BESIDE + shift[1], z + shift[2])


def trunk_of(held: Posture) -> dict[str, float]:
    """Channels of the trunk; what the waist cannot do the hips do [rad]."""
    chest = max(min(held.lean, _WAIST), -_WAIST) * (0.6 if held.lean < 50 else 1.0)
    side = max(min(held.tip, _WAIST), -_WAIST)
    over = max(min(held.tip - side, 10), -10)
    found = {
        "waist_pitch": chest,
        "lean": held.lean - chest,
        "waist_roll": -side,
        "tilt": -over,
        "waist_yaw": held.twist,
    }
    return {name: radians(value) for name, value in found.items() if value}


class _Taken:
    """One time of taking a posture, holding it, and leaving it."""

    def __init__(
        self, scene: Scene, spec: Spec, held: Posture, write: Write | None
    ) -> None:
        self.scene, self.spec, self.held, self.write = scene, spec, held, write
        self.foot = SIDES.index(held.leg) if held.leg else LEFT
        self.homes = {foot: scene.feet.place(foot) for foot in (LEFT, RIGHT)}
        seconds = held.seconds or HELD_SECONDS
        self.seconds = min(seconds, _MOST_SECONDS) * 1.04 + 0.15
        if spec.parts:
            # As long as that takes, and a moment.
            self.seconds = max(self._meanwhile(copy.deepcopy(scene)) + 0.3, 1.0)
        # A leg that is lifted comes down again.
        self.stays = spec.manner == "stays" and held.legs != "one"
        # A trunk that goes far takes its time.
        far = max(abs(held.lean) / 40, abs(held.tip) / 20, abs(held.twist) / 40, 1.0)
        self.took = (
            0.9 * min(far, 1.9) / spec.tempo * float(scene.rng.uniform(0.92, 1.08))
        )

    def play(self) -> list[ev.Event]:
        begin = self.scene.now
        self._arms_and_trunk(begin)
        hold = _LEGS.get(self.held.legs, _Taken._down)
        hold(self)
        return self._seen(begin)

    def _meanwhile(self, scene: Scene) -> float:
        """What is done in the posture, written from now on; how long it takes [s]."""
        assert self.write is not None
        start = scene.now
        named = arm_poses(self.held)
        before = {side: len(scene.arms[side]) for side in named}
        for part in self.spec.parts:
            self.write(scene, part)
        took = scene.now - start
        for side, number in before.items():
            # Hands that the posture names stay where they are.
            del scene.arms[side][number:]
        scene.now = start
        return took

    def _hold(self) -> None:
        self.scene.wait(self.took)
        if self.spec.parts:
            self._meanwhile(self.scene)
        self.scene.wait(self.seconds)

    def _arms_and_trunk(self, start: float) -> None:
        shift = self.scene.rng.uniform(-_OFF, _OFF, 3)
        for side, arm in arm_poses(self.held, shift).items():
            self.scene.arm(side, arm, start=start, end=start + self.took)  # type: ignore[arg-type]
        for name, value in trunk_of(self.held).items():
            if name not in _WITH_THE_HIPS:
                self._move(name, value, start)

    def _move(self, name: str, value: float, start: float) -> None:
        self.scene.move(name, value, start=start, end=start + self.took)

    def _down(self) -> None:
        """Both feet stay."""
        self._lower()
        self._hold()
        self._leave()

    def _lower(self, *, tilt: float = 0.0, lean: float = 0.0) -> None:
        drop, trunk = _DROPS.get(self.held.legs, Drop(0.0)), trunk_of(self.held)
        goals = {
            "drop": drop.down,
            "lean": drop.lean + lean + trunk.get("lean", 0.0),
            "tilt": tilt + trunk.get("tilt", 0.0),
        }
        for name, value in goals.items():
            if value:
                self._move(name, value, self.scene.now)
        for name, value in _heels(self.held, self.foot).items():
            self._move(name, value, self.scene.now)

    def _leave(self) -> None:
        """Back to how it stood; the feet stay where they are."""
        if self.stays:
            return
        start = self.scene.now
        for side in SIDES:
            self.scene.arm(side, None, start=start, end=start + self.took)
        names = ("drop", "lean", "tilt", "waist_pitch", "waist_roll", "waist_yaw")
        for name in (*names, "left_heel", "right_heel"):
            if self.scene.channels[name][-1][1]:
                self._move(name, 0.0, start)
        self.scene.wait(self.took + 0.1)

    def _step(self, foot: int, to: Place) -> None:
        seconds = 0.68 / self.spec.tempo
        swing = Swing(
            foot=foot, start=self.scene.now, duration=seconds, to=to, height=0.07
        )
        self.scene.feet.swings.append(swing)
        self.scene.wait(seconds + 0.12)

    def _back(self, foot: int) -> None:
        if not self.stays:
            self._step(foot, self.homes[foot])

    def _stepped(self, places: dict[int, Place], free: int | None = None) -> None:
        """Feet go to their places, the hips down, and all back; a foot that is `free`
        stays on the floor meanwhile and bears nothing."""
        self.scene.wait(0.3)
        for foot, place in places.items():
            self._step(foot, place)
        if free is not None:
            self._unload(free)
        self._lower()
        self._hold()
        self._leave()
        for foot in reversed(places):
            self._back(foot)
        self.scene.wait(0.3)

    def _apart(self) -> None:
        home = self.homes[LEFT]
        wide = _CLOSE if self.held.legs == "together" else _WIDE
        between = abs(_across(home, self.homes[RIGHT]))
        each = (wide - between) / 2
        first = self.foot
        self._stepped(
            {
                foot: self.homes[foot].ahead(0.0, each if foot == LEFT else -each)
                for foot in (first, 1 - first)
            }
        )

    def _unload(self, foot: int) -> None:
        swing = Swing(
            foot=foot,
            start=self.scene.now + self.took,
            duration=self.seconds,
            to=self.homes[foot],
            height=0.0,
        )
        self.scene.feet.swings.append(swing)

    def _aside(self) -> None:
        """The weight goes over one of two feet that are far apart; its knee bends."""
        out = _ASIDE if self.foot == LEFT else -_ASIDE
        place = self.homes[self.foot].ahead(0.0, out)
        self._stepped({self.foot: place}, free=1 - self.foot)

    def _lunge(self) -> None:
        ahead = self.homes[self.foot].ahead(0.43, 0.0)
        self._stepped({self.foot: ahead})

    def _kneel(self) -> None:
        self._stepped({self.foot: self.homes[self.foot].ahead(-0.44, 0.0)})

    def _one(self) -> None:
        lift = _LIFTS[self.held.way or "low"]
        out = lift.out if self.foot == LEFT else -lift.out
        at = (lift.forward, out, lift.up, lift.pitch)
        self.scene.wait(0.4)
        up = 0.8 / self.spec.tempo
        whole = 2 * up + self.seconds
        near = Via(0.5 * up / whole, 0.3 * at[0], 0.3 * at[1], 0.6 * at[2], 0.5 * at[3])
        via = (
            near,
            Via(up / whole, *at),
            Via(1 - up / whole, *at),
            near._replace(at=1 - near.at),
        )
        self.scene.feet.swings.append(
            Swing(
                foot=self.foot,
                start=self.scene.now,
                duration=whole,
                to=self.homes[self.foot],
                via=via,
            )
        )
        tilt = lift.tilt if self.foot == LEFT else -lift.tilt
        self._lower(tilt=tilt, lean=lift.lean)
        start = self.scene.now
        self._hold()
        self.scene.now = start + whole - up
        self._leave()
        self.scene.wait(0.5)

    def _seen(self, begin: float) -> list[ev.Event]:
        held, end = self.held, self.scene.now
        if held.legs == "kneel":
            return [ev.Kneel(start=begin, end=end, side=cast(ev.Side, held.leg))]
        if held.legs == "one" and held.way in ("", "low", "knee"):
            stands = SIDES[1 - self.foot]
            return [ev.OneLeg(start=begin, end=end, side=stands)]
        return []


def _across(one: Place, other: Place) -> float:
    """Distance between the feet, across where they point [m]."""
    return float(((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5)


def _heels(held: Posture, foot: int) -> dict[str, float]:
    if held.legs == "tiptoe":
        return {"left_heel": 0.45, "right_heel": 0.45}
    if held.legs == "lunge":
        return {f"{SIDES[1 - foot]}_heel": 0.5}
    if held.legs == "kneel":
        return {f"{SIDES[foot]}_heel": 0.95}
    return {}


_LEGS: dict[str, Callable[[_Taken], None]] = {
    "wide": _Taken._apart,
    "aside": _Taken._aside,
    "together": _Taken._apart,
    "lunge": _Taken._lunge,
    "kneel": _Taken._kneel,
    "one": _Taken._one,
}
