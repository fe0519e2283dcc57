"""Right, partly or wrong: a rule and a motion.

`right`: all clauses hold. `partly`: not, but something that was asked for is done, be it
with the wrong side, number, height, angle or speed, or one of several actions. `wrong`:
none of it. The wrong direction is wrong: who walks backward does not walk forward.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from texedo.evaluation.understanding.body import Body, read_body
from texedo.evaluation.understanding.rules import Clause, Compound, Rule, actions
from texedo.motion import FPS, Motion

_GRID = 0.25
"""Times at which one action may end and the next begin [s]."""
_MOST_CUTS = 28
"""On longer motions the grid is coarser: three actions have cuts squared."""
_STRETCHES = (1.0, 1.6)
"""What is done within so many seconds is done at the same time."""


class Verdict(IntEnum):
    """What somebody who watches would say."""

    WRONG = 0
    PARTLY = 1
    RIGHT = 2


def judge(rule: Rule, motion: Motion | Body) -> Verdict:
    """Whether a motion does what the rule asks."""
    body = motion if isinstance(motion, Body) else read_body(motion)
    if holds(rule, body):
        return Verdict.RIGHT
    done = any(clause_holds(action, body) for action in actions(rule))
    return Verdict.PARTLY if done else Verdict.WRONG


def holds(rule: Rule, body: Body) -> bool:
    """Whether all clauses do."""
    return all(clause_holds(clause, body) for clause in rule)


def clause_holds(clause: Clause | Compound, body: Body) -> bool:
    if isinstance(clause, Clause):
        return bool(clause.kind(body, **dict(clause.arguments)))
    if clause.group == "no":
        return not holds(clause.lists[0], body)
    if clause.group == "either":
        return any(holds(rule, body) for rule in clause.lists)
    if clause.group == "together":
        return _together(clause.lists[0], body)
    return _in_order(clause.lists, body)


def _cuts(body: Body) -> list[int]:
    """Frames at which the motion may be cut, both ends among them."""
    number = min(round(len(body) / (_GRID * FPS)), _MOST_CUTS)
    return [round(x) for x in np.linspace(0, len(body), max(number, 1) + 1)]


def _in_order(rules: tuple[Rule, ...], body: Body) -> bool:
    """Whether there are cuts so that each part does what its turn asks."""
    cuts = _cuts(body)
    ends = {0}
    """Cuts up to which the rules so far can have been done."""
    for number, rule in enumerate(rules):
        last = number == len(rules) - 1
        later = range(1, len(cuts)) if not last else [len(cuts) - 1]
        ends = {
            end
            for end in later
            if any(
                holds(rule, body.part(cuts[begin], cuts[end]))
                for begin in ends
                if begin < end
            )
        }
    return bool(ends)


def _together(rule: Rule, body: Body) -> bool:
    """Whether all holds within some stretch of the motion."""
    cuts = _cuts(body)
    lengths = [min(round(seconds * FPS), len(body)) for seconds in _STRETCHES]
    windows = {
        (min(cut, len(body) - length), length) for length in lengths for cut in cuts
    }
    return any(
        holds(rule, body.part(first, first + length))
        for first, length in sorted(windows)
    )
