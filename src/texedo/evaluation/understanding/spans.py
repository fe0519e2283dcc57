"""Stretches of time on a curve: how often it was high, how often it went to and fro."""

from __future__ import annotations

import numpy as np

from texedo.evaluation.understanding.body import Bools, Floats
from texedo.motion import FPS
from texedo.motion.runs import true_runs

Span = tuple[int, int]
"""First frame, and the one after the last."""


def times_high(
    curve: Floats, high: float, low: float, *, seconds: float = 0.0
) -> list[Span]:
    """Stretches above `low` that reach `high`, of at least so many seconds.

    Two thresholds, so that a hand that trembles at one of them is not raised ten times.
    """
    return [
        (int(first), int(last))
        for first, last in true_runs(curve >= low)
        if last - first >= seconds * FPS and curve[first:last].max() >= high
    ]


def longest(mask: Bools) -> float:
    """Duration of the longest stretch that is true throughout [s]."""
    spans = true_runs(mask)
    return float((spans[:, 1] - spans[:, 0]).max() / FPS) if len(spans) else 0.0


def both(mask: Bools) -> Bools:
    """Where left and right are true at once, (T, 2) to (T,)."""
    return np.asarray(mask.all(axis=1))


def either(mask: Bools) -> Bools:
    """Where any of a row is true, (R, K) to (R,)."""
    return np.asarray(mask.any(axis=1))


def reversals(curve: Floats, amplitude: float) -> int:
    """How often the curve turns after it has gone `amplitude` one way, and does so again."""
    return len(turning_points(curve, amplitude))


def turning_points(curve: Floats, amplitude: float) -> list[int]:
    """Frames of the highs and lows between which the curve goes at least `amplitude`."""
    values: list[float] = curve.tolist()
    found: list[int] = []
    low = high = going = 0
    for frame, value in enumerate(values):
        high = frame if value > values[high] else high
        low = frame if value < values[low] else low
        if going >= 0 and values[high] - value >= amplitude:
            found += [high] if going else []
            going, low = -1, frame
        elif going <= 0 and value - values[low] >= amplitude:
            found += [low] if going else []
            going, high = 1, frame
    return found


def swing_range(curve: Floats) -> float:
    """How far a curve goes, a few stray frames left out."""
    low, high = np.quantile(curve, [0.03, 0.97])
    return float(high - low)
