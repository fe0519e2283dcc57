"""Small words that many phrases share: whose hand, how often, how fast."""

from __future__ import annotations

from texedo.data.captions.grammar import times_word
from texedo.data.synth.author.spec import Spec


def hand_of(spec: Spec, noun: str = "hand") -> str:
    return f"both {noun}s" if spec.side == "both" else f"{{poss}} {spec.side} {noun}"


def arm_of(spec: Spec) -> str:
    return hand_of(spec, "arm")


def times_of(spec: Spec) -> str:
    return f" {times_word(spec.count)}" if spec.count > 1 else ""


def again_of(spec: Spec) -> str:
    return times_of(spec) or " once"


def pace_of(spec: Spec) -> str:
    """An adverb that the tempo deserves, or nothing."""
    if spec.tempo > 1.15:
        return " quickly"
    return " slowly" if spec.tempo < 0.9 else ""
