"""What worker processes do with the candidates of one prompt.

Functions at the top of a module with plain arguments: that is what can be sent to another
process.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.do import Above, select_best
from texedo.evaluation.understanding.rules import Rule
from texedo.evaluation.understanding.verdict import Verdict, judge
from texedo.motion import Motion
from texedo.robot.check import check_motion
from texedo.text.postprocess import postprocess

Float64 = NDArray[np.float64]


class Chance(NamedTuple):
    """What a candidate of a prompt is chosen by."""

    r_dyn: Float64
    """(N,)."""
    r_text: Float64
    """(N,)."""
    threshold: float | Above
    prompt: str


def finish(motions: Sequence[Motion]) -> list[Motion]:
    """The candidates, post-processed as the pipeline does it."""
    return list(postprocess(motions)[0])


def right(rule: Rule, motions: Sequence[Motion]) -> list[float]:
    """1 for each that does what the rule measures."""
    return [float(judge(rule, motion) == Verdict.RIGHT) for motion in motions]


def choose_checked(motions: Sequence[Motion], chance: Chance) -> tuple[int, bool]:
    """Who is chosen by both verifiers if candidates that pass `texedo check` come first,
    and whether nobody was feasible.

    Only those are checked that would win: as long as the winner among all that may still
    pass does not, it is out, and the next one is looked at.
    """
    hopeful = np.ones(len(motions), dtype=np.bool_)
    while True:
        found = select_best(
            chance.r_dyn,
            chance.r_text,
            threshold=chance.threshold,
            rule="texedo",
            prompt=chance.prompt,
            preferred=hopeful,
        )
        # Nobody is feasible, or nobody passes: checks decide nothing.
        if found.fallback or not hopeful[found.index]:
            return found.index, found.fallback
        if check_motion(motions[found.index]).verdict != "fail":
            return found.index, False
        hopeful[found.index] = False


def judge_by_name(name: str, prompt: str, motions: Sequence[Motion]) -> Float64:
    """What a judge of this name says of each."""
    return np.asarray(_judge(name).score(prompt, motions), dtype=np.float64)


@cache
def _judge(name: str):  # type: ignore[no-untyped-def]
    # Here and not above: judges are what the suites' protocol says they are.
    from texedo.evaluation.suites.judging import find_judge

    return find_judge(name)
