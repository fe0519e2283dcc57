"""From a beat to a phrase in the notation of `grammar`."""

from __future__ import annotations

from collections.abc import Callable

from texedo.data.captions.beats import Beat
from texedo.data.captions.choice import Choice
from texedo.data.captions.phrases import arms, body, travel
from texedo.data.captions.wording import Wording
from texedo.data.events import (
    ArmRaise,
    Bow,
    Circle,
    Clap,
    Crouch,
    Event,
    Gesture,
    HandOnHip,
    HandToHead,
    Hop,
    Jump,
    JumpingJack,
    Kick,
    Kneel,
    KneeRaise,
    Lean,
    Lunge,
    OneLeg,
    Punch,
    Squat,
    Still,
    Stoop,
    Travel,
    Turn,
    Twist,
    Wave,
)

Phraser = Callable[[Beat, Choice, Wording], str]

_PHRASERS: dict[type[Event], Phraser] = {
    ArmRaise: arms.raise_phrase,
    Bow: body.bow_phrase,
    Circle: travel.circle_phrase,
    Clap: arms.clap_phrase,
    Crouch: body.crouch_phrase,
    Gesture: arms.gesture_phrase,
    HandOnHip: arms.hip_phrase,
    HandToHead: arms.head_phrase,
    Hop: body.hop_phrase,
    Jump: body.jump_phrase,
    JumpingJack: body.jack_phrase,
    Kick: body.kick_phrase,
    KneeRaise: body.knee_phrase,
    Kneel: body.kneel_phrase,
    Lean: body.lean_phrase,
    Lunge: body.lunge_phrase,
    OneLeg: body.one_leg_phrase,
    Punch: arms.punch_phrase,
    Squat: body.squat_phrase,
    Still: body.still_phrase,
    Stoop: body.stoop_phrase,
    Travel: travel.travel_phrase,
    Turn: travel.turn_phrase,
    Twist: body.twist_phrase,
    Wave: arms.wave_phrase,
}


def phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    """The beat as a phrase; verbs marked, owner open."""
    return _PHRASERS[type(beat.event)](beat, choice, wording)
