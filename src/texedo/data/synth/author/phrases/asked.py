"""Phrases for exact steps, jumps, bends, stops, held poses and what does not happen."""

from __future__ import annotations

import re
from collections.abc import Callable

from texedo.data.captions.grammar import number_word
from texedo.data.synth.author.phrases.common import (
    Phrases,
    author_bank,
    common_slots,
    counted,
    filled,
)
from texedo.data.synth.author.phrases.wanted import (
    has_hold,
    held,
    jump_aside,
    legs_march,
)
from texedo.data.synth.author.spec import Spec

_BANK, _WALK = author_bank("asked"), author_bank("walk")
_OTHER = {"left": "right", "right": "left", "both": "", "": ""}
SLOW, QUICK = 0.7, 1.35
"""Tempos from which on every phrase says so."""
_PACE_WORD = re.compile(
    r"\b(slow\w*|quick\w*|fast|rapid\w*|brisk\w*|hurr\w*|strid\w*|stroll\w*|pace"
    r"|normal|unhurried\w*|moment|wait|pause|stand|hold|rest|have|keep|stay)\b"
)


def _said(entry: str, spec: Spec, **slots: str) -> Phrases:
    slots["other"] = _OTHER[spec.side]
    return filled(_BANK[entry], {**common_slots(spec), **slots})


def _jump(spec: Spec) -> Phrases:
    if spec.way in ("left", "right"):
        return jump_aside(spec)
    adjective = "big" if spec.size > 1.1 else "small"
    return _said(
        f"jump.{spec.way or 'spot'}",
        spec,
        jumps=counted(spec, "jump"),
        small=counted(spec, f"{adjective} jump"),
    )


def _hop(spec: Spec) -> Phrases:
    entry = "hop.forward" if spec.way else "hop.spot"
    return _said(entry, spec, hops=counted(spec, "hop"))


def _to(spec: Spec, i: int) -> str:
    ways = _WALK[f"to.{spec.way}"]
    return ways[i % len(ways)]


def _steps_word(count: int, manner: str = "plain") -> str:
    how = {"slow": "slow ", "brisk": "quick ", "sneaky": "sneaky "}.get(manner, "")
    return f"{number_word(count)} {how}step" + ("s" if count > 1 else "")


def _going(entry: str, spec: Spec) -> Phrases:
    steps = _steps_word(spec.count, spec.manner)
    return [
        _said(entry, spec, to=_to(spec, i), steps=steps, way=spec.way)[i]
        for i in range(len(_BANK[entry]))
    ]


def _steps(spec: Spec) -> Phrases:
    if spec.count == 1 and spec.manner == "plain":
        return _going("steps.single", spec)
    return _going("steps.side" if spec.way in _OTHER else "steps.many", spec)


def _walk_far(spec: Spec) -> Phrases:
    words = _BANK[f"far.{spec.count}"]
    return [
        filled([template], {"to": _to(spec, i), "far": words[i % len(words)]})[0]
        for i, template in enumerate(_BANK["walk_far"])
    ]


def amount_slots(spec: Spec, i: int) -> dict[str, str]:
    """Side and size of a turn in words, the i-th way to say it."""
    amounts = _WALK[f"amount.{abs(spec.angle)}"]
    side = "left" if spec.angle > 0 else "right"
    of = f"of {abs(spec.angle)} degrees"
    return {"side": side, "amount": amounts[i % len(amounts)], "of": of}


def _walk_turn(spec: Spec) -> Phrases:
    return [
        filled([template], amount_slots(spec, i))[0]
        for i, template in enumerate(_BANK["walk_turn"])
    ]


def legs_phrases(spec: Spec) -> Phrases:
    """What the legs do meanwhile."""
    if spec.base == "march":
        return legs_march()
    templates = _BANK[f"legs.{spec.base}"]
    if spec.base != "turn":
        return list(templates)
    return [
        filled([template], amount_slots(spec, i))[0]
        for i, template in enumerate(templates)
    ]


def held_arms(spec: Spec) -> Phrases:
    """What is said of arms that keep a pose."""
    aside = "to the sides" if spec.side == "both" else f"to the {spec.side}"
    hip = "hips" if spec.side == "both" else "hip"
    if has_hold(spec.way):
        return held(spec)
    return _said(f"hold.{spec.way}", spec, aside=aside, hip=hip)


def _hold(spec: Spec) -> Phrases:
    arms, legs = held_arms(spec), legs_phrases(spec)
    number = max(len(arms), len(legs), 4)
    if len(arms) == len(legs):
        number += 1
    pairs = ((legs[i % len(legs)], arms[(i // 2 + i) % len(arms)]) for i in range(12))
    return list(dict.fromkeys(f"{a} {b}" for a, b in pairs))[:number]


def _stand(spec: Spec) -> Phrases:
    return _said("stand", spec)


def _one_leg(spec: Spec) -> Phrases:
    return _said("one_leg", spec)


def _twist(spec: Spec) -> Phrases:
    return _said("twist", spec)


def punches_of(spec: Spec) -> Phrases:
    """Blows of a named hand, whatever their kind."""
    one = spec.count == 1
    number, noun = number_word(spec.count), "punch" if one else "punches"
    number = "a" if one else number
    punches, sided = f"{number} {noun}", f"{number} {spec.side} {noun}"
    return _said("punch.side", spec, punches=punches, sided=sided)


def squats_arms_down(spec: Spec) -> Phrases:
    return _said("squat.arms_down", spec, squats=counted(spec, "squat"))


def denied(found: Phrases, spec: Spec) -> Phrases:
    """The same, and what does not happen meanwhile."""
    ends = _said(f"not.{spec.manner}", spec)
    plain = [p for p in found if " and " not in p and "," not in p]
    plain = plain if len(plain) >= 4 else found
    return [f"{phrase} {ends[i % len(ends)]}" for i, phrase in enumerate(plain)]


def paced(found: Phrases, tempo: float) -> Phrases:
    """The same with a word for a tempo that leaves no doubt."""
    words = _BANK["pace.slow" if tempo < 1 else "pace.quick"]
    found = [p for p in found if not _PACE_WORD.search(p)]
    first = [f"{words[0]} {phrase}" for phrase in found]
    last = [f"{phrase} {words[i % len(words)]}" for i, phrase in enumerate(found)]
    out = []
    for i, phrase in enumerate(found):
        # Behind two verbs the word would be about the second one only.
        tangled = " and " in phrase or "," in phrase
        plain = (first[i], last[i]) if i % 3 == 0 else (last[i], first[i])
        out.append((first[i],) if tangled else plain)
    return [p[0] for p in out] + [p[1] for p in out if len(p) > 1]


ASKED_PHRASES: dict[str, Callable[[Spec], Phrases]] = {
    "jump": _jump,
    "hop": _hop,
    "steps": _steps,
    "walk_far": _walk_far,
    "walk_turn": _walk_turn,
    "walk_pause": lambda spec: _going("walk_pause", spec),
    "hold_pose": _hold,
    "stand": _stand,
    "one_leg": _one_leg,
    "twist": _twist,
}
