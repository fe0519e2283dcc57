"""Deeds of the legs: kicking, lifting a knee, standing on one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from texedo.data.events import Kick, KneeRaise, OneLeg
from texedo.evaluation.judges.kinematic.looks.arms import by_hand
from texedo.evaluation.judges.kinematic.scene import Deed, Scene
from texedo.evaluation.understanding.judges import legs

_OTHER = {"left": "right", "right": "left"}


def kick(scene: Scene) -> list[Deed]:
    """A foot that goes up fast."""
    found = _sided(scene, Kick)
    if found:
        return found
    for side in ("left", "right"):
        if legs.kick(scene.body, side=side):
            return [scene.throughout(side=side)]
    if legs.kick(scene.body):
        return [scene.throughout(side="both")]
    return [_like(deed) for deed in knee(scene)]


def knee(scene: Scene) -> list[Deed]:
    """A foot lifted while the other stands."""
    found = _sided(scene, KneeRaise, Kick)
    found += [
        Deed(start=e.start, end=e.end, side=_OTHER[e.side], clear=True)
        for e in scene.facts.of(OneLeg)
    ]
    have = {deed.side for deed in found}
    clear = scene.body.clear
    stands = clear[:, ::-1] < 0.06
    lifted = by_hand(np.where(stands, clear, 0.0), 0.14, 0.09)
    return found + [d for d in lifted if d.side not in have and d.side != "both"]


def one_leg(scene: Scene) -> list[Deed]:
    """Standing on one leg: the side is that of the leg that stands."""
    found = [
        Deed(start=e.start, end=e.end, side=e.side, size=e.duration)
        for e in scene.facts.of(OneLeg)
    ]
    if found:
        return found
    off = scene.body.clear > 0.035
    alone = (off & ~off[:, ::-1]).astype(np.float64)[:, ::-1]
    found = by_hand(alone, 0.9, 0.5, seconds=0.35)
    long = [deed for deed in found if deed.end - deed.start >= 0.7]
    return long or [_like(deed) for deed in found]


def legs_apart(scene: Scene) -> list[Deed]:
    for above, clear in ((0.45, True), (0.38, False)):
        if legs.stance(scene.body, above=above):
            return [scene.throughout(clear=clear)]
    return []


def _sided(scene: Scene, *kinds: type[Kick | KneeRaise]) -> list[Deed]:
    return [
        Deed(start=e.start, end=e.end, side=e.side, count=e.count, size=e.count)
        for kind in kinds
        for e in scene.facts.of(kind)
    ]


def _like(deed: Deed) -> Deed:
    return replace(deed, clear=False)
