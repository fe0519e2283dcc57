"""Strokes: a hand that goes far in one direction at once, as in a push, throw or chop."""

from __future__ import annotations

import numpy as np

from texedo.data.captions.activities.predicates.grades import (
    by_side,
    counted,
    grade,
    sided,
    weakly,
)
from texedo.data.captions.activities.scene import Scene
from texedo.data.events.spans import spans
from texedo.data.events.types import Punch
from texedo.motion import FPS

_HANGING = -0.34
"""Palm below the middle of the shoulders that hangs, or nearly so [m]."""
_WAYS = {
    "forward": (1.0, 0.0, 0.0),
    "back": (-1.0, 0.0, 0.0),
    "out": (0.0, 1.0, 0.0),
    "across": (0.0, -1.0, 0.0),
    "up": (0.0, 0.0, 1.0),
    "down": (0.0, 0.0, -1.0),
    "forward-down": (0.7071, 0.0, -0.7071),
    "forward-up": (0.7071, 0.0, 0.7071),
    "up-across": (0.0, -0.7071, 0.7071),
    "down-across": (0.0, -0.7071, -0.7071),
}


def _strokes(
    scene: Scene, index: int, way: str, reach: float, speed: float, low: float = 1
) -> list[tuple[int, int]]:
    """First and last frames of strokes that go so far, and so fast somewhere.

    Without `low` neither end may be at a hanging arm: raising it and letting it down
    again are no blows.
    """
    aim = np.array(_WAYS[way])
    along = scene.palm_rate[:, index] @ aim
    height = scene.palm[:, index, 2]
    found = []
    for span in spans(along > 0.3 * speed, min_seconds=0.06, max_gap=0.04):
        far = float(along[span.frames].sum()) / FPS
        ends = min(height[span.start], height[span.stop - 1])
        if (
            far >= reach
            and float(along[span.frames].max()) >= speed
            and (low or ends > _HANGING)
        ):
            found.append((span.start, span.stop))
    return found


def stroke(
    scene: Scene,
    way: str,
    side: str = "either",
    reach: float = 0.25,
    speed: float = 0.8,
    n: float = 0,
    min: float = 1,
    low: float = 0,
) -> float:
    """A hand goes `reach` metres in one direction, at `speed` somewhere on the way.

    Strokes of seven tenths of that are perhaps. With `low` they may begin or end where
    arms hang.
    """

    def number(index: int, size: float) -> list[tuple[int, int]]:
        return _strokes(scene, index, way, size * reach, size * speed, low)

    def strokes(index: int) -> float:
        return _enough(len(number(index, 1.0)), len(number(index, 0.7)), n, min)

    if side != "both":
        return by_side(strokes, side)

    def shared(size: float) -> int:
        """Strokes of the two hands that go together."""
        left, right = number(0, size), number(1, size)
        return sum(any(a < d and c < b for c, d in right) for a, b in left)

    return _enough(shared(1.0), shared(0.7), n, min)


def _enough(full: int, weak: int, n: float, least: float) -> float:
    if n:
        return counted(full, n)
    return max(grade(full, least - 1, least), weakly(grade(weak, least - 1, least)))


def throws(scene: Scene, side: str = "either", speed: float = 1.3) -> float:
    """A hand comes from high or from behind and goes far ahead, fast."""

    def thrown(index: int) -> float:
        best = 0.0
        for start, stop in _strokes(scene, index, "forward", 0.22, 0.6 * speed):
            before = scene.palm[np.maximum(start - 10, 0) : start + 3, index]
            back = float((0.08 - before[:, 0]).max())
            high = float(before[:, 2].max())
            ready = max(grade(back, 0.0, 0.12), grade(high, -0.10, 0.06))
            fast = float(scene.palm_rate[start:stop, index, 0].max())
            end = float(scene.palm[start:stop, index, 0].max())
            best = max(
                best,
                float(
                    np.min(
                        [ready, grade(fast, 0.6 * speed, speed), grade(end, 0.15, 0.25)]
                    )
                ),
            )
        return best

    return by_side(thrown, side)


def swings_low(scene: Scene, side: str = "either", speed: float = 1.1) -> float:
    """A hanging hand swings from behind to the front, as in bowling."""

    def swung(index: int) -> float:
        best = 0.0
        for start, stop in _strokes(scene, index, "forward", 0.22, 0.6 * speed):
            low = scene.palm[start:stop, index]
            fast = float(scene.palm_rate[start:stop, index, 0].max())
            grades = [
                grade(-float(low[: len(low) // 2 + 1, 2].mean()), 0.2, 0.3),
                grade(-float(low[:2, 0].min()), -0.08, 0.02),
                grade(fast, 0.6 * speed, speed),
            ]
            best = max(best, float(np.min(grades)))
        return best

    return by_side(swung, side)


def swing_across(scene: Scene, speed: float = 1.2, low: float = 0) -> float:
    """Both hands, close together, sweep to one side, as with a bat, a club or a scythe."""
    palm = scene.signals.palm_t
    middle = palm.mean(axis=1)
    gap = np.linalg.norm(palm[:, 0] - palm[:, 1], axis=1)
    rate = np.gradient(middle, axis=0) * FPS
    best = 0.0
    for sign in (1.0, -1.0):
        for span in spans(
            rate[:, 1] * sign > 0.3 * speed, min_seconds=0.1, max_gap=0.04
        ):
            frames = span.frames
            far = abs(float(rate[frames, 1].sum())) / FPS
            fast = float(np.abs(rate[frames, 1]).max())
            grades = [
                grade(far, 0.15, 0.28),
                grade(fast, 0.6 * speed, speed),
                grade(-float(np.median(gap[frames])), -0.42, -0.28),
            ]
            if low:
                grades.append(grade(-float(middle[frames, 2].min()), 0.15, 0.28))
            best = max(best, float(np.min(grades)))
    return best


def punch(scene: Scene, side: str = "either", n: float = 0, kind: str = "any") -> float:
    """Fast thrusts of an arm and back, or hooks."""
    found = [
        (one.side, one.count)
        for one in scene.facts.of(Punch)
        if kind in ("any", one.kind) or one.kind == "punch"
    ]
    way = {"hook": "across"}.get(kind, "forward")
    weak = 0.0 if n else weakly(stroke(scene, way, side, 0.2, 1.0))
    return max(sided(found, side, n), weak)


def punches(scene: Scene, min: float = 3) -> float:
    """Many thrusts, of whichever hand."""
    count = sum(one.count for one in scene.facts.of(Punch))
    return grade(count, 0.4 * min, min)
