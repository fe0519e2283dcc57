"""What a motion does beside what was asked for, where that spoils it."""

from __future__ import annotations

from texedo.data.captions.reader.types import Wanted
from texedo.data.events import ArmRaise, Facts, Kick, Punch, Travel, Turn, Wave

OPPOSITE_TURN = 45.0
"""Turning that far to the other side is a second turn [degrees]."""
WALKS_OFF = 1.0
"""Who goes further does not stay where he is [m]."""
_TURNING = frozenset({"turn", "circle", "twist", "sway"})
_GOING = frozenset({"walk", "run", "move", "circle", "jump", "hop", "march", "lunge"})
_ARMS = frozenset({"arm", "wave", "head", "punch", "gesture", "clap", "hips", "jack"})


def contradicting_extras(wanted: Wanted, facts: Facts) -> tuple[str, ...]:
    """Reasons why more was done than was asked for."""
    actions = {clause.action for clause in wanted.clauses if not clause.negated}
    if "other" in actions or not actions:
        return ()
    found = [
        _other_turn(wanted, facts),
        _other_arm(wanted, facts, actions),
        _other_leg(wanted, facts),
        _walks_off(wanted, facts, actions),
    ]
    return tuple(reason for reason in found if reason)


def _other_turn(wanted: Wanted, facts: Facts) -> str:
    turns = [c for c in wanted.clauses if c.action in _TURNING]
    sides = {clause.side for clause in turns}
    if not turns or len(sides) != 1 or not sides <= {"left", "right"}:
        return ""
    if any(
        c.direction and set(c.direction.split("-")) & {"left", "right"}
        for c in wanted.clauses
    ):
        return ""  # fmt: skip
    wrong = sum(t.angle for t in facts.of(Turn) if t.side not in sides)
    return "also turns the other way" if wrong > OPPOSITE_TURN else ""


def _other_arm(wanted: Wanted, facts: Facts, actions: set[str]) -> str:
    arms = [c for c in wanted.clauses if c.action in _ARMS]
    sides = {clause.side for clause in arms}
    if not arms or len(sides) != 1 or not sides <= {"left", "right"}:
        return ""
    (asked,) = sides
    if actions & {"jump", "hop", "jack", "run"}:
        return ""
    for event in facts.of_any((Wave, Punch, ArmRaise)):
        if isinstance(event, Wave | Punch):
            raised = event.side in ({"left", "right"} - {asked})
        elif isinstance(event, ArmRaise):
            high = event.level in ("shoulder", "head", "overhead")
            raised = high and event.side != asked
        else:
            continue
        if raised:
            return "also uses the other arm"
    return ""


def _other_leg(wanted: Wanted, facts: Facts) -> str:
    kicks = [c.side for c in wanted.clauses if c.action == "kick"]
    if len(set(kicks)) != 1 or not set(kicks) <= {"left", "right"}:
        return ""
    wrong = [k for k in facts.of(Kick) if k.side not in kicks]
    return "also kicks with the other leg" if wrong else ""


def _walks_off(wanted: Wanted, facts: Facts, actions: set[str]) -> str:
    if actions & _GOING or wanted.unread:
        return ""
    far = sum(t.distance for t in facts.of(Travel))
    return "walks off" if far > WALKS_OFF and facts.distance > WALKS_OFF else ""
