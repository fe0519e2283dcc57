"""What a free leg does while the other one stands: kicks, raised knees, balancing."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from texedo.data.events.feet import SIDES
from texedo.data.events.signals import Signals, rate
from texedo.data.events.spans import Bools, Span, spans
from texedo.data.events.types import Event, Kick, KneeRaise, OneLeg, Side, Way
from texedo.motion import FPS

KICK_HEIGHT = 0.18
"""Sole above the floor at the top of a kick; a walking foot clears 0.1 [m]."""
KICK_SPEED = 2.2
"""Foot relative to the hip at its fastest [m/s]; a leg that is only lifted is slower."""
KICK_STRETCH = 0.80
"""Hip to sole over the stretched leg at the top: kicks have 0.85 to 1, legs that step
over something 0.3 to 0.7."""
KICK_AHEAD, KICK_OUT = 0.2, 0.3
"""Where the foot of a kick is, ahead of the hip or out to the side [m]."""
BACK_HEIGHT = 0.3
"""A foot that swings back is higher, or it only pushes off [m]."""
LEG_LENGTH = 0.66
"""Hip roll joint to sole of the stretched leg [m]."""
KNEE_DROP, KNEE_BEHIND = 0.17, 0.15
"""A raised knee is at most this far below the hip [m], where walking knees stay 0.25
below; and its foot is not behind, as when a leg is drawn back."""
ONE_LEG_HEIGHT, ONE_LEG_SECONDS = 0.10, 1.0
"""Other foot clear of the floor this long; a slow stride swings for 0.6 s."""
FREE_HEIGHT = 0.12
"""A foot above this swings freely [m]."""
WIND_UP = 0.6
"""A kick follows its wind-up within this time [s]."""
SERIES_GAP = 2.0
"""Kicks that follow within this time are one series [s]."""


class _Swing(NamedTuple):
    span: Span
    side: Side
    kind: Literal["kick", "knee"]
    top: float
    way: Way


def find_leg_events(signals: Signals, running: Bools) -> list[Event]:
    """Kicks, raised knees and balancing; `running` (T,) marks where none is looked for."""
    swings = sorted(
        swing for index in (0, 1) for swing in _swings(signals, index, running)
    )
    found: list[Event] = [*_kicks(swings), *_knees(swings)]
    return found + list(_one_leg(signals, running))


def _swings(signals: Signals, index: int, running: Bools) -> list[_Swing]:
    """Stretches in which a foot is up while the other one stands."""
    free = (signals.foot_height[:, index] > FREE_HEIGHT) & ~running
    found = []
    for span in spans(free, min_seconds=0.12):
        frames = span.frames
        if signals.contact[frames, 1 - index].mean() <= 0.6:
            continue
        way = _kick_way(signals, index, span)
        knee = signals.knee_f[frames, index] - signals.hip_f[frames, index]
        behind = (signals.foot_f - signals.hip_f)[frames, index, 0] < -KNEE_BEHIND
        lifted = np.where(behind, -1.0, knee[:, 2]).max() > -KNEE_DROP
        if way is not None:
            top = float(signals.foot_f[frames, index, 2].max())
            found.append(_Swing(span, SIDES[index], "kick", top, way))
        elif lifted:
            found.append(_Swing(span, SIDES[index], "knee", 0.0, "front"))
    return found


def _kick_way(signals: Signals, index: int, span: Span) -> Way | None:
    """Where a swing kicks to; None if it is no kick."""
    leg = (signals.foot_f - signals.hip_f)[:, index]
    if np.linalg.norm(rate(leg)[span.frames], axis=1).max() < KICK_SPEED:
        return None
    leg = leg[span.frames]
    height = signals.foot_height[span.frames, index]
    stretch = np.linalg.norm(leg, axis=1) / LEG_LENGTH
    outward = leg[:, 1] * (1.0 if index == 0 else -1.0)
    places: tuple[tuple[Way, Bools, float], ...] = (
        ("front", leg[:, 0] > np.maximum(outward, KICK_AHEAD), KICK_HEIGHT),
        ("side", outward > np.maximum(leg[:, 0], KICK_OUT), KICK_HEIGHT),
        ("back", leg[:, 0] < -KICK_AHEAD, BACK_HEIGHT),
    )
    for way, there, low in places:
        at = int(np.where(there, height, 0.0).argmax())
        if there[at] and height[at] > low and stretch[at] > KICK_STRETCH:
            return way
    return None


def _kicks(swings: list[_Swing]) -> list[Kick]:
    series: list[Kick] = []
    for i, swing in enumerate(swings):
        if swing.kind != "kick" or _winds_up(swing, swings[i + 1 :]):
            continue
        level: Literal["low", "waist", "chest"] = (
            "low" if swing.top < 0.45 else "waist" if swing.top < 0.85 else "chest"
        )
        kick = Kick(
            **swing.span.times, side=swing.side, count=1, level=level, way=swing.way
        )
        last = series[-1] if series else None
        if (
            last is not None
            and last.side == kick.side
            and last.way == kick.way
            and kick.start - last.end <= SERIES_GAP
        ):
            order = ("low", "waist", "chest")
            top = max(last.level, kick.level, key=order.index)
            series[-1] = Kick(
                start=last.start,
                end=kick.end,
                side=kick.side,
                count=last.count + 1,
                level=top,
                way=kick.way,
            )
        else:
            series.append(kick)
    return series


def _winds_up(swing: _Swing, later: list[_Swing]) -> bool:
    """A leg drawn back for a kick ahead is part of that kick."""
    return swing.way == "back" and any(
        other.side == swing.side
        and other.way != "back"
        and other.span.start - swing.span.stop < WIND_UP * FPS
        for other in later
    )


def _knees(swings: list[_Swing]) -> list[KneeRaise]:
    """Series of raised knees; taking turns makes it "both"."""
    series: list[KneeRaise] = []
    for swing in swings:
        if swing.kind != "knee":
            continue
        last = series[-1] if series else None
        if last is not None and swing.span.start / FPS - last.end <= SERIES_GAP:
            series[-1] = KneeRaise(
                start=last.start,
                end=swing.span.stop / FPS,
                side=last.side if last.side == swing.side else "both",
                count=last.count + 1,
            )
        else:
            series.append(KneeRaise(**swing.span.times, side=swing.side, count=1))
    return series


def _one_leg(signals: Signals, running: Bools) -> list[OneLeg]:
    found = []
    for index, side in enumerate(SIDES):
        alone = (
            signals.contact[:, index]
            & (signals.foot_height[:, 1 - index] > ONE_LEG_HEIGHT)
            & ~running
        )
        for span in spans(alone, min_seconds=ONE_LEG_SECONDS):
            found.append(OneLeg(**span.times, side=side))
    return found
