"""Punches: fast thrusts and swings of an arm."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from texedo.data.events.feet import SIDES, Flight
from texedo.data.events.signals import Signals, rate, smooth
from texedo.data.events.spans import Floats, Span, spans, turning_points
from texedo.data.events.types import Punch, Side
from texedo.motion import FPS

PUNCH_SPEED = 1.4
"""Palm relative to the torso at its fastest [m/s]; gestures stay below 1.2."""
BENT, STRETCHED = 0.70, 0.85
"""Shoulder to palm over the stretched arm, before a straight punch and when it lands."""
PUNCH_SECONDS = 0.45
"""Longest time from bent to stretched [s]; reaching takes longer."""
ARM_LENGTH = 0.45
"""Shoulder to palm of the stretched arm [m]."""
PUNCH_AHEAD, PUNCH_LOW = 0.30, -0.22
"""Where a punch lands: ahead of the shoulder, and at most this far below it [m]."""
HOOK_SPEED, HOOK_INWARD = 2.0, 0.25
"""A hook is faster [m/s] and sweeps this far across the body [m]."""
SERIES_GAP = 1.5
"""Punches that follow within this time are one series [s]."""
JUMP_MARGIN = 0.4
"""Arms swing this long before and after a jump [s]."""


class _Strike(NamedTuple):
    start: int
    stop: int
    side: Side
    kind: Literal["jab", "hook"]


def find_punches(signals: Signals, flights: list[Flight]) -> list[Punch]:
    """Series of punches, by side and kind; arms thrown up in a jump are not among them."""
    strikes = sorted(
        strike
        for index in (0, 1)
        for strike in _strikes(signals, index)
        if not any(_near(strike, flight) for flight in flights)
    )
    series: list[Punch] = []
    for strike in strikes:
        punch = Punch(
            start=strike.start / FPS,
            end=strike.stop / FPS,
            side=strike.side,
            count=1,
            kind=strike.kind,
        )
        last = series[-1] if series else None
        if (
            last is not None
            and (last.side, last.kind) == (punch.side, punch.kind)
            and punch.start - last.end <= SERIES_GAP
        ):
            series[-1] = Punch(
                start=last.start,
                end=punch.end,
                side=punch.side,
                count=last.count + 1,
                kind=punch.kind,
            )
        else:
            series.append(punch)
    return series


def _near(strike: _Strike, flight: Flight) -> bool:
    margin = round(JUMP_MARGIN * FPS)
    span = flight.span.grown(margin, strike.stop + flight.span.stop)
    return (
        flight.kind != "stride"
        and strike.start < span.stop
        and span.start < strike.stop
    )


def _strikes(signals: Signals, index: int) -> list[_Strike]:
    palm = signals.palm_t[:, index]
    arm = signals.palm_f[:, index] - signals.shoulder_f[:, index]
    speed = np.linalg.norm(rate(smooth(palm, 0.06)), axis=1)
    jabs = [
        _Strike(span.start, span.stop, SIDES[index], "jab")
        for span in _thrusts(arm, speed)
    ]
    hooks = [
        _Strike(span.start, span.stop, SIDES[index], "hook")
        for span in _sweeps(palm, arm, speed, -1.0 if index == 0 else 1.0)
        if not any(span.overlap(Span(jab.start, jab.stop)) for jab in jabs)
    ]
    return jabs + hooks


def _thrusts(arm: Floats, speed: Floats) -> list[Span]:
    """A bent arm that is stretched ahead fast, and bent again."""
    stretch = np.linalg.norm(arm, axis=1) / ARM_LENGTH
    found = []
    points = turning_points(stretch, STRETCHED - BENT)
    for before, top, after in zip(points, points[1:], points[2:], strict=False):
        if not top.top or before.value > BENT or top.value < STRETCHED:
            continue
        # The arm may rest before and after: only the fast part is the punch.
        bent = before.frame + np.flatnonzero(
            stretch[before.frame : top.frame + 1] <= BENT
        )
        landed = bent[-1] + int(
            np.argmax(stretch[bent[-1] : top.frame + 1] >= STRETCHED)
        )
        quick = landed - bent[-1] <= PUNCH_SECONDS * FPS
        place = arm[landed]
        fast = speed[bent[-1] : landed + 1].max() >= PUNCH_SPEED
        if quick and fast and place[0] > PUNCH_AHEAD and place[2] > PUNCH_LOW:
            found.append(Span(int(bent[-1]), min(int(landed) + 10, after.frame)))
    return found


def _sweeps(palm: Floats, arm: Floats, speed: Floats, inward: float) -> list[Span]:
    """A palm that crosses the body fast at the height of the chest or the head."""
    found = []
    for span in spans(speed > PUNCH_SPEED, min_seconds=0.08):
        last = span.stop - 1
        across = (palm[last, 1] - palm[span.start, 1]) * inward
        ahead = arm[last, 0] > 0.05 and arm[last, 2] > PUNCH_LOW
        if speed[span.frames].max() > HOOK_SPEED and across > HOOK_INWARD and ahead:
            found.append(span)
    return found
