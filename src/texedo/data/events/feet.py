"""What the feet do on the floor and off it: steps, flights, jumps and hops."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from texedo.data.events.signals import (
    CONTACT_HEIGHT,
    STANDING_HEIGHT,
    Signals,
    turn_points,
)
from texedo.data.events.spans import Bools, Span, spans, turning_points
from texedo.data.events.types import Direction, Hop, Jump, Side, direction_of
from texedo.motion import FPS

SIDES: tuple[Side, Side] = ("left", "right")

STEP_LENGTH, STEP_LIFT = 0.08, 0.05
"""A foot that moves on by less, and rises by less, only shuffled [m]."""
MIN_FLIGHT, MAX_FLIGHT = 0.10, 0.9
"""Shorter moments without contact are noise of the capture; longer ones are a capture
that floats: nobody jumps a metre high [s]."""
MIN_FALL = 4.0
"""A body in the air falls: at the robot's size captured jumps do with 7 to 10, feet that
only look as if they had left the floor with less than 3 [m/s^2]."""
LEAP_FLIGHT = 0.34
"""A running stride flies at most this long [s]; longer from foot to foot is a leap."""
JUMP_RISE = 0.02
"""Pelvis above standing height at the top of a jump, or `JUMP_FLIGHT` in the air [m]."""
JUMP_FLIGHT = 0.16
HOP_MARGIN = 0.12
"""The other foot stays up this long before and after a hop [s]."""
MIN_HOPS = 2
"""A single hop looks like a stumble."""
BOUNCE = 0.04
"""Pelvis up and down between two jumps of a series [m]."""
JUMP_DISTANCE = 0.15
"""A jump on the spot drifts by less [m]."""
JUMP_TURN = 40.0
"""A turn in the air that can be seen [degrees]."""
SERIES_GAP = 1.6
"""Jumps that follow within this time are one series [s]."""
_FEET_AT = round(0.08 * FPS)
"""Which feet pushed off or landed is read over this many frames."""


class Step(NamedTuple):
    side: Side
    lift: int
    landing: int
    """Frames at which the foot leaves the floor and bears weight again."""


@dataclass(frozen=True)
class Steps:
    """All steps of both feet, in order of landing."""

    all: tuple[Step, ...]

    def landings_in(self, span: Span) -> int:
        """Steps that land within a stretch."""
        return sum(span.start <= step.landing < span.stop for step in self.all)


class Flight(NamedTuple):
    """Both feet off the floor."""

    span: Span
    kind: Literal["jump", "hop", "stride"]
    foot: Side | None
    """The one foot of a hop."""


def find_steps(signals: Signals) -> Steps:
    """Every time a foot leaves the floor and lands elsewhere, or as good as."""
    found = []
    for index, side in enumerate(SIDES):
        place = signals.foot_w[:, index, :2]
        stances = spans(signals.stance[:, index], min_seconds=0.06)
        for before, after in zip(stances, stances[1:], strict=False):
            moved = float(np.hypot(*(place[after.start] - place[before.stop - 1])))
            air = signals.foot_height[before.stop : after.start, index]
            if moved >= STEP_LENGTH or (len(air) and air.max() >= STEP_LIFT):
                found.append(Step(side, before.stop, after.start))
    return Steps(tuple(sorted(found, key=lambda step: step.landing)))


def find_flights(signals: Signals) -> list[Flight]:
    """Moments without contact, and what kind of push and landing they lie between."""
    flights = []
    for span in spans(off_floor(signals), min_seconds=MIN_FLIGHT):
        cut = span.start == 0 or span.stop == len(signals)
        if cut or span.seconds > MAX_FLIGHT:
            continue
        if _fall(signals, span) > -MIN_FALL:
            continue
        off = _feet(signals.contact[max(span.start - _FEET_AT, 0) : span.start])
        on = _feet(signals.contact[span.stop : span.stop + _FEET_AT])
        flights.append(_checked(signals, _classify(span, off, on)))
    return flights


def _fall(signals: Signals, span: Span) -> float:
    """Vertical acceleration of the pelvis in a stretch, from a parabola [m/s^2]."""
    height = signals.height[span.frames]
    time = np.arange(len(height)) / FPS
    return 2.0 * float(np.polyfit(time, height, 2)[0])


def off_floor(signals: Signals) -> Bools:
    """No foot touches the floor, (T,)."""
    return ~(signals.contact[:, 0] | signals.contact[:, 1])


def _checked(signals: Signals, flight: Flight) -> Flight:
    """A hop keeps its other foot up before and after; otherwise it is a stride."""
    if flight.foot is None:
        return flight
    wide = flight.span.grown(round(HOP_MARGIN * FPS), len(signals))
    other = signals.foot_height[wide.frames, 1 - SIDES.index(flight.foot)]
    if other.min() > CONTACT_HEIGHT:
        return flight
    return Flight(flight.span, "stride", None)


def _feet(contact: Bools) -> frozenset[Side]:
    return frozenset(side for i, side in enumerate(SIDES) if contact[:, i].any())


def _classify(span: Span, off: frozenset[Side], on: frozenset[Side]) -> Flight:
    if len(off) == len(on) == 1:
        if off == on:
            return Flight(span, "hop", next(iter(on)))
        return Flight(span, "jump" if span.seconds > LEAP_FLIGHT else "stride", None)
    return Flight(span, "jump", None)


def find_jumps(signals: Signals, flights: list[Flight]) -> list[Jump]:
    """Series of jumps; strides of a run and one-footed hops are not among them."""
    jumps = [_jump(signals, f.span) for f in flights if f.kind == "jump"]
    jumps = [
        jump
        for jump in jumps
        if jump.height >= JUMP_RISE or jump.duration >= JUMP_FLIGHT
    ]
    series: list[Jump] = []
    for jump in jumps:
        last = series[-1] if series else None
        if (
            last is not None
            and jump.start - last.end <= SERIES_GAP
            and _alike(last, jump)
        ):
            series[-1] = _joined(last, jump)
        else:
            series.append(jump)
    return [_with_certainty(signals, jump) for jump in series]


def _with_certainty(signals: Signals, jump: Jump) -> Jump:
    """A series counts for sure if the pelvis goes up as often as the feet leave."""
    span = Span(round(jump.start * FPS), round(jump.end * FPS))
    points = turning_points(signals.height[span.frames], BOUNCE)
    tops = max(sum(point.top for point in points), 1)
    return replace(jump, counted=tops == jump.count)


def _jump(signals: Signals, span: Span) -> Jump:
    wide = span.grown(round(0.15 * FPS), len(signals))
    direction, distance = _displacement(signals, wide)
    turn = math.degrees(signals.yaw_raw[wide.stop - 1] - signals.yaw_raw[wide.start])
    turns = abs(turn) >= JUMP_TURN
    return Jump(
        start=span.start / FPS,
        end=span.stop / FPS,
        count=1,
        height=float(signals.height[span.frames].max()) - STANDING_HEIGHT,
        direction=direction,
        distance=distance,
        turn=("left" if turn > 0 else "right") if turns else None,
        turn_angle=abs(turn) if turns else 0.0,
    )


def _displacement(signals: Signals, span: Span) -> tuple[Direction | None, float]:
    """Where the feet go from one end to the other, seen from the facing at the start."""
    places = signals.foot_w[[span.start, span.stop - 1], :, :2].mean(axis=1)
    moved = turn_points(
        (places[1] - places[0])[None, None],
        -signals.yaw_raw[span.start : span.start + 1],
    )[0, 0]
    distance = float(np.hypot(*moved))
    if distance < JUMP_DISTANCE:
        return None, distance
    return direction_of(float(moved[0]), float(moved[1])), distance


def _alike(a: Jump, b: Jump) -> bool:
    return a.direction == b.direction and a.turn == b.turn


def _joined(a: Jump, b: Jump) -> Jump:
    return Jump(
        start=a.start,
        end=b.end,
        count=a.count + b.count,
        height=max(a.height, b.height),
        direction=a.direction,
        distance=a.distance + b.distance,
        turn=a.turn,
        turn_angle=max(a.turn_angle, b.turn_angle),
    )


def find_hops(signals: Signals, flights: list[Flight]) -> list[Hop]:
    """Series of hops on one foot."""
    series: list[Hop] = []
    for flight in flights:
        if flight.foot is None:
            continue
        start, end = flight.span.start / FPS, flight.span.stop / FPS
        hop = Hop(start=start, end=end, side=flight.foot, count=1)
        last = series[-1] if series else None
        if (
            last is not None
            and last.side == hop.side
            and hop.start - last.end <= SERIES_GAP
        ):
            series[-1] = replace(last, end=hop.end, count=last.count + 1)
        else:
            series.append(hop)
    return [_aimed(signals, hop) for hop in series if hop.count >= MIN_HOPS]


def _aimed(signals: Signals, hop: Hop) -> Hop:
    span = Span(round(hop.start * FPS), round(hop.end * FPS))
    direction, _ = _displacement(signals, span.grown(round(0.1 * FPS), len(signals)))
    return replace(hop, direction=direction)
