"""A rule in data: clauses that must all hold, read from JSON and checked once.

{"turn": {"to": "left", "angle": 90}}      a judge and its numbers
{"no": CLAUSE}                             the contrary
{"either": [[CLAUSE, ...], ...]}           one of these lists
{"together": [CLAUSE, ...]}                all of them within one stretch of time
{"order": [[CLAUSE, ...], ...]}            one list after the other
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from texedo.core.errors import FileFormatError
from texedo.evaluation.understanding.judges import arms, hands, legs, travel, trunk
from texedo.evaluation.understanding.judges.common import Judge

JUDGES: Mapping[str, Judge] = {
    **travel.JUDGES,
    **trunk.JUDGES,
    **legs.JUDGES,
    **hands.JUDGES,
    **arms.JUDGES,
}
"""By the names that clauses have."""

MANNERS = frozenset(
    (
        "in_place",
        "pace",
        "turn_less",
        "stride",
        "tempo",
        "hands_low",
        "upright",
        "standing",
        "feet_down",
        "feet_move",
        "arms_move",
        "stance",
        "hunched",
    )
)
"""How something is done: alone they are no action, and earn no "partly"."""
_DETAILS = ("n", "at_least", "side", "on", "alone", "seconds", "share", "tolerance")
"""Left out where only the action itself is asked for."""
_SIDES = {"left": "right", "right": "left"}

Group = Literal["no", "either", "together", "order"]


@dataclass(frozen=True)
class Clause:
    """One judge with its arguments."""

    judge: str
    arguments: tuple[tuple[str, Any], ...] = ()

    @property
    def kind(self) -> Judge:
        return JUDGES[self.judge]

    def relaxed(self) -> Clause:
        """The action without its side, number, height or angle; its direction stays."""
        kept = {k: v for k, v in self.arguments if k not in _DETAILS}
        if self.judge == "turn" and "angle" in kept:
            kept = {"to": kept.get("to", "any"), "min": 30.0}
        if self.judge == "hand_up":
            kept["level"] = "chest"
        if self.judge == "clap":
            # Hands that go for each other and stop short.
            kept["near"] = 0.30
        return replace(self, arguments=tuple(kept.items()))

    def mirrored(self) -> Clause:
        """Left for right."""
        swapped = ((k, _SIDES.get(v, v)) for k, v in self.arguments)
        return replace(self, arguments=tuple(swapped))


@dataclass(frozen=True)
class Compound:
    """Lists of clauses, and how they hang together."""

    group: Group
    lists: tuple[Rule, ...]

    def mirrored(self) -> Compound:
        return replace(self, lists=tuple(mirrored(rule) for rule in self.lists))


Rule = tuple["Clause | Compound", ...]
"""All of them must hold."""


def mirrored(rule: Rule) -> Rule:
    """The rule for the motion in a mirror."""
    return tuple(clause.mirrored() for clause in rule)


def actions(rule: Rule) -> list[Clause]:
    """What a rule asks to be done, relaxed; manners and what is forbidden left out."""
    found: list[Clause] = []
    for clause in rule:
        if isinstance(clause, Clause):
            found += [clause.relaxed()] if clause.judge not in MANNERS else []
        elif clause.group != "no":
            found += [action for part in clause.lists for action in actions(part)]
    return found


def parse_rule(records: Sequence[Mapping[str, Any]]) -> Rule:
    """From decoded JSON."""
    return tuple(_parse(record) for record in records)


def _parse(record: Mapping[str, Any]) -> Clause | Compound:
    if len(record) != 1:
        raise FileFormatError(f"{dict(record)}: a clause has one key, its judge.")
    ((name, value),) = record.items()
    if name == "no":
        return Compound("no", (parse_rule([value]),))
    if name == "together":
        return Compound("together", (parse_rule(value),))
    if name == "either":
        return Compound("either", tuple(parse_rule(part) for part in value))
    if name == "order":
        return Compound("order", tuple(parse_rule(part) for part in value))
    _check(name, value)
    return Clause(name, tuple(value.items()))


def _check(name: str, arguments: Mapping[str, Any]) -> None:
    if name not in JUDGES:
        raise FileFormatError(
            f"{name!r} is no judge; they are {', '.join(sorted(JUDGES))}, and no, "
            "either, together, order."
        )
    if unknown := set(arguments) - _parameters(name):
        raise FileFormatError(
            f"{name} does not take {', '.join(sorted(unknown))}; it takes "
            f"{', '.join(sorted(_parameters(name))) or 'nothing'}."
        )


@cache
def _parameters(name: str) -> frozenset[str]:
    return frozenset(inspect.signature(JUDGES[name]).parameters) - {"body"}
