"""All detectors of events, to be asked one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np

from texedo.data.events.arms import find_arm_events
from texedo.data.events.body import find_bows, find_low_legs, find_squats, find_still
from texedo.data.events.feet import (
    Flight,
    Steps,
    find_flights,
    find_hops,
    find_jumps,
    find_steps,
)
from texedo.data.events.jacks import find_jumping_jacks
from texedo.data.events.legs import find_leg_events
from texedo.data.events.signals import Signals
from texedo.data.events.spans import Bools
from texedo.data.events.strikes import find_punches
from texedo.data.events.travel import RUN_SPEED, find_circle, find_travel
from texedo.data.events.turns import find_turns, find_twists
from texedo.data.events.types import (
    ArmRaise,
    Bow,
    Circle,
    Clap,
    Crouch,
    Event,
    Gesture,
    HandOnHip,
    HandToHead,
    Hop,
    Jump,
    JumpingJack,
    Kick,
    Kneel,
    KneeRaise,
    Lean,
    Lunge,
    OneLeg,
    Punch,
    Squat,
    Still,
    Stoop,
    Travel,
    Turn,
    Twist,
    Wave,
)
from texedo.motion import FPS

GROUPS: dict[str, tuple[type[Event], ...]] = {
    "travels": (Travel,),
    "circles": (Circle,),
    "turns": (Turn,),
    "twists": (Twist,),
    "jacks": (JumpingJack,),
    "jumps": (Jump,),
    "hops": (Hop,),
    "squats": (Squat, Crouch),
    "low_legs": (Kneel, Lunge),
    "bows": (Bow, Stoop, Lean),
    "still": (Still,),
    "legs": (Kick, KneeRaise, OneLeg),
    "arms": (ArmRaise, Wave, Clap, HandOnHip, HandToHead, Gesture),
    "punches": (Punch,),
}
"""Kinds of events that are looked for together."""
_GROUP_OF = {kind: name for name, kinds in GROUPS.items() for kind in kinds}


class Detectors:
    """Looks for events in curves; what was found is kept."""

    def __init__(self, signals: Signals) -> None:
        self._signals = signals
        self._found: dict[str, list[Event]] = {}

    @cached_property
    def steps(self) -> Steps:
        return find_steps(self._signals)

    @cached_property
    def flights(self) -> list[Flight]:
        return find_flights(self._signals)

    @cached_property
    def travels(self) -> list[Travel]:
        return find_travel(self._signals, self.steps, self.flights)

    def find(self, kind: type[Event]) -> list[Event]:
        """All events of a kind, in no order."""
        found = self.group(_GROUP_OF[kind])
        return [event for event in found if isinstance(event, kind)]

    def group(self, name: str) -> list[Event]:
        """All events of a group of kinds."""
        if name not in self._found:
            self._found[name] = list(_DETECT[name](self, self._signals))
        return self._found[name]


_DETECT: dict[str, Callable[[Detectors, Signals], Iterable[Event]]] = {
    "travels": lambda own, _: own.travels,
    "circles": lambda own, s: [
        c for c in [find_circle(s, own.travels)] if c is not None
    ],
    "turns": lambda _, s: find_turns(s),
    "twists": lambda _, s: find_twists(s),
    "jacks": lambda own, s: find_jumping_jacks(s, own.steps),
    # Who does jumping jacks does not jump beside.
    "jumps": lambda own, s: [] if own.group("jacks") else find_jumps(s, own.flights),
    "hops": lambda own, s: find_hops(s, own.flights),
    "squats": lambda own, s: find_squats(s, own.flights),
    "low_legs": lambda _, s: find_low_legs(s),
    "bows": lambda own, s: find_bows(s, own.flights),
    "still": lambda _, s: find_still(s),
    "legs": lambda own, s: find_leg_events(s, _running(s, own.travels)),
    "arms": lambda own, s: find_arm_events(s, own.flights),
    "punches": lambda own, s: find_punches(s, own.flights),
}


def _running(signals: Signals, travels: list[Travel]) -> Bools:
    mask = np.zeros(len(signals), dtype=bool)
    for travel in travels:
        if travel.gait == "run" or travel.speed > RUN_SPEED:
            mask[round(travel.start * FPS) : round(travel.end * FPS)] = True
    return mask
