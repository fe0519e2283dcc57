"""Jumping jacks: feet apart and together, arms up and down, in time."""

from __future__ import annotations

import numpy as np

from texedo.data.events.feet import Steps
from texedo.data.events.signals import Signals, smooth
from texedo.data.events.spans import Span, turning_points
from texedo.data.events.types import JumpingJack
from texedo.motion import FPS

FEET_SWING, HANDS_SWING = 0.15, 0.35
"""How far the feet part and the hands rise, at least [m]."""
IN_TIME = 0.6
"""Correlation of feet and hands; a walk with swinging arms has none."""
MIN_COUNT = 2
MAX_PERIOD = 2.0
"""Longest time from one to the next [s]."""
ABOVE_SHOULDER = 0.1
"""How high both palms get, at least [m]."""


def find_jumping_jacks(signals: Signals, steps: Steps) -> list[JumpingJack]:
    """The series of jumping jacks, if there is one."""
    gap = signals.foot_w[:, 0, :2] - signals.foot_w[:, 1, :2]
    apart = smooth(np.hypot(gap[:, 0], gap[:, 1]), 0.08)
    hands = smooth(signals.palm_f[:, :, 2].min(axis=1), 0.08)
    opened = [p for p in turning_points(apart, FEET_SWING) if p.top]
    high = float(signals.shoulder_f[:, :, 2].mean()) + ABOVE_SHOULDER
    raised = [p for p in turning_points(hands, HANDS_SWING) if p.top and p.value > high]
    if min(len(opened), len(raised)) < MIN_COUNT:
        return []
    start, stop = raised[0].frame, raised[-1].frame + 1
    if stop - start > MAX_PERIOD * FPS * (len(raised) - 1):
        return []
    first, last = max(start - 25, 0), min(stop + 25, len(signals))
    together = np.corrcoef(apart[first:last], hands[first:last])[0, 1]
    if together < IN_TIME:
        return []
    count = min(len(opened), len(raised))
    if steps.landings_in(Span(first, last)) < count:
        return []
    return [JumpingJack(start=first / FPS, end=last / FPS, count=count)]
