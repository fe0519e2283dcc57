"""What everyday requests ask for and the first two grids lack: a third one.

Routines of arms and trunk, single legs, arms that keep a pose while the rest does
something, longer ways, and all of them in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from typing import Any

from texedo.data.synth.author.routines import corpus_routines
from texedo.data.synth.author.spec import Base, Spec
from texedo.data.synth.author.takes import drawn, in_order, of, varied

_SIDES = ("left", "right")
_STRAIGHT = ("forward", "backward", "left", "right")


_KNOWN = frozenset(("jumping_jack", "steps", "turn", "walk", "jump", "hold_pose"))
"""Kinds of the first two grids: here, too, some of their groups are withheld."""


def wanted_specs(seed: int = 0) -> Iterator[Spec]:
    """All specs of this grid in a fixed order; some may repeat."""
    for spec in chain(_singles(seed), _posed(seed), _walked(seed), _orders(seed)):
        yield replace(spec, lesson=spec.kind not in _KNOWN)


def _singles(seed: int) -> Iterator[Spec]:
    for spec, takes in _grid():
        for take in range(takes):
            yield varied(replace(spec, take=take, free=True), seed)


def _grid() -> Iterator[tuple[Spec, int]]:
    yield from _routines()
    yield from _single_legs()
    yield from _low()
    yield from _ways()


def _routines() -> Iterator[tuple[Spec, int]]:
    for name, entry in corpus_routines().items():
        for side, count, base in product(entry.sides, entry.counts, entry.bases):
            spec = of("routine", way=name, side=side, count=count, base=base)
            yield spec, entry.takes if base == "stand" else max(entry.takes - 1, 3)


def _single_legs() -> Iterator[tuple[Spec, int]]:
    for side, count in product(_SIDES, range(1, 6)):
        yield of("stomp", side=side, count=count), 4
    for count in (4, 6):
        yield of("stomp", side="both", count=count), 5
    for count in (5, 6, 8, 10):
        yield of("butt_kicks", count=count), 5
        yield of("jog_place", way="high", count=count), 4
    for count in (10, 12, 14, 16):
        yield of("jog_place", count=count), 5
    for side, way in product(_SIDES, ("out", "back", "front")):
        yield of("leg_out", side=side, way=way), 6
    for side, count in product(_SIDES, (1, 2, 3)):
        yield of("leg_out", side=side, way="out", count=count, manner="kick"), 6
    for side in _SIDES:
        yield of("leg_out", side=side, way="back", manner="kick"), 10
        yield of("lunge", side=side), 6
        yield of("lunge", side=side, way="out"), 6
        yield of("lunge", side=side, count=2), 3
    for way in ("", "arms"):
        yield of("wide_stance", way=way), 10
    for way, side, count in product(("", "beat"), _SIDES, (2, 3)):
        yield of("side_to_side", way=way, side=side, count=count), 3
    for way, count in product(_SIDES, (1, 2, 3)):
        yield of("jump", way=way, count=count), 6
    for count in range(2, 7):
        yield of("jumping_jack", count=count), 8


def _low() -> Iterator[tuple[Spec, int]]:
    for count in (1, 2, 3):
        yield of("half_squat", count=count), 7
    for way, count in product(("", "squat"), (1, 2, 3)):
        yield of("crouch", way=way, count=count), 8
    for side in _SIDES:
        yield of("half_kneel", side=side, way="stay"), 9


def _ways() -> Iterator[tuple[Spec, int]]:
    for side, count in product(_SIDES, (3, 4)):
        yield of("zigzag", side=side, count=count), 5
    for angle, count in product((360, -360), (13, 14)):
        yield of("walk", way="forward", angle=angle, count=count), 7
    for angle in (180, -180):
        yield of("turn", way="about", angle=angle), 7
        yield of("turn", way="about", angle=angle, manner="brisk"), 6
    for count in (4, 5, 6, 8):
        yield of("walk", way="forward", manner="soldier", count=count), 8
        if count < 8:
            yield of("walk", way="forward", manner="stride", count=count), 4
    for side, count in product(_SIDES, (4, 5, 6)):
        yield (
            of("walk", way="forward", manner="hobble", side=side, count=count),
            6,
        )
    for count, way in product((4, 6), ("forward", "backward", "left", "right")):
        yield of("steps", way=way, count=count, manner="brisk"), 3


_POSES = {
    "hips": ("both", "left", "right"),
    "crossed": ("both",),
    "back": ("both", "left"),
    "head": ("both",),
    "up": ("both", "right"),
    "side": ("both",),
    "forward": ("both",),
    "chest": ("right", "left"),
    "fists": ("both",),
    "salute": ("right", "left"),
    "ahead": ("right",),
}
"""Ways of holding arms, and with which of them."""
_PER_DEED = 4
"""Poses with which each thing is done."""


def _deeds() -> list[Spec]:
    """What is done with arms that keep a pose: legs and trunk."""
    out = [of("squat", count=n) for n in range(1, 7)]
    out += [of("half_squat"), of("crouch", count=2), of("crouch", way="squat")]
    out += [of("jump", count=n) for n in range(1, 7)]
    out += [of("jump", way="forward", count=n) for n in (1, 2, 3, 4)]
    out += [of("hop", side=s, count=n) for s in _SIDES for n in range(1, 6)]
    out += [of("march", count=n) for n in (4, 6, 8, 10)]
    out += [of("raise_knee", side=s, count=n) for s in _SIDES for n in (1, 2, 3, 4)]
    out += [of("raise_knee", side="both", count=n) for n in (4, 6)]
    out += [of("stomp", side=s, count=n) for s in _SIDES for n in (1, 2, 3, 4)]
    out += [of("half_kneel", side=s, way=w) for s in _SIDES for w in ("", "stay")]
    out += [of("bow", count=n) for n in (1, 1, 2, 3)]
    out += [of("one_leg", side=s, count=3) for s in _SIDES]
    out += [of("turn", angle=a) for a in (90, -90, 180, -180, 360, -360)]
    out += [of("steps", way=w, count=n) for w in _STRAIGHT for n in range(1, 7)]
    out += [of("twist", side=s) for s in _SIDES]
    out += [of("jog_place", count=12), of("jog_place", way="high", count=8)]
    out += [of("butt_kicks", count=8), of("side_to_side", side="left", count=3)]
    out += [of("side_to_side", way="beat", side="right", count=3)]
    out += [of("leg_out", side=s, way=w) for s in _SIDES for w in ("out", "back")]
    out += [of("wide_stance"), of("stand", count=3), of("stand", count=4)]
    out += [
        of("walk", way="forward", manner=m, count=5)
        for m in ("crouched", "sneaky", "soldier", "slow", "brisk")
    ]
    return out


def _posed(seed: int) -> Iterator[Spec]:
    """Each thing in some of the poses."""
    for deed in _deeds():
        rng = drawn(seed, "posed", deed.id)
        names = [str(name) for name in rng.permutation(list(_POSES))[:_PER_DEED]]
        if deed.kind == "stand":
            names = list(_POSES)
        for take, way in enumerate(names):
            side = str(rng.choice(_POSES[way]))
            done = replace(
                varied(replace(deed, take=take, free=True), seed), free=False
            )
            pose = of("hold_pose", way=way, side=side, take=take % 2)
            yield Spec(kind="posed", parts=(pose, done), take=take, free=True)


_GESTURES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("wave", {"count": 2}),
    ("raise_hand", {"way": "up"}),
    ("clap", {"way": "chest", "count": 3}),
    ("routine", {"way": "arm-circle"}),
    ("routine", {"way": "knock"}),
    ("routine", {"way": "beckon"}),
    ("routine", {"way": "punch-up"}),
)


def _walked(seed: int) -> Iterator[Spec]:
    """Gestures while the feet march on the spot, and poses while they go anywhere."""
    for (kind, fields), side, take in product(_GESTURES, _SIDES, (0, 1)):
        if kind == "clap" and side == "right":
            continue
        side = "both" if kind == "clap" else side
        spec = of(kind, base="march", side=side, take=take, free=True, **fields)
        yield varied(spec, seed)
    bases: tuple[tuple[Base, int], ...] = (
        ("walk", 0),
        ("walk", 0),
        ("backward", 0),
        ("left", 0),
        ("right", 0),
        ("turn", 90),
        ("turn", -90),
        ("turn", 180),
        ("march", 0),
    )
    ways = ("crossed", "back", "chest", "fists", "salute", "ahead", "belly")
    for (base, angle), way, take in product(bases, ways, (0, 1)):
        for side in _POSES.get(way, ("right",)):
            spec = of("hold_pose", way=way, side=side, base=base, angle=angle)
            yield varied(replace(spec, count=5, take=take, free=True), seed)


_SECONDS = {
    "routine": 3.4,
    "stomp": 1.4,
    "leg_out": 4.2,
    "crouch": 4.0,
    "steps": 2.0,
    "turn": 3.3,
    "walk": 5.0,
    "jump": 2.2,
    "squat": 2.4,
    "march": 3.6,
    "kick": 3.4,
    "clap": 2.6,
    "wave": 3.2,
    "raise_hand": 2.8,
    "salute": 2.4,
    "point": 2.8,
    "bow": 2.5,
    "punch": 2.6,
    "raise_knee": 2.2,
    "half_kneel": 5.8,
    "stand": 1.3,
    "hop": 4.0,
    "spread_arms": 2.8,
    "side_to_side": 3.6,
}
"""About how long a unit takes at tempo 1 [s]."""
_LONGEST = 11.5
_BRISK_TEMPOS = (1.05, 1.15, 1.3)
_SETS = ((2, 460), (3, 330), (4, 230))
"""How many things, and how many sets of so many."""


_OPEN_ROUTINES = (
    "hands-hips",
    "arms-crossed",
    "shake-head",
    "look-around",
    "lean-back",
    "nod",
    "touch-toes",
    "pick-up-floor",
    "push-away",
    "look-both",
    "hands-knees",
)
_SIDED_ROUTINES = (
    "blow-kiss",
    "beckon",
    "knock",
    "lean-side",
    "hand-heart",
    "shade-eyes",
)


def _units() -> list[Spec]:
    """What sequences are made of, what is often asked for more than once."""
    out = [of("steps", way=w, count=n) for w in _STRAIGHT for n in (1, 1, 2, 2, 3)]
    out += [of("steps", way="forward", count=n) for n in (3, 4, 4)]
    out += [of("turn", angle=s * a) for a in (90, 90, 90, 180, 45) for s in (1, -1)]
    out += [of("turn", way="about", angle=a, manner="brisk") for a in (180, -180)]
    out += [of("walk", way="forward", manner="soldier", count=4)]
    out += [of("march", count=4), of("stand", count=1), of("stand", count=2)]
    out += [of("stand", count=1), of("jump"), of("jump", count=2)]
    out += [of("jump", way=w) for w in ("forward", "left", "right")]
    out += [of("squat"), of("squat", count=2), of("bow"), of("crouch", count=1)]
    out += [of("kick", side=s) for s in _SIDES for _ in (0, 1)]
    out += [
        of("punch", side=s, way="straight", count=n) for s in _SIDES for n in (1, 2)
    ]
    out += [of("raise_knee", side=s) for s in _SIDES]
    out += [of("stomp", side=s, count=n) for s in _SIDES for n in (1, 2)]
    out += [of("hop", side=s, count=2) for s in _SIDES]
    out += [of("leg_out", side=s, way="out", manner="kick") for s in _SIDES]
    out += [of("wave", side=s, count=2) for s in ("left", "right", "both", "right")]
    out += [of("raise_hand", side=s, way="up") for s in ("left", "right", "both")]
    out += [of("raise_hand", side=s, way="side") for s in ("left", "right")]
    out += [of("point", side=s, way=w) for s in _SIDES for w in ("forward", "side")]
    out += [of("clap", way="chest", count=n) for n in (1, 2, 2, 3)]
    out += [of("salute", side=s) for s in ("right", "right", "left")]
    out += [of("spread_arms"), of("half_kneel", side="right", way="")]
    for name in _OPEN_ROUTINES:
        out.append(of("routine", way=name, side=corpus_routines()[name].sides[-1]))
    for name in _SIDED_ROUTINES:
        out += [of("routine", way=name, side=s) for s in corpus_routines()[name].sides]
    return out


def _orders(seed: int) -> Iterator[Spec]:
    """Sets of things one after the other; pairs in both orders."""
    pool, rng = _units(), drawn(seed, "wanted orders")
    for number, wanted in _SETS:
        made, seen = 0, set()
        while made < wanted:
            at = tuple(
                int(i) for i in rng.choice(len(pool), size=number, replace=False)
            )
            parts = tuple(pool[i] for i in at)
            if at in seen or not _fits(parts):
                continue
            seen.add(at)
            made += 1
            yield _in_order(parts, 0, seed)
            if number == 2:
                yield _in_order(parts[::-1], 0, seed)
    yield from _there_and_back(seed)
    yield from _both_sides(seed)


def _there_and_back(seed: int) -> Iterator[Spec]:
    """Ways and turns that lead back, and the same turn twice."""
    for way, count in product(("forward", "backward"), (2, 3, 4)):
        steps = of("steps", way=way, count=count)
        for angle, take in product((180, -180), (0, 1)):
            yield _in_order((steps, of("turn", angle=angle), steps), take, seed)
    for angle, take in product((90, -90, 45, -45), (0, 1, 2)):
        turn, back = of("turn", angle=angle), of("turn", angle=-angle)
        yield _in_order((turn, back), take, seed)
        yield _in_order((turn, of("stand", count=1), turn), take, seed)
    for way, other in (("forward", "backward"), ("left", "right")):
        for count, take in product((1, 2, 3), (0, 1, 2)):
            there = of("steps", way=way, count=count)
            back = of("steps", way=other, count=count)
            yield _in_order((there, back), take, seed)
            yield _in_order((back, there), take, seed)


def _both_sides(seed: int) -> Iterator[Spec]:
    """One side and then the other; a step to each side of a square."""
    for side, take in product(_SIDES, (0, 1, 2)):
        other = {"left": "right", "right": "left"}[side]
        for kind, fields in _BOTH_SIDES:
            one = of(kind, side=side, **fields)
            yield _in_order((one, of(kind, side=other, **fields)), take, seed)
    ways = ("forward", "right", "backward", "left")
    square = tuple(of("steps", way=way, count=1) for way in ways)
    for first, take in product(range(4), (0, 1, 2)):
        yield _in_order(square[first:] + square[:first], take, seed)


_BOTH_SIDES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("kick", {}),
    ("punch", {"way": "straight"}),
    ("raise_knee", {}),
    ("wave", {"count": 2}),
    ("raise_hand", {"way": "up"}),
    ("hop", {"count": 2}),
    ("point", {"way": "side"}),
    ("twist", {}),
    ("stomp", {"count": 1}),
    ("routine", {"way": "lean-side"}),
    ("routine", {"way": "side-bend"}),
    ("leg_out", {"way": "out", "manner": "kick"}),
)


def _in_order(parts: Sequence[Spec], take: int, seed: int) -> Spec:
    return in_order(parts, take, seed, tempos=_BRISK_TEMPOS)


def _fits(parts: Sequence[Spec]) -> bool:
    """Whether they fit into a clip, and no neighbours are the same thing."""
    if sum(map(_seconds, parts)) > _LONGEST:
        return False
    return not any(
        a.kind == b.kind
        and (a.side, a.way, a.angle > 0) == (b.side, b.way, b.angle > 0)
        for a, b in zip(parts, parts[1:], strict=False)
    )


def _seconds(part: Spec) -> float:
    more = {"steps": 0.5, "squat": 2.0, "jump": 0.8, "punch": 1.0, "stomp": 0.9}
    seconds = _SECONDS[part.kind] + more.get(part.kind, 0.0) * (part.count - 1)
    return seconds + (2.0 if abs(part.angle) == 180 and part.way != "about" else 0.0)
