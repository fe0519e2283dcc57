"""Phrases for arms and hands."""

from __future__ import annotations

from texedo.data.captions.banks import arms as bank
from texedo.data.captions.beats import Beat
from texedo.data.captions.choice import Choice
from texedo.data.captions.wording import Wording, fill
from texedo.data.events import (
    ArmRaise,
    Clap,
    Gesture,
    HandOnHip,
    HandToHead,
    Punch,
    Wave,
)

SURE_WAVES = 3
"""The way into a wave looks like one more of it: fewer are not counted."""
BUSY_SPEED = 0.3
"""A hand that moves less only fidgets [m/s]."""


def _limbs(side: str) -> dict[str, str]:
    """Words for one hand or both, for the slots of the banks."""
    if side == "both":
        return {
            "hand": "hands",
            "arm": "arms",
            "it": "them",
            "sides": "sides",
        }
    return {
        "hand": f"{side} hand",
        "arm": f"{side} arm",
        "it": "it",
        "sides": "side",
    }


def _level(level: str, side: str) -> str:
    return (bank.LEVELS_BOTH if side == "both" else bank.LEVELS)[level]


def raise_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    """ "raises the left hand above her head and lowers it again"."""
    up = beat.event
    assert isinstance(up, ArmRaise)
    slots = {**_limbs(up.side), "level": _level(up.level, up.side)}
    if up.starts_up and up.count == 1:
        text = fill(choice, bank.HOLD_UP, slots=slots)
        return (
            text if not up.lowers or choice.chance(0.5) else _lowered(text, up, choice)
        )
    if up.count > 1:
        return _both(
            fill(choice, bank.RAISES, count=up.count, slots=slots), up.side, choice
        )
    if choice.chance(0.35):
        if up.side == "both" and up.way == "side" and up.level == "shoulder":
            return fill(choice, bank.SPREAD)
        if up.side == "both" and up.way == "up" and up.level == "overhead":
            return fill(choice, bank.STRETCH_UP)
        if up.way != "back" and (up.way != "up" or up.level == "overhead"):
            return _both(fill(choice, bank.OUT[up.way], slots=slots), up.side, choice)
    templates = bank.RAISE_PLAIN if choice.chance(0.2) else bank.RAISE
    text = _both(fill(choice, templates, slots=slots), up.side, choice)
    if up.lowers and choice.chance(0.35):
        return _lowered(text, up, choice)
    return text


def _lowered(text: str, up: ArmRaise, choice: Choice) -> str:
    return f"{text} {fill(choice, bank.LOWER, slots=_limbs(up.side))}"


def _both(text: str, side: str, choice: Choice) -> str:
    """ "both hands" for "their hands", now and then."""
    if side == "both" and choice.chance(0.5):
        for limb in ("hands", "arms"):
            text = text.replace("{poss} " + limb, f"both {limb}", 1)
    return text


def wave_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    wave = beat.event
    assert isinstance(wave, Wave)
    level = _level(wave.level, wave.side)
    slots = {**_limbs(wave.side), "level": level}
    where = {"overhead": "above {poss} head", "head": "beside {poss} head"}
    if not wording.names("wave"):
        at = where.get(wave.level, "in front of {refl}")
        return fill(choice, bank.SWING_PLAIN, slots={**slots, "where": at})
    if wave.side == "both":
        return fill(choice, bank.WAVE_BOTH)
    if wave.count >= SURE_WAVES and choice.chance(0.3):
        return fill(choice, bank.WAVES, count=wave.count, slots=slots)
    return fill(choice, bank.WAVE, slots=slots)


def punch_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    punch = beat.event
    assert isinstance(punch, Punch)
    many = punch.count > 1
    templates: tuple[str, ...]
    if not wording.names("box"):
        straight = bank.THRUSTS if many else bank.THRUST
        templates = bank.SWIPE if punch.kind == "hook" else straight
        return fill(choice, templates, side=punch.side, count=punch.count)
    if isinstance(beat.extra, Punch) and choice.chance(0.25):
        return fill(choice, bank.PUNCHES_BOTH)
    if punch.kind == "hook":
        templates = bank.HOOKS if many else bank.HOOK
    else:
        templates = bank.JABS if many else bank.JAB
    text = fill(choice, templates, side=punch.side, count=punch.count)
    if choice.chance(0.3):
        return f"{text} {choice.one(bank.FORCE)}"
    return text


def clap_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    clap = beat.event
    assert isinstance(clap, Clap)
    templates = bank.CLAP if wording.names("clap") else bank.HANDS_TOGETHER
    return fill(choice, templates, count=clap.count)


def hip_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    hip = beat.event
    assert isinstance(hip, HandOnHip)
    if hip.side == "both":
        return fill(choice, bank.HIPS_BOTH)
    return fill(choice, bank.HIP, side=hip.side)


def head_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    head = beat.event
    assert isinstance(head, HandToHead)
    if head.side == "both":
        return fill(choice, bank.HEAD_BOTH)
    text = fill(choice, bank.HEAD, side=head.side)
    if head.lowers and choice.chance(0.4):
        return f"{text} {fill(choice, bank.LOWER, slots=_limbs(head.side))}"
    return text


def gesture_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    gesture = beat.event
    assert isinstance(gesture, Gesture)
    templates = bank.GESTURE if gesture.speed >= BUSY_SPEED else bank.GESTURE_SMALL
    return _both(
        fill(choice, templates, slots=_limbs(gesture.side)), gesture.side, choice
    )
