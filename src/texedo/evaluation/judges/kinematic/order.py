"""What came first: actions of successive phases of a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from texedo.evaluation.judges.kinematic.deeds import look_for
from texedo.evaluation.judges.kinematic.parse import Asked
from texedo.evaluation.judges.kinematic.scene import Deed, Scene
from texedo.evaluation.judges.protocol import Category, Label, Unit


def order_units(scene: Scene, asked: Sequence[Asked]) -> list[Unit]:
    """One for each step from a phase to the next."""
    phases = sorted({one.phase for one in asked if not one.negated})
    units = []
    for before, after in zip(phases, phases[1:], strict=False):
        first = [one for one in asked if one.phase == before and not one.negated]
        then = [one for one in asked if one.phase == after and not one.negated]
        label, reason = _order(scene, first, then)
        content = f"{first[-1].said}, then {then[0].said}"
        units.append(
            Unit(
                category=Category.TEMPORAL, content=content, label=label, reason=reason
            )
        )
    return units


def _order(
    scene: Scene, first: Sequence[Asked], then: Sequence[Asked]
) -> tuple[Label, str]:
    """By the middles of what was seen; unknown if a time is not known."""
    for one in reversed(first):
        for two in then:
            early, late = _fitting(scene, one), _fitting(scene, two)
            if not early or not late:
                continue
            a = min(deed.middle for deed in early)
            b = max(deed.middle for deed in late)
            reason = f"at {a:.1f} s and at {b:.1f} s"
            if b > a + 0.1:
                return Label.MATCH, reason
            return (Label.MISMATCH if b < a - 0.1 else Label.PARTIAL), reason
    return Label.UNKNOWN, "times are not known"


def _fitting(scene: Scene, one: Asked) -> list[Deed]:
    """Deeds with the side or direction that is asked for, if there are any."""
    deeds = [deed for deed in look_for(scene, one.action.see) if deed.timed]
    sides = {value.split()[0] for value in one.values("limb")} | set(one.values("side"))
    ways = {*one.values("way"), *([one.action.way] if one.action.way else [])}
    if sides & {"left", "right"}:
        fitting = [deed for deed in deeds if deed.side in sides]
        if fitting:
            return fitting
        ways |= sides
    for way in ways & {"forward", "backward", "left", "right"}:
        most = max((deed.way(way) for deed in deeds), default=0.0)
        deeds = [deed for deed in deeds if deed.way(way) >= 0.5 * most]
    return deeds
