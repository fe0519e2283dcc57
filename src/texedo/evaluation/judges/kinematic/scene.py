"""A motion as the judge sees it: its events, its curves, and what was done in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from texedo.data.events import Facts
from texedo.data.events.measure import measure_many
from texedo.evaluation.understanding.body import Body, Floats, read_body
from texedo.motion import FPS, Motion
from texedo.motion.edit import canonicalize


@dataclass(frozen=True, kw_only=True)
class Deed:
    """Something that was done from `start` to `end` [s]."""

    start: float
    end: float
    clear: bool = True
    """Beyond doubt; otherwise something like it."""
    side: str | None = None
    """left, right or both: the limb that did it, or whither a turn or a lean went."""
    ways: tuple[tuple[str, float], ...] = ()
    """Whither it went and how much, in metres: forward, backward, left, right."""
    count: int | None = None
    """How often; None if it cannot be counted."""
    angle: float | None = None
    """[degrees]"""
    level: str | None = None
    """How high a hand got."""
    size: float = 1.0
    """How much of it there was, to compare deeds of one kind."""
    pace: float | None = None
    """Speed in what is usual for it: below 1 slow, above 1 fast."""
    timed: bool = True
    """Start and end are known."""

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2

    def way(self, name: str) -> float:
        return dict(self.ways).get(name, 0.0)


class Window(NamedTuple):
    """When a phase of a prompt is to be expected."""

    phase: int = 0
    """Which one, from 0."""
    of: int = 1
    """How many there are."""


class Scene:
    """One motion; what was looked at is remembered."""

    def __init__(self, motion: Motion) -> None:
        # From one place and heading, so that rounding cannot decide a close case.
        self.motion = canonicalize(motion)
        self._seen: dict[str, list[Deed]] = {}
        self._weights: dict[Window, Floats] = {}
        self._curves: dict[str, Floats] = {}

    @cached_property
    def facts(self) -> Facts:
        # Events are looked for when a unit asks for them: few prompts need all.
        return measure_many([self.motion.to_qpos()])[0].facts

    @cached_property
    def body(self) -> Body:
        return read_body(self.motion)

    @property
    def seconds(self) -> float:
        return self.motion.duration

    def seen(self, name: str, look: Callable[[Scene], list[Deed]]) -> list[Deed]:
        """The deeds of one kind."""
        if name not in self._seen:
            self._seen[name] = look(self)
        return self._seen[name]

    def curve(self, name: str, look: Callable[[Body], Floats]) -> Floats:
        """How much of something is done at each time, (T,)."""
        if name not in self._curves:
            self._curves[name] = look(self.body)
        return self._curves[name]

    def weights(self, window: Window) -> Floats:
        """How much each frame has to say of a phase, (T,).

        Phases are thought to last alike. As they do not, a neighbour's half counts too,
        the less the further away.
        """
        if window not in self._weights:
            at = (np.arange(len(self.body)) + 0.5) / len(self.body) * window.of
            off = np.abs(at - window.phase - 0.5) - 0.5
            self._weights[window] = np.clip(1.0 - 2.0 * off, 0.0, 1.0)
        return self._weights[window]

    def within(self, deed: Deed, window: Window) -> float:
        """How much of a deed lies in a phase, from 0 to 1."""
        if window.of == 1:
            return 1.0
        weights = self.weights(window)
        first = min(round(deed.start * FPS), len(weights) - 1)
        return float(weights[first : max(round(deed.end * FPS), first + 1)].mean())

    def throughout(self, **about: object) -> Deed:
        """Something whose time is not known, or that is done all the time."""
        return Deed(start=0.0, end=self.seconds, timed=False, **about)  # type: ignore[arg-type]
