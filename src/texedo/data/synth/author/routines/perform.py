"""Steps of a routine written into a scene."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from texedo.data import events as ev
from texedo.data.synth.author.arms import SIDES, Side
from texedo.data.synth.author.routines.feet import Feet
from texedo.data.synth.author.routines.places import PLACES, Point, point_at, pose_at
from texedo.data.synth.author.routines.steps import (
    HANG,
    Again,
    Circle,
    Routine,
    Step,
    load_routines,
)
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.scene import Scene
from texedo.motion import FPS

_BACK = 0.85
"""Time to stand again as at first, at tempo 1 [s]."""
_STEP = 0.75
"""Time to put a foot back [s]."""
_BEND = 0.46
"""Most that the waist bends in either direction; its joints end at 0.52 [rad]."""
_OFF = 0.015
"""By how much a place differs from take to take [m]."""


def routine(scene: Scene, spec: Spec) -> list[ev.Event]:
    """The routine that `way` names, for the arms of `side`."""
    _Player(scene, spec, load_routines()[spec.way]).play()
    return []  # what it shows is asked of the finished motion, by the request's rule


class _Player:
    """Carries out steps for one spec; every take has places and times a little off."""

    def __init__(self, scene: Scene, spec: Spec, steps: Routine) -> None:
        self.scene, self.spec, self.routine = scene, spec, steps
        drawn = SIDES[int(scene.rng.integers(2))]
        self.own: Side = spec.side if spec.side in SIDES else drawn
        self.other: Side = SIDES[1 - SIDES.index(self.own)]
        self.shifts: dict[str, Point] = {}
        self.used: set[str] = set()
        self.feet = Feet(scene)

    def play(self) -> None:
        for step in self._steps():
            self._step(step)
        if self.routine.ends:
            self._go_back()

    def _steps(self) -> Iterator[Step]:
        for item in self.routine.steps:
            if isinstance(item, Step):
                yield item
                continue
            for _ in range(self._times(item)):
                yield from item.steps

    def _times(self, item: Again) -> int:
        if item.times is None:
            return self.spec.count
        least, most = item.times
        return int(self.scene.rng.integers(least, most + 1))

    def _step(self, step: Step) -> None:
        rng = self.scene.rng
        took = step.seconds / self.spec.tempo * float(rng.uniform(0.92, 1.08))
        start, end = self.scene.now, self.scene.now + took
        for arm, place in step.arms:
            for side in self._sides(arm):
                to = None if place == HANG else pose_at(place, self._shift(place))
                self.scene.arm(side, to, start=start, end=end)
        for channel, value in step.trunk:
            self._trunk(channel, value * self.spec.size, start, end)
        for arm, circle in step.circles:
            for side in self._sides(arm):
                self._round(side, circle, start, end)
        for arm, spot in step.feet:
            self.feet.put(self._sides(arm), spot, start, end)
        self.scene.now = end

    def _sides(self, arm: str) -> tuple[Side, ...]:
        both: tuple[Side, ...] = (self.own, self.other)
        if arm == "both" or (arm == "own" and self.spec.side == "both"):
            return both
        return (self.own,) if arm == "own" else (self.other,)

    def _shift(self, place: str) -> Point:
        if place not in self.shifts:
            x, y, z = self.scene.rng.uniform(-_OFF, _OFF, 3)
            self.shifts[place] = (float(x), float(y), float(z))
        return self.shifts[place]

    def _trunk(self, channel: str, value: float, start: float, end: float) -> None:
        """To the own side counts as positive."""
        left = 1.0 if self.own == "left" else -1.0
        if channel in ("chest", "tip"):
            value = max(-_BEND, min(value, _BEND))
        moves: dict[str, tuple[tuple[str, float], ...]] = {
            "lean": (("lean", value),),
            "chest": (("waist_pitch", value),),
            "turn": (("waist_yaw", left * value),),
            "tip": (("waist_roll", -left * value),),
            "down": (("drop", value),),
            "heels": (("left_heel", value), ("right_heel", value)),
        }
        for name, to in moves[channel]:
            self.used.add(name)
            self.scene.move(name, to, start=start, end=end)

    def _round(self, side: Side, circle: Circle, start: float, end: float) -> None:
        """Once round, from the top, at an even pace: a key in every frame."""
        x, y, z = PLACES[circle.place]
        dx, dy, dz = self._shift(circle.place)
        radius = circle.radius * self.spec.size
        frames = max(round((end - start) * FPS), 8)
        times = np.linspace(start, end, frames + 1)
        angles = np.linspace(0.0, 2 * np.pi, frames + 1)
        for before, now, angle in zip(times, times[1:], angles[1:], strict=False):
            up, along = radius * np.cos(angle), radius * np.sin(angle)
            at = {
                "wheel": (x + dx + along, y + dy, z + dz + up),
                "wheel-back": (x + dx - along, y + dy, z + dz + up),
                "front": (x + dx, y + dy + along, z + dz + up),
                "table": (x + dx + up, y + dy + along, z + dz),
            }[circle.plane]
            self.scene.arm(side, point_at(*at), start=float(before), end=float(now))

    def _go_back(self) -> None:
        start = self.scene.now
        away = self.feet.away()
        end = start + max(_BACK, _STEP * len(away)) / self.spec.tempo
        if away:
            self.feet.put(away, "home", start, end)
        for side in SIDES:
            self.scene.arm(side, None, start=start, end=end)
        for name in sorted(self.used):
            self.scene.move(name, 0.0, start=start, end=end)
        self.scene.now = end
