"""Changes of facing, and twists that change nothing."""

from __future__ import annotations

import math

import numpy as np

from texedo.data.events.signals import Signals, rate, smooth
from texedo.data.events.spans import Span, spans, turning_points
from texedo.data.events.types import Turn, Twist
from texedo.motion import FPS

TURN_RATE = 12.0
"""A walk that drifts off its line turns more slowly [degrees/s]."""
TURN_ANGLE = 35.0
"""Less may be a glance with the hips [degrees]."""
_REST_RATE = 5.0
"""A turn begins and ends where the facing is this steady [degrees/s]."""
_MAX_GAP = 0.4
"""Turning step by step pauses between the steps [s]."""
FOLLOW = 0.5
"""Part of the turn that the feet must make too."""
UNSEEN_TURN = 55.0
"""Hips that end this far from where the turns leave them have turned unseen [degrees]."""
DRAGGED = 0.15
"""Part of such a turn that the feet make at least; in a twist they stay."""
TWIST_SWING, MIN_TWISTS, MAX_TWIST_SECONDS = 45.0, 3, 2.5
"""From side to side [degrees], how often, and how long one may take [s]."""
PLANTED = 0.85
"""Share of a twist in which both feet touch the floor; a walk has less."""
SPOT_SHIFT = 0.3
"""A turn on the spot ends where it began, give or take a step [m]."""
SPOT_RADIUS, LONG_PATH = 0.22, 0.8
"""Path over angle of a tight turn, and how long the path must be to be a loop [m]."""


def find_turns(signals: Signals) -> list[Turn]:
    """All turns, in order."""
    swings = _swings(signals)
    found = [s for s in swings if _feet_follow(signals, s, FOLLOW)]
    turns = [_describe(signals, span) for span in found]
    seen = sum(turn.angle if turn.side == "left" else -turn.angle for turn in turns)
    missing = math.degrees(float(signals.yaw[-1] - signals.yaw[0])) - seen
    if abs(missing) >= UNSEEN_TURN:
        turns += _dragged(signals, [s for s in swings if s not in found], missing)
    return sorted(turns, key=lambda turn: turn.start)


def _swings(signals: Signals) -> list[Span]:
    """Where the hips turn clearly, whatever the feet do."""
    turning = np.degrees(rate(signals.yaw))
    found = []
    for sign in (1.0, -1.0):
        strong = spans(sign * turning > TURN_RATE, max_gap=_MAX_GAP)
        weak = spans(sign * turning > _REST_RATE, max_gap=_MAX_GAP)
        found += [span for span in weak if any(span.overlap(core) for core in strong)]
    return [s for s in found if _describe(signals, s).angle >= TURN_ANGLE]


def _dragged(signals: Signals, swings: list[Span], missing: float) -> list[Turn]:
    """Turns over feet that come along only in part, if the hips stay where they went.

    Who turns without a step lets the feet lag; who twists comes back, so that nothing
    is missing at the end.
    """
    side = "left" if missing > 0 else "right"
    turns = [_describe(signals, s) for s in swings if _feet_follow(signals, s, DRAGGED)]
    room, found = abs(missing) + TURN_ANGLE, []
    for turn in sorted(turns, key=lambda turn: -turn.angle):
        if turn.side == side and turn.angle <= room:
            found.append(turn)
            room -= turn.angle
    return found


def _feet_follow(signals: Signals, span: Span, share: float) -> bool:
    """Whether the feet make this share of the turn: over planted feet hips only twist."""
    ends = [span.start, min(span.stop + round(0.3 * FPS), len(signals)) - 1]
    hips = float(np.diff(signals.yaw_raw[ends])[0])
    feet = float(np.diff(signals.feet_yaw[ends])[0])
    return bool(feet * np.sign(hips) > share * abs(hips))


def find_twists(signals: Signals) -> list[Twist]:
    """Series of twists of the upper body."""
    points = turning_points(smooth(signals.twist, 0.15), TWIST_SWING)
    if len(points) < MIN_TWISTS + 1:
        return []
    start, stop = points[0].frame, points[-1].frame
    seconds = (stop - start) / FPS
    if seconds / (len(points) - 1) > MAX_TWIST_SECONDS:
        return []
    feet = signals.contact[start : stop + 1].all(axis=1).mean()
    if feet < PLANTED:
        return []
    return [Twist(start=start / FPS, end=stop / FPS, count=len(points) - 1)]


def _describe(signals: Signals, span: Span) -> Turn:
    yaw = signals.yaw[span.frames]
    angle = float(yaw[-1] - yaw[0])
    moves = np.diff(signals.path_w[span.frames], axis=0)
    length = float(np.hypot(moves[:, 0], moves[:, 1]).sum())
    away = float(np.hypot(*moves.sum(axis=0)))
    return Turn(
        start=span.start / FPS,
        end=span.stop / FPS,
        side="left" if angle > 0 else "right",
        angle=math.degrees(abs(angle)),
        travelling=away > SPOT_SHIFT
        or (length > LONG_PATH and length / max(abs(angle), 1e-6) > SPOT_RADIUS),
    )
