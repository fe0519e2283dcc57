"""What a drawn candidate does, in words: of it, what is true, and what is not.

A candidate seldom does all that its prompt asks for, but it always does something. It is
measured like a captured clip and captioned by what was measured. Sentences that were said
of other candidates of the same prompt, and the prompt itself, are false of it where the
measurement contradicts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from texedo.data.captions.claims import contradicts, fully_borne_out
from texedo.data.captions.generate import captions
from texedo.data.events import Facts, Still, measure
from texedo.motion import Motion


@dataclass(frozen=True, kw_only=True)
class Told:
    """Sentences about one candidate."""

    true: tuple[str, ...]
    """Measured."""
    false: tuple[str, ...]
    """Contradicted by what was measured."""
    obeys: str
    """Whether it does what its prompt says: "yes" (all that was said was measured), "no"
    (contradicted), "perhaps" (the prompt says what nobody can measure)."""
    still: float
    """Share of the time in which nothing moves."""


def tell(prompt: str, candidates: Sequence[Motion], *, seed: object) -> list[Told]:
    """About all candidates of one prompt."""
    facts = [measure(motion) for motion in candidates]
    said = [
        tuple(caption.text for caption in captions(own, seed=(seed, i)))
        for i, own in enumerate(facts)
    ]
    return [
        Told(
            true=said[i],
            false=tuple(
                text
                for text in dict.fromkeys(
                    (
                        prompt,
                        *(t for k, texts in enumerate(said) if k != i for t in texts),
                    )
                )
                if contradicts(text, own)
            ),
            obeys=_obeys(prompt, own),
            still=_still(own),
        )
        for i, own in enumerate(facts)
    ]


def _obeys(prompt: str, facts: Facts) -> str:
    if contradicts(prompt, facts):
        return "no"
    return "yes" if fully_borne_out(prompt, facts) else "perhaps"


def _still(facts: Facts) -> float:
    rest = sum(event.end - event.start for event in facts.of(Still))
    return rest / max(facts.duration, 1e-9)
