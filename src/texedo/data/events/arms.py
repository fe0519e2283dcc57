"""What arms and hands do: raised, waving, on the hips, to the head, clapping."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from texedo.data.events.feet import SIDES, Flight
from texedo.data.events.signals import Signals, rate, smooth
from texedo.data.events.spans import (
    Bools,
    Floats,
    Span,
    hysteresis,
    spans,
    sustained,
    turning_points,
)
from texedo.data.events.types import (
    ArmRaise,
    Clap,
    Event,
    Gesture,
    HandOnHip,
    HandToHead,
    Level,
    Sides,
    Wave,
    Way,
)
from texedo.motion import FPS

RAISED, LOWERED = -0.20, -0.28
"""Palm above the shoulder when a raise begins and ends [m]; hanging palms are at -0.45,
running ones at -0.25."""
LEVELS: tuple[tuple[float, Level], ...] = (
    (0.26, "overhead"),
    (0.10, "head"),
    (-0.08, "shoulder"),
    (-0.20, "chest"),
)
"""Lowest palm above the shoulder for a level [m]; the head's centre is at 0.18."""
MIN_RAISE = 0.3
"""Shorter than this passes as a swing [s]."""
MAX_LEAN = 40.0
"""With the torso bent further, up and down mean little [degrees]."""
REPEAT_GAP = 2.0
"""Raises that follow within this time are one series [s]."""
WAVE_SWING = 0.06
"""How far a waving hand goes to a side, at least [m]."""
FULL_SWING = 0.65
"""Part of the widest swing that counts as one."""
WAVE_AHEAD = 0.8
"""A hand that goes mostly ahead and back (cosine) punches or beckons."""
WAVE_DROP, MIN_WAVE = 0.10, 0.7
"""A waving hand stays within this of its height [m], at least so long [s]."""
WAVE_MIN, WAVE_HZ = 2, (0.6, 4.0)
"""Swings to and back, and how fast: slower is moving about, faster is noise."""
HIP_SECONDS, HEAD_SECONDS, HEAD_GAP = 0.6, 0.25, 1.0
"""How long a hand stays to count, and what gap is still one visit [s]."""
HEAD_REACH, HEAD_NEAR = 0.20, 0.28
"""Palm to the head's centre when the fingers touch it, and when the other hand goes along
[m]."""
GESTURE_SPEED, ONE_SIDED = 0.15, 2.5
"""Mean speed of a busy hand [m/s]; how many times busier one hand is than the other when
it acts alone."""
CLAP_GAP, CLAP_SWING = 0.16, 0.08
"""Palms meet at this distance, because hands may not run into each other; and open."""
CLAP_SPEED, CLAP_PERIOD = 0.5, 1.2
"""How fast they close [m/s], and the longest time between two claps [s]."""


class _Raise(NamedTuple):
    span: Span
    level: Level
    way: Way
    frames: int
    """Length of the motion."""


def find_arm_events(signals: Signals, flights: list[Flight]) -> list[Event]:
    """Everything about arms, in no order."""
    raises = [_raises(signals, index) for index in (0, 1)]
    found: list[Event] = [*_paired_raises(raises), *_waves(signals, raises)]
    found += _pair_up(signals, _on_hip(signals), HIP_SECONDS, HandOnHip)
    found += _to_head(signals)
    return [*found, *_claps(signals, flights), *_gestures(signals)]


def _raises(signals: Signals, index: int) -> list[_Raise]:
    above = signals.palm_f[:, index, 2] - signals.shoulder_f[:, index, 2]
    above = np.where(signals.lean < MAX_LEAN, above, LOWERED)
    found = []
    for span in spans(hysteresis(above, on=RAISED, off=LOWERED), max_gap=0.1):
        high = above[span.frames]
        if (high > RAISED).sum() < MIN_RAISE * FPS:
            continue
        top = sustained(high, round(0.15 * FPS))
        level: Level = next((name for low, name in LEVELS if top >= low), "chest")
        arm = (
            signals.palm_f[span.frames, index] - signals.shoulder_f[span.frames, index]
        )
        best = arm[high >= min(top, high.max()) - 0.02].mean(axis=0)
        found.append(_Raise(span, level, _way(best, index), len(above)))
    return found


def _way(arm: Floats, index: int) -> Way:
    """Where an arm points, from the shoulder to the palm."""
    unit = arm / max(float(np.linalg.norm(arm)), 1e-6)
    outward = float(unit[1]) * (1.0 if index == 0 else -1.0)
    if unit[2] > 0.72:
        return "up"
    return "side" if outward > max(float(unit[0]), 0.5) else "front"


def _paired_raises(raises: list[list[_Raise]]) -> list[ArmRaise]:
    """Raises of the left and right; those that go together become one of both."""
    left, right = list(raises[0]), list(raises[1])
    found = []
    for a in raises[0]:
        for b in right:
            shared = a.span.overlap(b.span)
            longest = max(a.span.stop - a.span.start, b.span.stop - b.span.start)
            if shared >= 0.6 * longest and a.level == b.level:
                whole = Span(
                    min(a.span.start, b.span.start), max(a.span.stop, b.span.stop)
                )
                way = a.way if a.way == b.way else "front"
                found.append(_arm_raise(whole, "both", a._replace(way=way)))
                left.remove(a)
                right.remove(b)
                break
    for side, rest in zip(SIDES, (left, right), strict=True):
        found += [_arm_raise(one.span, side, one) for one in rest]
    return _raise_series(found)


def _arm_raise(span: Span, side: Sides, one: _Raise) -> ArmRaise:
    return ArmRaise(
        start=span.start / FPS,
        end=span.stop / FPS,
        side=side,
        level=one.level,
        way=one.way,
        starts_up=span.start == 0,
        lowers=span.stop < one.frames,
    )


def _raise_series(raises: list[ArmRaise]) -> list[ArmRaise]:
    """Raises that only repeat the one before are counted."""
    series: list[ArmRaise] = []
    for one in sorted(raises, key=lambda r: (r.side, r.level, r.way, r.start)):
        last = series[-1] if series else None
        if (
            last is not None
            and (last.side, last.level, last.way) == (one.side, one.level, one.way)
            and one.start - last.end <= REPEAT_GAP
        ):
            series[-1] = replace(
                last, end=one.end, count=last.count + 1, lowers=one.lowers
            )
        else:
            series.append(one)
    return series


def _waves(signals: Signals, raises: list[list[_Raise]]) -> list[Wave]:
    found: list[Wave] = []
    for index, side in enumerate(SIDES):
        above = signals.palm_f[:, index, 2] - signals.shoulder_f[:, index, 2]
        for one in raises[index]:
            if one.level == "chest":
                continue
            # Going up and coming down are no swings.
            high = above[one.span.frames]
            up = np.flatnonzero(high > sustained(high, round(0.3 * FPS)) - WAVE_DROP)
            span = Span(one.span.start + int(up[0]), one.span.start + int(up[-1]) + 1)
            if span.seconds < MIN_WAVE:
                continue
            wave = _swings(signals.palm_t[span.frames, index])
            if wave is not None:
                whole = Span(span.start + wave.start, span.start + wave.stop)
                found.append(
                    Wave(
                        start=whole.start / FPS,
                        end=whole.stop / FPS,
                        side=side,
                        count=wave.number,
                        level=one.level,
                    )
                )
    return _both_waves(found)


class _Swings(NamedTuple):
    start: int
    stop: int
    number: int


def _swings(palm: Floats) -> _Swings | None:
    """To and fro of a palm (T, 3) along the line on which it swings most."""
    fast = smooth(palm, 0.08)
    time = np.linspace(-1.0, 1.0, len(fast))
    trend = np.polynomial.polynomial.polyfit(time, fast, 1)
    fast = fast - np.outer(time, trend[1]) - trend[0]
    _, axes = np.linalg.eigh(fast.T @ fast)
    if abs(axes[0, -1]) > WAVE_AHEAD:
        return None
    points = turning_points(fast @ axes[:, -1], WAVE_SWING)
    number = _full_swings([point.value for point in points])
    if number < WAVE_MIN:
        return None
    start, stop = points[0].frame, points[-1].frame
    hertz = number / max((stop - start) / FPS, 0.1)
    return _Swings(start, stop, number) if WAVE_HZ[0] <= hertz <= WAVE_HZ[1] else None


def _full_swings(values: list[float]) -> int:
    """How often a swing goes out far, to the side on which it does so more often.

    The way into a wave and out of it swings too, but not as far.
    """
    far = FULL_SWING * max(map(abs, values), default=0.0)
    return max(sum(v >= far for v in values), sum(v <= -far for v in values))


def _both_waves(waves: list[Wave]) -> list[Wave]:
    left = [w for w in waves if w.side == "left"]
    right = [w for w in waves if w.side == "right"]
    for a in list(left):
        for b in list(right):
            shared = min(a.end, b.end) - max(a.start, b.start)
            if shared > 0.6 * max(a.duration, b.duration):
                left.remove(a)
                right.remove(b)
                both = Wave(
                    start=min(a.start, b.start),
                    end=max(a.end, b.end),
                    side="both",
                    count=min(a.count, b.count),
                    level=a.level,
                )
                return [both, *_both_waves(left + right)]
    return left + right


def _on_hip(signals: Signals) -> Bools:
    """Palm at the side of the pelvis with the elbow out, (T, 2)."""
    out = np.array([1.0, -1.0])
    palm, elbow = signals.palm_f, signals.elbow_f
    beside = palm[..., 1] * out
    above = palm[..., 2] - signals.height[:, None]
    near = (beside > 0.08) & (beside < 0.3) & (np.abs(palm[..., 0]) < 0.2)
    out_elbow = elbow[..., 1] * out > beside - 0.03
    bent = out_elbow & (elbow[..., 2] - palm[..., 2] > 0.12)
    behind = elbow[..., 0] < palm[..., 0]
    return np.asarray(near & bent & behind & (above > -0.08) & (above < 0.2))


def _pair_up(
    signals: Signals, masks: Bools, seconds: float, kind: type[HandOnHip]
) -> list[HandOnHip]:
    both = masks[:, 0] & masks[:, 1]
    found = [
        kind(**span.times, side="both")
        for span in spans(both, min_seconds=seconds, max_gap=0.2)
    ]
    for index, side in enumerate(SIDES):
        for span in spans(masks[:, index], min_seconds=seconds, max_gap=0.2):
            if np.mean(both[span.frames]) < 0.4:
                found.append(kind(**span.times, side=side))
    return found


def _to_head(signals: Signals) -> list[HandToHead]:
    offset = signals.palm_f - signals.head_f[:, None]
    distance = np.sqrt((offset**2).sum(axis=2))
    masks = np.asarray(distance < HEAD_REACH)
    # One hand arrives a little before the other, or stays a little further off.
    near = np.asarray(distance < HEAD_NEAR)
    both = (masks[:, 0] & near[:, 1]) | (near[:, 0] & masks[:, 1])
    sides: list[tuple[Sides, Bools]] = [
        ("both", both),
        ("left", masks[:, 0] & ~both),
        ("right", masks[:, 1] & ~both),
    ]
    return [
        HandToHead(
            start=span.start / FPS,
            end=span.stop / FPS,
            side=side,
            lowers=span.stop < len(signals),
        )
        for side, mask in sides
        for span in spans(mask, min_seconds=HEAD_SECONDS, max_gap=HEAD_GAP)
    ]


def _gestures(signals: Signals) -> list[Gesture]:
    """Hands that are busy over the whole motion."""
    steps = np.linalg.norm(np.diff(signals.palm_t, axis=0), axis=2)
    speed = steps.mean(axis=0) * FPS
    if speed.max() < GESTURE_SPEED:
        return []
    side: Sides = "both"
    if speed[0] > ONE_SIDED * speed[1]:
        side = "left"
    elif speed[1] > ONE_SIDED * speed[0]:
        side = "right"
    whole = Span(0, len(signals))
    return [Gesture(**whole.times, side=side, speed=float(speed.max()))]


def _claps(signals: Signals, flights: list[Flight]) -> list[Clap]:
    gap = np.linalg.norm(signals.palm_f[:, 0] - signals.palm_f[:, 1], axis=1)
    closing = -rate(gap)
    meets: list[int] = []
    for point in turning_points(gap, CLAP_SWING):
        recent = closing[max(point.frame - round(0.3 * FPS), 0) : point.frame + 1]
        landed = all(not f.span.start <= point.frame < f.span.stop for f in flights)
        fast = recent.max() > CLAP_SPEED
        if not point.top and point.value < CLAP_GAP and fast and landed:
            meets.append(point.frame)
    if len(meets) < 2 or np.diff(meets).max() > CLAP_PERIOD * FPS:
        return []
    return [Clap(start=meets[0] / FPS, end=meets[-1] / FPS, count=len(meets))]
