"""Postures in a sentence as specs: by themselves, over a deed, or under one.

"Half a squat, held for five seconds, with the hands on the hips" is a posture; "walks with
the hands behind the back" is a walk with arms that are held; "waves, standing on one leg"
is a wave in a posture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from texedo.data.captions.postures import Posture, Taken, is_bare, taken_from, times_of
from texedo.data.synth.author.gestures import GESTURES
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.prompted.table import Parts, moves_feet, uses_arms

Ways = Callable[[str], list[Parts]]
"""How to do a deed, by its sentence."""

_MOST_TIMES = 10
_DEEDS_FIRST = 2
_OF_THE_ARMS = frozenset(GESTURES) - {"bow"} | {"routine", "punch"}


def with_postures(sentence: str, ways_of: Ways) -> list[Parts]:
    """Ways to do what a sentence says of a posture and beside it, those that take more
    of it into account first; empty where nothing is said of any posture."""
    whole, held = taken_from(sentence, deeds=True), taken_from(sentence)
    alone: list[Parts] = []
    if is_bare(whole.rest) and (whole.parts > 1 or whole.holds or whole.swaps):
        alone = _alone(whole)
    elif is_bare(held.rest) and held.parts:
        alone = _alone(held)
    if alone and (whole.holds or whole.swaps):
        return alone
    beside: list[Parts] = []
    if (held.parts or held.holds) and not is_bare(held.rest):
        beside = [way for parts in ways_of(held.rest) for way in _beside(held, parts)]
    # "Squats with the arms out": more likely down and up again than down to stay.
    return [*beside[:_DEEDS_FIRST], *alone, *beside[_DEEDS_FIRST:]]


def single_postures(sentence: str) -> list[Parts]:
    """Where a sentence is about one posture alone, which other readers may know better."""
    whole = taken_from(sentence, deeds=True)
    return _alone(whole) if whole.parts == 1 and is_bare(whole.rest) else []


def _alone(taken: Taken) -> list[Parts]:
    times, each = times_of(taken.rest)
    each, swaps = each or taken.each, taken.swaps or each
    count = 2 * times if each else max(times, 2) if swaps else times
    held = replace(taken.posture, seconds=taken.posture.seconds or int(count > 1))
    spec = Spec(
        kind="posture",
        count=min(count, _MOST_TIMES),
        manner="swaps" if swaps and held.sided else "plain",
    )
    sides = [replace(spec, way=str(own)) for own in _sides_of(held, taken.open)]
    if taken.stays and count == 1:
        # "Squats down and stays there": it need not come up again.
        sides += [replace(one, manner="stays") for one in sides]
    return [(one,) for one in sides]


def _beside(taken: Taken, parts: Parts) -> Iterator[Parts]:
    """A deed with what is held; the last of several, which are done before."""
    *before, deed = parts
    said = replace(taken.posture, seconds=0)
    if taken.holds and (kept := _kept(deed, taken.posture.seconds)) is not None:
        deed = kept
    stands = deed.kind in _OF_THE_ARMS and deed.base == "stand"
    if said.legs and (not stands or moves_feet(deed)):
        said = replace(said, legs="", leg="", way="")  # the deed's own have to do
    if _other_hand(deed, said):
        return
    for posture in _around(deed, said):
        own = deed
        if deed.kind == "wave" and posture != said and "up" in (said.left, said.right):
            own = replace(deed, way="high")
        for pose in _sides_of(posture, taken.open):
            yield (*before, _at_once(own, pose))


def _other_hand(deed: Spec, posture: Posture) -> bool:
    """ "Waves with the right hand overhead": it is that hand which waves."""
    named = [side for side in ("left", "right") if getattr(posture, side)]
    one = deed.kind in ("wave", "raise_hand", "point") and len(named) == 1
    return one and deed.side in ("left", "right") and deed.side not in named


def _at_once(deed: Spec, posture: Posture) -> Spec:
    if posture.empty:
        return deed
    pose = Spec(kind="posture", way=str(posture))
    if posture.legs:
        return replace(pose, parts=(deed,))
    return Spec(kind="posed", parts=(pose, deed))


def _sides_of(posture: Posture, is_open: bool) -> list[Posture]:
    both = is_open and posture.sided
    return [posture, posture.mirrored()] if both else [posture]


def _around(deed: Spec, posture: Posture) -> list[Posture]:
    """What can be held beside the deed: who waves above the head waves, and does not hold
    that hand there; a routine may do without its arms."""
    if deed.kind not in _OF_THE_ARMS or not uses_arms(deed):
        return [posture]
    free = replace(
        posture,
        left=posture.left if deed.side == "right" else "",
        right=posture.right if deed.side == "left" else "",
    )
    if deed.kind != "routine" or free == posture:
        return [free]
    return [posture, free]


def _kept(deed: Spec, seconds: int) -> Spec | None:
    """The deed held for a time; None where it cannot be."""
    if deed.kind in ("stand", "one_leg", "crouch"):
        return replace(deed, count=seconds)
    if deed.kind == "squat" and deed.count == 1:
        return Spec(kind="posture", way=f"both=far legs=squat seconds={seconds}")
    if deed.kind in ("raise_hand", "point") and deed.count == 1:
        place = {"up": "up", "forward": "far", "side": "side"}[deed.way]
        return Spec(kind="posture", way=f"{deed.side}={place} seconds={seconds}")
    if deed.kind == "hold_pose" and deed.base == "stand":
        return replace(deed, count=2 * seconds)
    if deed.kind == "half_kneel":
        return Spec(kind="posture", way=f"legs=kneel leg={deed.side} seconds={seconds}")
    if deed.kind == "lunge" and deed.side in ("left", "right"):
        legs = "aside" if deed.way == "out" else "lunge"
        return Spec(
            kind="posture", way=f"legs={legs} leg={deed.side} seconds={seconds}"
        )
    return None
