"""`check`: whether a motion does what a sentence asks for, all of it and in order."""

from __future__ import annotations

from dataclasses import replace

from texedo.data.captions.reader import limbs, travels
from texedo.data.captions.reader.evidence import Shown, Shows, count_of, sided, worst
from texedo.data.captions.reader.extras import contradicting_extras
from texedo.data.captions.reader.types import Answer, Clause, Verdict, Wanted
from texedo.data.events import Crouch, Event, Facts, Still, Stoop, Travel

TOLERANCE = 0.35
"""Who is first of two that begin within this time is anybody's guess [s]."""
_SHOWS: dict[str, Shows] = {
    "knee": limbs.knee,
    "march": limbs.march,
    "bend": limbs.bend,
    "squat": limbs.low,
    "crouch": limbs.low,
    "jump": limbs.jump,
    "hop": limbs.hop,
    "gesture": limbs.gesture,
    "still": limbs.still,
    "stop": limbs.stop,
    "stand": limbs.stand,
    "recover": limbs.recover,
    "walk": travels.travel,
    "run": travels.travel,
    "move": travels.travel,
    "turn": travels.turn,
    "circle": travels.circle,
}


def check(wanted: Wanted, facts: Facts, *, extras: bool = True) -> Verdict:
    """The verdict on a motion; without `extras` it may do more than was asked for.

    A sentence about a motion need not tell everything; an order is not followed by one
    who also does the opposite.
    """
    clauses = _summed(wanted.clauses)
    shows = show_clause if extras else _show_any
    shown = [shows(clause, facts) for clause in clauses]
    reasons = [s.reason for s in shown if s.reason and s.answer != "yes"]
    answers = [s.answer for s in shown]
    order = _order(clauses, shown)
    if order != "yes":
        reasons.append("order")
    more = contradicting_extras(wanted, facts) if extras else ()
    reasons += more
    if wanted.unread:
        reasons.append(f"unread: {' '.join(wanted.unread)}")
    vague = bool(wanted.unread) or not _says_something(wanted)
    overall = worst([*answers, order, "no" if more else "perhaps" if vague else "yes"])
    return Verdict(
        answer=overall, clauses=tuple(answers), reasons=tuple(dict.fromkeys(reasons))
    )


def _says_something(wanted: Wanted) -> bool:
    return any(c.action not in ("recover", "stand", "other") for c in wanted.clauses)


def show_clause(clause: Clause, facts: Facts) -> Shown:
    """What speaks for one clause."""
    if clause.action == "other":
        return Shown("perhaps", (), "nobody can measure it")
    shows = _SHOWS.get(clause.action, limbs.limb)
    if not clause.negated:
        shown = shows(clause, facts)
        softer = clause.unsure and shown.answer == "no"
        return replace(shown, answer="perhaps") if softer else shown
    done = shows(replace(clause, negated=False), facts).answer
    opposite: dict[Answer, Answer] = {"yes": "no", "no": "yes", "perhaps": "perhaps"}
    return Shown(opposite[done], (), f"{clause.action}: done all the same")


def _show_any(clause: Clause, facts: Facts) -> Shown:
    """As `show_clause`, but a number may be that of one of several events."""
    shown = show_clause(clause, facts)
    if clause.count is None or clause.negated or shown.answer != "no":
        return shown
    for event in show_clause(replace(clause, count=None), facts).events:
        others = {id(e) for e in facts.events if type(e) is type(event)} - {id(event)}
        events = tuple(e for e in facts.events if id(e) not in others)
        alone = show_clause(clause, replace(facts, events=events))
        if alone.answer != "no":
            return alone
    return shown


def _summed(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Several clauses of one action and side ask for the sum of their numbers.

    "Jumps twice, turns, and jumps once" is three jumps. Steps are told per walk.
    """
    result = []
    for clause in clauses:
        same = [
            c
            for c in clauses
            if c.action == clause.action and not c.negated and _overlap(c, clause)
        ]
        if len(same) > 1 and clause.action not in ("walk", "run", "move", "turn"):
            known = all(c.count is not None for c in same)
            total = sum(c.count or 0 for c in same) if known else None
            clause = replace(clause, count=total)
        result.append(clause)
    return tuple(result)


def _overlap(a: Clause, b: Clause) -> bool:
    return a.side is None or b.side is None or a.side == b.side


def _order(clauses: tuple[Clause, ...], shown: list[Shown]) -> Answer:
    """The clauses can have happened one after the other as they are told."""
    if _follows(clauses, shown, strict=False):
        return "yes"
    return "perhaps" if _follows(clauses, shown, strict=True) else "no"


def _follows(clauses: tuple[Clause, ...], shown: list[Shown], *, strict: bool) -> bool:
    """Times can be found; if `strict`, only for what is told to come "then"."""
    now, last = float("-inf"), None
    for clause, proof in zip(clauses, shown, strict=True):
        events = [e for e in proof.events if sided(e, clause.side)] or [*proof.events]
        if not events or clause.negated or clause.link == "while":
            continue
        if clause.link == "and" and strict:
            continue
        again = last is not None and last.action == clause.action
        times = [t for e in events if (t := _time(e, now, again=again)) is not None]
        if not times:
            return False
        now, last = min(times), clause
    return True


def _time(event: Event, now: float, *, again: bool) -> float | None:
    """When the event can have been noticed, not before `now`."""
    earliest = event.start - TOLERANCE
    lasting = isinstance(event, Travel | Still | Crouch | Stoop)
    repeats = count_of((event,)) > 1
    latest = event.end - TOLERANCE if lasting or repeats else event.start + TOLERANCE
    if again and now > earliest and not (lasting or repeats):
        return None
    return max(earliest, now) if now <= max(latest, event.start + TOLERANCE) else None
