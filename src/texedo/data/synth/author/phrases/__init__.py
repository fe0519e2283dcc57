"""What authored motions are called: verb phrases that their specs make true.

Verbs are marked with a tilde and owners with braces, as `captions.grammar` wants them.
Where a count is in the spec every phrase of it says so, or says nothing about counts.
"""

from __future__ import annotations

from collections.abc import Callable

from texedo.data.captions.grammar import participle
from texedo.data.synth.author.phrases.arms import ARM_PHRASES
from texedo.data.synth.author.phrases.legs import LEG_PHRASES
from texedo.data.synth.author.phrases.walk import turn_phrases, walk_phrases
from texedo.data.synth.author.spec import Spec

Phrases = list[str]


def phrases(spec: Spec) -> Phrases:
    """All verb phrases for a spec, plain ones first."""
    found = _BANKS[spec.kind](spec)
    if spec.base == "walk":
        found = _walking(found, spec)
    return found


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


_BANKS: dict[str, Callable[[Spec], Phrases]] = {
    **ARM_PHRASES,
    **LEG_PHRASES,
    "walk": walk_phrases,
    "turn": turn_phrases,
}
