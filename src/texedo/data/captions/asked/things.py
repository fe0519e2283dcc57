"""What a sentence is about: one thing, or several, one after the other or at once."""

from __future__ import annotations

from typing import NamedTuple

from texedo.data.captions.asked.at_once import at_once_of
from texedo.data.captions.asked.stages import sentences_of

MOST = 8
"""Sentences about more things are only taken as a whole."""


class Things(NamedTuple):
    """Several things, a sentence each."""

    sentences: tuple[str, ...]
    in_turn: bool
    """One after the other; else all at once."""


def things_of(text: str) -> Things | None:
    """Of a sentence in its normal form; None if it is about one thing."""
    for in_turn, found in ((True, sentences_of(text)), (False, at_once_of(text))):
        if 1 < len(found) <= MOST:
            return Things(tuple(found), in_turn)
    return None
