"""Phrases for gestures of arms and trunk."""

from __future__ import annotations

from collections.abc import Callable

from texedo.data.captions.grammar import number_word
from texedo.data.synth.author.phrases.common import (
    again_of,
    arm_of,
    hand_of,
    pace_of,
    times_of,
)
from texedo.data.synth.author.spec import Spec

Phrases = list[str]


def _wave(spec: Spec) -> Phrases:
    hand, arm, times, pace = hand_of(spec), arm_of(spec), times_of(spec), pace_of(spec)
    where = "above {poss} head" if spec.way == "high" else "beside {poss} head"
    out = [
        f"~wave with {hand}{times}",
        f"~wave {hand}{times}{pace}",
        f"~raise {hand} and ~wave{times}",
        f"~lift {arm} and ~wave{pace}{times}",
        f"~hold {hand} up {where} and ~wave{times}",
        f"~wave hello{times} with {hand}",
        f"~give a wave with {hand}",
        f"~greet someone by waving {hand}",
        f"~swing {hand} from side to side{times} to wave",
        f"~wave goodbye with {hand}{times}",
        f"~wave {hand} {where}{times}",
        f"~bring up {hand}, ~wave{times}, and ~lower it again",
    ]
    if spec.side == "both":
        out[-1] = f"~bring up both hands, ~wave{times}, and ~lower them again"
    return out


def _raise(spec: Spec) -> Phrases:
    hand, arm, times, pace = hand_of(spec), arm_of(spec), times_of(spec), pace_of(spec)
    it = "them" if spec.side == "both" else "it"
    if spec.way == "up":
        return [
            f"~raise {hand}{times}",
            f"~raise {arm} above {{poss}} head{times}",
            f"~lift {hand} high into the air{times}{pace}",
            f"~put {hand} up{times}",
            f"~stretch {arm} straight up{times} and ~lower {it} again",
            f"~reach for the ceiling with {hand}{times}",
            f"~hold {arm} up overhead for a moment",
            f"~bring {hand} up over {{poss}} head{times}{pace}",
        ]
    if spec.way == "forward":
        return [
            f"~raise {arm} in front of {{refl}}{times}",
            f"~stretch {arm} out forward{times}",
            f"~hold {arm} straight out ahead",
            f"~lift {arm} to the front at shoulder height{times}{pace}",
            f"~extend {arm} forward{times} and ~lower {it} again",
            f"~reach forward with {hand}{times}",
            f"~bring {arm} up in front to shoulder level{times}",
        ]
    to = "to the sides" if spec.side == "both" else f"out to the {spec.side}"
    return [
        f"~raise {arm} {to}{times}",
        f"~lift {arm} {to} to shoulder height{times}",
        f"~stretch {arm} {to}{times}{pace}",
        f"~hold {arm} {to} for a moment",
        f"~extend {arm} {to}{times} and ~lower {it} again",
        f"~move {arm} {to}{times}",
        f"~reach {to} with {hand}{times}",
    ]


def _point(spec: Spec) -> Phrases:
    to = {
        "up": ["up", "upward", "at the sky", "at the ceiling"],
        "forward": ["forward", "straight ahead", "at something in front", "ahead"],
        "side": [
            f"to the {spec.side}",
            f"out to {{poss}} {spec.side}",
            f"at something on the {spec.side}",
            f"{spec.side}",
        ],
    }[spec.way]
    hand, arm = hand_of(spec), arm_of(spec)
    return [
        f"~point {to[0]} with {hand}",
        f"~point {to[1]} with {arm}",
        f"~raise {arm} and ~point {to[2]}",
        f"~use {hand} to point {to[0]}",
        f"~stretch out {arm} to point {to[1]}",
        f"~lift {hand}, ~point {to[3]}, and ~drop it again",
        f"~point {to[2]} using {hand}",
    ]


def _clap(spec: Spec) -> Phrases:
    times, pace = times_of(spec), pace_of(spec)
    n = number_word(spec.count)
    out = [
        f"~clap{again_of(spec)}",
        f"~clap {{poss}} hands{times}",
        f"~clap {{poss}} hands together{times}{pace}",
        f"~bring {{poss}} hands together{times} in a clap",
        f"~give {n} clap{'s' if spec.count > 1 else ''}",
        f"~applaud with {n} clap{'s' if spec.count > 1 else ''}",
    ]
    if spec.way == "overhead":
        return [
            f"~clap{times} above {{poss}} head",
            f"~clap {{poss}} hands overhead{times}",
            f"~raise both arms and ~clap{times} over {{poss}} head",
            *(f"{phrase}, high above {{poss}} head" for phrase in out[1:4]),
        ]
    return [*out, f"~clap{times} in front of {{poss}} chest"]


def _salute(spec: Spec) -> Phrases:
    hand = hand_of(spec)
    return [
        f"~salute with {hand}",
        f"~give a salute with {hand}",
        f"~raise {hand} to {{poss}} forehead in a salute",
        f"~salute like a soldier, using {hand}",
        f"~bring {hand} up to {{poss}} brow and ~hold a salute",
        f"~greet with a military salute of {hand}",
        f"~snap {hand} up to salute",
    ]


def _to_head(spec: Spec) -> Phrases:
    hand, pace = hand_of(spec), pace_of(spec)
    return [
        f"~raise {hand} to {{poss}} head and then ~return it to {{poss}} side",
        f"~bring {hand} up to {{poss}} head{pace}",
        f"~touch the side of {{poss}} head with {hand}",
        f"~lift {hand} to {{poss}} head and ~lower it again",
        f"~put {hand} to {{poss}} head for a moment",
        f"~hold {hand} beside {{poss}} head, then ~drop it",
        f"~move {hand} up to {{poss}} ear and back down",
    ]


def _hips(spec: Spec) -> Phrases:
    hand = hand_of(spec)
    hip = "hips" if spec.side == "both" else "hip"
    out = [
        f"~put {hand} on {{poss}} {hip}",
        f"~place {hand} on {{poss}} {hip} and ~wait",
        f"~stand with {hand} on {{poss}} {hip}",
        f"~rest {hand} on {{poss}} {hip}",
        f"~bring {hand} to {{poss}} {hip}",
        f"~set {hand} on {{poss}} {hip}, then ~let go",
    ]
    if spec.base == "walk":
        out = [out[0], out[3], out[4], f"~have {hand} on {{poss}} {hip} for a while"]
    if spec.way == "twist":
        return [
            *(
                f"{phrase} and ~turn {{poss}} chest from side to side"
                for phrase in out[:2]
            ),
            "~put both hands on {poss} hips and ~twist at the waist",
            "~stand with hands on hips, twisting {poss} upper body left and right",
            "~rotate {poss} torso to both sides, hands on hips",
        ]
    return out


def _stretch(spec: Spec) -> Phrases:
    pace = pace_of(spec)
    if spec.way == "sides":
        return [
            "~stretch with {poss} arms above {poss} head and ~lean from side to side",
            "~reach both arms up and ~bend to either side",
            "~raise both arms overhead and ~sway {poss} upper body left and right",
            "~do a side stretch with {poss} arms above {poss} head",
            "~stretch {poss} sides, leaning over with both arms up",
            "~hold {poss} arms over {poss} head while bending sideways both ways",
        ]
    return [
        "~stretch, with {poss} arms above {poss} head",
        f"~stretch both arms up over {{poss}} head{pace}",
        "~reach up high with both arms to stretch",
        "~raise both arms overhead for a long stretch",
        "~have a good stretch, arms straight up",
        f"~stretch {{poss}} whole body upward{pace}",
        "~lift both hands above {poss} head and ~stretch tall",
    ]


def _bow(spec: Spec) -> Phrases:
    times, pace = times_of(spec), pace_of(spec)
    deep = "deep " if spec.size >= 1.1 else "slight " if spec.size < 0.9 else ""
    n = number_word(spec.count)
    bows = f"a {deep}bow" if spec.count == 1 else f"{n} {deep}bows"
    return [
        f"~bow{times}",
        f"~bow forward{times}{pace}",
        f"~take {bows}",
        f"~make {bows} from the waist",
        f"~bend forward at the hips{times} in a {deep}bow",
        f"~lean forward and ~straighten up again{times}",
        f"~greet with {bows}",
        f"~lower {{poss}} upper body in {bows} and ~come back up",
    ]


def _spread(spec: Spec) -> Phrases:
    times, pace = times_of(spec), pace_of(spec)
    return [
        f"~spread both arms wide{times}",
        f"~open {{poss}} arms to the sides{times}{pace}",
        f"~stretch both arms out sideways{times}",
        "~hold {poss} arms out like wings",
        f"~raise both arms to the sides until they are level{times}",
        f"~put {{poss}} arms out in a T shape{times}",
    ]


ARM_PHRASES: dict[str, Callable[[Spec], Phrases]] = {
    "wave": _wave,
    "raise_hand": _raise,
    "point": _point,
    "clap": _clap,
    "salute": _salute,
    "hand_to_head": _to_head,
    "hands_on_hips": _hips,
    "stretch_up": _stretch,
    "bow": _bow,
    "spread_arms": _spread,
}
