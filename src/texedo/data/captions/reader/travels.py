"""Clauses about going somewhere and turning, against what was measured."""

from __future__ import annotations

from collections.abc import Sequence

from texedo.data.captions.phrases.travel import pace
from texedo.data.captions.reader.evidence import Shown, no, worst
from texedo.data.captions.reader.types import Answer, Clause
from texedo.data.events import Circle, Event, Facts, Jump, Side, Travel, Turn, Twist

EXACT_STEPS = 6
"""Up to here steps are counted exactly, beyond one more or less will do."""
SURE_ANGLE, SURE_PART = 30.0, 0.2
"""An angle this near is the one that was asked for [degrees, -]."""
FAR_ANGLE, FAR_PART, MOST_ANGLE = 35.0, 0.3, 60.0
"""One that is further off is another."""
TURNED = 25.0
"""A net change of facing that counts as a turn [degrees]."""
RUN_SPEED = 1.1
"""A faster walk may be called a run [m/s]."""
BENDS = 60.0
"""A path that turns more is not straight [degrees]."""


def travel(clause: Clause, facts: Facts) -> Shown:
    travels = list(facts.of(Travel))
    if clause.in_place:
        calm = facts.displacement < 1.0
        return Shown("yes" if calm else "no", tuple(travels), "" if calm else "travels")
    if not travels:
        if facts.steps >= 2 or facts.distance > 0.4:
            return Shown("perhaps", (), "walk: hardly gets anywhere")
        return no("walk: goes nowhere")
    found = [t for t in travels if _goes(t, clause.direction)]
    if not found:
        return _elsewhere(clause, facts, travels)
    answers: dict[str, Answer] = {
        "gait": _gait(clause, found),
        "steps": _steps(clause, found, facts),
        "speed": _speed(clause, found),
        "distance": _distance(clause, found, facts),
        "straight": _straight(clause, found),
        "foot": "yes" if clause.foot is None else "perhaps",
    }
    answer = worst(answers.values())
    wrong = [name for name, value in answers.items() if value == answer]
    reason = "" if answer == "yes" else f"{clause.action}: {', '.join(wrong)}"
    return Shown(answer, tuple(found), reason)


def _goes(travel: Travel, direction: str | None) -> bool:
    parts = set(travel.direction.split("-"))
    if direction is None:
        return True
    if direction == "sideways":
        return bool(parts & {"left", "right"})
    if direction == "diagonal":
        return len(parts) == 2
    wanted = direction.split("-")
    if len(wanted) == 1:
        return wanted[0] in parts
    bends = travel.veer == wanted[1] and wanted[0] in parts
    return set(wanted) == parts or bends


def _elsewhere(clause: Clause, facts: Facts, travels: list[Travel]) -> Shown:
    """No travel goes there; "to the left" may have meant a turn."""
    wanted = (clause.direction or "").split("-")
    if clause.direction == "diagonal":
        return Shown("perhaps", tuple(travels), "walk: not diagonal")
    parts = {part for t in travels for part in t.direction.split("-")}
    side = next((w for w in wanted if w in ("left", "right")), None)
    if side is not None and (len(wanted) == 1 or wanted[0] in parts):
        if side in parts or _turned_to(side, facts) > TURNED:
            return Shown("perhaps", tuple(travels), f"walk: to the {side} by a turn")
    return no(f"walk: not {clause.direction}")


def _gait(clause: Clause, travels: Sequence[Travel]) -> Answer:
    runs = any(t.gait == "run" for t in travels)
    if clause.action == "run" and not runs:
        return "perhaps" if max(t.speed for t in travels) > RUN_SPEED else "no"
    if clause.action == "walk" and all(t.gait == "run" for t in travels):
        # "Steps" and "strides" are said of runs as well.
        return "no" if "walk" in clause.text else "perhaps"
    return "yes"


def _steps(clause: Clause, travels: Sequence[Travel], facts: Facts) -> Answer:
    number = clause.count
    if number is None:
        return "yes"
    slack = 0 if number <= EXACT_STEPS else 1
    sums = {t.steps for t in travels} | {sum(t.steps for t in travels)}
    if any(abs(total - number) <= slack for total in sums):
        return "yes"
    # Where a walk begins and ends is a matter of half a step on either side.
    alone = len(list(facts.of(Travel))) == 1
    near = alone and abs(facts.steps - number) <= slack
    return "perhaps" if near else "no"


def _speed(clause: Clause, travels: Sequence[Travel]) -> Answer:
    if clause.speed is None:
        return "yes"
    paces = [pace(t) for t in travels]
    if clause.speed in paces:
        return "yes"
    if clause.speed == "fast" and any(t.gait == "run" for t in travels):
        return "yes"
    return "perhaps" if "normal" in paces else "no"


def _distance(clause: Clause, travels: Sequence[Travel], facts: Facts) -> Answer:
    if clause.distance is None:
        return "yes"
    ways = [*(t.distance for t in travels), facts.distance, facts.displacement]
    off = min(abs(way - clause.distance) for way in ways)
    near = max(0.35, 0.2 * clause.distance)
    return "yes" if off <= near else "perhaps" if off <= 2 * near else "no"


def _straight(clause: Clause, travels: Sequence[Travel]) -> Answer:
    if not clause.straight:
        return "yes"
    if any(t.straight or t.veer is None for t in travels):
        return "yes"
    return "no" if min(t.veer_angle for t in travels) > BENDS else "perhaps"


def turn(clause: Clause, facts: Facts) -> Shown:
    """Turns on the spot, in the air, along a path; each event or all together."""
    spans = _turns(facts)
    side = clause.side if clause.side in ("left", "right") else None
    found = [(event, angle) for event, way, angle in spans if side in (None, way)]
    events = tuple(event for event, _ in found)
    if not found:
        return _unseen(side, facts, other=bool(spans), slight=clause.slight)
    answer: Answer = "yes"
    angles = tuple((clause.count or 1) * angle for angle in clause.angles)
    if angles:
        answer = _angle(angles, found, facts, side)
        if answer == "yes":
            events = _fitting(angles, found) or events
    elif clause.count is not None and clause.count != len(found):
        answer = worst((answer, "perhaps"))
    if clause.speed is not None:
        answer = worst((answer, "perhaps"))
    return Shown(answer, events, "" if answer == "yes" else "turn: another angle")


def _turns(facts: Facts) -> list[tuple[Event, Side, float]]:
    spans: list[tuple[Event, Side, float]] = []
    for event in facts.of_any((Turn, Travel, Circle, Jump)):
        if isinstance(event, Turn):
            spans.append((event, event.side, event.angle))
        elif isinstance(event, Travel) and event.veer is not None:
            spans.append((event, event.veer, event.veer_angle))
        elif isinstance(event, Circle):
            spans.append((event, event.side, 360 * event.laps))
        elif isinstance(event, Jump) and event.turn is not None:
            spans.append((event, event.turn, event.turn_angle))
    return spans


def _turned_to(side: str, facts: Facts) -> float:
    """How far it turns to a side in all, or net [degrees]."""
    net = facts.turned if side == "left" else -facts.turned
    return max(net, *(a for _, s, a in _turns(facts) if s == side), 0.0)


def _unseen(side: str | None, facts: Facts, *, other: bool, slight: bool) -> Shown:
    net = abs(facts.turned)
    if side is not None:
        net = facts.turned if side == "left" else -facts.turned
    if (
        net > TURNED
        or (slight and net > -TURNED)
        or (facts.has(Twist) and side is None)
    ):
        return Shown("perhaps" if net <= TURNED else "yes", (), "turn: only a little")
    return no(f"turn: {'the other way' if other else 'does not turn'}")


def _near(angle: float, wanted: Sequence[float]) -> Answer:
    off = min(abs(angle - want) for want in wanted)
    want = min(wanted, key=lambda w: abs(angle - w))
    if off <= max(SURE_ANGLE, SURE_PART * want):
        return "yes"
    far = min(max(FAR_ANGLE, FAR_PART * want), MOST_ANGLE)
    return "perhaps" if off <= far else "no"


def _fitting(
    angles: Sequence[float], found: Sequence[tuple[Event, float]]
) -> tuple[Event, ...]:
    return tuple(event for event, angle in found if _near(angle, angles) == "yes")


def _angle(
    angles: Sequence[float],
    found: Sequence[tuple[Event, float]],
    facts: Facts,
    side: str | None,
) -> Answer:
    """A single turn fits, all turns to the side do, or the change of facing does."""
    net = abs(facts.turned)
    if side is not None:
        net = facts.turned if side == "left" else -facts.turned
    turns = sum(angle for event, angle in found if isinstance(event, Turn))
    tried = [*(angle for _, angle in found), turns, net]
    answers = [_near(angle, angles) for angle in tried]
    return "yes" if "yes" in answers else "perhaps" if "perhaps" in answers else "no"


def circle(clause: Clause, facts: Facts) -> Shown:
    side = clause.side if clause.side in ("left", "right") else None
    circles = tuple(c for c in facts.of(Circle) if side in (None, c.side))
    if circles:
        laps = round(sum(c.laps for c in circles))
        wrong = clause.count is not None and abs(laps - clause.count) >= 1
        return Shown("no" if wrong else "yes", circles, "circle: laps" if wrong else "")
    sides = (side,) if side is not None else ("left", "right")
    most = max(_turned_to(s, facts) for s in sides)
    if most > 180:
        return Shown("perhaps", (), "circle: not closed")
    return no("circle: no circle that way")
