"""How often each of several deeds is done in all.

A step must fit into a part of the motion, and a part can be cut so that it has as many
jumps as were asked for. Whoever is asked to step back four times and stop does not go on
to a sixth step.
"""

from __future__ import annotations

from collections.abc import Sequence

from texedo.data.captions.activities.rules import Rule, all_of, parse
from texedo.data.captions.reader import Clause, Wanted

_COUNTED = {
    "jump": "jump(COUNT)",
    "hop": "hop(SIDE, COUNT)",
    "jack": "jacks(COUNT)",
    "clap": "clap(COUNT)",
    "kick": "kick(SIDE, any, COUNT)",
    "knee": "knee_raise(SIDE, COUNT)",
    "punch": "punch(SIDE, COUNT)",
    "lunge": "lunge(SIDE, COUNT)",
    "squat": "squat(COUNT)",
    "bend": "bow(COUNT)",
    "arm": "raises(SIDE, COUNT)",
}
_ONCE = frozenset("kick lunge squat bend arm".split())
"""Among other things these are done once, unless it is said how often."""
_STEPS = frozenset(("walk", "run", "move"))
_FEET = _STEPS | frozenset(
    "turn circle jump hop jack march lunge kick knee other".split()
)
"""Actions in which feet are set down."""


def often_of(wanted: Wanted) -> Rule | None:
    """What is counted in the motion as a whole; None where there is one thing to do, or
    nothing to count."""
    clauses = [clause for clause in wanted.clauses if not clause.negated]
    if len(clauses) < 2:
        return None
    found = [
        _rule(clause, [other for other in clauses if other is not clause])
        for clause in clauses
    ]
    rules = [parse(text) for text in found if text]
    return all_of(*rules) if rules else None


def _rule(clause: Clause, others: Sequence[Clause]) -> str:
    """As text; empty if nobody can say how often."""
    count = clause.count or (1 if _is_once(clause) else 0)
    if not count or clause.unsure or clause.angles:
        return ""
    if clause.action in _STEPS:
        alone = all(other.action not in _FEET for other in others)
        return f"steps({count})" if alone and not clause.in_place else ""
    made = _COUNTED.get(clause.action)
    same = [other for other in others if other.action == clause.action]
    if made is None or any(not _other_side(clause, other) for other in same):
        return ""
    side = clause.side if clause.side in ("left", "right", "both") else "either"
    return made.replace("SIDE", side).replace("COUNT", str(count))


def _is_once(clause: Clause) -> bool:
    if clause.many or clause.action not in _ONCE:
        return False
    words = set(clause.text.split())
    if clause.action == "bend":
        return "bow" in words
    if clause.action == "arm":
        return "raise" in words and clause.side in ("left", "right")
    return True


def _other_side(one: Clause, other: Clause) -> bool:
    return {one.side, other.side} == {"left", "right"}
