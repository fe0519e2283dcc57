"""Every unit of a prompt with its label on one motion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from texedo.evaluation.judges.kinematic.amounts import (
    LEVELS,
    angle_label,
    count_label,
    distance_label,
    level_label,
    pace_label,
    place_label,
)
from texedo.evaluation.judges.kinematic.found import Found
from texedo.evaluation.judges.kinematic.lexicon import UNSEEN
from texedo.evaluation.judges.kinematic.looks.deeds import look_for
from texedo.evaluation.judges.kinematic.order import order_units
from texedo.evaluation.judges.kinematic.parse import Asked
from texedo.evaluation.judges.kinematic.scene import Deed, Scene, Window
from texedo.evaluation.judges.kinematic.sides import (
    LIFTING,
    OTHER,
    Other,
    aside_label,
    busier_label,
    lead_label,
    lifted_label,
    limb_label,
    turned_label,
    way_label,
)
from texedo.evaluation.judges.protocol import Category, Label, Unit

GOING = frozenset("go run march tiptoe jump hop tread pacing".split())
"""What has a direction over the floor."""
TURNING = frozenset("turn circle lean twist".split())
"""What has a side to which it goes."""
_HEIGHTS: dict[str, float] = {
    **dict.fromkeys(("hand_head", "hand_face"), 3.0),
    **dict.fromkeys(("arm_up", "wave"), 2.5),
    **dict.fromkeys(("arm_front", "arm_out", "arm_reach"), 2.0),
    "hand_chest": 1.0,
    "hand_hip": 0.0,
}
"""On the scale of `LEVELS`."""
_ACROSS = ("left", "right")
_RANK = (Label.MATCH, Label.PARTIAL, Label.MISMATCH)
_STEPS = ("step", "footstep", "stride", "pace")


def label_units(scene: Scene, asked: Sequence[Asked]) -> list[Unit]:
    """In the order of the prompt, orders in time last."""
    units: list[Unit] = []
    for one in asked:
        units += _units_of(scene, one, asked)
    return units + order_units(scene, asked)


def _units_of(scene: Scene, one: Asked, asked: Sequence[Asked]) -> Iterator[Unit]:
    if one.action.see == UNSEEN:
        nothing = Found(Label.UNKNOWN, "not measured")
        yield _unit(Category.ACTION, one.said, nothing)
        if not one.negated:
            yield from _limbs(scene, one, (), asked)
            yield from _spatial(scene, one, (), asked)
        return
    deeds = look_for(scene, one.action.see)
    if one.negated:
        yield _forbidden(scene, one, deeds, _window(one, asked))
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


def _forbidden(scene: Scene, one: Asked, deeds: Sequence[Deed], window: Window) -> Unit:
    """What the prompt says must not be done."""
    if one.action.see == "go":
        found = place_label(scene, (), window)
        return _unit(Category.SPATIAL, "in place", found)
    label = Label.MISMATCH if _done(deeds) is Label.MATCH else Label.MATCH
    return _unit(Category.ACTION, f"no {one.said}", Found(label, _told(deeds)))


def _window(one: Asked, asked: Sequence[Asked]) -> Window:
    """When it is to be expected."""
    phases = sorted({other.phase for other in asked})
    return Window(phases.index(one.phase), len(phases))


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
        found = _limb(
            scene, one, deeds, (side, limb), window=_window(one, asked), asked=asked
        )
        yield _unit(Category.BODY, f"{side} {limb}", found)
    for value in one.values("lead"):
        found = lead_label(scene, value.split()[0])
        yield _unit(Category.BODY, f"{value} first", found)


def _limb(
    scene: Scene,
    one: Asked,
    deeds: Sequence[Deed],
    which: tuple[str, str],
    *,
    window: Window,
    asked: Sequence[Asked],
) -> Found:
    """Whether the named limb did it."""
    side, limb = which
    see = one.action.see
    if one.limb != limb:
        if side == "both":
            return Found(Label.UNKNOWN, "not measured")
        return busier_label(scene, side, limb, window=window)
    if side == "both" and see == "hop":
        return Found(Label.UNKNOWN, "not measured")
    other = _other(one, asked, side)
    if see in LIFTING and side != "both":
        return lifted_label(scene, deeds, side, window=window, other=other)
    alike = other is Other.ALIKE
    return limb_label(scene, deeds, side, limb, window=window, other_too=alike)


def _other(one: Asked, asked: Sequence[Asked], side: str) -> Other:
    """What is asked of the other limb; another action may want it higher or lower."""
    for two in asked:
        sides = {value.split()[0] for value in two.values("limb")} | {*two.limb_sides}
        if two is one or OTHER.get(side) not in sides or side in sides:
            continue
        mine, theirs = _height(one), _height(two)
        if two.phase == one.phase and None not in (mine, theirs) and mine != theirs:
            return Other.LOWER if (mine or 0) > (theirs or 0) else Other.HIGHER
        if two.action.see == one.action.see:
            return Other.ALIKE
    return Other.FREE


def _height(one: Asked) -> float | None:
    """How high an action has the hand, for comparison."""
    level = one.first("level")
    return LEVELS.index(level) if level in LEVELS else _HEIGHTS.get(one.action.see)


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
    ways = one.values("way") or ([one.action.way] if one.action.way else [])
    if one.action.way == "backward":
        ways = [] if _returns(one, asked) else ["backward"]
    sides = [side for side in one.values("side") if side not in one.limb_sides]
    if one.action.see == "hand_hip":
        sides = []  # "On the left hip": that of the hand.
    if len(sides) > 1 or len(set(ways) & {"forward", "backward"}) > 1:
        found = Found(Label.UNKNOWN, "not measured")
        yield _unit(Category.SPATIAL, "to and fro", found)
        sides, ways = sides[:0], ways[:0]
    for way in [*ways, *sides]:
        yield _unit(Category.SPATIAL, way, _way(scene, one, deeds, way, asked))
    yield from _places(scene, one, deeds, _window(one, asked))


def _returns(one: Asked, asked: Sequence[Asked]) -> bool:
    """ "Turns around and walks back": to where it was, and no step backward."""
    earlier = [other.action.see for other in asked if other.at < one.at]
    return one.said.endswith(" back") and ("turn" in earlier or "circle" in earlier)


def _way(
    scene: Scene, one: Asked, deeds: Sequence[Deed], way: str, asked: Sequence[Asked]
) -> Found:
    """Whether an action went the way that is said of it."""
    see, window = one.action.see, _window(one, asked)
    contrary = OTHER.get(way, "")
    too = _also(one, asked, "side", contrary)
    if see in GOING:
        too = too or _also(one, asked, "way", contrary)
        if way in _ACROSS and "side" in (*one.values("way"), one.action.way):
            see = "sidestep"
            return aside_label(scene, see, way, window=window, contrary_too=too)
        found = way_label(scene, deeds, way, window=window, contrary_too=too)
        if see == "jump" and way in _ACROSS and any(d.side for d in deeds):
            turned = turned_label(scene, deeds, way, window=window, contrary_too=too)
            return min((found, turned), key=lambda f: _RANK.index(f.label))
        return found
    if see in TURNING and see != "lean" and way in _ACROSS:
        return turned_label(scene, deeds, way, window=window, contrary_too=too)
    if see.startswith("arm") and way in ("forward", "side"):
        seen = look_for(scene, "arm_front" if way == "forward" else "arm_out")
        return Found(_done(seen), _told(seen))
    if way in _ACROSS:
        return aside_label(scene, see, way, window=window, contrary_too=too)
    return Found(Label.UNKNOWN, "not measured")


def _places(
    scene: Scene, one: Asked, deeds: Sequence[Deed], window: Window
) -> Iterator[Unit]:
    """Angles, heights, distances and the spot."""
    see = one.action.see
    angle = one.first("angle")
    if angle is None and one.action.angle is not None and not one.values("limb"):
        angle = f"{one.action.angle:g}"
    if angle is not None and see in ("turn", "jump", "circle"):
        found = angle_label(scene, deeds, float(angle), one.first("side"))
        yield _unit(Category.SPATIAL, f"{angle} degrees", found)
    level = one.first("level")
    if level is not None and see in ("arm_up", "wave", "arm_front", "arm_out"):
        found = level_label(scene, deeds, level, window)
        yield _unit(Category.SPATIAL, f"{level} height", found)
    if one.first("place") is not None:
        found = place_label(scene, deeds, window)
        yield _unit(Category.SPATIAL, "in place", found)
    metres = one.first("metres")
    if metres is not None and see in GOING:
        found = distance_label(scene, float(metres))
        yield _unit(Category.SPATIAL, f"{metres} m", found)


def _numbers(one: Asked, deeds: Sequence[Deed]) -> Iterator[Unit]:
    steps = one.action.see in GOING and one.said in _STEPS
    if one.action.see in ("go", "run", "march") and not steps:
        return
    count = one.first("count")
    several = one.first("several") is not None and count is None
    if count is None and not several:
        return
    wanted = None if count is None else int(count)
    found = count_label(deeds, wanted, loose=steps or one.action.see == "wave")
    content = f"{wanted} times" if wanted else "several times"
    yield _unit(Category.TEMPORAL, content, found)


def _manner(one: Asked, deeds: Sequence[Deed]) -> Iterator[Unit]:
    pace = one.first("pace")
    if pace is not None:
        found = pace_label(deeds, pace)
        yield _unit(Category.ATTRIBUTE, pace, found)


def _unit(category: Category, content: str, found: Found) -> Unit:
    return Unit(category=category, content=content, **found._asdict())
