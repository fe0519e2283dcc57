"""Requests and the specs that do what they ask for, with sides and counts filled in."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from texedo.core.errors import FileFormatError
from texedo.data.captions.activities.table import Asked
from texedo.data.captions.asked.patterns import reading_requests
from texedo.data.synth.author.kinds import KINDS
from texedo.data.synth.author.requested import plain_specs
from texedo.data.synth.author.routines import load_routines
from texedo.data.synth.author.routines.steps import every_step
from texedo.data.synth.author.spec import Spec

SIDED = frozenset(
    "wave raise_hand point salute hand_to_head hands_on_hips hold_pose punch kick "
    "raise_knee half_kneel hop one_leg stomp leg_out lunge twist zigzag side_to_side "
    "step_over salsa".split()
)
"""Kinds that are done by a side, or to one."""
_SIDED_MANNERS = frozenset(("limp", "hobble"))
_SIDES = ("right", "left")
_OTHER = {"left": "right", "right": "left"}
_BY_THE_RIGHT = frozenset(("salute", "handshake", "hand-heart"))
"""Requests that the right hand is meant for where none is named."""
_SIDE, _OPPOSITE = "{side}", "{other}"
_SECONDS = frozenset(("stand", "hold_pose", "one_leg", "crouch", "half_kneel"))
"""Kinds whose count is no number of times."""
MOST = 12
"""Nothing is written more often."""
_NUMBERS = {"count": int, "angle": int, "size": float}

Parts = tuple[Spec, ...]
"""One after the other."""


def ways_to_do(asked: Asked) -> list[Parts]:
    """Specs for a request, each side in turn where none is asked for; empty if nobody
    knows how."""
    found: list[Parts] = []
    for parts in _ways().get(asked.request.id, ()):
        if asked.count and not (parts := counted(parts, asked.count)):
            continue
        found += [
            tuple(_on(part, side) for part in parts) for side in _sides(parts, asked)
        ]
    if not asked.count:
        # Who raises an arm raises it once.
        found.sort(key=lambda parts: any(_is_repeated(part) for part in parts))
    return found


def _is_repeated(part: Spec) -> bool:
    """A routine that the grids of the corpus have several times over."""
    return part.kind == "routine" and part.count > 1


def counted(parts: Parts, count: int) -> Parts:
    """That often; empty where it cannot be said how often."""
    if len(parts) > 1 or parts[0].kind in _SECONDS or count > MOST:
        return ()
    (part,) = parts
    if part.kind == "routine" and load_routines()[part.way].counts == (1,) != (count,):
        return ()
    return (replace(part, count=count),)


def _sides(parts: Parts, asked: Asked) -> tuple[str, ...]:
    if not any("{" in part.side + part.way for part in parts):
        return ("",)
    if asked.side in _SIDES:
        return (asked.side,)
    return _SIDES[:1] if asked.request.id in _BY_THE_RIGHT else _SIDES


def _on(part: Spec, side: str) -> Spec:
    def said(text: str) -> str:
        return text.replace(_SIDE, side).replace(_OPPOSITE, _OTHER.get(side, ""))

    return replace(part, side=said(part.side), way=said(part.way))


@cache
def _ways() -> Mapping[str, tuple[Parts, ...]]:
    found: dict[str, list[Parts]] = {}
    for request, spec in _of_the_third_grid():
        found.setdefault(request, []).append((spec,))
    known = {one.id for one in reading_requests()}
    text = files(__package__).joinpath("requests.toml").read_text(encoding="utf-8")
    for request, ways in tomllib.loads(text).items():
        if request not in known:
            raise FileFormatError(f"requests.toml: there is no request {request!r}.")
        found.setdefault(request, []).extend(read_way(way, request) for way in ways)
    return {request: tuple(ways) for request, ways in found.items()}


def _of_the_third_grid() -> Iterator[tuple[str, Spec]]:
    for name, routine in load_routines().items():
        for base in ("stand",) if "stand" in routine.bases else routine.bases:
            spec = Spec(kind="routine", way=name, count=routine.counts[0], base=base)  # type: ignore[arg-type]
            yield routine.request, with_side(spec)
    for request, spec in plain_specs():
        yield request, with_side(spec)


def read_way(text: str, request: str) -> Parts:
    """ "squat count=2 + bow" as specs whose sides are still to be filled in."""
    parts = []
    for part in text.split(" + "):
        kind, *fields = part.split()
        given: dict[str, Any] = {}
        for field in fields:
            name, _, value = field.partition("=")
            given[name] = _NUMBERS.get(name, str)(value)
        try:
            spec = Spec(kind=kind, **given)
        except TypeError as error:
            raise FileFormatError(f"{request}, {text!r}: {error}.") from None
        if kind not in KINDS:
            raise FileFormatError(f"{request}, {text!r}: {kind!r} is no kind.")
        parts.append(with_side(spec))
    return tuple(parts)


def with_side(spec: Spec) -> Spec:
    """With a side to be filled in, where the kind has one and none is said."""
    if spec.side:
        return spec
    if spec.kind == "routine":
        own = load_routines()[spec.way].sides
        return replace(spec, side=_SIDE if len(own) > 1 and "left" in own else own[0])
    sided = spec.kind in SIDED or spec.manner in _SIDED_MANNERS
    return replace(spec, side=_SIDE) if sided else spec


def on_each_side(spec: Spec, side: str | None) -> list[Spec]:
    """The spec on this side, or on each where none is said."""
    sides = (side,) if side in _SIDES else _SIDES
    if "{" not in spec.side + spec.way:
        return [spec]
    return [_on(spec, str(one)) for one in sides]


def uses_arms(spec: Spec) -> bool:
    """Whether it needs the arms; of routines those of trunk and feet alone do not."""
    if spec.kind != "routine":
        return True
    steps = every_step(load_routines()[spec.way].steps)
    return any(step.arms or step.circles for step in steps)


def moves_feet(spec: Spec) -> bool:
    """Whether it is a routine that puts the feet somewhere."""
    if spec.kind != "routine":
        return False
    return any(step.feet for step in every_step(load_routines()[spec.way].steps))
