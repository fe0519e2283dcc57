"""Whether a motion does what was asked."""

from __future__ import annotations

from texedo.data.captions.activities.compose import RequestPrompt
from texedo.data.captions.activities.rules import (
    Answer,
    Joined,
    Measured,
    Rule,
    answer,
    grade_of,
    parse,
)
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.activities.table import Asked, Request
from texedo.data.events.signals import Signals
from texedo.data.events.types import Facts
from texedo.motion import Motion

Wish = str | Rule | Request | Asked | RequestPrompt
"""A rule, as text or parsed, or a request with one."""
Seen = Motion | Scene | tuple[Signals, Facts]
"""A motion, or what was measured of it already."""


def judge(wish: Wish, seen: Seen) -> Answer:
    """Yes, perhaps, or no."""
    return answer(grade_of(_rule(wish), scene_of(seen)))


def scene_of(seen: Seen) -> Scene:
    """To be asked several times, measured once."""
    if isinstance(seen, Scene):
        return seen
    return Scene.of(seen) if isinstance(seen, Motion) else Scene(*seen)


def _rule(wish: Wish) -> Rule:
    if isinstance(wish, str):
        return parse(wish)
    if isinstance(wish, Request):
        return Asked(request=wish).rule
    if isinstance(wish, Measured | Joined):
        return wish
    return wish.rule
