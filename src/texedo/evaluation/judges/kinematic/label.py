"""Every unit of a prompt with its label on one motion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from texedo.evaluation.judges.kinematic.amounts import (
    angle_label,
    count_label,
    distance_label,
    level_label,
    pace_label,
    place_label,
)
from texedo.evaluation.judges.kinematic.deeds import look_for
from texedo.evaluation.judges.kinematic.lexicon import UNSEEN
from texedo.evaluation.judges.kinematic.order import order_units
from texedo.evaluation.judges.kinematic.parse import Asked
from texedo.evaluation.judges.kinematic.scene import Deed, Scene
from texedo.evaluation.judges.kinematic.sides import (
    OTHER,
    limb_label,
    turned_label,
    way_label,
)
from texedo.evaluation.judges.protocol import Category, Label, Unit

GOING = frozenset("go run march tiptoe jump hop tread pacing".split())
"""What has a direction over the floor."""
TURNING = frozenset("turn circle lean twist".split())
"""What has a side to which it goes."""
_STEPS = ("step", "footstep", "stride", "pace")


def label_units(scene: Scene, asked: Sequence[Asked]) -> list[Unit]:
    """In the order of the prompt, orders in time last."""
    units: list[Unit] = []
    for one in asked:
        units += _units_of(scene, one, asked)
    return units + order_units(scene, asked)


def _units_of(scene: Scene, one: Asked, asked: Sequence[Asked]) -> Iterator[Unit]:
    if one.action.see == UNSEEN:
        yield _unit(Category.ACTION, one.said, Label.UNKNOWN, "not measured")
        return
    deeds = look_for(scene, one.action.see)
    if one.negated:
        yield _forbidden(scene, one, deeds)
        return
    yield Unit(
        category=Category.ACTION,
        content=f"{one.action.name.replace('_', ' ')} ({one.said})",
        label=_done(deeds),
        reason=_told(deeds),
    )
    yield from _limbs(scene, one, deeds, asked)
    yield from _spatial(scene, one, deeds, asked)
    yield from _numbers(one, deeds)
    yield from _manner(one, deeds)


def _done(deeds: Sequence[Deed]) -> Label:
    if any(deed.clear for deed in deeds):
        return Label.MATCH
    return Label.PARTIAL if deeds else Label.MISMATCH


def _told(deeds: Sequence[Deed]) -> str:
    if not deeds:
        return "not seen"
    best = max(deeds, key=lambda deed: (deed.clear, deed.size))
    kind = "seen" if best.clear else "something like it"
    return f"{kind} from {best.start:.1f} to {best.end:.1f} s" if best.timed else kind


def _forbidden(scene: Scene, one: Asked, deeds: Sequence[Deed]) -> Unit:
    """What the prompt says must not be done."""
    if one.action.see == "go":
        label, reason = place_label(scene)
        return _unit(Category.SPATIAL, "in place", label, reason)
    label = Label.MISMATCH if _done(deeds) is Label.MATCH else Label.MATCH
    return _unit(Category.ACTION, f"no {one.said}", label, _told(deeds))


def _limbs(
    scene: Scene, one: Asked, deeds: Sequence[Deed], asked: Sequence[Asked]
) -> Iterator[Unit]:
    sides: dict[str, str] = {}
    for value in one.values("limb"):
        side, limb = value.split()
        sides[side] = limb
    own = one.limb
    for side in one.limb_sides:
        sides.setdefault(side, own or "arm")
    if {"left", "right"} <= set(sides):
        sides = {"both": sides["left"]}
    for side, said in sides.items():
        limb = (own or "arm") if said == "any" else said
        content = f"{side} {limb}"
        if own is not None and own != limb:
            yield _unit(Category.BODY, content, Label.UNKNOWN, "not of this action")
            continue
        if own is None and side == "both":
            yield _unit(Category.BODY, content, Label.UNKNOWN, "not measured")
            continue
        if limb == "leg" and (
            own is None or (side == "both" and one.action.see == "hop")
        ):
            yield _unit(Category.BODY, content, Label.UNKNOWN, "not measured")
            continue
        other = side in OTHER and _also(one, asked, "limb", f"{OTHER[side]} {said}")
        label, reason = limb_label(
            scene, deeds if own else (), side, limb, other_too=other
        )
        yield _unit(Category.BODY, content, label, reason)


def _also(one: Asked, asked: Sequence[Asked], kind: str, value: str) -> bool:
    """Whether another action that is looked for alike has the contrary."""
    return any(
        other is not one
        and other.action.see == one.action.see
        and value in other.values(kind)
        for other in asked
    )


def _spatial(
    scene: Scene, one: Asked, deeds: Sequence[Deed], asked: Sequence[Asked]
) -> Iterator[Unit]:
    see = one.action.see
    ways = one.values("way") or ([one.action.way] if one.action.way else [])
    if one.action.way == "backward":
        ways = ["backward"]
    sides = [side for side in one.values("side") if side not in one.limb_sides]
    if len(sides) > 1 or len(set(ways) & {"forward", "backward"}) > 1:
        yield _unit(Category.SPATIAL, "to and fro", Label.UNKNOWN, "not measured")
        sides, ways = sides[:0], ways[:0]
    for way in [*ways, *sides]:
        if see in GOING:
            contrary = OTHER.get(way, "")
            too = _also(one, asked, "way", contrary) or _also(
                one, asked, "side", contrary
            )
            label, reason, opposite = way_label(scene, deeds, way, contrary_too=too)
            if way in sides and any(d.side for d in deeds) and see == "jump":
                label, reason, opposite = _better(
                    (label, reason, opposite),
                    turned_label(deeds, way, contrary_too=too),
                )
        elif see in TURNING and way in ("left", "right"):
            too = _also(one, asked, "side", OTHER[way])
            label, reason, opposite = turned_label(deeds, way, contrary_too=too)
        elif see.startswith("arm") and way in ("forward", "side"):
            found = look_for(scene, "arm_front" if way == "forward" else "arm_out")
            label, reason, opposite = _done(found), _told(found), False
        else:
            label, reason, opposite = Label.UNKNOWN, "not measured", False
        yield _unit(Category.SPATIAL, way, label, reason, opposite=opposite)
    yield from _places(scene, one, deeds)


def _better(
    a: tuple[Label, str, bool], b: tuple[Label, str, bool]
) -> tuple[Label, str, bool]:
    rank = (Label.MATCH, Label.PARTIAL, Label.MISMATCH)
    return min((a, b), key=lambda row: rank.index(row[0]))


def _places(scene: Scene, one: Asked, deeds: Sequence[Deed]) -> Iterator[Unit]:
    """Angles, heights, distances and the spot."""
    see = one.action.see
    angle = one.first("angle")
    if angle is None and one.action.angle is not None and not one.values("limb"):
        angle = f"{one.action.angle:g}"
    if angle is not None and see in ("turn", "jump", "circle"):
        label, reason = angle_label(scene, deeds, float(angle))
        yield _unit(Category.SPATIAL, f"{angle} degrees", label, reason)
    level = one.first("level")
    if level is not None and see in ("arm_up", "wave", "arm_front", "arm_out"):
        label, reason = level_label(deeds, level)
        yield _unit(Category.SPATIAL, f"{level} height", label, reason)
    if one.first("place") is not None:
        label, reason = place_label(scene)
        yield _unit(Category.SPATIAL, "in place", label, reason)
    metres = one.first("metres")
    if metres is not None and see in GOING:
        label, reason = distance_label(scene, float(metres))
        yield _unit(Category.SPATIAL, f"{metres} m", label, reason)


def _numbers(one: Asked, deeds: Sequence[Deed]) -> Iterator[Unit]:
    steps = one.action.see in GOING and one.said in _STEPS
    if one.action.see in ("go", "run", "march") and not steps:
        return
    count = one.first("count")
    several = one.first("several") is not None and count is None
    if count is None and not several:
        return
    wanted = None if count is None else int(count)
    label, reason = count_label(deeds, wanted, loose=steps or one.action.see == "wave")
    content = f"{wanted} times" if wanted else "several times"
    yield _unit(Category.TEMPORAL, content, label, reason)


def _manner(one: Asked, deeds: Sequence[Deed]) -> Iterator[Unit]:
    pace = one.first("pace")
    if pace is not None:
        label, reason = pace_label(deeds, pace)
        yield _unit(Category.ATTRIBUTE, pace, label, reason)


def _unit(
    category: Category,
    content: str,
    label: Label,
    reason: str,
    *,
    opposite: bool = False,
) -> Unit:
    return Unit(
        category=category,
        content=content,
        label=label,
        reason=reason,
        opposite=opposite,
    )
