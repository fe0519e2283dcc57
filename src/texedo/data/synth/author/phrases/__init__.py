"""What authored motions are called: verb phrases that their specs make true.

Verbs are marked with a tilde and owners with braces, as `captions.grammar` wants them.
Where a count is in the spec every phrase of it says so, or says nothing about counts.
"""

from __future__ import annotations

from collections.abc import Callable

from texedo.data.captions.grammar import participle
from texedo.data.synth.author.phrases.arms import ARM_PHRASES
from texedo.data.synth.author.phrases.asked import (
    ASKED_PHRASES,
    QUICK,
    SLOW,
    denied,
    held_arms,
    legs_phrases,
    paced,
)
from texedo.data.synth.author.phrases.legs import LEG_PHRASES
from texedo.data.synth.author.phrases.walk import turn_phrases, walk_phrases
from texedo.data.synth.author.phrases.wanted import (
    routine_phrases,
    single_leg,
    with_pose,
)
from texedo.data.synth.author.spec import Spec

Phrases = list[str]


def phrases(spec: Spec) -> Phrases:
    """All verb phrases for a spec, plain ones first."""
    if spec.kind == "sequence":
        return _one_after_the_other(spec)
    if spec.kind == "posed":
        pose, deed = spec.parts
        return with_pose(held_arms(pose), phrases(deed))
    found = _BANKS[spec.kind](spec)
    if spec.kind != "hold_pose" and not _says_walk(spec):
        if spec.base == "walk":
            found = _walking(found, spec)
        elif spec.base != "stand":
            found = _meanwhile(found, spec)
    if spec.manner in ("planted", "one_armed"):
        found = denied(found, spec)
    if not SLOW < spec.tempo < QUICK:
        found = paced(found, spec.tempo)
    return found


def simple_phrases(spec: Spec) -> Phrases:
    """Phrases about one thing only, so that others can follow; all if there are few."""
    found = phrases(spec)
    plain = [p for p in found if not any(w in p for w in (",", " and ", " while "))]
    return plain if len(plain) >= 3 else found


def _says_walk(spec: Spec) -> bool:
    """Whether the wordings of a routine tell of the walk as well."""
    return spec.kind == "routine" and spec.way.endswith(("-walk", "sleepwalk", "-cart"))


def _one_after_the_other(spec: Spec) -> Phrases:
    parts = [simple_phrases(part) for part in spec.parts]
    out = []
    for i in range(4):
        said = [p[i % len(p)] for p in parts]
        out.append(", then ".join(said[:-1]) + " and then " + said[-1])
    return out


def _meanwhile(found: Phrases, spec: Spec) -> Phrases:
    """The same done while the legs go back, aside or round."""
    legs = legs_phrases(spec)
    plain = [p for p in found if " and " not in p and "," not in p] or found
    return [
        f"{legs[i % len(legs)]} while {participle(phrase)}"
        if i % 2 == 0
        else f"{phrase} while {participle(legs[i % len(legs)])}"
        for i, phrase in enumerate(plain)
    ]


def _walking(found: Phrases, spec: Spec) -> Phrases:
    """The same done while walking."""
    if spec.kind == "punch":
        return found  # has words of its own for that
    out = []
    for i, phrase in enumerate(found):
        out.append(
            (
                f"~walk forward while {participle(phrase)}",
                f"{phrase} while walking forward",
                f"{phrase}, walking forward all the while",
                f"~keep walking ahead and {phrase}",
                f"~move forward, {participle(phrase)} on the way",
            )[i % 5]
        )
    return out


_SINGLE_LEGS = (
    "stomp",
    "butt_kicks",
    "jog_place",
    "leg_out",
    "lunge",
    "wide_stance",
    "side_to_side",
    "crouch",
    "zigzag",
)
_BANKS: dict[str, Callable[[Spec], Phrases]] = {
    **ARM_PHRASES,
    **LEG_PHRASES,
    **ASKED_PHRASES,
    "walk": walk_phrases,
    "turn": turn_phrases,
    "routine": routine_phrases,
    **dict.fromkeys(_SINGLE_LEGS, single_leg),
}
