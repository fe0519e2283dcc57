"""A motion, or a part of it, as the predicates see it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import fields, replace
from functools import cached_property

import numpy as np

from texedo.data.events.live import LiveFacts
from texedo.data.events.measure import measure_many
from texedo.data.events.signals import Signals, rate, smooth
from texedo.data.events.spans import Floats
from texedo.data.events.types import Event, Facts
from texedo.motion import FPS, Motion

_NAMES = tuple(field.name for field in fields(Signals))
_MOST = 0.6
"""Share of an event that lies in a part of the motion for it to count there."""


class Scene:
    """Curves and events of a stretch of a motion; what was computed is kept."""

    def __init__(self, signals: Signals, facts: Facts) -> None:
        self.signals = signals
        self.facts = facts
        self._kept: dict[Hashable, float] = {}
        self._parts: dict[tuple[int, int], Scene] = {}

    @classmethod
    def of(cls, motion: Motion) -> Scene:
        """Measured here; a caller who has measured already builds it himself."""
        return cls(*measure_many([motion.to_qpos()])[0])

    def __len__(self) -> int:
        return len(self.signals)

    @property
    def seconds(self) -> float:
        return len(self.signals) / FPS

    def remembered(self, key: Hashable, compute: Callable[[], float]) -> float:
        """The same question is answered once."""
        if key not in self._kept:
            self._kept[key] = compute()
        return self._kept[key]

    def part(self, start: int, stop: int) -> Scene:
        """Frames `start` to `stop`, exclusive, and what happens mostly in them."""
        if (start, stop) == (0, len(self)):
            return self
        if (start, stop) not in self._parts:
            curves = {name: getattr(self.signals, name)[start:stop] for name in _NAMES}
            facts = _facts_of(self.facts, start / FPS, stop / FPS)
            self._parts[start, stop] = Scene(Signals(**curves), facts)
        return self._parts[start, stop]

    @cached_property
    def velocity(self) -> Floats:
        """Along the path as seen from the facing, where it moves at all, (T, 2) [m/s]."""
        speed = np.hypot(*self.signals.velocity_f.T)
        return np.asarray(self.signals.velocity_f * (speed > _SHIFTING)[:, None])

    @cached_property
    def speed(self) -> Floats:
        """(T,) [m/s]"""
        return np.asarray(np.hypot(*self.velocity.T))

    @cached_property
    def path(self) -> float:
        """Ground covered, shifts of weight left out [m]."""
        return float(self.speed.sum()) / FPS

    @cached_property
    def away(self) -> float:
        """Largest distance from the first place [m]."""
        return float(np.hypot(*(self.signals.path_w - self.signals.path_w[0]).T).max())

    @cached_property
    def arm(self) -> Floats:
        """Shoulder to palm in the facing frame, (T, 2, 3) [m]."""
        return self.signals.palm_f - self.signals.shoulder_f

    @cached_property
    def palm(self) -> Floats:
        """Palms seen from the torso without jitter, outward positive: (T, 2, 3) [m]."""
        palm = smooth(self.signals.palm_t, 0.06)
        return np.asarray(palm * np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 1.0]]))

    @cached_property
    def palm_rate(self) -> Floats:
        """(T, 2, 3) [m/s]"""
        return rate(self.palm)

    @cached_property
    def chest(self) -> Floats:
        """Heading of the chest, (T,) [degrees]."""
        return np.asarray(np.degrees(self.signals.feet_yaw) + self.signals.twist)


_SHIFTING = 0.12
"""Slower than this is shifting weight [m/s]."""


def _facts_of(facts: Facts, start: float, end: float) -> Facts:
    """The facts of a part; of what is told of the whole it has its share."""
    share = (end - start) / max(facts.duration, 1e-9)

    def find(kind: type[Event]) -> list[Event]:
        kept: list[Event] = []
        for event in facts.of(kind):
            inside = min(event.end, end) - max(event.start, start)
            if inside > 0 and inside >= _MOST * event.duration:
                times = max(event.start - start, 0.0), min(event.end, end) - start
                kept.append(replace(event, start=times[0], end=times[1]))
        return kept

    return LiveFacts(
        find=find,
        duration=end - start,
        distance=facts.distance * share,
        displacement=facts.displacement * share,
        turned=facts.turned * share,
        steps=round(facts.steps * share),
        hand_path=(facts.hand_path[0] * share, facts.hand_path[1] * share),
        lowest=facts.lowest,
    )
