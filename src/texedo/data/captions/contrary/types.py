"""A sentence made false, and how."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "side",
    "direction",
    "count",
    "angle",
    "speed",
    "order",
    "action",
    "limb",
    "negation",
]


@dataclass(frozen=True)
class Contrary:
    """A sentence that is false where another is true."""

    kind: Kind
    """What was changed."""
    text: str


END = (
    r"$|[.,;!?]| (?:and|then|while|before|after|as|twice|once|thrice|"
    r"(?:two|three|four|five|six|seven|eight|\d+|several|a few) times|"
    r"slowly|quickly|again|in place|on the spot|at the same time|repeatedly)\b"
)
"""Where a deed has been told: what follows is about something else."""
OWN = r"(?:his|her|their|its|your|the)"
_DENIED = re.compile(
    r"\b(?:no|not|without|never|hardly|barely|neither|nor|don't|instead of|as if|"
    r"as though|almost|about to|tries to|trying to|ready to|ready for|nearly|or)"
    r"(?: [a-z'-]+){0,3} ?$"
)


def denied(text: str, at: int) -> bool:
    """Whether what stands there is said not to happen, or only nearly."""
    return _DENIED.search(text, max(0, at - 40), at) is not None
