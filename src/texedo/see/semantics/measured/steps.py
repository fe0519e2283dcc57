"""A sentence about several steps, and how well each of them is done.

A network that gives one number for "march five steps, turn right and salute" hardly minds
if there is no salute. So each step is a sentence of its own, too, and is compared with the
stage of the motion that is its own (`cross.stages`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from texedo.motion import Motion
from texedo.see.semantics.protocol import Float64

VERSION = 2
"""Raise it when the same motion may be answered differently."""
SHARE = 0.5
"""How much the steps count beside the whole. By the prompts of `texedo evaluate
understanding --part steps-dev`, and by captions of `val`, changed and not."""


@runtime_checkable
class ReadsSteps(Protocol):
    """A network that can be asked about the stages of a motion."""

    def step_log_odds(self, steps: Sequence[str], motions: Sequence[Motion]) -> Float64:
        """Of each step in the stage that is its own, (N, steps)."""
        ...


def steps_of(text: str) -> tuple[str, ...]:
    """Of a sentence in its normal form, a sentence each; empty if it is about one."""
    # Here and not above: the grammar of captions is only loaded where it is needed.
    from texedo.data.captions.asked.things import things_of

    things = things_of(text)
    return things.sentences if things is not None and things.in_turn else ()


def by_steps(whole: Float64, steps: Float64) -> Float64:
    """Log-odds of the sentence (N,), of those of the whole and of its steps (N, steps)."""
    return np.asarray((1 - SHARE) * whole + SHARE * steps.mean(axis=1))
