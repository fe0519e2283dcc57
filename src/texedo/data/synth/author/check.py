"""Whether a finished motion does what its spec says, by measuring it.

What happens is known by construction, but what can be seen is another matter: a slow
punch is a reach, and a wave that is too small is none. A claim that the measured events
do not bear out would teach a wrong word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from texedo.data import events as ev
from texedo.data.events.types import Facts
from texedo.data.synth.author.spec import Spec

_MARGIN = 0.35
"""An event may be seen this much earlier or later than it was written [s]."""
_ANGLE = 15.0
"""Largest error of a turn [degrees]."""
_QUIET_HAND = 0.3
"""Longest path of a hand that does nothing [m]; the balance of the hips moves it."""
_QUIET_FEET = 0.12
"""Farthest that the hips go over feet that stay [m]."""
_DISTANCE = 0.12
"""Part by which a stated distance may be missed."""
_LEVELS = ("waist", "chest", "shoulder", "head", "overhead")

_SIDED: tuple[type[ev.Event], ...] = (
    ev.Wave,
    ev.Punch,
    ev.Kick,
    ev.ArmRaise,
    ev.HandToHead,
    ev.HandOnHip,
)
"""What one side does is not done by the other meanwhile."""
_COUNTED: tuple[type[ev.Event], ...] = (
    ev.Wave,
    ev.Clap,
    ev.Punch,
    ev.Kick,
    ev.KneeRaise,
    ev.Squat,
    ev.Bow,
    ev.Jump,
    ev.Hop,
    ev.JumpingJack,
    ev.ArmRaise,
)
_NEVER_BY_CHANCE: tuple[type[ev.Event], ...] = (
    ev.Kick,
    ev.Jump,
    ev.Squat,
    ev.Bow,
    ev.HandOnHip,
)
"""Seen without being asked for, they spoil a motion."""
_SHOW_MORE = frozenset(
    ("routine", "crouch", "half_squat", "lunge", "leg_out", "wide_stance", "posed")
)
"""Kinds that look like other events, too: who touches the toes bows."""
_TURN_BY_THE_WAY = frozenset(("zigzag", "routine"))
_SEEN_FROM_TWO: tuple[type[ev.Event], ...] = (ev.Wave, ev.Clap, ev.Hop)
"""A single one looks like any gesture, and `measure` does not name it."""

Kind: TypeAlias = type[ev.Event]


class _Series(NamedTuple):
    """Events of one kind and side as they were written."""

    kind: Kind
    side: str
    start: float
    end: float
    times: int


def disagreement(spec: Spec, written: Sequence[ev.Event], facts: Facts) -> str:
    """What a motion is seen not to do although its spec says so; "" if all agrees."""
    checks = (
        "" if spec.kind in _TURN_BY_THE_WAY else _turned(written, facts),
        *(_series_seen(series, facts) for series in _series(written)),
        *_unasked(spec, written, facts),
        _steps(spec, written, facts),
        _quiet(spec, facts),
    )
    return next((found for found in checks if found), "")


def _name(kind: Kind) -> str:
    return kind.__name__.lower()


def _side(event: ev.Event) -> str:
    return str(getattr(event, "side", ""))


def _count(event: ev.Event) -> int:
    return int(getattr(event, "count", 1))


def _series(written: Iterable[ev.Event]) -> Iterator[_Series]:
    """What was written, repetitions of one thing together.

    Raised knees that take turns are one series, as they are when measured.
    """
    known: dict[tuple[Kind, str], list[ev.Event]] = {}
    for event in written:
        if isinstance(event, ev.Punch) and event.kind == "punch":
            continue  # an uppercut is not told from other gestures
        if isinstance(event, (*_COUNTED, *_SIDED, ev.OneLeg)):
            side = "" if isinstance(event, ev.KneeRaise) else _side(event)
            known.setdefault((type(event), side), []).append(event)
    for (kind, side), events in known.items():
        sides = {_side(event) for event in events}
        yield _Series(
            kind,
            side
            if kind is not ev.KneeRaise
            else sides.pop()
            if len(sides) == 1
            else "both",
            min(event.start for event in events),
            max(event.end for event in events),
            sum(map(_count, events)),
        )


def _overlapping(facts: Facts, kind: Kind, start: float, end: float) -> list[ev.Event]:
    return [e for e in facts.of(kind) if e.start < end and start < e.end]


def _series_seen(series: _Series, facts: Facts) -> str:
    """What is wrong with a series: missing, miscounted, or with the other side."""
    near = _overlapping(
        facts, series.kind, series.start - _MARGIN, series.end + _MARGIN
    )
    own = [e for e in near if _side(e) == series.side]
    own = [e for e in own if _high(e)] or own
    if series.kind is ev.Wave and series.side == "both":
        own = own or [e for e in near if _side(e) == "left"]
    name = _name(series.kind)
    if series.times == 1 and series.kind in _SEEN_FROM_TWO:
        return f"{name} count" if sum(map(_count, own)) > 1 else ""
    if not own:
        return f"no {name}"
    if series.kind in _COUNTED and sum(map(_count, own)) != series.times:
        return f"{name} count"
    return ""


def _high(event: ev.Event) -> bool:
    """Whether an arm is raised by more than a bent elbow does; true of all else."""
    if not isinstance(event, ev.ArmRaise):
        return True
    return _LEVELS.index(event.level) >= _LEVELS.index("shoulder")


def _unasked(spec: Spec, written: Sequence[ev.Event], facts: Facts) -> Iterator[str]:
    """What is seen and was not written: other events, and the other side."""
    kinds = {type(event) for event in written}
    free = {part.kind for part in (spec, *spec.parts)} & _SHOW_MORE
    if spec.kind == "hold_pose" and spec.way in ("back", "belly", "crossed"):
        free = {spec.kind}  # such a hand is near the hip
    for kind in () if free else _NEVER_BY_CHANCE:
        kneels = kind is ev.Squat and ev.Kneel in kinds
        if kind not in kinds and facts.has(kind) and not kneels:
            yield f"unasked {_name(kind)}"
    for series in _series(written):
        if series.kind not in _SIDED or series.side == "both":
            continue
        other = {"left": "right", "right": "left"}[series.side]
        if any(type(e) is series.kind and _side(e) != series.side for e in written):
            continue
        within = series.start + _MARGIN, series.end - _MARGIN
        for event in _overlapping(facts, series.kind, *within):
            if _side(event) in (other, "both") and _high(event):
                yield f"{_name(series.kind)} of the other side"


def _turned(written: Sequence[ev.Event], facts: Facts) -> str:
    asked = 0.0
    for event in written:
        if isinstance(event, ev.Turn):
            asked += event.angle * (1 if event.side == "left" else -1)
        elif isinstance(event, ev.Circle):
            asked += 360 * event.laps * (1 if event.side == "left" else -1)
    return "angle" if abs(facts.turned - asked) > _ANGLE else ""


def _steps(spec: Spec, written: Sequence[ev.Event], facts: Facts) -> str:
    """Whether the steps that captions count are there, and lead where they should."""
    if spec.kind == "march":
        return "" if facts.steps == spec.count else "steps"
    if spec.kind == "steps" and facts.steps != spec.count:
        return "steps"
    if spec.kind == "walk_far":
        far = spec.count / 100
        if abs(facts.displacement - far) > _DISTANCE * far:
            return "distance"
    for part in written:
        if not isinstance(part, ev.Travel) or part.steps < 2:
            continue
        near = _overlapping(facts, ev.Travel, part.start - _MARGIN, part.end + _MARGIN)
        same = [
            e
            for e in near
            if isinstance(e, ev.Travel) and e.direction == part.direction
        ]
        if not same:
            return "direction"
        told = spec.kind in ("sequence", "walk_pause")
        if told and part.steps not in {e.steps for e in same}:
            return "steps"
    return ""


def _quiet(spec: Spec, facts: Facts) -> str:
    """Whether what should not move does not."""
    if spec.kind == "stand":
        still = sum(e.duration for e in facts.of(ev.Still))
        return "" if still > 0.7 * facts.duration else "not still"
    if spec.kind == "walk_pause" and not facts.has(ev.Still):
        return "no stop"
    if spec.kind == "hold_pose" and spec.way == "still":
        return "arms move" if max(facts.hand_path) > _QUIET_HAND else ""
    if spec.manner == "one_armed":
        other = facts.hand_path[1 if spec.side == "left" else 0]
        return "other arm moves" if other > _QUIET_HAND else ""
    if spec.manner == "planted" or spec.kind == "twist":
        moved = facts.steps > 0 or facts.displacement > _QUIET_FEET
        return "feet move" if moved else ""
    return ""
