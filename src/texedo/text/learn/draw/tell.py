"""What a drawn candidate does, in words: of it, what is true, and what is not.

A candidate seldom does all that its prompt asks for, but it always does something. It is
measured like a captured clip and captioned by what was measured. Sentences that were said
of other candidates of the same prompt, and the prompt itself, are false of it where the
measurement contradicts them, as the lenient or the strict reader reads them. A sentence may
leave out what else happens; the prompt may not: who also does the opposite does not obey.

An everyday request brings a rule of its own, which takes the place of the readers: the
prompt and its other phrasings are true of who obeys, and false of who does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from texedo.data.captions.activities import RequestPrompt, judge
from texedo.data.captions.claims import contradicts
from texedo.data.captions.generate import captions
from texedo.data.captions.reader import Wanted, check, read
from texedo.data.events import Facts, Still, measure
from texedo.data.events.signals import compute_signals
from texedo.motion import Motion

MAX_PHRASINGS = 3
"""Other phrasings of a request that are said of a candidate."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """Sentences about one candidate."""

    true: tuple[str, ...]
    """Measured."""
    false: tuple[str, ...]
    """Contradicted by what was measured."""
    obeys: str
    """Whether it does what its prompt says, as the strict reader or the rule of a
    request has it: "yes" (all that
    was said was measured), "no" (contradicted), "perhaps" (nobody can tell)."""
    still: float
    """Share of the time in which nothing moves."""


def tell(
    prompt: str,
    candidates: Sequence[Motion],
    *,
    seed: object,
    request: RequestPrompt | None = None,
) -> list[Told]:
    """About all candidates of one prompt, which may be a request."""
    facts = [measure(motion) for motion in candidates]
    said = [
        tuple(caption.text for caption in captions(own, seed=(seed, i)))
        for i, own in enumerate(facts)
    ]
    asked = {text: read(text) for texts in ((prompt,), *said) for text in texts}
    told = [
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
    if request is None:
        return told
    return [
        _by_rule(*row, request) for row in zip(told, candidates, facts, strict=True)
    ]


def _by_rule(told: Told, motion: Motion, facts: Facts, request: RequestPrompt) -> Told:
    """Told again with the answer of the request's rule."""
    obeys = judge(request, (compute_signals(motion), facts))
    asked = (request.text, *request.others[:MAX_PHRASINGS])
    true = tuple(text for text in told.true if text not in asked)
    false = tuple(text for text in told.false if text not in asked)
    return replace(
        told,
        true=(asked if obeys == "yes" else ()) + true,
        false=(asked if obeys == "no" else ()) + false,
        obeys=obeys,
    )


def _is_false(text: str, wanted: Wanted, facts: Facts) -> bool:
    """Either reader finds it contradicted."""
    return contradicts(text, facts) or check(wanted, facts, extras=False).answer == "no"


def _still(facts: Facts) -> float:
    rest = sum(event.end - event.start for event in facts.of(Still))
    return rest / max(facts.duration, 1e-9)
