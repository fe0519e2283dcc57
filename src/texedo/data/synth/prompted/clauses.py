"""Clauses with numbers as specs: ways, steps, distances, angles, counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from texedo.data.captions.reader import Clause
from texedo.data.synth.author.moves import WAYS
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.prompted.table import MOST, on_each_side, with_side

_FARTHEST = 6.0
"""Nothing goes farther [m]."""
_STEPS = (4, 6)
"""Of a walk of which no number is said."""
_QUARTER, _SLIGHT = 90, 40
_MOST_TURNED = 1080
_SIDEWAYS = {
    "sideways": ("left", "right"),
    "diagonal": ("forward-left", "forward-right"),
}
_STRAIGHT = frozenset(("forward", "backward", "left", "right"))


def ways_of_clause(clause: Clause) -> list[Spec]:
    """Specs for one clause, the likelier ones first; empty if nobody knows how."""
    make = _SPECS.get(clause.action)
    if make is None or clause.negated or (clause.count or 0) > MOST:
        return []
    return make(clause)


def _travel(clause: Clause) -> list[Spec]:
    if clause.in_place:
        return _march(clause)
    found: list[Spec] = []
    said = clause.direction or "forward"
    for way in _SIDEWAYS.get(said, (said,)):
        if way not in WAYS:
            continue
        far = clause.distance
        if far is not None:
            if way in _STRAIGHT and 0.2 <= far <= _FARTHEST:
                found.append(Spec(kind="walk_far", way=way, count=round(100 * far)))
        elif clause.count is not None:
            kind = "steps" if way in _STRAIGHT else "walk"
            found.append(Spec(kind=kind, way=way, count=clause.count))
        elif "step" in clause.text.split() and way in _STRAIGHT and not clause.many:
            found += [Spec(kind="steps", way=way, count=n) for n in (1, 2)]
        else:
            found += [Spec(kind="walk", way=way, count=number) for number in _STEPS]
    return found


def _turn(clause: Clause) -> list[Spec]:
    times = clause.count or 1
    angles = clause.angles or ((_SLIGHT,) if clause.slight else (_QUARTER,))
    found = [
        Spec(kind="turn", angle=sign * round(times * angle))
        for angle in angles
        for sign in _signs(clause)
        if 0 < times * angle <= _MOST_TURNED
    ]
    about = [replace(s, way="about") for s in found if abs(s.angle) == 180]
    return found + about


def _signs(clause: Clause) -> tuple[int, ...]:
    """To the left is positive; both where no side is said."""
    return {"left": (1,), "right": (-1,)}.get(clause.side or "", (1, -1))


def _circle(clause: Clause) -> list[Spec]:
    laps = clause.count or 1
    walk = Spec(kind="walk", way="forward", count=13 * laps)
    return [
        replace(walk, angle=sign * 360 * laps) for sign in _signs(clause) if laps <= 2
    ]


def _jump(clause: Clause) -> list[Spec]:
    said = clause.direction or ""
    if clause.angles:
        return []
    ways = ("left", "right") if said == "sideways" else (said,)
    known = ("", "forward", "backward", "left", "right")
    return [
        Spec(kind="jump", way=way, count=clause.count or (2 if clause.many else 1))
        for way in ways
        if way in known
    ]


def _hop(clause: Clause) -> list[Spec]:
    way = "forward" if clause.direction == "forward" else ""
    return _sided("hop", way=way, times=3)(clause)


def _knee(clause: Clause) -> list[Spec]:
    found = _sided("raise_knee")(clause)
    if clause.count is None and clause.side in ("left", "right"):
        other = "left" if clause.side == "right" else "right"
        found.append(Spec(kind="one_leg", side=other, count=2))
    return found


_ARM_WAYS = {
    "forward": {"forward", "ahead", "front"},
    "side": {"side", "wide", "spread", "sideways", "out"},
    "up": {"up", "raise", "lift", "high", "overhead", "above", "over", "air"},
}
"""Where an arm goes, by a word of its clause."""


def _arm(clause: Clause) -> list[Spec]:
    words = set(clause.text.split())
    ways = (way for way, own in _ARM_WAYS.items() if words & own)
    if (way := next(ways, None)) is None:
        return []
    found = _sided("raise_hand", way=way)(clause)
    if clause.count is None:
        found += _sided("hold_pose", way=way, times=4)(clause)
    return found


def _clap(clause: Clause) -> list[Spec]:
    way = "overhead" if clause.level in ("overhead", "head") else "chest"
    return [Spec(kind="clap", way=way, count=clause.count or 4)]


def _march(clause: Clause) -> list[Spec]:
    return [Spec(kind="march", count=clause.count or 8)]


def _sided(
    kind: str, *, way: str = "", times: int = 1
) -> Callable[[Clause], list[Spec]]:
    def specs(clause: Clause) -> list[Spec]:
        count = clause.count or (max(times, 3) if clause.many else times)
        spec = Spec(kind=kind, way=way, count=count)
        if clause.side == "both":
            return [] if kind in _ONE_LEG else [replace(spec, side="both")]
        return on_each_side(with_side(spec), clause.side)

    return specs


_ONE_LEG = frozenset(("half_kneel", "hop", "one_leg"))
"""Kinds that nobody does with both legs."""


def _plain(kind: str) -> Callable[[Clause], list[Spec]]:
    def specs(clause: Clause) -> list[Spec]:
        return [Spec(kind=kind, count=clause.count or (3 if clause.many else 1))]

    return specs


def _stand(clause: Clause) -> list[Spec]:
    return [Spec(kind="stand", count=2), Spec(kind="stand", count=3)]


_SPECS: dict[str, Callable[[Clause], list[Spec]]] = {
    "walk": _travel,
    "move": _travel,
    "turn": _turn,
    "circle": _circle,
    "jump": _jump,
    "hop": _hop,
    "jack": _plain("jumping_jack"),
    "one_leg": _sided("one_leg", times=3),
    "hips": _sided("hands_on_hips"),
    "head": _sided("hand_to_head"),
    "kneel": _sided("half_kneel"),
    "wave": _sided("wave", times=3),
    "clap": _clap,
    "kick": _sided("kick"),
    "knee": _knee,
    "march": _march,
    "punch": _sided("punch", way="straight"),
    "arm": _arm,
    "lunge": _sided("lunge"),
    "squat": _plain("squat"),
    "bend": _plain("bow"),
    "still": _stand,
}
"""By the reader's names of actions."""
