"""Clauses about arms, legs and the upper body, against what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from texedo.data.captions.reader import travels
from texedo.data.captions.reader.evidence import (
    KINDS,
    NEAR,
    Shown,
    counted,
    no,
    of_kinds,
    on_side,
    worst,
)
from texedo.data.captions.reader.types import Answer, Clause
from texedo.data.events import (
    ArmRaise,
    Bow,
    Crouch,
    Event,
    Facts,
    Gesture,
    Hop,
    Jump,
    KneeRaise,
    OneLeg,
    Squat,
    Still,
    Stoop,
    Travel,
)

LEVELS = ("waist", "chest", "shoulder", "head", "overhead")
BENT_HEIGHT = 0.86
"""A pelvis that was lower than this has bent something, over its standing height."""
BUSY_HAND = 0.5
"""A hand with a longer path may have done anything [m]."""
STAY = 1.0
"""Who stands goes no further [m]."""
WANDER = 2.0
"""Who goes further does not stand [m]."""


def limb(clause: Clause, facts: Facts) -> Shown:
    """Any action that shows as events of its own, with a side and a number."""
    near = of_kinds(facts, NEAR.get(clause.action, ()))
    events = of_kinds(facts, KINDS[clause.action])
    if not events:
        if near and (on_side(near, clause.side)[0] != "no" or clause.side == "both"):
            return Shown(
                "perhaps", tuple(near), f"{clause.action}: only something like it"
            )
        if clause.action == "sway" or _curves(clause, facts):
            return Shown("perhaps", (), f"{clause.action}: not seen")
        return no(f"{clause.action}: not done")
    side, found = on_side(events, clause.side)
    if side == "no" and clause.side == "both" and clause.action in ("wave", "punch"):
        # "Hands jab" is said of one hand as well.
        return Shown("perhaps", tuple(events), f"{clause.action}: with one hand only")
    if side == "no":
        return no(f"{clause.action}: not {clause.side}")
    raises = [event for event in found if isinstance(event, ArmRaise)]
    number = counted(clause, raises if clause.action == "arm" and raises else found)
    answer = worst((side, number, _high(clause, found), _fast(clause)))
    why = "" if answer == "yes" else f"{clause.action}: not as asked for"
    return Shown(answer, tuple(found), why)


def _curves(clause: Clause, facts: Facts) -> bool:
    """ "Bends right" may be said of a path."""
    return clause.action == "lean" and "bend" in clause.text and facts.has(Travel)


def _high(clause: Clause, events: Sequence[Event]) -> Answer:
    """A hand gets as high as was asked; one level more or less is a matter of words."""
    raises = [e for e in events if isinstance(e, ArmRaise)]
    if clause.level is None or not raises:
        return "yes"
    wanted = LEVELS.index(clause.level)
    off = min(abs(LEVELS.index(event.level) - wanted) for event in raises)
    return "yes" if off == 0 else "perhaps" if off == 1 else "no"


def _fast(clause: Clause) -> Answer:
    """A punch is always fast; the speed of other limbs is not measured."""
    punched = clause.action == "punch" and clause.speed == "fast"
    return "yes" if clause.speed is None or punched else "perhaps"


def gesture(clause: Clause, facts: Facts) -> Shown:
    events = of_kinds(facts, KINDS["gesture"])
    side, found = on_side(events, clause.side)
    busy = max(facts.hand_path) if clause.side is None else _path(clause.side, facts)
    if side == "yes":
        return Shown("yes", tuple(found))
    if busy > BUSY_HAND or events:
        return Shown("perhaps", (), "gesture: not clear")
    return no("gesture: the hands are at rest")


def _path(side: str, facts: Facts) -> float:
    left, right = facts.hand_path
    return {"left": left, "right": right, "both": min(left, right)}.get(
        side, max(left, right)
    )


def knee(clause: Clause, facts: Facts) -> Shown:
    """A lifted knee; the standing leg of a balance lifts the other one."""
    shown = limb(clause, facts)
    if shown.answer != "no":
        return shown
    lifted = [e for e in facts.of(OneLeg) if e.side != clause.side]
    return (
        Shown("perhaps", tuple(lifted), "knee: stands on one leg") if lifted else shown
    )


def march(clause: Clause, facts: Facts) -> Shown:
    knees = list(facts.of(KneeRaise))
    if knees and facts.displacement < WANDER:
        return Shown("yes", tuple(knees))
    if facts.steps >= 4 and facts.displacement < WANDER:
        return Shown("perhaps", (), "march: low knees")
    return no("march: no steps in place")


def bend(clause: Clause, facts: Facts) -> Shown:
    events = [*facts.of(Bow), *facts.of(Stoop)]
    low = [*facts.of(Squat), *facts.of(Crouch)]
    down = "down" in clause.text or "stoop" in clause.text or "duck" in clause.text
    if not events and down and low:
        return Shown(counted(clause, low), tuple(low), "")
    if events:
        number = counted(clause, [e for e in events if isinstance(e, Bow)] or events)
        if number == "no" and low and counted(clause, low) == "yes":
            number = "yes"
        return Shown(number, tuple(events), "" if number == "yes" else "bend: number")
    if low or facts.lowest < BENT_HEIGHT:
        return Shown("perhaps", tuple(low), "bend: bends the knees")
    return no("bend: stays upright")


def low(clause: Clause, facts: Facts) -> Shown:
    """Squats and crouches, also on the way."""
    creeps = [t for t in facts.of(Travel) if t.low]
    if clause.action == "crouch" and creeps:
        return Shown("yes", tuple(creeps))
    if clause.action == "squat" and (clause.count is not None or clause.many):
        squats = list(facts.of(Squat))
        number = counted(clause, squats) if squats else "no"
        if number != "no":
            return Shown(number, tuple(squats))
        return no("squat: another number")
    shown = limb(replace(clause, count=None), facts)
    if shown.answer == "no" and facts.lowest < BENT_HEIGHT:
        return Shown("perhaps", (), f"{clause.action}: gets a little lower")
    return shown


def jump(clause: Clause, facts: Facts) -> Shown:
    """Jumps on both feet; "hops" may be on one."""
    jumps: list[Event] = [*facts.of(Jump)]
    if "hop" in clause.text or "bounce" in clause.text or not jumps:
        jumps += list(facts.of(Hop))
    if not jumps:
        return limb(clause, facts)
    number, way = counted(clause, jumps), _aimed(clause, jumps)
    if clause.side is not None or clause.angles:
        way = travels.turn(replace(clause, count=None), facts).answer
    answer = worst((number, way, "yes" if clause.speed is None else "perhaps"))
    if clause.foot is not None:
        answer = worst((answer, "perhaps"))
    why = "" if answer == "yes" else "jump: another number or direction"
    return Shown(answer, tuple(jumps), why)


def hop(clause: Clause, facts: Facts) -> Shown:
    shown = limb(replace(clause, direction=None), facts)
    if shown.answer == "no":
        return shown
    answer = worst((shown.answer, _aimed(clause, shown.events)))
    return replace(shown, answer=answer)


def _aimed(clause: Clause, events: Sequence[Event]) -> Answer:
    """Jumps that go where they were asked to."""
    if clause.in_place:
        far = sum(getattr(event, "distance", 0.0) for event in events)
        return "yes" if far < STAY else "no"
    if clause.direction is None:
        return "yes"
    ways = {getattr(event, "direction", None) for event in events}
    wanted = set(clause.direction.split("-"))
    if clause.direction in ("sideways", "diagonal"):
        wanted = {"left", "right"}
    if any(way is not None and wanted & set(way.split("-")) for way in ways):
        return "yes"
    return "perhaps" if ways == {None} else "no"


def still(clause: Clause, facts: Facts) -> Shown:
    rests = tuple(facts.of(Still))
    if rests:
        return Shown("yes", rests)
    if facts.distance > WANDER and "stand" in clause.text:
        return Shown("perhaps", (), "still: hardly rests")
    if facts.distance < STAY and not facts.has(Gesture) and len(facts.events) < 2:
        return Shown("yes")
    return Shown("perhaps", (), "still: no rest seen")


def stop(clause: Clause, facts: Facts) -> Shown:
    rests = tuple(e for e in facts.of(Still) if e.start > 0.2)
    return Shown("yes", rests) if rests else Shown("perhaps", (), "stop: no rest seen")


def stand(clause: Clause, facts: Facts) -> Shown:
    return Shown("yes")


def recover(clause: Clause, facts: Facts) -> Shown:
    """Coming up again, arms that go down: a part of what came before."""
    return Shown("yes")
