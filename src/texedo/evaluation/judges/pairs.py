"""Which captions have a side, and which an order: by what they say, not by what is seen.

A caption has a side if its mirror image says something else: "turns left, then right"
does, "swings left and right" does not. It has an order if the same things in the contrary
order are another request, and one that the motion played backwards does not fulfil:
"bows, then waves" has one; "walks, waves, then walks" is the same from its end; so is "a
step forward, then one backward" when it is played backwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from texedo.evaluation.judges.kinematic.lexicon import UNSEEN
from texedo.evaluation.judges.kinematic.parse import Asked

_MIRROR = {"left": "right", "right": "left"}
_WAY_BACK = _MIRROR | {"forward": "backward", "backward": "forward"}
_LIFTING = frozenset("arm_up arm_front arm_out hand_head hand_face wave".split())
_LOWERING = frozenset("squat low bow lunge stoop kneel pick".split())
_PART_OF = {"arm_down": _LIFTING, "rise": _LOWERING, "arm_up": frozenset(("wave",))}
"""Who lowers a hand had raised it, and does both again when played backwards."""
_DIRECTED = frozenset("go run march tiptoe jump hop tread turn circle".split())
"""Whose directions are the contrary ones when they are played backwards."""

Said = tuple[str, str, tuple[tuple[str, str], ...]]
"""An action as the caption has it: its measure, its word if it has none, modifiers."""
Phase = Counter[Said]
Change = Callable[[Asked, str, str], str]


def has_side(asked: Sequence[Asked]) -> bool:
    """Whether the mirror image of what is asked for is something else."""
    return _phases(asked, _same) != _phases(asked, _mirrored)


def has_order(asked: Sequence[Asked]) -> bool:
    """Whether it is told from the contrary order and from a motion played backwards."""
    seen = [
        one
        for one in asked
        if one.action.see != UNSEEN and not _is_part(one, asked)
    ]
    told = _phases(seen, _same)
    return told not in (told[::-1], _phases(seen, _backwards)[::-1])


def _is_part(one: Asked, asked: Sequence[Asked]) -> bool:
    """Whether it goes with another action of the caption: no phase of its own."""
    whole = _PART_OF.get(one.action.see, frozenset())
    return any(other.action.see in whole for other in asked if not other.negated)


def _phases(asked: Sequence[Asked], change: Change) -> list[Phase]:
    """What is asked for in each phase; within one there is no order."""
    positive = [one for one in asked if not one.negated]
    return [
        Counter(_said(one, change) for one in positive if one.phase == phase)
        for phase in sorted({one.phase for one in positive})
    ]


def _said(one: Asked, change: Change) -> Said:
    modifiers = [(m.kind, change(one, m.kind, m.value)) for m in one.modifiers]
    if one.action.way is not None:
        modifiers.append(("way", change(one, "way", one.action.way)))
    name = one.said if one.action.see == UNSEEN else ""
    return one.action.see, name, tuple(sorted(set(modifiers)))


def _same(one: Asked, kind: str, value: str) -> str:
    return value


def _mirrored(one: Asked, kind: str, value: str) -> str:
    if kind not in ("side", "limb"):
        return value
    return " ".join(_MIRROR.get(word, word) for word in value.split())


def _backwards(one: Asked, kind: str, value: str) -> str:
    if kind not in ("side", "way") or one.action.see not in _DIRECTED:
        return value
    return _WAY_BACK.get(value, value)
