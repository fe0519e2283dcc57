"""The authored part of the corpus: which specs there are.

Everything that language should be able to tell apart is varied in a grid (side, count,
direction, manner); tempo, size and take are drawn for each spec by its place in it. What
sentences ask for beyond that is in `asked` and `wanted`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, product

import numpy as np

from texedo.data.synth.author.asked import asked_specs
from texedo.data.synth.author.spec import Base, Spec
from texedo.data.synth.author.wanted import wanted_specs

_HANDS = ("left", "right", "both")
_SIDES = ("left", "right")
_BASES: tuple[Base, ...] = ("stand", "walk")
_TEMPOS = (0.82, 1.0, 1.0, 1.22)
_SIZES = (0.8, 1.0, 1.0, 1.15)
_FIXED_SIZE = frozenset({"half_kneel", "salute", "hand_to_head", "point", "turn"})

_LEAST_TEMPO = {
    ("squat", 4): 1.0,
    ("squat", 5): 1.22,
    ("jumping_jack", 5): 1.0,
    ("happy_dance", 10): 1.0,
    ("salsa", 4): 1.22,
    ("stretch_up", 2): 1.0,
    ("walk", 10): 1.0,
    ("walk", 12): 1.0,
}
"""What would last longer than a clip may is not done slowly."""


def authored_specs(seed: int = 0) -> Iterator[Spec]:
    """All specs in a fixed order, without repetition."""
    seen = set()
    for spec in chain(_first_grid(seed), asked_specs(seed), wanted_specs(seed)):
        if spec.id not in seen:
            seen.add(spec.id)
            yield spec


def _first_grid(seed: int) -> Iterator[Spec]:
    for spec, takes in _grid():
        for take in range(takes):
            yield _varied(replace(spec, take=take), seed)


def _varied(spec: Spec, seed: int) -> Spec:
    """The spec with a tempo and a size of its own."""
    digest = hashlib.sha256(f"{seed}:{spec.id}".encode()).digest()
    rng = np.random.default_rng(int.from_bytes(digest[:8], "big"))
    tempo = float(rng.choice(_TEMPOS))
    size = float(rng.choice(_SIZES))
    if spec.kind == "walk" and spec.manner != "plain":
        tempo = 1.0  # the manner has its own
    if spec.kind in _FIXED_SIZE:
        size = 1.0
    if abs(spec.angle) >= 270:
        tempo = max(tempo, 1.0)
    tempo = max(tempo, _LEAST_TEMPO.get((spec.kind, spec.count), 0.0))
    return replace(spec, tempo=tempo, size=size)


def _grid() -> Iterator[tuple[Spec, int]]:
    """Specs before variation, with how many takes of each."""
    yield from _gestures()
    yield from _strikes()
    yield from _exercises()
    yield from _turns()
    yield from _walks()
    yield from _dances()


def _gestures() -> Iterator[tuple[Spec, int]]:
    for side, count, way, base in product(_HANDS, range(1, 6), ("", "high"), _BASES):
        if base == "stand" or count < 5:
            yield Spec(kind="wave", side=side, count=count, way=way, base=base), 2
    for side, way, count, base in product(
        _HANDS, ("up", "forward", "side"), range(1, 4), _BASES
    ):
        if base == "stand" or count == 1:
            yield (
                Spec(kind="raise_hand", side=side, way=way, count=count, base=base),
                2,
            )
    for side, way, base in product(_SIDES, ("up", "forward", "side"), _BASES):
        yield Spec(kind="point", side=side, way=way, base=base), 4
    for count, way, base in product(range(1, 6), ("chest", "overhead"), _BASES):
        yield Spec(kind="clap", count=count, way=way, base=base), 3
    for side, base in product(_SIDES, _BASES):
        yield Spec(kind="salute", side=side, base=base), 9
        yield Spec(kind="hand_to_head", side=side, base=base), 10
    for side in _HANDS:
        yield Spec(kind="hands_on_hips", side=side), 5
        yield Spec(kind="hands_on_hips", side=side, base="walk"), 4
    yield Spec(kind="hands_on_hips", side="both", way="twist"), 8
    yield Spec(kind="stretch_up"), 14
    for count in (1, 2):
        yield Spec(kind="stretch_up", way="sides", count=count), 10
    for count in (1, 2, 3):
        yield Spec(kind="bow", count=count), 12
        yield Spec(kind="spread_arms", count=count), 8
    yield Spec(kind="spread_arms", base="walk"), 8


def _strikes() -> Iterator[tuple[Spec, int]]:
    for way, side, count in product(("jab", "hook", "uppercut"), _HANDS, range(1, 6)):
        yield Spec(kind="punch", side=side, way=way, count=count), 2
    for way, side, count, manner in product(
        ("jab", "hook"), _HANDS, (1, 2, 3), ("plain", "aggressive")
    ):
        spec = Spec(kind="punch", side=side, way=way, count=count, base="walk")
        yield replace(spec, manner=manner), 2
    combinations = ("jab+hook", "jab+jab+hook", "jab+uppercut", "hook+uppercut")
    for way, side in product(combinations, _HANDS):
        yield Spec(kind="punch", side=side, way=way), 4
        yield Spec(kind="punch", side=side, way=way, base="walk"), 2
    for way, side, count in product(("jab", "hook"), _HANDS, (2, 3, 4)):
        yield Spec(kind="punch_squat", side=side, way=way, count=count), 2
    for side, count in product(_HANDS, (1, 2, 3)):
        yield Spec(kind="kick", side=side, count=count), 6
    for side, count in product(_HANDS, (1, 2, 3, 4)):
        yield Spec(kind="raise_knee", side=side, count=count), 4


def _exercises() -> Iterator[tuple[Spec, int]]:
    for count in range(1, 6):
        yield Spec(kind="squat", count=count), 8 if count < 5 else 4
        yield Spec(kind="jumping_jack", count=count), 9
    for count in (4, 6, 8, 10):
        yield Spec(kind="march", count=count), 8
    for side in _SIDES:
        yield Spec(kind="half_kneel", side=side), 12
        yield Spec(kind="step_over", side=side), 12


def _turns() -> Iterator[tuple[Spec, int]]:
    for angle, sign, manner in product(
        (45, 90, 135, 180, 270, 360), (1, -1), ("plain", "brisk", "cheerful")
    ):
        takes = 4 if manner == "plain" else 2
        yield Spec(kind="turn", angle=sign * angle, manner=manner), takes
    careful = ("slow", "sneaky", "cautious", "crouched", "shamble")
    for angle, sign, manner in product((45, 60, 90), (1, -1), careful):
        yield Spec(kind="turn", angle=sign * angle, manner=manner), 3
    for angle, sign, manner in product(
        (180, 270, 360), (1, -1), ("plain", "brisk", "cheerful")
    ):
        steps = {180: 7, 270: 10, 360: 11}[angle]
        spec = Spec(kind="walk", way="forward", angle=sign * angle, count=steps)
        yield replace(spec, manner=manner), 5


_STEPS = {"scurry": (6, 8, 10, 12), "panic": (6, 8, 10, 12), "cheerful": (4, 6, 8)}
_STEPS |= {"cautious": (2, 3, 4, 5), "balancing": (2, 3, 4, 5)}


def _walks() -> Iterator[tuple[Spec, int]]:
    straight = ("forward", "backward", "left", "right")
    slanted = ("forward-left", "forward-right", "backward-left", "backward-right")
    manners = (
        "slow brisk aggressive cautious sneaky crouched shamble zombie scurry panic "
        "cheerful carrying balancing heavy stumble"
    ).split()
    for way, count in product((*straight, *slanted), range(2, 9)):
        yield Spec(kind="walk", way=way, count=count), 2 if way in straight else 1
    for manner, way in product(manners, straight):
        for count in _STEPS.get(manner, (3, 4, 5, 6)):
            yield Spec(kind="walk", way=way, count=count, manner=manner), 2
    for manner, way in product(("brisk", "cautious", "sneaky", "carrying"), slanted):
        yield Spec(kind="walk", way=way, count=4, manner=manner), 2
    for side, way, count in product(_SIDES, ("forward", "backward"), (4, 6, 8)):
        takes = 5 if way == "forward" else 2
        spec = Spec(kind="walk", way=way, count=count, manner="limp", side=side)
        yield spec, takes


def _dances() -> Iterator[tuple[Spec, int]]:
    for count, way in product((4, 6, 8, 10), ("", "forward")):
        yield Spec(kind="happy_dance", count=count, way=way), 9
    for count, way, side in product((2, 3, 4), ("", "side"), _SIDES):
        yield Spec(kind="salsa", count=count, way=way, side=side), 6
