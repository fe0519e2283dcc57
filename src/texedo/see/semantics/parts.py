"""A sentence about several things, and how well each of them is done.

A network that gives one number for "march five steps, turn right and salute" hardly
minds if there is no salute. So each of the things is a sentence of its own, too: of steps
one after the other each is compared with the stage of the motion that is its own
(`cross.stages`), of things done at once each with the whole motion. The number for the
sentence is moved by theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from texedo.motion import Motion
from texedo.see.semantics.protocol import Float64, Pairs, all_pairs

VERSION = 1
"""Raise it when the same motion may be answered differently."""
MOST = 8
"""Parts that are looked at; sentences with more are only looked at as a whole."""


class Weights(NamedTuple):
    """What the log-odds of a sentence are made of."""

    whole: float
    mean: float
    """Of the parts' log-odds."""
    least: float
    """Of the part that fits worst."""
    offset: float


IN_TURN = Weights(whole=0.3, mean=0.5, least=0.5, offset=-2.5)
AT_ONCE = Weights(whole=0.3, mean=0.3, least=0.3, offset=-2.2)
"""By the prompts of `texedo evaluate understanding --part steps-dev`; the offsets make a
probability of it, for it is rare that everything is done."""


class Parts(NamedTuple):
    """Of a sentence."""

    sentences: tuple[str, ...]
    in_turn: bool
    """One after the other; else all at once."""

    @property
    def weights(self) -> Weights:
        return IN_TURN if self.in_turn else AT_ONCE


@runtime_checkable
class ReadsParts(Protocol):
    """A network that can be asked about the stages of a motion."""

    def log_odds(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        """Of each pair, (P,)."""
        ...

    def step_log_odds(self, steps: Sequence[str], motions: Sequence[Motion]) -> Float64:
        """Of each step in the stage that is its own, (N, steps)."""
        ...


def parts_of(text: str) -> Parts | None:
    """Of a sentence in its normal form; None if it is about one thing."""
    # Here and not above: the grammar of captions is only loaded where it is needed.
    from texedo.data.captions.asked.at_once import at_once_of
    from texedo.data.captions.asked.stages import sentences_of

    for in_turn, found in ((True, sentences_of(text)), (False, at_once_of(text))):
        if 1 < len(found) <= MOST:
            return Parts(tuple(found), in_turn)
    return None


def odds_of_parts(
    network: ReadsParts, parts: Parts, motions: Sequence[Motion]
) -> Float64:
    """Log-odds of each part for each motion, (N, parts)."""
    said = parts.sentences
    if parts.in_turn:
        return network.step_log_odds(said, motions)
    found = network.log_odds(said, motions, all_pairs(len(said), len(motions)))
    return np.asarray(found.reshape(len(said), len(motions)).T)


def moved(whole: Float64, parts: Float64, by: Weights) -> Float64:
    """Log-odds of the sentence (N,) by those of its parts (N, parts)."""
    found = by.whole * whole + by.mean * parts.mean(axis=1)
    return np.asarray(found + by.least * parts.min(axis=1) + by.offset)
