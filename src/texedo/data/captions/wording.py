"""What a label allows the words to say, and how slots are filled."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from texedo.data.captions.banks.manners import Manner
from texedo.data.captions.choice import Choice
from texedo.data.captions.grammar import number_word, times_word
from texedo.data.captions.types import Annotation

_NAMED = {
    "box": r"\b(?:box|punch|jab|hook|fight|strike|oiduki|attack|karate)",
    "wave": r"\b(?:wav(?:e|ing)|hello|goodbye|traffic|greet)",
    "clap": r"\b(?:clap|applau|patty|hands? signals?)",
    "bow": r"\bbow(?:s|ing)?\b",
    "march": r"\bmarch",
    "dance": r"\b(?:danc|salsa|charleston|lindy|macarena|moonwalk|jete|arabesque)",
}
_FAMILIES = {
    "box": {"box", "punch", "martial_arts"},
    "wave": {"wave"},
    "march": {"march"},
    "dance": {"dance"},
}


@dataclass(frozen=True, kw_only=True)
class Wording:
    """The words that are open to a sentence about one motion."""

    named: frozenset[str] = frozenset()
    """Activities that somebody named: what looks like a punch may be called one."""
    manner: Manner | None = None
    """How it is done, where a style says so."""

    def names(self, activity: str) -> bool:
        return activity in self.named


def named_activities(label: Annotation) -> frozenset[str]:
    """Activities that the label speaks of."""
    found = {
        name
        for name, pattern in _NAMED.items()
        if re.search(pattern, label.description)
    }
    return frozenset(
        found | {n for n, families in _FAMILIES.items() if label.family in families}
    )


def other_side(side: str) -> str:
    return {"left": "right", "right": "left"}.get(side, side)


def fill(
    choice: Choice,
    templates: tuple[str, ...] | str,
    *,
    side: str = "",
    count: int = 0,
    slots: Mapping[str, str] | None = None,
) -> str:
    """A phrase from a bank: an alternative of it, with its slots filled.

    {poss} and {refl} stay for the subject.
    """
    template = templates if isinstance(templates, str) else choice.one(templates)
    values = {"side": side, "other": other_side(side)}
    values["rot"] = "counterclockwise" if side == "left" else "clockwise"
    if count:
        values |= {"n": number_word(count), "times": times_word(count)}
    values |= slots or {}
    text = choice.text(template)
    for _ in range(2):  # a slot may bring alternatives and slots of its own
        for name, value in values.items():
            text = text.replace("{" + name + "}", value)
        text = choice.text(text)
    return text
