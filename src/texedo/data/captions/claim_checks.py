"""Tests of measured facts that claims of sentences are made of."""

from __future__ import annotations

from collections.abc import Callable

from texedo.data.events import (
    ArmRaise,
    Bow,
    Circle,
    Clap,
    Event,
    Facts,
    Gesture,
    Hop,
    Jump,
    JumpingJack,
    Kick,
    Kneel,
    KneeRaise,
    Lean,
    Lunge,
    Punch,
    Squat,
    Still,
    Stoop,
    Travel,
    Turn,
    Twist,
    Wave,
)

Test = Callable[[Facts], bool]

SLIGHT_TURN = 6.0
"""Who writes "a hair to the left" means this much [degrees]."""
PAUSE = 0.3
"""Without travel for so long, somebody stands or waits [s]."""
STEP_RATE = 2.2
"""More steps a second are quick ones, or hops too low to be flights."""


def has(*kinds: type[Event]) -> Test:
    return lambda facts: any(facts.has(kind) for kind in kinds)


def either(*tests: Test) -> Test:
    return lambda facts: any(test(facts) for test in tests)


def travels(facts: Facts, *, ways: tuple[str, ...] = ()) -> bool:
    return any(
        not ways or any(way in travel.direction for way in ways)
        for travel in facts.of(Travel)
    )


def jumps(facts: Facts, *, ways: tuple[str, ...] = ()) -> bool:
    return any(
        jump.direction is not None and any(way in jump.direction for way in ways)
        for jump in facts.of(Jump)
    ) or any(
        hop.direction is not None and any(way in hop.direction for way in ways)
        for hop in facts.of(Hop)
    )


def goes(*ways: str) -> Test:
    return lambda facts: travels(facts, ways=ways) or jumps(facts, ways=ways)


flies = has(Jump, Hop, JumpingJack)


def turns(facts: Facts) -> bool:
    air = any(jump.turn for jump in facts.of(Jump))
    veers = any(travel.veer for travel in facts.of(Travel))
    return air or veers or facts.has(Turn) or facts.has(Circle)


def turns_slightly(facts: Facts) -> bool:
    return turns(facts) or facts.has(Twist) or abs(facts.turned) >= SLIGHT_TURN


def turns_to(side: str) -> Test:
    def check(facts: Facts) -> bool:
        return (
            any(turn.side == side for turn in facts.of(Turn))
            or any(jump.turn == side for jump in facts.of(Jump))
            or any(travel.veer == side for travel in facts.of(Travel))
            or any(circle.side == side for circle in facts.of(Circle))
        )

    return check


def turns_slightly_to(side: str) -> Test:
    sign = 1 if side == "left" else -1
    return either(
        turns_to(side),
        lambda facts: sign * facts.turned >= SLIGHT_TURN,
        has(Twist),
    )


def to_side(side: str) -> Test:
    return either(turns_to(side), goes(side))


def sides(facts: Facts) -> set[str]:
    return {side for e in facts.events if (side := getattr(e, "side", None))}


def something_on(side: str) -> Test:
    """A lean, a hand, a foot, a turn or a way to that side."""
    return either(
        to_side(side),
        turns_slightly_to(side),
        lambda facts: bool(sides(facts) & {side, "both"}),
    )


def limb(side: str) -> Test:
    """Something on that side moves, or nothing is known to move on the other alone."""

    def check(facts: Facts) -> bool:
        kinds = ArmRaise | Wave | Punch | Kick | KneeRaise | Lunge | Kneel | Hop
        sides: set[str] = {e.side for e in facts.events if isinstance(e, kinds)}
        return not sides or bool(sides & {side, "both"})

    return check


def fastest(facts: Facts) -> float:
    return max((travel.speed for travel in facts.of(Travel)), default=0.0)


def slowest(facts: Facts) -> float:
    return min((travel.speed for travel in facts.of(Travel)), default=0.0)


def steps_quickly(facts: Facts) -> bool:
    return facts.steps > STEP_RATE * facts.duration


def lows(facts: Facts) -> bool:
    return facts.lowest < 0.86 or facts.has(Bow) or facts.has(Stoop)


def bends(facts: Facts) -> bool:
    """Also at the knees, to a side, or along the path."""
    return (
        lows(facts)
        or facts.lowest < 0.95
        or has(Lean, Jump, Lunge, KneeRaise, ArmRaise)(facts)
        or turns_slightly(facts)
    )


def pauses(facts: Facts) -> bool:
    """There is a time without travel: at the start, between two ways, or at the end."""
    if facts.has(Still):
        return True
    at = 0.0
    for travel in facts.of(Travel):
        if travel.start - at >= PAUSE:
            return True
        at = max(at, travel.end)
    return facts.duration - at >= PAUSE


def is_quick(facts: Facts) -> bool:
    sudden = has(Punch, Kick, Jump, Hop, JumpingJack, Turn, Squat, Clap, KneeRaise)
    hands = any(gesture.speed > 0.6 for gesture in facts.of(Gesture))
    return sudden(facts) or hands or facts.steps > 1.2 * facts.duration
