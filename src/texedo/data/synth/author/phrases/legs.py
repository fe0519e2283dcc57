"""Phrases for blows, kicks, exercises and dances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from texedo.data.captions.grammar import number_word
from texedo.data.synth.author.phrases.asked import punches_of, squats_arms_down
from texedo.data.synth.author.phrases.common import (
    Phrases,
    author_bank,
    common_slots,
    counted,
    filled,
)
from texedo.data.synth.author.phrases.wanted import half_squats, kneel_and_stay
from texedo.data.synth.author.spec import Spec

_BANK = author_bank("legs")


def _said(entry: str, spec: Spec, **slots: str) -> Phrases:
    return filled(_BANK[entry], {**common_slots(spec), **slots})


def _blows(spec: Spec, noun: str) -> str:
    """ "a left jab", "three right hooks", "four alternating jabs"."""
    if spec.side != "both":
        return counted(spec, f"{spec.side} {noun}")
    if spec.count == 1:
        return f"a left {noun}"
    return f"{number_word(spec.count)} alternating {noun}s"


def _punch(spec: Spec) -> Phrases:
    kinds = spec.way.split("+")
    hits = _combination(kinds, spec) if len(kinds) > 1 else _blows(spec, kinds[0])
    if spec.base == "walk":
        fierce = " aggressively" if spec.manner == "aggressive" else ""
        return _said("punch.walk", spec, hits=hits, fierce=fierce)
    named = punches_of(spec) if spec.side != "both" and len(kinds) == 1 else []
    if spec.way == "straight":
        return named
    force = " with full force" if spec.size >= 1.1 else " with force"
    pace = " slowly" if spec.tempo < 0.9 else force
    return _said("punch.stand", spec, hits=hits, pace=pace) + named


def _combination(kinds: list[str], spec: Spec) -> str:
    """ "a left jab and then a left hook"."""
    parts = []
    for k, kind in enumerate(kinds):
        side = ("left", "right")[k % 2] if spec.side == "both" else spec.side
        parts.append(f"a {side} {kind}")
    return ", ".join(parts[:-1]) + " and then " + parts[-1]


def _punch_squat(spec: Spec) -> Phrases:
    return _said("punch_squat", spec, hits=_blows(spec, spec.way))


def _kick(spec: Spec) -> Phrases:
    if spec.side == "both" and spec.count == 1:
        return _kick(replace(spec, side="left"))
    side = "" if spec.side == "both" else f"{spec.side} "
    kicks, front = counted(spec, f"{side}kick"), counted(spec, f"{side}front kick")
    entry = "kick.both" if spec.side == "both" else "kick.one"
    return _said(entry, spec, kicks=kicks, front=front)


def _knee(spec: Spec) -> Phrases:
    if spec.side == "both" and spec.count > 1:
        return _said("knee.both", spec)
    side = "left" if spec.side == "both" else spec.side
    return _said("knee.one", spec, side=side, raises=counted(spec, "knee raise"))


def _squat(spec: Spec) -> Phrases:
    if spec.way == "arms_down":
        return squats_arms_down(spec)
    return _said("squat", spec, squats=counted(spec, "squat"))


def _kneel(spec: Spec) -> Phrases:
    if spec.way == "stay":
        return kneel_and_stay(spec)
    return _said("half_kneel", spec, knee=f"{spec.side} knee")


def _march(spec: Spec) -> Phrases:
    return _said("march", spec)


def _over(spec: Spec) -> Phrases:
    return _said("step_over", spec)


def _jack(spec: Spec) -> Phrases:
    return _said("jumping_jack", spec, jacks=counted(spec, "jumping jack"))


def _happy(spec: Spec) -> Phrases:
    going = spec.way == "forward"
    to, on = (" forward", " ahead") if going else ("", " on the spot")
    return _said("happy_dance", spec, to=to, on=on)


def _salsa(spec: Spec) -> Phrases:
    return _said("salsa.side" if spec.way == "side" else "salsa.forward", spec)


LEG_PHRASES: dict[str, Callable[[Spec], Phrases]] = {
    "punch": _punch,
    "punch_squat": _punch_squat,
    "kick": _kick,
    "raise_knee": _knee,
    "squat": _squat,
    "half_squat": half_squats,
    "half_kneel": _kneel,
    "march": _march,
    "step_over": _over,
    "jumping_jack": _jack,
    "happy_dance": _happy,
    "salsa": _salsa,
}
