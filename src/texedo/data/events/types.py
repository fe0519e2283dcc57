"""What a motion can be seen to do, as plain values.

Sides are the robot's own; directions are relative to where it faces at that moment.
Times are seconds from the start of the motion, lengths metres on the robot, angles
degrees. A fact is only there if it was measured with room to spare: absence of an event
means "not seen", never "did not happen".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeVar

Side = Literal["left", "right"]
Sides = Literal["left", "right", "both"]
"""Both: at the same time, or taking turns where the event says so."""
Direction = Literal[
    "forward",
    "forward-left",
    "left",
    "backward-left",
    "backward",
    "backward-right",
    "right",
    "forward-right",
]
DIRECTIONS: tuple[Direction, ...] = (
    "forward",
    "forward-left",
    "left",
    "backward-left",
    "backward",
    "backward-right",
    "right",
    "forward-right",
)
"""Counterclockwise from ahead, 45 degrees apart."""
Gait = Literal["walk", "run"]
Level = Literal["waist", "chest", "shoulder", "head", "overhead"]
"""How high a hand gets."""
Way = Literal["front", "side", "up", "back"]
"""Where a raised arm or a kicking leg points."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happens from `start` to `end` [s]."""

    start: float
    end: float

    @property
    def duration(self) -> float:
        return self.end - self.start


@dataclass(frozen=True, kw_only=True)
class Travel(Event):
    """The body goes somewhere on its feet, in one direction relative to its facing."""

    gait: Gait
    direction: Direction
    distance: float
    """Length of the path [m]."""
    speed: float
    """Mean speed along the path [m/s]."""
    steps: int
    """Foot contacts that begin within it."""
    low: bool = False
    """The hips stay low, as in a crouch walk."""
    straight: bool = False
    """The path is a straight line."""
    veer: Side | None = None
    """Side to which the path bends by a clear angle; None if straight or winding."""
    veer_angle: float = 0.0
    """By how much [degrees]."""


@dataclass(frozen=True, kw_only=True)
class Turn(Event):
    """The facing changes to one side."""

    side: Side
    angle: float
    """Degrees, positive; more than 360 after several rounds."""
    travelling: bool
    """The body moves along a path meanwhile; otherwise it turns on the spot."""


@dataclass(frozen=True, kw_only=True)
class Circle(Event):
    """The path closes, or nearly closes, a loop."""

    side: Side
    """Side the path bends to: left is counterclockwise seen from above."""
    laps: float
    """Turns of the path's direction over 360 degrees."""
    radius: float
    """[m]"""


@dataclass(frozen=True, kw_only=True)
class Jump(Event):
    """Both feet leave the floor together, outside a run."""

    count: int
    counted: bool = True
    """The count is certain."""
    height: float
    """Rise of the pelvis above its standing height, the highest of them [m]."""
    direction: Direction | None = None
    """Where all of them go; None on the spot or various."""
    distance: float = 0.0
    """Ground covered in the air, all jumps together [m]."""
    turn: Side | None = None
    turn_angle: float = 0.0
    """Turn in the air, the largest of them [degrees]."""


@dataclass(frozen=True, kw_only=True)
class JumpingJack(Event):
    """Feet jump apart and together while the arms swing up and down in time."""

    count: int


@dataclass(frozen=True, kw_only=True)
class Hop(Event):
    """Jumps on one foot."""

    side: Side
    """The foot that lands."""
    count: int
    direction: Direction | None = None


@dataclass(frozen=True, kw_only=True)
class Squat(Event):
    """The hips go down by bending the knees and come up again."""

    count: int
    depth: float
    """Deepest drop of the pelvis over its standing height, 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class Crouch(Event):
    """The hips stay low."""

    depth: float


@dataclass(frozen=True, kw_only=True)
class Lunge(Event):
    """A long step with the front knee bent."""

    side: Sides
    """The front leg."""
    count: int


@dataclass(frozen=True, kw_only=True)
class Kneel(Event):
    """A knee goes to the floor."""

    side: Sides
    """The knee that goes down."""


@dataclass(frozen=True, kw_only=True)
class Bow(Event):
    """The upper body bends forward and comes up again."""

    count: int
    angle: float
    """Largest lean of the torso [degrees]."""


@dataclass(frozen=True, kw_only=True)
class Stoop(Event):
    """The upper body stays bent forward."""

    angle: float


@dataclass(frozen=True, kw_only=True)
class Lean(Event):
    """The upper body tilts to one side."""

    side: Side
    angle: float


@dataclass(frozen=True, kw_only=True)
class Twist(Event):
    """The chest turns to one side and the other over feet that stay."""

    count: int
    """Times it turns to a side."""


@dataclass(frozen=True, kw_only=True)
class ArmRaise(Event):
    """A hand rises to a height above where arms hang."""

    side: Sides
    level: Level
    way: Way
    count: int = 1
    starts_up: bool = False
    """The hand is up when the motion begins."""
    lowers: bool = True
    """The hand comes down again within the motion."""


@dataclass(frozen=True, kw_only=True)
class Wave(Event):
    """A raised hand swings to and fro."""

    side: Sides
    count: int
    """Swings to and back."""
    level: Level


@dataclass(frozen=True, kw_only=True)
class Punch(Event):
    """A fast stretch of an arm and back."""

    side: Sides
    count: int
    kind: Literal["jab", "hook", "punch"]
    """Jab: straight ahead. Hook: swung from the side. Punch: either, or mixed."""


@dataclass(frozen=True, kw_only=True)
class Clap(Event):
    """The hands meet in front of the body."""

    count: int


@dataclass(frozen=True, kw_only=True)
class HandOnHip(Event):
    side: Sides


@dataclass(frozen=True, kw_only=True)
class HandToHead(Event):
    side: Sides
    lowers: bool = True


@dataclass(frozen=True, kw_only=True)
class Kick(Event):
    """A leg swings up fast and comes back while the other one stands."""

    side: Sides
    count: int
    level: Literal["low", "waist", "chest"]
    way: Way


@dataclass(frozen=True, kw_only=True)
class KneeRaise(Event):
    """A knee is lifted to the hip while the other leg stands."""

    side: Sides
    count: int


@dataclass(frozen=True, kw_only=True)
class OneLeg(Event):
    """Standing on one leg for a while."""

    side: Side
    """The leg that stands."""


@dataclass(frozen=True, kw_only=True)
class Gesture(Event):
    """Hands that move about, whatever they mean by it."""

    side: Sides
    speed: float
    """Mean speed relative to the torso, of the busier hand [m/s]."""


@dataclass(frozen=True, kw_only=True)
class Still(Event):
    """Hardly anything moves."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """All that was measured in a motion."""

    duration: float
    """[s]"""
    events: tuple[Event, ...]
    """In order of their starts; they may overlap."""
    distance: float
    """Length of the smoothed path of the pelvis [m]."""
    displacement: float
    """From the first to the last place [m]."""
    turned: float
    """Net change of facing, positive to the left [degrees]."""
    steps: int
    """Foot contacts that begin within the motion."""
    hand_path: tuple[float, float]
    """Length of the paths of the left and right hand relative to the torso [m]."""
    lowest: float
    """Lowest pelvis height over the standing one."""

    def of(self, kind: type[E]) -> Iterator[E]:
        """Events of one kind, in order."""
        return (event for event in self.events if isinstance(event, kind))

    def of_any(self, kinds: Iterable[type[Event]]) -> list[Event]:
        """Events of several kinds, in order."""
        return list(in_time(event for kind in kinds for event in self.of(kind)))

    def has(self, kind: type[Event]) -> bool:
        return any(isinstance(event, kind) for event in self.events)


E = TypeVar("E", bound=Event)
KINDS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
"""All that there are."""


def in_time(events: Iterable[Event]) -> tuple[Event, ...]:
    """By start, end and name."""
    return tuple(sorted(events, key=lambda e: (e.start, e.end, type(e).__name__)))


STRAIGHT_SECTOR = 28.0
"""A way within this angle of ahead, back or a side is called so, not diagonal [degrees]:
nobody sees the hips' facing more exactly than that."""


def direction_of(ahead: float, left: float) -> Direction:
    """The direction that people would name."""
    angle = math.degrees(math.atan2(left, ahead))
    straight = 2 * round(angle / 90)
    if abs(angle - 45 * straight) <= STRAIGHT_SECTOR:
        return DIRECTIONS[straight % 8]
    return DIRECTIONS[round(angle / 45) % 8]


_SWAPPED = {"left": "right", "right": "left"}


def swap_name(name: str) -> str:
    """A side or direction as seen in a mirror."""
    return "-".join(_SWAPPED.get(part, part) for part in name.split("-"))


def mirror_event(event: E) -> E:
    """The event with left and right swapped."""
    changed: dict[str, Any] = {
        field.name: swap_name(value)
        for field in fields(event)
        if isinstance(value := getattr(event, field.name), str)
    }
    return replace(event, **changed)


def mirror_facts(facts: Facts) -> Facts:
    """The facts of the mirrored motion."""
    left, right = facts.hand_path
    return replace(
        facts,
        events=tuple(mirror_event(event) for event in facts.events),
        turned=-facts.turned,
        hand_path=(right, left),
    )
