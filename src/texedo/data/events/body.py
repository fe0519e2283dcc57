"""What hips and torso do: squats, crouches, kneeling, bows, leans, standing still."""

from __future__ import annotations

import numpy as np

from texedo.data.events.feet import SIDES, Flight
from texedo.data.events.signals import STANDING_HEIGHT, Signals, rate, smooth
from texedo.data.events.spans import Bools, Span, spans, turning_points
from texedo.data.events.types import (
    Bow,
    Crouch,
    Event,
    Kneel,
    Lean,
    Lunge,
    Squat,
    Still,
    Stoop,
)
from texedo.motion import FPS

SQUAT_HEIGHT = 0.78
"""Pelvis over standing height at the bottom of a squat; a stride dips to 0.92."""
SQUAT_SWING = 0.14
"""How far it comes down and goes up again."""
MAX_SQUAT_SECONDS = 3.5
"""Longer from standing to standing is a crouch with something in between."""
CROUCH_HEIGHT, CROUCH_SECONDS = 0.82, 0.8
KNEEL_HEIGHT, KNEEL_SECONDS = 0.10, 0.7
"""The knee's axis above the floor when it rests there [m], and for how long [s]."""
KNEEL_UPRIGHT = 0.65
"""Cosine of the thigh to the vertical: kneeling thighs stand, those of a lunge slant."""
LUNGE_LENGTH, LUNGE_HEIGHT = 0.42, 0.86
"""Feet apart along the facing [m] with the pelvis low, over standing height."""
BOW_ANGLE, BOW_SWING = 32.0, 24.0
"""Captured walks lean up to 20 degrees; a nod of the chest is less than a bow."""
STOOP_ANGLE, STOOP_SECONDS = 28.0, 1.5
LEAN_ANGLE, LEAN_SECONDS = 15.0, 0.4
"""Balancing sways by up to 10 degrees."""
STILL_SPEED, STILL_SECONDS = 0.12, 1.0
"""Fastest of pelvis, feet and hands [m/s]: breathing and small sway stay below."""
_JUMP_MARGIN = 0.6
"""Bending the knees to take off or to land is part of the jump [s]."""


def find_squats(signals: Signals, flights: list[Flight]) -> list[Squat | Crouch]:
    """Series of squats, and stretches spent low."""
    ratio = smooth(signals.height, 0.1) / STANDING_HEIGHT
    near_jump = _near_flights(signals, flights)
    points = turning_points(ratio, SQUAT_SWING)
    dips: list[Squat] = []
    for before, low, after in zip(points, points[1:], points[2:], strict=False):
        if low.top or low.value > SQUAT_HEIGHT or near_jump[low.frame]:
            continue
        span = _dip(ratio, Span(before.frame, after.frame + 1), low.frame)
        if span.seconds <= MAX_SQUAT_SECONDS:
            dips.append(Squat(**span.times, count=1, depth=1.0 - low.value))
    low_spans = spans(
        (ratio < CROUCH_HEIGHT) & ~near_jump, min_seconds=CROUCH_SECONDS, max_gap=0.2
    )
    crouches = [
        Crouch(**span.times, depth=1.0 - float(ratio[span.frames].mean()))
        for span in low_spans
        if not any(_covers(dip, span) for dip in dips)
    ]
    return [*_series(dips), *crouches]


def _dip(
    ratio: np.ndarray[tuple[int], np.dtype[np.float64]], whole: Span, low: int
) -> Span:
    """From leaving the upper part of a dip to reaching it again."""
    ends = min(ratio[whole.start], ratio[whole.stop - 1])
    level = ratio[low] + 0.85 * (ends - ratio[low])
    start, stop = low, low
    while start > whole.start and ratio[start] < level:
        start -= 1
    while stop < whole.stop - 1 and ratio[stop] < level:
        stop += 1
    return Span(start, stop + 1)


def _covers(dip: Squat, span: Span) -> bool:
    return dip.start <= span.start / FPS and span.stop / FPS <= dip.end


def _series(dips: list[Squat]) -> list[Squat]:
    series: list[Squat] = []
    for dip in dips:
        last = series[-1] if series else None
        if last is not None and dip.start - last.end <= 1.5:
            series[-1] = Squat(
                start=last.start,
                end=dip.end,
                count=last.count + 1,
                depth=max(last.depth, dip.depth),
            )
        else:
            series.append(dip)
    return series


def _near_flights(signals: Signals, flights: list[Flight]) -> Bools:
    mask = np.zeros(len(signals), dtype=bool)
    for flight in flights:
        if flight.kind != "stride":
            mask[flight.span.grown(round(_JUMP_MARGIN * FPS), len(mask)).frames] = True
    return mask


def find_low_legs(signals: Signals) -> list[Event]:
    """Lunges and knees on the floor."""
    found: list[Event] = []
    ahead = signals.foot_f[:, 0, 0] - signals.foot_f[:, 1, 0]
    low = signals.height / STANDING_HEIGHT < LUNGE_HEIGHT
    for index, side in enumerate(SIDES):
        thigh = signals.hip_f[:, index] - signals.knee_f[:, index]
        upright = thigh[:, 2] > KNEEL_UPRIGHT * np.linalg.norm(thigh, axis=1)
        kneels = (signals.knee_f[:, index, 2] < KNEEL_HEIGHT) & upright
        for span in spans(kneels, min_seconds=KNEEL_SECONDS, max_gap=0.2):
            found.append(Kneel(**span.times, side=side))
        front = ahead if index == 0 else -ahead
        mask = (front > LUNGE_LENGTH) & low & signals.contact.all(axis=1)
        lunges = spans(mask, min_seconds=0.12, max_gap=0.3)
        lunges = [s for s in lunges if not kneels[s.frames].any()]
        if lunges:
            whole = Span(lunges[0].start, lunges[-1].stop)
            found.append(Lunge(**whole.times, side=side, count=len(lunges)))
    return found


def find_bows(signals: Signals, flights: list[Flight]) -> list[Event]:
    """Bows, stoops, and leans to a side."""
    lean = smooth(signals.lean, 0.15)
    near_jump = _near_flights(signals, flights)
    found: list[Event] = []
    series: list[Bow] = []
    points = turning_points(lean, BOW_SWING)
    for before, top, after in zip(points, points[1:], points[2:], strict=False):
        if not top.top or top.value < BOW_ANGLE or near_jump[top.frame]:
            continue
        start, end = before.frame / FPS, after.frame / FPS
        if series and before.frame / FPS - series[-1].end < 0.5:
            last = series.pop()
            bow = Bow(
                start=last.start,
                end=end,
                count=last.count + 1,
                angle=max(last.angle, top.value),
            )
        else:
            bow = Bow(start=start, end=end, count=1, angle=top.value)
        series.append(bow)
    found += series
    for span in spans(lean > STOOP_ANGLE, min_seconds=STOOP_SECONDS, max_gap=0.3):
        angle = float(lean[span.frames].mean())
        found.append(Stoop(**span.times, angle=angle))
    tilt = smooth(signals.tilt, 0.15)
    for sign, side in ((1.0, SIDES[0]), (-1.0, SIDES[1])):
        for span in spans(sign * tilt > LEAN_ANGLE, min_seconds=LEAN_SECONDS):
            angle = float(np.abs(tilt[span.frames]).max())
            found.append(Lean(**span.times, side=side, angle=angle))
    return found


def find_still(signals: Signals) -> list[Still]:
    """Stretches in which hardly anything moves."""
    points = np.concatenate(
        (signals.palm_f, signals.foot_f, signals.head_f[:, None]), 1
    )
    speed = np.linalg.norm(
        rate(smooth(points.reshape(len(points), -1), 0.1)).reshape(len(points), -1, 3),
        axis=2,
    ).max(axis=1)
    root = np.hypot(*rate(signals.path_w).T)
    mask = np.maximum(speed, root) < STILL_SPEED
    return [
        Still(**s.times) for s in spans(mask, min_seconds=STILL_SECONDS, max_gap=0.1)
    ]
