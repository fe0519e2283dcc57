"""Where the body goes: directions, distances, gaits, bends and circles of its path."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from texedo.data.events.feet import SIDES, Flight, Step, Steps
from texedo.data.events.signals import STANDING_HEIGHT, Signals
from texedo.data.events.spans import Floats, Span, spans
from texedo.data.events.types import (
    DIRECTIONS,
    Circle,
    Direction,
    Gait,
    Travel,
    direction_of,
)
from texedo.motion import FPS

MOVING_SPEED = 0.10
"""Slower than this is shifting weight [m/s]; a slow shuffle does 0.12."""
MIN_DISTANCE = 0.20
"""A shift of weight moves the pelvis by 0.1 m; the smallest captured side step by 0.25."""
MIN_SECONDS = 0.5
"""A direction held for less is part of a turn."""
PASSING_DISTANCE = 0.4
"""A shorter leg beside one twice as long is how that one begins or ends [m]."""
RUN_SPEED = 1.1
"""Nobody runs slower, even at the robot's size [m/s]."""
RUN_FLIGHT = 0.06
"""Share of frames with both feet off the floor; walking has none."""
RUN_UNSUPPORTED = 0.035
"""The same with the feet only clear of the floor: a runner whose flights are too low to
be jumps. Captured walks above `RUN_SPEED` have none at all."""
SURE_RUN_SPEED = 1.7
"""Nobody walks faster at the robot's size [m/s]."""
STRAIGHT = 0.975
"""Displacement over path of a line that looks straight."""
LOW_HEIGHT = 0.86
"""Mean pelvis height over the standing one in a crouch walk; walks stay above 0.93."""
SHORT_DISTANCE = 1.2
"""Two directions within so short a way are one, seen badly [m]."""
STEPLESS = 0.4
"""Feet that slide this far go somewhere without a step [m]."""
VEER_ANGLE, VEER_DISTANCE = 30.0, 0.8
"""A straight walk drifts by up to 15 degrees in ten seconds; a shorter path has no
direction to change [m]."""
VEER_STEADINESS = 0.7
"""Net bend over all bending: less is winding, not veering."""
CIRCLE_ANGLE = 280.0
"""A loop that a reader would call a circle nearly closes [degrees]."""
CIRCLE_RADIUS = 0.25
"""Tighter is a turn on the spot [m]."""
CIRCLE_ROUNDNESS = 0.55
"""A square has 0.79, walking there and back next to nothing."""
CIRCLE_UNEVENNESS = 66.0
"""Captured circles stray by 30 to 65 degrees, walking there and back by more than 80."""
STEP_PAUSE = round(0.35 * FPS)
"""Longest rest between two steps of one walk."""
STEP_ALONG = 0.06
"""A step that goes less far in the direction belongs to something else [m]."""
_STRIDE = 5
"""The segmentation works at 10 Hz."""
_SWITCH_COST = 5.0
"""A detour of one sector must last a third of a second to be a leg of its own."""


class _Leg(NamedTuple):
    span: Span
    direction: Direction


def find_travel(signals: Signals, steps: Steps, flights: list[Flight]) -> list[Travel]:
    """Stretches of travel, each in one direction relative to the facing."""
    legs = _merged(_without_passing(signals, _merged(_legs(signals))))
    legs = _merged(_apart([_with_steps(leg, signals, steps) for leg in legs]))
    legs = _merged([_aimed_by_feet(leg, signals, steps) for leg in legs])
    legs = _merged(_averaged(signals, legs))
    return [
        _describe(leg, signals, steps=steps, flights=flights)
        for leg in legs
        if _distance(signals, leg.span) >= MIN_DISTANCE
        and leg.span.seconds >= MIN_SECONDS
        and _feet_go_along(leg, signals, steps)
    ]


def _feet_go_along(leg: _Leg, signals: Signals, steps: Steps) -> bool:
    """The feet take the way too; hips that sway over standing feet go nowhere."""
    distance = _distance(signals, leg.span)
    if distance > STEPLESS:
        return True
    angle = DIRECTIONS.index(leg.direction) * (math.pi / 4)
    touching = [s for s in steps.all if Span(s.lift, s.landing).overlap(leg.span)]
    return sum(_step_length(signals, s, angle) for s in touching) > 0.5 * distance


def _with_steps(leg: _Leg, signals: Signals, steps: Steps) -> _Leg:
    """The leg from the lift of its first step to the landing of its last.

    The pelvis of someone who steps slowly stands still between the steps, and before the
    last foot is down.
    """
    angle = DIRECTIONS.index(leg.direction) * (math.pi / 4)
    start, stop = leg.span
    grown = True
    while grown:
        grown = False
        for step in steps.all:
            near = step.landing > start - STEP_PAUSE and step.lift < stop + STEP_PAUSE
            beyond = step.lift < start or step.landing >= stop
            if near and beyond and _step_length(signals, step, angle) > STEP_ALONG:
                start, stop = min(start, step.lift), max(stop, step.landing + 1)
                grown = True
    return _Leg(Span(start, stop), leg.direction)


def _aimed_by_feet(leg: _Leg, signals: Signals, steps: Steps) -> _Leg:
    """The leg with the direction of its steps: over a few of them the hips sway more
    than they go."""
    moves = [
        _step_vector(signals, step)
        for step in steps.all
        if leg.span.start <= step.landing < leg.span.stop
    ]
    ahead, left = (sum(move[i] for move in moves) for i in (0, 1))
    if math.hypot(ahead, left) <= 0.5 * sum(math.hypot(*move) for move in moves):
        return leg
    return _Leg(leg.span, direction_of(ahead, left))


def _step_length(signals: Signals, step: Step, angle: float) -> float:
    """How far a step goes in a direction relative to the facing [m]."""
    ahead, left = _step_vector(signals, step)
    return ahead * math.cos(angle) + left * math.sin(angle)


def _step_vector(signals: Signals, step: Step) -> tuple[float, float]:
    """Where a step goes, ahead and to the left [m]."""
    foot = signals.foot_w[:, SIDES.index(step.side), :2]
    x, y = (foot[step.landing] - foot[step.lift]).tolist()
    yaw = float(signals.yaw[step.lift])
    return x * math.cos(yaw) + y * math.sin(yaw), y * math.cos(yaw) - x * math.sin(yaw)


def _averaged(signals: Signals, legs: list[_Leg]) -> list[_Leg]:
    """Short neighbours in neighbouring directions are one leg between the two."""
    found: list[_Leg] = []
    for leg in legs:
        last = found[-1] if found else None
        if last is not None and _gap(last.span, leg.span) < 0.3 * FPS:
            whole = Span(last.span.start, leg.span.stop)
            turn = DIRECTIONS.index(leg.direction) - DIRECTIONS.index(last.direction)
            direction = _direction(signals, whole)
            short = _distance(signals, whole) < SHORT_DISTANCE
            if short and turn % 8 in (1, 7) and direction is not None:
                found[-1] = _Leg(whole, direction)
                continue
        found.append(leg)
    return found


def _apart(legs: list[_Leg]) -> list[_Leg]:
    """Legs that grew into each other share the time between them."""
    found: list[_Leg] = []
    for leg in legs:
        if found and leg.span.start < found[-1].span.stop:
            last = found[-1]
            if last.direction != leg.direction:
                middle = (leg.span.start + last.span.stop) // 2
                found[-1] = _Leg(Span(last.span.start, middle), last.direction)
                leg = _Leg(Span(middle, max(leg.span.stop, middle + 1)), leg.direction)
        found.append(leg)
    return found


def _without_passing(signals: Signals, legs: list[_Leg]) -> list[_Leg]:
    """Legs without the short ones through which a long one begins or ends."""
    lengths = [_distance(signals, leg.span) for leg in legs]
    kept = []
    for i, leg in enumerate(legs):
        beside = [
            lengths[j]
            for j in (i - 1, i + 1)
            if 0 <= j < len(legs) and _gap(leg.span, legs[j].span) < 0.3 * FPS
        ]
        brief = leg.span.seconds < MIN_SECONDS or lengths[i] < PASSING_DISTANCE
        if not (brief and beside and max(beside) > 2 * lengths[i]):
            kept.append(leg)
    return kept


def _gap(a: Span, b: Span) -> int:
    return max(a.start, b.start) - min(a.stop, b.stop)


def _legs(signals: Signals) -> list[_Leg]:
    """The path cut where its direction changes; still stretches left out."""
    labels = np.repeat(_label(signals.velocity_f[::_STRIDE]), _STRIDE)[: len(signals)]
    legs = []
    for label in range(1, len(DIRECTIONS) + 1):
        for span in spans(labels == label):
            if (direction := _direction(signals, span)) is not None:
                legs.append(_Leg(span, direction))
    return sorted(legs)


def _label(velocity: Floats) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """0 for still, 1 to 8 for the directions: the cheapest sequence, by Viterbi."""
    speed = np.hypot(velocity[:, 0], velocity[:, 1])
    angle = np.arctan2(velocity[:, 1], velocity[:, 0])
    centres = np.arange(8) * (math.pi / 4)
    off = np.abs((angle[:, None] - centres + math.pi) % (2 * math.pi) - math.pi)
    cost = np.empty((len(velocity), 9))
    cost[:, 0] = np.minimum((speed / MOVING_SPEED) ** 2, 4.0)
    # At low speed the angle is noise, so it counts less.
    sure = np.minimum(speed / MOVING_SPEED, 1.0)
    slow = np.maximum(2.0 - cost[:, 0], 0.0)
    wrong = np.minimum((off / (math.pi / 8)) ** 2, 9.0)
    cost[:, 1:] = wrong * sure[:, None] + slow[:, None]
    best = cost[0].copy()
    back = np.zeros(cost.shape, dtype=np.int64)
    stay = np.arange(9)
    for i in range(1, len(cost)):
        cheapest = int(best.argmin())
        switch = best[cheapest] + _SWITCH_COST < best
        back[i] = np.where(switch, cheapest, stay)
        best = np.minimum(best, best[cheapest] + _SWITCH_COST) + cost[i]
    path = np.empty(len(cost), dtype=np.int64)
    path[-1] = best.argmin()
    for i in range(len(cost) - 1, 0, -1):
        path[i - 1] = back[i, path[i]]
    return path


def _direction(signals: Signals, span: Span) -> Direction | None:
    """Direction of a stretch as a whole; None if it comes back to where it was."""
    moved = signals.velocity_f[span.frames].sum(axis=0) / FPS
    if np.hypot(*moved) < 0.5 * _distance(signals, span):
        return None
    return direction_of(float(moved[0]), float(moved[1]))


def _distance(signals: Signals, span: Span) -> float:
    moves = np.diff(signals.path_w[span.frames], axis=0)
    return float(np.hypot(moves[:, 0], moves[:, 1]).sum())


def _merged(legs: list[_Leg]) -> list[_Leg]:
    """Neighbours that go the same way are one."""
    found: list[_Leg] = []
    for leg in legs:
        last = found[-1] if found else None
        if (
            last is not None
            and last.direction == leg.direction
            and leg.span.start - last.span.stop <= 0.6 * FPS
        ):
            stop = max(last.span.stop, leg.span.stop)
            found[-1] = _Leg(Span(last.span.start, stop), leg.direction)
        else:
            found.append(leg)
    return found


def _describe(
    leg: _Leg, signals: Signals, *, steps: Steps, flights: list[Flight]
) -> Travel:
    span, frames = leg.span, leg.span.frames
    distance = _distance(signals, span)
    speed = distance / span.seconds
    flown = sum(flight.span.overlap(span) for flight in flights) / (
        span.stop - span.start
    )
    clear = float((~signals.contact[frames].any(axis=1)).mean())
    flies = flown > RUN_FLIGHT or clear > RUN_UNSUPPORTED
    runs = speed > SURE_RUN_SPEED or (speed > RUN_SPEED and flies)
    gait: Gait = "run" if runs else "walk"
    bend, steady = path_bend(signals, span)
    ends = signals.path_w[[span.start, span.stop - 1]]
    bends = abs(bend) >= VEER_ANGLE and distance >= VEER_DISTANCE
    straight = float(np.hypot(*(ends[1] - ends[0]))) > STRAIGHT * distance
    veers = bends and steady >= VEER_STEADINESS and not straight
    height = float(signals.height[frames].mean()) / STANDING_HEIGHT
    return Travel(
        **span.times,
        gait=gait,
        direction=leg.direction,
        distance=distance,
        speed=speed,
        steps=steps.landings_in(span),
        low=height < LOW_HEIGHT,
        straight=straight,
        veer=("left" if bend > 0 else "right") if veers else None,
        veer_angle=abs(bend) if veers else 0.0,
    )


def path_bend(signals: Signals, span: Span) -> tuple[float, float]:
    """Net bend of the path [degrees, left positive] and net over all bending."""
    moves = np.diff(signals.path_w[span.frames], axis=0) * FPS
    moves = moves[np.hypot(moves[:, 0], moves[:, 1]) > MOVING_SPEED]
    if len(moves) < 2:
        return 0.0, 0.0
    heading = np.degrees(np.unwrap(np.arctan2(moves[:, 1], moves[:, 0])))
    net = float(heading[-1] - heading[0])
    total = float(np.abs(np.diff(heading[::_STRIDE])).sum())
    return net, abs(net) / max(total, 1e-9)


def _roundness(signals: Signals, span: Span, *, laps: float) -> float:
    """Area inside the path over that of a circle of the same length: 1 if round."""
    x, y = signals.path_w[span.frames].T
    area = 0.5 * abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))))
    return 4 * math.pi * area * laps / max(_distance(signals, span) ** 2, 1e-9)


def _unevenness(signals: Signals, span: Span) -> float:
    """How far the heading strays from growing evenly with the way [degrees]."""
    moves = np.diff(signals.path_w[span.frames], axis=0)
    length = np.hypot(moves[:, 0], moves[:, 1])
    moving = length > MOVING_SPEED / FPS
    heading = np.degrees(np.unwrap(np.arctan2(moves[moving, 1], moves[moving, 0])))
    way = np.cumsum(length[moving])
    even = heading[0] + (heading[-1] - heading[0]) * (way - way[0]) / (way[-1] - way[0])
    return float(np.abs(heading - even).max())


def find_circle(signals: Signals, travels: list[Travel]) -> Circle | None:
    """The loop that the path closes, if it does."""
    if not travels:
        return None
    first, last = travels[0], travels[-1]
    span = Span(round(first.start * FPS), round(last.end * FPS))
    bend, steady = path_bend(signals, span)
    radius = _distance(signals, span) / max(math.radians(abs(bend)), 1e-9)
    if (
        abs(bend) < CIRCLE_ANGLE
        or steady < VEER_STEADINESS
        or radius < CIRCLE_RADIUS
        or _roundness(signals, span, laps=abs(bend) / 360) < CIRCLE_ROUNDNESS
        or _unevenness(signals, span) > CIRCLE_UNEVENNESS
    ):
        return None
    return Circle(
        **span.times,
        side="left" if bend > 0 else "right",
        laps=abs(bend) / 360.0,
        radius=radius,
    )
