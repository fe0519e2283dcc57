"""Phrases from the files of this folder, and small words that many of them share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from texedo.data.captions.banks import Bank, load_bank
from texedo.data.captions.grammar import number_word, times_word
from texedo.data.synth.author.spec import Spec

Phrases = list[str]


def author_bank(name: str) -> Bank:
    """A file of this folder: `arms`, `legs` or `walk`."""
    return load_bank(name, package="texedo.data.synth.author.phrases")


def filled(templates: Iterable[str], slots: Mapping[str, str]) -> Phrases:
    """The templates with their slots filled; {poss} and {refl} stay for the subject."""
    out = []
    for template in templates:
        for name, value in slots.items():
            template = template.replace("{" + name + "}", value)
        out.append(template)
    return out


def common_slots(spec: Spec) -> dict[str, str]:
    """Whose hand, how often, how fast."""
    return {
        "hand": hand_of(spec),
        "arm": hand_of(spec, "arm"),
        "it": "them" if spec.side == "both" else "it",
        "side": spec.side,
        "n": number_word(spec.count),
        "times": times_of(spec),
        "again": times_of(spec) or " once",
        "pace": pace_of(spec),
    }


def counted(spec: Spec, noun: str) -> str:
    """ "a squat", "three squats"."""
    return f"a {noun}" if spec.count == 1 else f"{number_word(spec.count)} {noun}s"


def hand_of(spec: Spec, noun: str = "hand") -> str:
    return f"both {noun}s" if spec.side == "both" else f"{{poss}} {spec.side} {noun}"


def times_of(spec: Spec) -> str:
    return f" {times_word(spec.count)}" if spec.count > 1 else ""


def pace_of(spec: Spec) -> str:
    """An adverb that the tempo deserves, or nothing."""
    if spec.tempo > 1.15:
        return " quickly"
    return " slowly" if spec.tempo < 0.9 else ""
