"""What a drawn candidate does, in words: of it, what is true, and what is not.

A candidate seldom does all that its prompt asks for, but it always does something. It is
measured like a captured clip and captioned by what was measured. Sentences that were said
of other candidates of the same prompt, and the prompt itself, are false of it where the
measurement contradicts them, as the lenient or the strict reader reads them. A sentence may
leave out what else happens; the prompt may not: who also does the opposite does not obey.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from texedo.data.captions.claims import contradicts
from texedo.data.captions.generate import captions
from texedo.data.captions.reader import Wanted, check, read
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
    """Whether it does what its prompt says, as the strict reader has it: "yes" (all that
    was said was measured), "no" (contradicted), "perhaps" (nobody can tell)."""
    still: float
    """Share of the time in which nothing moves."""


def tell(prompt: str, candidates: Sequence[Motion], *, seed: object) -> list[Told]:
    """About all candidates of one prompt."""
    facts = [measure(motion) for motion in candidates]
    said = [
        tuple(caption.text for caption in captions(own, seed=(seed, i)))
        for i, own in enumerate(facts)
    ]
    asked = {text: read(text) for texts in ((prompt,), *said) for text in texts}
    return [
        Told(
            true=said[i],
            false=tuple(
                text
                for text, wanted in asked.items()
                if text not in said[i] and _is_false(text, wanted, own)
            ),
            obeys=check(asked[prompt], own).answer,
            still=_still(own),
        )
        for i, own in enumerate(facts)
    ]


def _is_false(text: str, wanted: Wanted, facts: Facts) -> bool:
    """Either reader finds it contradicted."""
    return contradicts(text, facts) or check(wanted, facts, extras=False).answer == "no"


def _still(facts: Facts) -> float:
    rest = sum(event.end - event.start for event in facts.of(Still))
    return rest / max(facts.duration, 1e-9)
