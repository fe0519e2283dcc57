"""Phrases for jumps, squats, bows, legs, and standing."""

from __future__ import annotations

from texedo.data.captions.banks import load_bank
from texedo.data.captions.beats import Beat
from texedo.data.captions.choice import Choice
from texedo.data.captions.phrases.travel import direction_words
from texedo.data.captions.wording import Wording, fill
from texedo.data.events import (
    Bow,
    Hop,
    Jump,
    JumpingJack,
    Kick,
    Kneel,
    KneeRaise,
    Lean,
    Lunge,
    OneLeg,
    Squat,
    Stoop,
)

_BANK = load_bank("body")
HIGH_JUMP, FAR_JUMP = 0.3, 0.8
"""The upper quarter of the captured jumps [m]."""
SPIN_ANGLE = 300.0
"""More is a spin all the way around [degrees]."""
DEEP_SQUAT = 0.42
"""Part of the standing height: the thighs are level [-]."""
MARCH_KNEES = 4
"""Knees that rise in turn on the spot this often march."""
DEEP_BOW = 65.0
"""[degrees]"""


def jump_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    jump = beat.event
    assert isinstance(jump, Jump)
    if jump.turn is not None:
        if jump.turn_angle >= SPIN_ANGLE:
            return fill(choice, _BANK["jump_spin"], side=jump.turn)
        angle = _angle(jump.turn_angle)
        return fill(choice, _BANK["jump_turn"], side=jump.turn, slots={"angle": angle})
    if jump.count > 1 and not jump.counted:
        return fill(choice, _BANK["jumps_uncounted"])
    if jump.direction is not None:
        words = {"dir": direction_words(jump.direction)}
        if jump.count > 1:
            return fill(choice, _BANK["jumps_to"], slots=words, count=jump.count)
        far = jump.distance >= FAR_JUMP and choice.chance(0.4)
        return fill(choice, _BANK["jump_far"] if far else _BANK["jump_to"], slots=words)
    if jump.count > 1:
        return fill(choice, _BANK["jumps_up"], count=jump.count)
    high = jump.height >= HIGH_JUMP and choice.chance(0.4)
    return fill(choice, _BANK["jump_high"] if high else _BANK["jump_up"])


def _angle(angle: float) -> str:
    """The nearest of the angles that have a name, if it is near."""
    names = {
        90: "[90 degrees|ninety degrees|a quarter turn]",
        180: "[180 degrees|halfway around|a half turn]",
        270: "[270 degrees|three quarters of the way around]",
    }
    nearest = min(names, key=lambda name: abs(name - angle))
    return names[nearest] if abs(nearest - angle) <= 25 else "around"


def hop_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    hop = beat.event
    assert isinstance(hop, Hop)
    if hop.direction is not None:
        words = {"dir": direction_words(hop.direction)}
        return fill(
            choice, _BANK["hop_to"], side=hop.side, count=hop.count, slots=words
        )
    return fill(choice, _BANK["hop"], side=hop.side, count=hop.count)


def jack_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    jack = beat.event
    assert isinstance(jack, JumpingJack)
    counted = choice.chance(0.35)
    return fill(
        choice, _BANK["jacks_counted"] if counted else _BANK["jacks"], count=jack.count
    )


def squat_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    squat = beat.event
    assert isinstance(squat, Squat)
    bends = isinstance(beat.extra, Bow)
    if squat.count > 1:
        templates = _BANK["bends_knees"] if bends else _BANK["squats"]
        return fill(choice, templates, count=squat.count)
    if bends:
        return fill(choice, _BANK["bend_knees"])
    deep = squat.depth >= DEEP_SQUAT and choice.chance(0.5)
    return fill(choice, _BANK["squat_deep"] if deep else _BANK["squat"])


def lunge_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    lunge = beat.event
    assert isinstance(lunge, Lunge)
    templates = _BANK["lunges"] if lunge.count > 1 else _BANK["lunge"]
    return fill(choice, templates, side=lunge.side, count=lunge.count)


def kneel_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    kneel = beat.event
    assert isinstance(kneel, Kneel)
    if kneel.side == "both":
        return fill(choice, _BANK["kneel_both"])
    return fill(choice, _BANK["kneel"], side=kneel.side)


def bow_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    bow = beat.event
    assert isinstance(bow, Bow)
    if bow.count > 1:
        return fill(choice, _BANK["bows"], count=bow.count)
    if wording.names("bow") and choice.chance(0.7):
        return fill(choice, _BANK["bow_named"])
    deep = bow.angle >= DEEP_BOW and choice.chance(0.7)
    return fill(choice, _BANK["bow_deep"] if deep else _BANK["bow"])


def stoop_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    assert isinstance(beat.event, Stoop)
    return fill(choice, _BANK["stoop"])


def lean_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    lean = beat.event
    assert isinstance(lean, Lean)
    if isinstance(beat.extra, Lean):
        return fill(choice, _BANK["sway"])
    return fill(choice, _BANK["lean"], side=lean.side)


def kick_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    kick = beat.event
    assert isinstance(kick, Kick)
    if kick.way == "back":
        return fill(choice, _BANK["kick.back"], side=kick.side)
    if kick.count > 1:
        return fill(choice, _BANK["kicks"], side=kick.side, count=kick.count)
    if kick.level == "chest" and choice.chance(0.4):
        return fill(choice, _BANK["kick_high"], side=kick.side)
    return fill(choice, _BANK[f"kick.{kick.way}"], side=kick.side)


def knee_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    knee = beat.event
    assert isinstance(knee, KneeRaise)
    if knee.side == "both":
        marches = knee.count >= MARCH_KNEES and beat.extra is None
        named = marches and choice.chance(0.6)
        return fill(choice, _BANK["march_in_place"] if named else _BANK["knees_both"])
    templates = _BANK["knees"] if knee.count > 1 else _BANK["knee"]
    return fill(choice, templates, side=knee.side, count=knee.count)


def one_leg_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    one = beat.event
    assert isinstance(one, OneLeg)
    text = fill(choice, _BANK["one_leg"], side=one.side)
    raised = isinstance(beat.extra, KneeRaise) and " with " not in text
    if raised and choice.chance(0.5):
        return text + fill(choice, " with {poss} {other} knee raised", side=one.side)
    return text


def crouch_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    return fill(choice, _BANK["crouch"])


def twist_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    return fill(choice, _BANK["twist"])


def still_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    long = beat.weight >= 1.0
    text = fill(choice, _BANK["still_all"] if long else _BANK["still"])
    if long and wording.manner is not None and choice.chance(0.5):
        return f"{text} {choice.one(wording.manner.manners)}"
    return text
