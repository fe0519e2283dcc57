"""What came first: actions of successive phases of a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from texedo.evaluation.judges.kinematic.found import Found, beyond
from texedo.evaluation.judges.kinematic.looks.deeds import look_for
from texedo.evaluation.judges.kinematic.looks.density import centre, has_curve
from texedo.evaluation.judges.kinematic.parse import Asked
from texedo.evaluation.judges.kinematic.scene import Deed, Scene
from texedo.evaluation.judges.protocol import Category, Label, Unit

_LIFTING = frozenset(
    "arm_up arm_front arm_out arm_reach hand_head hand_face wave".split()
)
_LOWERING = frozenset("squat down low bow lunge stoop kneel pick".split())
_PART_OF = {"arm_down": _LIFTING, "rise": _LOWERING, "arm_up": frozenset(("wave",))}
"""Who lowers a hand had raised it, and does both again when played backwards."""


def is_part(one: Asked, asked: Sequence[Asked]) -> bool:
    """Whether it goes with another action of the prompt: no phase of its own."""
    whole = _PART_OF.get(one.action.see, frozenset())
    return any(other.action.see in whole for other in asked if not other.negated)


def in_order(asked: Sequence[Asked]) -> list[Asked]:
    """The actions that have a place in time."""
    return [
        one
        for one in asked
        if not one.negated
        and not is_part(one, asked)
        and not (one.meanwhile and _company(one, asked))
    ]


def _company(one: Asked, asked: Sequence[Asked]) -> bool:
    """Whether its phase has another action that says when it is."""
    return any(two.phase == one.phase and not two.meanwhile for two in asked)


Timed = tuple[Asked, list[Deed]]
_TOGETHER = 0.03
"""Centres this close, over the length of the motion, are in no order."""


def order_units(scene: Scene, asked: Sequence[Asked]) -> list[Unit]:
    """One for each step from a phase to the next."""
    told = in_order(asked)
    phases = sorted({one.phase for one in told})
    units = []
    for before, after in zip(phases, phases[1:], strict=False):
        first = [one for one in told if one.phase == before]
        then = [one for one in told if one.phase == after]
        content = f"{first[-1].said}, then {then[0].said}"
        units.append(_unit(content, _order(scene, first, then)))
    return units + _contrary_units(scene, asked)


def _unit(content: str, found: Found) -> Unit:
    return Unit(category=Category.TEMPORAL, content=content, **found._asdict())


def _contrary_units(scene: Scene, asked: Sequence[Asked]) -> list[Unit]:
    """ "Bear right, curve left": what contradicts itself unless one follows the other."""
    units = []
    for one, two in zip(asked, asked[1:], strict=False):
        alike = one.action.see == two.action.see and one.phase == two.phase
        if alike and _sides(one) | _sides(two) == {"left", "right"}:
            if len(_sides(one)) == len(_sides(two)) == 1:
                found = _order(scene, [one], [two])
                units.append(_unit(f"{one.said}, then {two.said}", found))
    return units


def _sides(one: Asked) -> set[str]:
    said = {value.split()[0] for value in one.values("limb")} | set(one.values("side"))
    return said & {"left", "right"}


def _order(scene: Scene, first: Sequence[Asked], then: Sequence[Asked]) -> Found:
    """By the centres of what was seen; unknown if a time is not known."""
    early = [(one, d) for one in first if (d := _own(scene, one, then))]
    late = [(one, d) for one in then if (d := _own(scene, one, first))]
    if not early or not late or _the_same(early, late):
        return Found(Label.UNKNOWN, "times are not known")
    a = sum(centre(scene, one.action.see, d) for one, d in early) / len(early)
    b = sum(centre(scene, one.action.see, d) for one, d in late) / len(late)
    reason = f"at {a:.1f} s and at {b:.1f} s"
    grade = beyond(b - a, 0.3 * scene.seconds)
    if b > a:
        return Found(Label.MATCH, reason, grade=grade)
    possible = abs(b - a) < _TOGETHER * scene.seconds or any(
        x.middle < y.middle for _, xs in early for x in xs for _, ys in late for y in ys
    )
    return Found(Label.PARTIAL if possible else Label.MISMATCH, reason, grade=grade)


def _the_same(early: Sequence[Timed], late: Sequence[Timed]) -> bool:
    """One deed is all there is for both."""
    one, other = ({id(d) for _, row in rows for d in row} for rows in (early, late))
    return one == other


def _own(scene: Scene, one: Asked, others: Sequence[Asked]) -> list[Deed]:
    """Deeds that can be told from those of the other phase."""
    for other in others:
        if other.action.see == one.action.see and not _contrary(one, other):
            return []
    return _fitting(scene, one)


def _contrary(one: Asked, other: Asked) -> bool:
    """Whether two actions of a kind differ in their side or direction."""
    told = ((_sides(one), _sides(other)), (_ways(one), _ways(other)))
    return any(mine and theirs and not mine & theirs for mine, theirs in told)


def _ways(one: Asked) -> set[str]:
    return {*one.values("way"), *([one.action.way] if one.action.way else [])}


def _fitting(scene: Scene, one: Asked) -> list[Deed]:
    """Deeds with the side or direction that is asked for, if there are any."""
    found = look_for(scene, one.action.see)
    deeds = [deed for deed in found if deed.timed]
    if not deeds and has_curve(one.action.see):
        return found
    sides = {value.split()[0] for value in one.values("limb")} | set(one.values("side"))
    ways = _ways(one)
    if sides & {"left", "right"}:
        fitting = [deed for deed in deeds if deed.side in sides]
        if fitting:
            return fitting
        ways |= sides
    for way in ways & {"forward", "backward", "left", "right"}:
        most = max((deed.way(way) for deed in deeds), default=0.0)
        deeds = [deed for deed in deeds if deed.way(way) >= 0.5 * most]
    return deeds
