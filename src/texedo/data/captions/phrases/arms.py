"""Phrases for arms and hands."""

from __future__ import annotations

from texedo.data.captions.banks import load_bank
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

_BANK = load_bank("arms")
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
    return _BANK.text(f"levels_both.{level}" if side == "both" else f"levels.{level}")


def raise_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    """ "raises the left hand above her head and lowers it again"."""
    up = beat.event
    assert isinstance(up, ArmRaise)
    slots = {**_limbs(up.side), "level": _level(up.level, up.side)}
    if up.starts_up and up.count == 1:
        text = fill(choice, _BANK["hold_up"], slots=slots)
        return (
            text if not up.lowers or choice.chance(0.5) else _lowered(text, up, choice)
        )
    if up.count > 1:
        return _both(
            fill(choice, _BANK["raises"], count=up.count, slots=slots), up.side, choice
        )
    if choice.chance(0.35):
        if up.side == "both" and up.way == "side" and up.level == "shoulder":
            return fill(choice, _BANK["spread"])
        if up.side == "both" and up.way == "up" and up.level == "overhead":
            return fill(choice, _BANK["stretch_up"])
        if up.way != "back" and (up.way != "up" or up.level == "overhead"):
            return _both(
                fill(choice, _BANK[f"out.{up.way}"], slots=slots), up.side, choice
            )
    templates = _BANK["raise_plain"] if choice.chance(0.2) else _BANK["raise"]
    text = _both(fill(choice, templates, slots=slots), up.side, choice)
    if up.lowers and choice.chance(0.35):
        return _lowered(text, up, choice)
    return text


def _lowered(text: str, up: ArmRaise, choice: Choice) -> str:
    down = fill(choice, _BANK["lower"], slots=_limbs(up.side))
    return f"{text} {down}"


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
        return fill(choice, _BANK["swing_plain"], slots={**slots, "where": at})
    if wave.side == "both":
        return fill(choice, _BANK["wave_both"])
    if wave.count >= SURE_WAVES and choice.chance(0.3):
        return fill(choice, _BANK["waves"], count=wave.count, slots=slots)
    return fill(choice, _BANK["wave"], slots=slots)


def punch_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    punch = beat.event
    assert isinstance(punch, Punch)
    many = punch.count > 1
    templates: tuple[str, ...]
    if not wording.names("box"):
        straight = _BANK["thrusts"] if many else _BANK["thrust"]
        templates = _BANK["swipe"] if punch.kind == "hook" else straight
        return fill(choice, templates, side=punch.side, count=punch.count)
    if isinstance(beat.extra, Punch) and choice.chance(0.25):
        return fill(choice, _BANK["punches_both"])
    if punch.kind == "hook":
        templates = _BANK["hooks"] if many else _BANK["hook"]
    else:
        templates = _BANK["jabs"] if many else _BANK["jab"]
    text = fill(choice, templates, side=punch.side, count=punch.count)
    if choice.chance(0.3):
        return " ".join((text, choice.one(_BANK["force"])))
    return text


def clap_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    clap = beat.event
    assert isinstance(clap, Clap)
    templates = _BANK["clap"] if wording.names("clap") else _BANK["hands_together"]
    return fill(choice, templates, count=clap.count)


def hip_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    hip = beat.event
    assert isinstance(hip, HandOnHip)
    if hip.side == "both":
        return fill(choice, _BANK["hips_both"])
    return fill(choice, _BANK["hip"], side=hip.side)


def head_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    head = beat.event
    assert isinstance(head, HandToHead)
    if head.side == "both":
        return fill(choice, _BANK["head_both"])
    text = fill(choice, _BANK["head"], side=head.side)
    if head.lowers and choice.chance(0.4):
        down = fill(choice, _BANK["lower"], slots=_limbs(head.side))
        return f"{text} {down}"
    return text


def gesture_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    gesture = beat.event
    assert isinstance(gesture, Gesture)
    templates = (
        _BANK["gesture"] if gesture.speed >= BUSY_SPEED else _BANK["gesture_small"]
    )
    return _both(
        fill(choice, templates, slots=_limbs(gesture.side)), gesture.side, choice
    )
