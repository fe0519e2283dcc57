"""Which captions have a side, and which an order: by what they say, not by what is seen.

A caption has a side if its mirror image says something else: "turns left, then right"
does, "swings left and right" does not. It has an order if the same things in the contrary
order are another request, and one that the motion played backwards does not fulfil:
"bows, then waves" has one; "walks, then waves, then walks" is the same from its end; so is "a
step forward, then one backward" when it is played backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from texedo.evaluation.judges.kinematic.lexicon import UNSEEN
from texedo.evaluation.judges.kinematic.order import in_order
from texedo.evaluation.judges.kinematic.parse import Asked

_MIRROR = {"left": "right", "right": "left"}
_WAY_BACK = _MIRROR | {"forward": "backward", "backward": "forward"}
_DIRECTED = frozenset("go run march tiptoe jump hop tread turn circle".split())
"""Whose directions are the contrary ones when they are played backwards."""

Said = tuple[str, dict[str, frozenset[str]]]
"""An action as the caption has it: what it is, and what is said of it by kind."""
Change = Callable[[Asked, str, str], str]


def has_side(asked: Sequence[Asked]) -> bool:
    """Whether the mirror image of what is asked for is something else."""
    return not _alike(_phases(asked, _same), _phases(asked, _mirrored))


def has_order(asked: Sequence[Asked]) -> bool:
    """Whether it is told from the contrary order and from a motion played backwards."""
    seen = [one for one in in_order(asked) if one.action.see != UNSEEN]
    told = _phases(seen, _same)
    backwards = _phases(seen, _backwards)[::-1]
    return not _alike(told, told[::-1]) and not _alike(told, backwards)


def _alike(told: Sequence[Sequence[Said]], other: Sequence[Sequence[Said]]) -> bool:
    """Whether every action has one that may be the same in the same phase."""
    return all(
        all(any(_may_be(a, b) for b in theirs) for a in mine)
        and all(any(_may_be(a, b) for a in mine) for b in theirs)
        for mine, theirs in zip(told, other, strict=True)
    )


def _may_be(one: Said, other: Said) -> bool:
    """What only one of them says, the other leaves open."""
    both = one[1].keys() & other[1].keys()
    return one[0] == other[0] and all(one[1][kind] == other[1][kind] for kind in both)


def _phases(asked: Sequence[Asked], change: Change) -> list[list[Said]]:
    """What is asked for in each phase; within one there is no order."""
    return [
        [_said(one, change) for one in asked if one.phase == phase]
        for phase in sorted({one.phase for one in asked})
    ]


def _said(one: Asked, change: Change) -> Said:
    told: dict[str, set[str]] = {}
    for modifier in one.modifiers:
        value = change(one, modifier.kind, modifier.value)
        told.setdefault(modifier.kind, set()).add(value)
    if one.action.way is not None:
        told.setdefault("way", set()).add(change(one, "way", one.action.way))
    name = one.said if one.action.see == UNSEEN else one.action.see
    name = f"no {name}" if one.negated else name
    return name, {kind: frozenset(values) for kind, values in told.items()}


def _same(one: Asked, kind: str, value: str) -> str:
    return value


def _mirrored(one: Asked, kind: str, value: str) -> str:
    if kind not in ("side", "limb", "lead"):
        return value
    return " ".join(_MIRROR.get(word, word) for word in value.split())


def _backwards(one: Asked, kind: str, value: str) -> str:
    if kind not in ("side", "way") or one.action.see not in _DIRECTED:
        return value
    return _WAY_BACK.get(value, value)
