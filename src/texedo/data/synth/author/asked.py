"""What everyday sentences ask for: a second grid, beside that of `enumerate`.

Exact counts, stated angles, one side against the other, an order, slow against quick,
arms and legs at once, stops, and what does not happen. Every spec is `free`: stance,
resting arms and waits vary, so that no pose becomes the one from which all begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from texedo.data.synth.author.spec import Base, Spec
from texedo.data.synth.author.takes import drawn, in_order, of, varied

_HANDS = ("left", "right", "both")
_SIDES = ("left", "right")
_STRAIGHT = ("forward", "backward", "left", "right")
_ANGLES = tuple(s * a for a in (45, 90, 135, 180, 270, 360) for s in (1, -1))
_LEGS: tuple[tuple[Base, int], ...] = (
    ("walk", 0),
    ("backward", 0),
    ("left", 0),
    ("right", 0),
    ("turn", 90),
    ("turn", -90),
)
_SLOW, _QUICK = (0.6, 0.68), (1.4, 1.5)


def asked_specs(seed: int = 0) -> Iterator[Spec]:
    """All specs of this grid in a fixed order; some may repeat."""
    for spec, takes in _grid():
        for take in range(takes):
            yield varied(replace(spec, take=take, free=True), seed)
    yield from _speeds(seed)
    yield from _orders(seed)


def _grid() -> Iterator[tuple[Spec, int]]:
    yield from _counted_legs()
    yield from _counted_arms()
    yield from _angles()
    yield from _arms_and_legs()
    yield from _held()
    yield from _stops()
    yield from _denials()


def _counted_legs() -> Iterator[tuple[Spec, int]]:
    for way, count in product(_STRAIGHT, range(1, 7)):
        yield of("steps", way=way, count=count), 6
    for way, count, manner in product(_STRAIGHT, (2, 3, 4), ("slow", "brisk")):
        yield of("steps", way=way, count=count, manner=manner), 1
    for way, far in product(_STRAIGHT, (50, 100, 150, 200, 300)):
        if far <= (300 if way == "forward" else 200 if way == "backward" else 100):
            yield of("walk_far", way=way, count=far), 7 if way == "forward" else 5
    for count in range(1, 7):
        yield of("jump", count=count), 9
        yield of("squat", count=count), 5
        yield of("jumping_jack", count=count), 3
        yield of("march", count=count + 2), 6
    for count in range(1, 6):
        yield of("jump", way="forward", count=count), 6
    for count in (1, 2, 3):
        yield of("jump", way="backward", count=count), 4
    for side, count in product(_SIDES, range(1, 7)):
        yield of("hop", side=side, count=count), 4
        if count < 5:
            yield of("hop", side=side, count=count, way="forward"), 2
        yield of("raise_knee", side=side, count=count), 4
        if count < 6:
            yield of("kick", side=side, count=count), 7
    for count in range(2, 7):
        yield of("raise_knee", side="both", count=count), 3
    for count in (2, 3, 4):
        yield of("kick", side="both", count=count), 4


def _counted_arms() -> Iterator[tuple[Spec, int]]:
    for side, way, count in product(_SIDES, ("straight", "jab", "hook"), range(1, 7)):
        yield of("punch", side=side, way=way, count=count), 4
    for count in range(2, 7):
        yield of("punch", side="both", way="jab", count=count), 3
    for side, way, count in product(_HANDS, ("", "high"), range(1, 7)):
        yield of("wave", side=side, way=way, count=count), 2
    for count in range(1, 7):
        yield of("clap", way="chest", count=count), 5
        yield of("clap", way="overhead", count=count), 3
    for count in range(1, 6):
        yield of("bow", count=count), 4
    ways = ("up", "forward", "side")
    for side, way, count in product(_HANDS, ways, range(1, 5)):
        yield of("raise_hand", side=side, way=way, count=count), 3 if count < 3 else 1
    for side in _SIDES:
        for count in (1, 2, 3):
            yield of("twist", side=side, count=count), 4
        yield of("salute", side=side), 5
        yield of("hand_to_head", side=side), 5
        for way in ways:
            yield of("point", side=side, way=way), 2


def _angles() -> Iterator[tuple[Spec, int]]:
    for angle in _ANGLES:
        yield of("turn", angle=angle), 7
        yield of("turn", angle=angle, manner="brisk"), 3
        if abs(angle) <= 90:
            yield of("turn", angle=angle, manner="slow"), 4
        if abs(angle) <= 270:
            yield of("walk_turn", angle=angle, count=2), 5
        if abs(angle) <= 180:
            yield of("walk_turn", angle=angle, count=3), 3
    for angle, steps in ((90, 4), (180, 7), (270, 10), (360, 11)):
        for sign in (1, -1):
            spec = of("walk", way="forward", angle=sign * angle, count=steps)
            yield spec, 6 if angle == 90 else 3


def _arms_and_legs() -> Iterator[tuple[Spec, int]]:
    for (base, angle), side in product(_LEGS, _HANDS):
        meanwhile = {"base": base, "angle": angle, "side": side}
        for count in (2, 3):
            yield of("wave", count=count, **meanwhile), 2
        for way in ("up", "side"):
            yield of("raise_hand", way=way, **meanwhile), 2
        if side != "both":
            yield of("point", way="forward", **meanwhile), 1
    for (base, angle), count in product(_LEGS, (2, 3, 4)):
        yield of("clap", way="chest", count=count, base=base, angle=angle), 2


def _held() -> Iterator[tuple[Spec, int]]:
    poses = ("hips", "head", "side", "up", "forward")
    for way, side, (base, angle) in product(poses, _HANDS, _LEGS):
        spec = of("hold_pose", way=way, side=side, base=base, angle=angle)
        yield replace(spec, count=5 if base in ("walk", "backward") else 4), 2
    for way, side in product(poses, _HANDS):
        yield of("hold_pose", way=way, side=side, count=4), 1
    for base, angle in (*_LEGS, ("turn", 180), ("turn", -180)):
        spec = of("hold_pose", way="still", side="both", base=base, angle=angle)
        yield replace(spec, count=4), 5
        if base != "turn":
            yield replace(spec, count=6), 2


def _stops() -> Iterator[tuple[Spec, int]]:
    for way, count in product(_STRAIGHT, (2, 3, 4)):
        if count != 3 or way in ("forward", "backward"):
            yield of("walk_pause", way=way, count=count), 4
    for count in (2, 3, 4):
        yield of("stand", count=count), 5


def _denials() -> Iterator[tuple[Spec, int]]:
    ways = ("up", "forward", "side")
    for side, way in product(_HANDS, ways):
        spec = of("raise_hand", side=side, way=way)
        yield replace(spec, manner="planted"), 2
        if side != "both":
            yield replace(spec, manner="one_armed"), 3
    for side in _HANDS:
        spec = of("wave", side=side, count=3)
        yield replace(spec, manner="planted"), 3
        if side != "both":
            yield replace(spec, manner="one_armed"), 4
    for side in _SIDES:
        for kind in ("salute", "hand_to_head"):
            yield of(kind, side=side, manner="one_armed"), 3
        yield of("punch", side=side, way="straight", manner="one_armed", count=2), 3
        yield of("punch", side=side, way="straight", manner="planted"), 2
        for count, way in product((2, 3, 4), ("", "wide")):
            yield of("one_leg", side=side, count=count, way=way), 3
    for count in (1, 2, 3):
        yield of("clap", way="chest", count=count + 1, manner="planted"), 2
        yield of("squat", way="arms_down", count=count), 4
    yield of("bow", manner="planted"), 3


def _speeds(seed: int) -> Iterator[Spec]:
    """Each thing slowly and quickly, otherwise the same."""
    pool = [
        *(
            of("raise_hand", side=s, way=w)
            for s, w in product(_HANDS, ("up", "forward", "side"))
        ),
        *(of("turn", angle=angle) for angle in (45, -45, 90, -90)),
        *(of("steps", way=w, count=n) for w, n in product(_STRAIGHT, (3, 4))),
        *(of("walk_turn", angle=angle, count=2) for angle in (90, -90)),
        *(of("raise_knee", side=s) for s in _HANDS[:2]),
        *(of(k, side=s) for k, s in product(("hand_to_head", "salute"), _SIDES)),
        *(of("hands_on_hips", side=s) for s in _HANDS),
        *(of("point", side=s, way="forward") for s in _SIDES),
        *(of("twist", side=s) for s in _SIDES),
        of("squat"),
        of("squat", count=2),
        of("bow"),
        of("clap", way="chest", count=3),
        of("spread_arms"),
        of("stretch_up"),
        of("half_kneel", side="left"),
        of("half_kneel", side="right"),
    ]
    for spec, take in product(pool, range(3)):
        rng = drawn(seed, "speed", spec.id, take)
        for tempos in (_SLOW, _QUICK):
            tempo = float(rng.choice(tempos))
            if spec.kind == "half_kneel":
                tempo = 0.7 if tempo < 1 else 1.35
            if spec.kind == "squat" and spec.count == 2:
                tempo = max(tempo, 0.68)
            yield replace(spec, tempo=tempo, take=take, free=True)


_PAIRS, _TRIPLES = 420, 170
"""Sets of units; each is done in two orders."""
_LONGEST = 9.6
_SECONDS = {
    "turn": 3.6,
    "steps": 2.6,
    "wave": 3.4,
    "raise_hand": 3.0,
    "squat": 2.4,
    "jump": 2.1,
    "hop": 4.3,
    "punch": 3.0,
    "kick": 3.5,
    "bow": 2.6,
    "clap": 3.2,
    "raise_knee": 2.4,
    "salute": 2.5,
    "hand_to_head": 2.8,
    "spread_arms": 3.0,
    "point": 2.9,
    "twist": 2.3,
    "march": 3.6,
    "stand": 1.4,
    "hands_on_hips": 3.8,
}
"""About how long a unit of a sequence takes at tempo 1 [s]."""


def _units() -> list[Spec]:
    """What sequences are made of: short and plain, a side of each where there is one."""
    out = [of("turn", angle=s * a) for a in (45, 90, 180) for s in (1, -1)]
    out += [of("steps", way=w, count=n) for w in _STRAIGHT[:2] for n in (2, 3)]
    out += [of("steps", way=w, count=n) for w in _SIDES for n in (2, 4)]
    out += [of("wave", side=s, count=2) for s in _HANDS]
    out += [of("raise_hand", side=s, way=w) for s in _HANDS for w in ("up", "forward")]
    out += [of("raise_hand", side=s, way="side") for s in _SIDES]
    out += [
        of("punch", side=s, way="straight", count=n) for s in _SIDES for n in (1, 2)
    ]
    out += [of(k, side=s) for k in ("kick", "raise_knee", "salute") for s in _SIDES]
    out += [of("point", side=s, way="forward") for s in _SIDES]
    out += [of("jump", count=n) for n in (1, 2)]
    out += [of("squat", count=n) for n in (1, 2)]
    out += [of("hop", side=s, count=2) for s in _SIDES]
    out += [of("jump", way="forward"), of("bow"), of("spread_arms")]
    out += [of("clap", way="chest", count=n) for n in (2, 3)]
    out += [of("march", count=4), of("hands_on_hips", side="both")]
    return out


def _orders(seed: int) -> Iterator[Spec]:
    """The same units in one order and another."""
    for parts, take in _chosen(seed):
        yield in_order(parts, take, seed)
        yield in_order(parts[::-1], take, seed)
    for angle, count, take in product((45, -45, 90, -90, 180, -180), (2, 3), (0, 1)):
        turn, steps = of("turn", angle=angle), of("steps", way="forward", count=count)
        yield in_order((turn, steps), take, seed)
        yield in_order((steps, turn), take, seed)
        if abs(angle) <= 90 and count == 2:
            yield in_order((steps, turn, steps), take, seed)
    for unit in _units():
        yield in_order((of("stand", count=1), unit), 0, seed)


def _chosen(seed: int) -> Iterator[tuple[tuple[Spec, ...], int]]:
    """Sets of different units that fit into a clip."""
    pool, rng = _units(), drawn(seed, "orders")
    for number, wanted in ((2, _PAIRS), (3, _TRIPLES)):
        made, seen = 0, set()
        while made < wanted:
            at = tuple(sorted(rng.choice(len(pool), size=number, replace=False)))
            parts = tuple(pool[i] for i in rng.permutation(at))
            if at in seen or not _short(parts) or _calm(parts):
                continue
            seen.add(at)
            made += 1
            yield parts, 0


def _short(parts: Sequence[Spec]) -> bool:
    return sum(map(_seconds, parts)) <= _LONGEST


def _seconds(part: Spec) -> float:
    """About how long a unit takes at tempo 1 [s]."""
    seconds = _SECONDS[part.kind]
    if part.kind == "turn":
        return 2.0 + 1.25 * max(1, -(-abs(part.angle) // 46))
    more = {"steps": 0.55, "squat": 2.1, "jump": 0.8, "punch": 1.0, "clap": 0.4}
    first = {"steps": 2, "clap": 2}.get(part.kind, 1)
    return seconds + more.get(part.kind, 0.0) * (part.count - first)


def _calm(parts: Sequence[Spec]) -> bool:
    """Whether two neighbours are the same thing in other numbers."""
    return any(
        a.kind == b.kind
        and (a.side, a.way, a.angle > 0) == (b.side, b.way, b.angle > 0)
        for a, b in zip(parts, parts[1:], strict=False)
    )
