"""The rule that a motion must fulfil to do what a sentence asks."""

from __future__ import annotations

from dataclasses import dataclass

from texedo.data.captions.activities.rules import (
    Joined,
    Rule,
    all_of,
    grade_of,
    in_order,
    names_of,
    parse,
)
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.activities.table import KINDS
from texedo.data.captions.asked.parse import Step, Unit, steps_of

ANYTHING = parse("anything()")
"""The rule of a step that nobody can measure."""
_ARMS = "A"
_BENDING = frozenset(
    "bow bent leans sways slouched twists twisted looks looks_around looks_back low bobs "
    "rises hand_below upright hips_sway stroke".split()
)
"""What a trunk may bend for."""
_UNBENT = parse("unbent(35)")
_WHOLE = 0.9
"""A sentence of which more is understood asks for nothing else."""


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What is asked for, as far as it can be measured."""

    rule: Rule
    limits: Rule | None
    """What must not happen beside; None if that cannot be told."""
    known: float
    """Part of the sentence that the rule covers, 0 to 1, by what its words say."""

    def grade(self, scene: Scene) -> float:
        """From -1, clearly not, over 0 and 1, no and yes, to 2, clearly so."""
        own = grade_of(self.rule, scene)
        if self.limits is None or own <= 0:
            return own
        kept = grade_of(self.limits, scene)
        return own if kept >= 1 else min(own, kept)


def wish_of(text: str) -> Wish | None:
    """Of a sentence in its normal form; None if nothing in it can be measured."""
    steps = steps_of(text)
    rules = [rule_of_step(step) for step in steps]
    if all(rule is None for rule in rules):
        return None
    known = sum(step.known for step in steps) / len(steps)
    rule = in_order(*(ANYTHING if rule is None else rule for rule in rules))
    units = [unit for step in steps for unit in step.units]
    return Wish(rule=rule, limits=_limits(units, known), known=known)


def rule_of_step(step: Step) -> Rule | None:
    """All its units and manners; None if there are none."""
    rules = [
        Joined("not", (unit.rule,)) if unit.negated else unit.rule
        for unit in step.units
    ]
    rules += step.manners
    return all_of(*rules) if rules else None


def _limits(units: list[Unit], known: float) -> Rule | None:
    """Who is asked for one thing, and understood, is to do nothing else."""
    if len(units) != 1 or known <= _WHOLE or units[0].negated:
        return None
    kind = units[0].asked.request.kind
    limits = KINDS[kind]
    if kind != _ARMS or limits is None or names_of(units[0].rule) & _BENDING:
        return limits
    return all_of(limits, _UNBENT)
