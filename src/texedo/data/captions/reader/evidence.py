"""Which events show that an action was done, and whether as it was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from texedo.data.captions.reader.types import Answer, Clause
from texedo.data.events import (
    ArmRaise,
    Bow,
    Clap,
    Crouch,
    Event,
    Facts,
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

KINDS: dict[str, tuple[type[Event], ...]] = {
    "jack": (JumpingJack,),
    "one_leg": (OneLeg,),
    "hips": (HandOnHip,),
    "head": (HandToHead,),
    "kneel": (Kneel,),
    "wave": (Wave,),
    "clap": (Clap,),
    "twist": (Twist,),
    "sway": (Lean, Twist),
    "kick": (Kick,),
    "knee": (KneeRaise,),
    "march": (KneeRaise,),
    "punch": (Punch,),
    "arm": (ArmRaise, HandToHead, Wave),
    "gesture": (Gesture, ArmRaise, Wave, Punch, HandToHead, Clap),
    "hop": (Hop,),
    "jump": (Jump,),
    "lunge": (Lunge,),
    "squat": (Squat, Crouch),
    "bend": (Bow, Stoop),
    "lean": (Lean,),
    "crouch": (Crouch, Squat, Kneel),
    "walk": (Travel,),
    "run": (Travel,),
    "move": (Travel,),
    "still": (Still,),
}
"""Events that bear an action out."""
NEAR: dict[str, tuple[type[Event], ...]] = {
    "one_leg": (KneeRaise, Kick, Hop),
    "head": (ArmRaise, Wave),
    "hips": (Gesture,),
    "kneel": (Crouch, Squat, Lunge),
    "wave": (ArmRaise, Gesture, HandToHead),
    "clap": (Gesture, ArmRaise),
    "twist": (Turn, Lean),
    "kick": (KneeRaise, OneLeg),
    "knee": (Kick, OneLeg, Hop),
    "punch": (ArmRaise, Gesture),
    "arm": (Gesture, Punch, Clap),
    "hop": (Jump, OneLeg),
    "jump": (Hop, JumpingJack),
    "lunge": (Squat, Crouch, Kneel),
    "squat": (Kneel, Bow, Stoop, Lunge),
    "bend": (Squat, Crouch, Kneel, Lunge),
    "lean": (Stoop, Bow, Twist),
    "crouch": (Stoop, Bow, Lunge),
    "jack": (Jump,),
}
"""Events that look like it: with one of them nobody can say that it was not done."""


@dataclass(frozen=True)
class Shown:
    """What speaks for a clause."""

    answer: Answer
    events: tuple[Event, ...] = ()
    reason: str = ""


def no(reason: str) -> Shown:
    return Shown("no", reason=reason)


def worst(answers: Iterable[Answer]) -> Answer:
    """ "no" before "perhaps" before "yes"."""
    found = set(answers)
    return "no" if "no" in found else "perhaps" if "perhaps" in found else "yes"


def of_kinds(facts: Facts, kinds: Sequence[type[Event]]) -> list[Event]:
    return facts.of_any(kinds)


def sided(event: Event, side: str | None) -> bool:
    """The event is on this side, or on both where a side takes part."""
    own = getattr(event, "side", None)
    if side is None or own is None:
        return True
    if side == "either":
        return own in ("left", "right")
    return bool(own == side)


def both_sides(events: Sequence[Event]) -> bool:
    """Both limbs take part, at once or in turn."""
    sides = {getattr(event, "side", None) for event in events}
    return "both" in sides or {"left", "right"} <= sides


def on_side(events: Sequence[Event], side: str | None) -> tuple[Answer, list[Event]]:
    """Those of the side asked for; "perhaps" where only both together are seen."""
    if side == "both":
        return ("yes", list(events)) if both_sides(events) else ("no", [])
    found = [event for event in events if sided(event, side)]
    if found:
        return "yes", found
    if side is not None and any(getattr(e, "side", None) == "both" for e in events):
        return "perhaps", list(events)
    return "no", []


def count_of(events: Iterable[Event]) -> int:
    """Times altogether."""
    return sum(getattr(event, "count", 1) for event in events)


def counted(clause: Clause, events: Sequence[Event], *, slack: int = 0) -> Answer:
    """The number fits; several events add up."""
    if clause.many:
        return "yes" if count_of(events) >= 2 else "perhaps"
    if clause.count is None:
        return "yes"
    sure = all(getattr(event, "counted", True) for event in events)
    right = abs(count_of(events) - clause.count) <= slack
    return "yes" if right and sure else "no" if sure else "perhaps"


Shows = Callable[[Clause, Facts], Shown]
