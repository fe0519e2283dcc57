"""Where a routine puts a foot, and how it lifts one."""

from __future__ import annotations

from texedo.data.synth.author.arms import SIDES, Side
from texedo.data.synth.author.stage.scene import Scene
from texedo.data.synth.author.stage.steps import LEFT, Place, Swing, Via

SPOTS: dict[str, tuple[float, float]] = {
    "home": (0.0, 0.0),
    "ahead": (0.3, 0.02),
    "far-ahead": (0.42, 0.02),
    "behind": (-0.28, 0.03),
    "out": (0.0, 0.12),
    "far-out": (0.0, 0.24),
    "out-ahead": (0.18, 0.09),
    "out-behind": (-0.2, 0.1),
    "near": (0.0, -0.03),
}
"""From where the foot stood at first [m]: ahead, and to its own side."""
LIFTS: dict[str, tuple[Via, ...]] = {
    "knee": (Via(0.4, 0.06, 0.0, 0.36, 0.25), Via(0.6, 0.06, 0.0, 0.36, 0.25)),
    "low-kick": (Via(0.35, 0.06, 0.0, 0.12, 0.2), Via(0.55, 0.3, 0.0, 0.17, -0.1)),
    "kick": (
        Via(0.36, 0.1, 0.0, 0.38, 0.35),
        Via(0.55, 0.46, 0.0, 0.5, -0.3),
        Via(0.74, 0.12, 0.0, 0.32, 0.3),
    ),
    "back-kick": (Via(0.5, -0.26, 0.0, 0.16, 0.6),),
    "high-step": (Via(0.5, 0.05, 0.0, 0.22, 0.2),),
    "swing": (Via(0.32, 0.44, 0.0, 0.24, -0.2), Via(0.7, -0.4, 0.0, 0.24, 0.6)),
    "tap": (Via(0.5, 0.02, 0.0, 0.05, -0.15),),
    "stamp": (Via(0.6, 0.03, 0.0, 0.14, -0.05),),
    "step": (Via(0.5, 0.0, 0.0, 0.07, 0.05),),
    "tap-ahead": (Via(0.3, 0.14, 0.0, 0.06), Via(0.5, 0.22, 0.0, 0.015, 0.0)),
    "tap-out": (Via(0.3, 0.0, 0.1, 0.06), Via(0.5, 0.0, 0.17, 0.012, 0.0)),
}
"""Points that a foot passes before it is put down where it was; to the left for the left
foot, mirrored for the other."""
_IN_THE_AIR = 0.8
"""Part of a step's time in which its foot is off the floor; the rest shifts the weight."""


class Feet:
    """The feet of a routine, which know where they stood at first."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.homes = [scene.feet.place(foot) for foot in range(len(SIDES))]

    def put(self, sides: tuple[Side, ...], name: str, start: float, end: float) -> None:
        """Each in turn, within the time."""
        each = (end - start) / len(sides)
        for number, side in enumerate(sides):
            begin = start + number * each
            self._move(SIDES.index(side), name, begin, _IN_THE_AIR * each)

    def away(self) -> tuple[Side, ...]:
        """Whose foot does not stand where it stood at first."""
        return tuple(
            side
            for foot, side in enumerate(SIDES)
            if self.scene.feet.place(foot) != self.homes[foot]
        )

    def _move(self, foot: int, name: str, start: float, duration: float) -> None:
        out = 1.0 if foot == LEFT else -1.0
        to, via = self.scene.feet.place(foot), LIFTS.get(name, ())
        if name in SPOTS:
            to = self._spot(foot, name, out)
        via = tuple(point._replace(left=out * point.left) for point in via)
        self.scene.feet.swings.append(
            Swing(foot=foot, start=start, duration=duration, to=to, via=via)
        )

    def _spot(self, foot: int, name: str, out: float) -> Place:
        if name == "home":
            return self.homes[foot]
        ahead, aside = SPOTS[name]
        return self.homes[foot].ahead(ahead, out * aside)
