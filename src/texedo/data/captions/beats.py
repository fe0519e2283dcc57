"""What is worth telling: events chosen, weighed, and cleared of doubles.

One movement often shows as several events: a jump forward is also travel forward and
arms thrown up. Here the telling one is kept. The rest are beats, in order of time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from texedo.data.events import (
    ArmRaise,
    Bow,
    Circle,
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

SHARED = 0.5
"""Part of the shorter event that must overlap for the two to be one movement."""
CLEAR_WAVES = 3
"""Fewer swings of a hand may be anything."""
LUNGE_SHIFT = 0.6
"""A lunge carries the body no further [m]; a walk with long strides does."""


@dataclass(frozen=True, kw_only=True)
class Beat:
    """An event to be told."""

    event: Event
    weight: float
    """How much a sentence would miss without it, 0 to about 1.3."""
    extra: Event | None = None
    """A second event that belongs to it: the bow of a squat, the travel of a circle."""


def find_beats(facts: Facts) -> list[Beat]:
    """The beats of a motion, in order of time."""
    events = [e for e in facts.events if not _is_double(e, facts)]
    found = [
        Beat(event=event, weight=weight, extra=_extra(event, facts))
        for event in events
        if (weight := _weight(event, facts)) > 0
    ]
    return sorted(_sways(found), key=lambda beat: (beat.event.start, -beat.weight))


def shares(a: Event, b: Event, part: float = SHARED, margin: float = 0.0) -> bool:
    """The two overlap by a good part of the shorter one."""
    overlap = min(a.end, b.end + margin) - max(a.start, b.start - margin)
    shortest = min(a.duration, b.duration + 2 * margin)
    return overlap > 0 and overlap >= part * shortest


E = TypeVar("E", bound=Event)


def _near(
    event: Event, facts: Facts, kind: type[E], margin: float = 0.0
) -> Iterator[E]:
    return (
        other
        for other in facts.of(kind)
        if other is not event and shares(event, other, margin=margin)
    )


def _is_double(event: Event, facts: Facts) -> bool:
    """Another event tells the same better."""
    test = _DOUBLES.get(type(event))
    return test is not None and test(event, facts)


def _double_travel(event: Event, facts: Facts) -> bool:
    assert isinstance(event, Travel)
    for jump in _near(event, facts, Jump, margin=0.6):
        if event.distance < 1.6 * jump.distance + 0.3:
            return True
    short = event.distance < LUNGE_SHIFT and any(_near(event, facts, Lunge))
    return short or any(_near(event, facts, Hop)) or any(_near(event, facts, Circle))


def _double_turn(event: Event, facts: Facts) -> bool:
    assert isinstance(event, Turn)
    if any(jump.turn for jump in _near(event, facts, Jump, margin=0.6)):
        return True
    if event.travelling and any(_near(event, facts, Circle)):
        return True
    return any(
        travel.veer == event.side and travel.direction.startswith("forward")
        for travel in _near(event, facts, Travel)
    )


def _double_raise(event: Event, facts: Facts) -> bool:
    assert isinstance(event, ArmRaise)
    if any(_near(event, facts, JumpingJack)):
        return True
    if event.level != "overhead" and any(_near(event, facts, Jump, margin=0.4)):
        return True
    running = any(t.gait == "run" for t in _near(event, facts, Travel))
    if running and event.level in ("chest", "shoulder"):
        return True
    others: list[Wave | HandToHead | Punch] = [
        *_near(event, facts, Wave),
        *_near(event, facts, HandToHead),
        *_near(event, facts, Punch),
    ]
    return any(
        event.side == other.side or "both" in (event.side, other.side)
        for other in others
    )


def _double_bow(event: Event, facts: Facts) -> bool:
    return any(_near(event, facts, Squat)) or any(_near(event, facts, Kick))


def _double_stoop(event: Event, facts: Facts) -> bool:
    kinds = (Bow, Squat, Kneel)
    return any(shares(event, other) for kind in kinds for other in facts.of(kind))


def _double_crouch(event: Event, facts: Facts) -> bool:
    if any(travel.low for travel in _near(event, facts, Travel)):
        return True
    return any(_near(event, facts, Kneel)) or any(_near(event, facts, Lunge))


def _double_knee(event: Event, facts: Facts) -> bool:
    return any(_near(event, facts, OneLeg)) or any(_near(event, facts, Hop))


def _double_one_leg(event: Event, facts: Facts) -> bool:
    kinds = (Travel, Kick, Hop)
    return any(shares(event, other) for kind in kinds for other in facts.of(kind))


def _double_kick(event: Event, facts: Facts) -> bool:
    return any(_near(event, facts, Hop)) or any(_near(event, facts, JumpingJack))


def _double_lean(event: Event, facts: Facts) -> bool:
    kinds = (Kick, Jump, Bow, Squat, Lunge, Stoop)
    return any(shares(event, other) for kind in kinds for other in facts.of(kind))


def _double_lunge(event: Event, facts: Facts) -> bool:
    strides = any(t.distance >= LUNGE_SHIFT for t in _near(event, facts, Travel))
    return strides or any(_near(event, facts, Kneel))


def _double_squat(event: Event, facts: Facts) -> bool:
    return any(_near(event, facts, Lunge)) or any(_near(event, facts, Kneel))


def _double_hip(event: Event, facts: Facts) -> bool:
    """The same hand does something else meanwhile."""
    assert isinstance(event, HandOnHip)
    others: list[ArmRaise | Wave | HandToHead] = [
        *_near(event, facts, ArmRaise),
        *_near(event, facts, Wave),
        *_near(event, facts, HandToHead),
    ]
    return any(
        event.side == other.side or "both" in (event.side, other.side)
        for other in others
    )


def _double_wave(event: Event, facts: Facts) -> bool:
    """A hand at the head that moves is at the head."""
    assert isinstance(event, Wave)
    heads = _near(event, facts, HandToHead)
    return any(same_hand(event, head) for head in heads) or _double_hands(event, facts)


def same_hand(a: Event, b: Event) -> bool:
    """Both events are about one hand, or one of them about both."""
    hands = ArmRaise | Wave | HandToHead | HandOnHip | Punch | Gesture
    if not (isinstance(a, hands) and isinstance(b, hands)):
        return False
    return a.side == b.side or "both" in (a.side, b.side)


def _double_hands(event: Event, facts: Facts) -> bool:
    kinds = (JumpingJack, Jump, Punch)
    return any(shares(event, other) for kind in kinds for other in facts.of(kind))


_DOUBLES: dict[type[Event], Callable[[Event, Facts], bool]] = {
    Travel: _double_travel,
    Turn: _double_turn,
    ArmRaise: _double_raise,
    Bow: _double_bow,
    Stoop: _double_stoop,
    Squat: _double_squat,
    Crouch: _double_crouch,
    KneeRaise: _double_knee,
    OneLeg: _double_one_leg,
    Kick: _double_kick,
    Lean: _double_lean,
    Lunge: _double_lunge,
    Wave: _double_wave,
    Clap: _double_hands,
    HandOnHip: _double_hip,
    HandToHead: _double_hands,
}

_WEIGHTS: dict[type[Event], float] = {
    Circle: 1.3,
    Jump: 1.1,
    JumpingJack: 1.3,
    Hop: 1.2,
    Squat: 1.0,
    Lunge: 0.8,
    Kneel: 0.9,
    Crouch: 0.6,
    Bow: 0.75,
    Stoop: 0.4,
    Lean: 0.35,
    Twist: 0.5,
    Wave: 0.6,
    Punch: 0.5,
    Clap: 0.4,
    HandOnHip: 0.5,
    HandToHead: 0.5,
    Kick: 1.0,
    KneeRaise: 0.6,
    OneLeg: 0.7,
    Gesture: 0.2,
}
_RAISE_WEIGHTS = {"overhead": 0.7, "head": 0.5, "shoulder": 0.42, "chest": 0.22}


def _weight(event: Event, facts: Facts) -> float:
    if isinstance(event, Travel):
        return 0.3 + 0.7 * min(event.distance / 2.0, 1.0)
    if isinstance(event, Turn):
        return 0.4 + 0.5 * min(event.angle / 180.0, 1.0)
    if isinstance(event, ArmRaise):
        return _RAISE_WEIGHTS[event.level]
    if isinstance(event, Still):
        whole = event.duration / facts.duration
        return 1.0 if whole > 0.8 else 0.3 if event.duration >= 1.3 else 0.0
    if isinstance(event, Wave) and event.count < CLEAR_WAVES:
        return 0.3
    if isinstance(event, Punch):
        return min(0.4 + 0.1 * event.count, 0.9)
    if isinstance(event, Bow) and any(_near(event, facts, Travel)):
        return 0.5
    if isinstance(event, Gesture):
        arms = (ArmRaise, Wave, Punch, HandToHead, HandOnHip, Clap)
        idle = facts.distance < 0.8 and not any(facts.has(kind) for kind in arms)
        return _WEIGHTS[Gesture] if idle else 0.0
    return _WEIGHTS[type(event)]


def _extra(event: Event, facts: Facts) -> Event | None:
    """The event that colours this one."""
    if isinstance(event, Squat):
        return next(_near(event, facts, Bow), None)
    if isinstance(event, Circle):
        travels = _near(event, facts, Travel)
        return max(travels, key=lambda travel: travel.distance, default=None)
    if isinstance(event, Travel):
        later = [e for e in facts.of(Still) if 0 <= e.start - event.end < 0.8]
        return later[0] if later else None
    if isinstance(event, OneLeg):
        return next(_near(event, facts, KneeRaise), None)
    if isinstance(event, KneeRaise):
        return next(_near(event, facts, Travel), None)
    if isinstance(event, Punch):
        other = (p for p in facts.of(Punch) if p.side != event.side)
        return next((p for p in other if 0 <= p.start - event.start < 2.0), None)
    return None


def _sways(beats: list[Beat]) -> list[Beat]:
    """Leans to both sides are one sway, told at the first of them."""
    leans = [beat for beat in beats if isinstance(beat.event, Lean)]
    sides = {beat.event.side for beat in leans if isinstance(beat.event, Lean)}
    if len(sides) < 2:
        return beats
    others = [beat for beat in beats if beat not in leans]
    first = min(leans, key=lambda beat: beat.event.start)
    last = max(leans, key=lambda beat: beat.event.end)
    whole = replace(first.event, end=last.event.end)
    return [*others, Beat(event=whole, weight=0.4, extra=last.event)]
