"""Phrases for blows, kicks, exercises and dances."""

from __future__ import annotations

from collections.abc import Callable

from texedo.data.captions.grammar import number_word
from texedo.data.synth.author.phrases.common import pace_of, times_of
from texedo.data.synth.author.spec import Spec

Phrases = list[str]


def _count_of(spec: Spec, noun: str) -> str:
    """ "a left jab", "three right hooks", "four jabs with alternating hands"."""
    plural = noun + "s"
    if spec.side == "both":
        if spec.count == 1:
            return f"a left {noun}"
        return f"{number_word(spec.count)} alternating {plural}"
    if spec.count == 1:
        return f"a {spec.side} {noun}"
    return f"{number_word(spec.count)} {spec.side} {plural}"


def _punch(spec: Spec) -> Phrases:
    kinds = spec.way.split("+")
    combined = len(kinds) > 1
    hits = _combination(kinds, spec) if combined else _count_of(spec, kinds[0])
    force = " with full force" if spec.size >= 1.1 else " with force"
    pace = " slowly" if spec.tempo < 0.9 else force
    if spec.base == "walk":
        fierce = " aggressively" if spec.manner == "aggressive" else ""
        return [
            f"~box while walking forward{fierce}, throwing {hits}",
            f"~advance{fierce} while throwing {hits}",
            f"~walk forward{fierce} and ~throw {hits}",
            f"~move forward{fierce}, boxing ahead with {hits}",
            f"~step forward like a boxer{fierce} and ~land {hits}",
            f"~throw {hits} while advancing{fierce}",
            f"~move while boxing and walking forward{fierce}",
            f"~advance while boxing ahead{fierce}",
        ]
    return [
        f"~throw {hits}",
        f"~throw {hits} ahead{pace}",
        f"~execute {hits} forward{pace}",
        f"~raise {{poss}} fists and ~throw {hits}",
        f"~take up a boxing guard and ~throw {hits}",
        f"~box the air with {hits}",
        f"~land {hits} on an imaginary opponent",
        f"~practice {hits}{pace}",
        f"~stand in a guard, ~deliver {hits}, and ~lower {{poss}} hands",
    ]


def _combination(kinds: list[str], spec: Spec) -> str:
    """ "a left jab and then a left hook"."""
    parts = []
    for k, kind in enumerate(kinds):
        side = ("left", "right")[k % 2] if spec.side == "both" else spec.side
        parts.append(f"a {side} {kind}")
    return ", ".join(parts[:-1]) + " and then " + parts[-1]


def _punch_squat(spec: Spec) -> Phrases:
    hits = _count_of(spec, spec.way)
    return [
        f"~throw {hits} while squatting",
        f"~bend {{poss}} knees and ~throw {hits}",
        f"~bob down and up while throwing {hits}",
        "~throw punches while squatting",
        f"~box from a crouch with {hits}",
        f"~squat and ~punch at the same time, with {hits}",
    ]


def _kick(spec: Spec) -> Phrases:
    times = times_of(spec)
    side = "" if spec.side == "both" else f"{spec.side} "
    n = number_word(spec.count)
    kicks = f"a {side}kick" if spec.count == 1 else f"{n} {side}kicks"
    front = f"a {side}front kick" if spec.count == 1 else f"{n} {side}front kicks"
    if spec.side == "both":
        if spec.count == 1:
            return [*_kick(Spec(**{**spec.__dict__, "side": "left"}))]
        return [
            f"~kick forward{times}, changing legs",
            f"~throw {front} with alternating legs",
            f"~do {kicks}, left and right in turn",
            f"~kick{times} with the left and right leg in turn",
            f"~raise {{poss}} guard and ~do {front}, switching legs each time",
        ]
    return [
        f"~kick forward with {{poss}} {spec.side} leg{times}",
        f"~throw {front}",
        f"~do {front}",
        f"~lift {{poss}} {spec.side} knee and ~kick straight ahead{times}",
        f"~kick{times} with the {spec.side} foot",
        f"~raise {{poss}} guard and ~deliver {kicks}",
        f"~kick out to the front{times} using {{poss}} {spec.side} foot",
    ]


def _knee(spec: Spec) -> Phrases:
    times = times_of(spec)
    if spec.side == "both" and spec.count > 1:
        return [
            f"~raise {{poss}} knees in turn, {number_word(spec.count)} in all",
            f"~lift one knee after the other{times}",
            f"~do {number_word(spec.count)} alternating knee raises",
            f"~bring up the left and right knee in turn{times}",
            f"~stand and ~lift {{poss}} knees alternately{times}",
        ]
    side = "left" if spec.side == "both" else spec.side
    return [
        f"~raise {{poss}} {side} knee{times}",
        f"~lift {{poss}} {side} knee up to {{poss}} hip{times}",
        f"~bring {{poss}} {side} knee up{times} and ~put the foot down again",
        f"~stand on one leg and ~lift the {side} knee{times}",
        f"~pull up {{poss}} {side} knee{times}{pace_of(spec)}",
        f"~do {_raises(spec)} with the {side} leg",
    ]


def _raises(spec: Spec) -> str:
    return (
        "a knee raise" if spec.count == 1 else f"{number_word(spec.count)} knee raises"
    )


def _squat(spec: Spec) -> Phrases:
    times, pace = times_of(spec), pace_of(spec)
    squats = "a squat" if spec.count == 1 else f"{number_word(spec.count)} squats"
    return [
        f"~squat{times}",
        f"~do {squats}",
        f"~squat down and ~stand up again{times}",
        f"~perform {squats} with {{poss}} arms out in front",
        f"~bend {{poss}} knees{pace} and ~rise again{times}",
        f"~do {squats}{pace}, arms stretched forward",
        f"~lower {{poss}} hips and ~come back up{times}",
        f"~exercise with {squats}",
    ]


def _kneel(spec: Spec) -> Phrases:
    knee = f"{spec.side} knee"
    return [
        f"~kneel down on {{poss}} {knee} and ~stand up again",
        f"~go down on the {knee}",
        f"~step back and ~lower {{poss}} {knee} toward the ground",
        f"~go into a half kneel on the {knee} and ~rise",
        f"~drop to one knee, the {spec.side} one, and ~get up",
        f"~lower {{refl}} onto {{poss}} {knee}, ~pause, and ~stand",
        f"~kneel on one knee with {{poss}} {spec.side} leg back",
    ]


def _march(spec: Spec) -> Phrases:
    n, pace = number_word(spec.count), pace_of(spec)
    return [
        f"~march in place{pace}",
        f"~march on the spot for {n} steps",
        f"~take {n} marching steps without moving from the spot",
        f"~step in place{pace}, lifting {{poss}} knees",
        "~march in place while swinging {poss} arms",
        f"~stand and ~march, {n} steps in all",
        f"~lift {{poss}} knees in turn, marching on the spot{pace}",
    ]


def _over(spec: Spec) -> Phrases:
    return [
        "~take a big step over something",
        f"~step over an obstacle, {spec.side} foot first",
        "~lift {poss} feet high to step over something",
        f"~make a big, high step forward with the {spec.side} leg",
        f"~step over something low, leading with {{poss}} {spec.side} foot",
        "~raise each leg in turn to cross over an object",
        f"~take a large step forward over something with {{poss}} {spec.side} foot",
    ]


def _jack(spec: Spec) -> Phrases:
    n = number_word(spec.count)
    jacks = "a jumping jack" if spec.count == 1 else f"{n} jumping jacks"
    return [
        f"~do {jacks}",
        f"~perform {jacks}",
        f"~do {jacks}, arms swinging over {{poss}} head",
        f"~jump {{poss}} feet apart and together{times_of(spec)} while raising {{poss}} arms",
        f"~exercise with {jacks}",
        f"~complete {jacks} on the spot",
        f"~spring through {jacks}",
        f"~hop {{poss}} legs out and in{times_of(spec)} with arms going up and down",
    ]


def _happy(spec: Spec) -> Phrases:
    to = " forward" if spec.way == "forward" else ""
    on = " ahead" if spec.way == "forward" else " on the spot"
    return [
        f"~dance happily{to or ''}",
        f"~perform a happy dance{to}",
        f"~dance joyfully{to} with enthusiasm",
        f"~dance{on}, happily swinging {{poss}} arms",
        f"~do a cheerful dance{to}, stepping from side to side",
        f"~bounce and ~pump {{poss}} arms in a joyful dance{on}",
        f"~step and ~sway happily{on} in a little dance",
        f"~dance with joy{to}",
    ]


def _salsa(spec: Spec) -> Phrases:
    out = [
        "~do a salsa dance",
        "~dance salsa",
        "~dance the basic step of salsa",
        "~sway {poss} hips in a salsa step",
        f"~dance salsa, starting with the {spec.side} foot",
        "~do salsa steps on the spot",
        "~move to a latin beat with salsa steps",
    ]
    if spec.way == "side":
        return [*out, "~dance salsa from side to side", "~do side breaks as in salsa"]
    return [
        *out,
        "~rock forward and back in a salsa basic",
        "~step forward and back in a salsa",
    ]


LEG_PHRASES: dict[str, Callable[[Spec], Phrases]] = {
    "punch": _punch,
    "punch_squat": _punch_squat,
    "kick": _kick,
    "raise_knee": _knee,
    "squat": _squat,
    "half_kneel": _kneel,
    "march": _march,
    "step_over": _over,
    "jumping_jack": _jack,
    "happy_dance": _happy,
    "salsa": _salsa,
}
