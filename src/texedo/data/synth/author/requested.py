"""Which everyday request a spec is for: its rule judges the motion, its wordings name it."""

from __future__ import annotations

from collections.abc import Iterator

from texedo.data.captions.activities.rules import grade_of
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.activities.table import Asked, find_request
from texedo.data.synth.author.routines import load_routines
from texedo.data.synth.author.spec import Spec

_ENOUGH = 0.5
"""Grade from which a motion that was written for a request passes as its fulfilment.

Its parts are known by construction; the rule has to see more for it than against it.
"""
_OF_KIND: dict[str, dict[str, str]] = {
    "stomp": {"": "stomp"},
    "butt_kicks": {"": "butt-kicks"},
    "jog_place": {"": "jog-place", "high": "high-knees"},
    "lunge": {"": "lunge-side", "out": "lunge-lateral"},
    "wide_stance": {"": "feet-wide", "arms": "star-pose"},
    "side_to_side": {"": "side-side", "beat": "step-touch"},
    "crouch": {"": "crouch", "squat": "squat-hold"},
    "zigzag": {"": "zigzag"},
}
"""By kind and way."""
_COUNTS = {
    "butt_kicks": 8,
    "jog_place": 10,
    "side_to_side": 3,
    "crouch": 3,
    "zigzag": 4,
}
"""How often, where it is done more than once anyway."""
_LEG_OUT = {
    ("out", "kick"): "kick-side",
    ("back", "kick"): "kick-back",
    ("out", "plain"): "leg-raise-side",
    ("back", "plain"): "leg-raise-back",
    ("front", "plain"): "leg-raise-front",
}
_WALKS = {"soldier": "march", "hobble": "limp", "stride": "confident-walk"}


def asked_for(spec: Spec) -> Asked | None:
    """The request of a spec, with its side and count; None if it is for none."""
    name = _name(spec)
    if name is None:
        return None
    request = find_request(name)
    sided = request.sided and spec.side in ("left", "right")
    counted = request.counted and spec.count > 1
    return Asked(
        request=request,
        side=spec.side if sided else "",
        count=spec.count if counted else 0,
    )


def plain_specs() -> Iterator[tuple[str, Spec]]:
    """Requests that kinds of motion are for, and a spec of each kind that names neither
    side nor count."""
    for kind, ways in _OF_KIND.items():
        for way, name in ways.items():
            yield name, Spec(kind=kind, way=way, count=_COUNTS.get(kind, 1))
    for (way, manner), name in _LEG_OUT.items():
        yield name, Spec(kind="leg_out", way=way, manner=manner)
    for manner, name in _WALKS.items():
        yield name, Spec(kind="walk", way="forward", manner=manner, count=6)


def _name(spec: Spec) -> str | None:
    if spec.kind == "routine":
        return load_routines()[spec.way].request
    if spec.kind == "leg_out":
        return _LEG_OUT[spec.way, spec.manner]
    if spec.kind == "walk" and not spec.angle:
        return _WALKS.get(spec.manner)
    if spec.kind == "jump" and spec.way in ("left", "right"):
        return f"jump-{spec.way}"
    return _OF_KIND.get(spec.kind, {}).get(spec.way)


def fulfils(spec: Spec, scene: Scene) -> bool:
    """Whether a motion does what its spec was written for, as the request's rule sees it."""
    asked = asked_for(spec)
    if asked is None:
        return True
    # What must not happen beside is another matter where the legs have their own way.
    rule = asked.rule if spec.base == "stand" else asked.bare
    seen = grade_of(rule, scene)
    return seen >= (_ENOUGH if asked.request.measurable else 0.9 * _ENOUGH)
