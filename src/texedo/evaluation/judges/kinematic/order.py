"""What came first: actions of successive phases of a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from texedo.evaluation.judges.kinematic.deeds import look_for
from texedo.evaluation.judges.kinematic.found import Found, beyond
from texedo.evaluation.judges.kinematic.parse import Asked
from texedo.evaluation.judges.kinematic.scene import Deed, Scene
from texedo.evaluation.judges.protocol import Category, Label, Unit

_BACK = frozenset(
    frozenset(pair)
    for up in ("arm_up", "arm_front", "arm_out", "hand_head", "wave")
    for pair in ((up, "arm_down"),)
) | frozenset(frozenset((low, "rise")) for low in ("squat", "low", "bow", "lunge"))
"""Who raises a hand and lowers it does so backwards too."""


def order_units(scene: Scene, asked: Sequence[Asked]) -> list[Unit]:
    """One for each step from a phase to the next."""
    phases = sorted({one.phase for one in asked if not one.negated})
    units = []
    for before, after in zip(phases, phases[1:], strict=False):
        first = [one for one in asked if one.phase == before and not one.negated]
        then = [one for one in asked if one.phase == after and not one.negated]
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


def _order(
    scene: Scene, first: Sequence[Asked], then: Sequence[Asked]
) -> Found:
    """By the centres of what was seen; unknown if a time is not known."""
    early = [deeds for one in first if (deeds := _own(scene, one, then))]
    late = [deeds for one in then if (deeds := _own(scene, one, first))]
    if not early or not late or _the_same(early, late):
        return Found(Label.UNKNOWN, "times are not known")
    if {frozenset((a.action.see, b.action.see)) for a in first for b in then} <= _BACK:
        return Found(Label.UNKNOWN, "the same backwards")
    a = sum(map(_centre, early)) / len(early)
    b = sum(map(_centre, late)) / len(late)
    reason = f"at {a:.1f} s and at {b:.1f} s"
    grade = beyond(b - a, 0.3 * scene.seconds)
    if b > a:
        return Found(Label.MATCH, reason, grade=grade)
    possible = any(x.middle < y.middle for x in sum(early, []) for y in sum(late, []))
    return Found(Label.PARTIAL if possible else Label.MISMATCH, reason, grade=grade)


def _centre(deeds: Sequence[Deed]) -> float:
    """Mean time, what is longer and surer counting for more."""
    weights = [(d.end - d.start + 0.2) * (1.0 if d.clear else 0.3) for d in deeds]
    return sum(w * d.middle for w, d in zip(weights, deeds, strict=True)) / sum(weights)


def _the_same(early: Sequence[Sequence[Deed]], late: Sequence[Sequence[Deed]]) -> bool:
    """One deed is all there is for both."""
    return {id(d) for row in early for d in row} == {id(d) for row in late for d in row}


def _own(scene: Scene, one: Asked, others: Sequence[Asked]) -> list[Deed]:
    """Deeds that can be told from those of the other phase."""
    for other in others:
        if other.action.see == one.action.see and not _contrary(one, other):
            return []
    return _fitting(scene, one)


def _contrary(one: Asked, other: Asked) -> bool:
    """Whether two actions of a kind differ in their side or direction."""
    mine, theirs = _sides(one) | _ways(one), _sides(other) | _ways(other)
    return bool(mine and theirs and not mine & theirs)


def _ways(one: Asked) -> set[str]:
    return {*one.values("way"), *([one.action.way] if one.action.way else [])}


def _fitting(scene: Scene, one: Asked) -> list[Deed]:
    """Deeds with the side or direction that is asked for, if there are any."""
    deeds = [deed for deed in look_for(scene, one.action.see) if deed.timed]
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
