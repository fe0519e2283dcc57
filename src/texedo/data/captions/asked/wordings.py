"""The same request in the other words that it may be asked for in.

    other_wordings("a gorilla beating its chest")
    # ["a person beats their chest like a gorilla", "a person pounds their chest ...", ...]

Where a sentence is one known request after another and nothing beside, each may be said in
any of its wordings. These differ in their words and not in form alone, as `paraphrase` has
it; some say a little less ("gallops" for "gallops sideways to the left").
"""

from __future__ import annotations

from texedo.data.captions.activities.phrasing import told, with_count
from texedo.data.captions.asked.parse import Step, steps_of
from texedo.data.captions.asked.tokens import plainer

_KNOWN = 0.75
"""Part of a step that its request must account for."""


def other_wordings(text: str) -> list[str]:
    """Sentences about a person, the wordings in their order; none where a step is not one
    known request, or where a manner or a refusal comes with it."""
    steps = [_wordings(step) for step in steps_of(plainer(text))]
    if not steps or not all(steps):
        return []
    turns = range(max(map(len, steps)))
    said = (", then ".join(own[turn % len(own)] for own in steps) for turn in turns)
    return list(dict.fromkeys(f"a person {sentence}" for sentence in said))


def _wordings(step: Step) -> list[str]:
    """What somebody does, without the subject."""
    if step.known < _KNOWN or len(step.units) != 1 or step.manners:
        return []
    unit = step.units[0]
    if unit.negated or unit.asked.side == "one":  # No wording says "not both".
        return []
    counted = (with_count(w, unit.asked.count) for w in unit.asked.wordings)
    return [told(wording) for wording in counted if "~" in wording]
