"""Rules that put one text in the place of another, applied in order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

New = str | Callable[[re.Match[str]], str]


class Rule(NamedTuple):
    """What is looked for, and what is put there."""

    keys: tuple[str, ...]
    """One of them is in every text that the rule is about: most rules need no search."""
    pattern: re.Pattern[str]
    new: New


def rules(*given: tuple[str, str, New]) -> list[Rule]:
    """From keys (with spaces between; none: any text), patterns and what is put there."""
    return [
        Rule(tuple(keys.split()), re.compile(pattern), new)
        for keys, pattern, new in given
    ]


def apply(given: list[Rule], text: str) -> str:
    """The text with every rule applied once."""
    for keys, pattern, new in given:
        if not keys or any(key in text for key in keys):
            text = pattern.sub(new, text)
    return text
