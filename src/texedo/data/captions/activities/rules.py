"""Rules: a small language of measurements, and how sure a motion fulfils one.

    hand_near(hip, side) and not travel(min=1.5)
    then(bow(), wave(side))
    maybe(hand_level(chest, side))

A rule is a predicate with parameters, `and`, `or`, `not`, `then(...)` (in this order, in
parts of the motion that follow each other), `maybe(...)` (nobody can tell more than
"perhaps"), or the name of another rule. Bare words are values; `side`, `other` and `n` are
filled in for each request. It is read with Python's own parser, and nothing of it is ever
run: only the forms above are known.

Every rule gives a number from 0 (no) over "perhaps" to 1 (yes), and up to one more on
either side, which is how clearly: `and` is the least, or the mean if all say yes, `or` the
most, `not` one minus. Predicates go from 0 to 1 over a margin between two thresholds.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from texedo.core.errors import TexedoError
from texedo.data.captions.activities.predicates import PREDICATES, parameters
from texedo.data.captions.activities.predicates.grades import CLEARLY, together
from texedo.data.captions.activities.scene import Scene

Answer = Literal["yes", "perhaps", "no"]
Value = str | float
Binding = Mapping[str, Value]
_CUTS = 7
"""Places between which the steps of a `then` may change."""
_PERHAPS = 0.5
_HOLES = frozenset(("side", "other", "n"))
_JOINED = {ast.And: "and", ast.Or: "or"}


class RuleError(TexedoError, ValueError):
    """A rule that is not in the language."""


@dataclass(frozen=True)
class Measured:
    """A predicate with its parameters."""

    name: str
    values: tuple[Value, ...] = ()
    named: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True)
class Joined:
    """`and`, `or`, `not`, `then` or `maybe` of other rules."""

    how: str
    parts: tuple[Rule, ...]


Rule = Measured | Joined


def all_of(*parts: Rule) -> Rule:
    """At the same time, or at any time each."""
    return parts[0] if len(parts) == 1 else Joined("and", parts)


def in_order(*parts: Rule) -> Rule:
    """One after the other."""
    return parts[0] if len(parts) == 1 else Joined("then", parts)


def parse(text: str, known: Mapping[str, Rule] | None = None) -> Rule:
    """A rule; `known` are rules that it may name. `RuleError` says what is wrong."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise RuleError(f"{text!r} is no rule: {error.msg}.") from error
    return _rule(node, text, known or {})


def _rule(node: ast.expr, text: str, known: Mapping[str, Rule]) -> Rule:
    if isinstance(node, ast.BoolOp):
        parts = tuple(_rule(value, text, known) for value in node.values)
        return Joined(_JOINED[type(node.op)], parts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return Joined("not", (_rule(node.operand, text, known),))
    if isinstance(node, ast.Name):
        if node.id not in known:
            raise RuleError(f"{text!r}: no rule is called {node.id!r}.")
        return known[node.id]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in ("then", "maybe"):
            parts = tuple(_rule(value, text, known) for value in node.args)
            if node.keywords or not parts:
                raise RuleError(f"{text!r}: {node.func.id} takes rules.")
            return Joined(node.func.id, parts)
        return _measured(node.func.id, node, text)
    raise RuleError(
        f"{text!r}: {ast.unparse(node)!r} is not known here; a rule is made of "
        "predicates, and, or, not, then(...) and maybe(...)."
    )


def _measured(name: str, node: ast.Call, text: str) -> Measured:
    if name not in PREDICATES:
        raise RuleError(f"{text!r}: there is no predicate {name!r}.")
    known = parameters(name)
    values = tuple(_value(value, text) for value in node.args)
    named = tuple((key.arg or "", _value(key.value, text)) for key in node.keywords)
    taken = {*known[: len(values)], *(key for key, _ in named)}
    if len(values) > len(known) or len(taken) != len(values) + len(named):
        raise RuleError(f"{text!r}: {name} takes {', '.join(known) or 'nothing'}.")
    if unknown := taken - set(known):
        raise RuleError(
            f"{text!r}: {name} has no {', '.join(sorted(unknown))}; it takes "
            f"{', '.join(known) or 'nothing'}."
        )
    return Measured(name, values, named)


def _value(node: ast.expr, text: str) -> Value:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        return f"{_value(node.left, text)}-{_value(node.right, text)}"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -float(_value(node.operand, text))
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float | str):
        return node.value if isinstance(node.value, str) else float(node.value)
    raise RuleError(f"{text!r}: {ast.unparse(node)!r} is neither a word nor a number.")


def bind(rule: Rule, values: Binding) -> Rule:
    """The rule with `side`, `other` and `n` filled in."""
    if isinstance(rule, Joined):
        return Joined(rule.how, tuple(bind(part, values) for part in rule.parts))

    def filled(value: Value) -> Value:
        if not isinstance(value, str):
            return value
        if value in _HOLES:
            return values.get(value, value)
        words = value.split("-")
        return "-".join(str(values.get(w, w)) if w in _HOLES else w for w in words)

    return Measured(
        rule.name,
        tuple(map(filled, rule.values)),
        tuple((key, filled(value)) for key, value in rule.named),
    )


def names_of(rule: Rule) -> set[str]:
    """The predicates that a rule asks."""
    if isinstance(rule, Measured):
        return {rule.name}
    return set().union(*(names_of(part) for part in rule.parts))


def has_order(rule: Rule) -> bool:
    """It has a `then`; one inside another takes long to try out."""
    if isinstance(rule, Measured):
        return False
    return rule.how == "then" or any(map(has_order, rule.parts))


def grade_of(rule: Rule, scene: Scene) -> float:
    """How surely the motion does it, 0 to 1."""
    if isinstance(rule, Measured):
        return scene.remembered(rule, lambda: _ask(rule, scene))
    if rule.how == "then":
        return _in_order(rule.parts, scene)
    if rule.how == "not":
        return 1.0 - grade_of(rule.parts[0], scene)
    if rule.how == "maybe":
        return min(_PERHAPS, *(grade_of(part, scene) for part in rule.parts))
    if rule.how == "or":
        return max(grade_of(part, scene) for part in rule.parts)
    grades = []
    for part in rule.parts:
        grades.append(grade_of(part, scene))
        if grades[-1] <= 0.0:
            break
    return together(grades)


def _ask(rule: Measured, scene: Scene) -> float:
    function = PREDICATES[rule.name]
    return float(function(scene, *rule.values, **dict(rule.named)))


def _in_order(parts: Sequence[Rule], scene: Scene) -> float:
    """The best way to cut the motion into parts that do one step each."""
    edges = [round(i * len(scene) / (_CUTS + 1)) for i in range(_CUTS + 2)]
    # best[k]: the steps so far, done by the time of edge k.
    best = [CLEARLY] * len(edges)
    for number, part in enumerate(parts):
        left = len(parts) - 1 - number
        reached = [0.0] * len(edges)
        for k in range(number + 1, len(edges) - left):
            if left == 0 and k < len(edges) - 1:
                continue
            for j in range(number, k):
                if number == 0 and j > 0:
                    break
                if best[j] <= reached[k] or edges[k] - edges[j] < 2:
                    continue
                own = grade_of(part, scene.part(edges[j], edges[k]))
                reached[k] = max(reached[k], min(best[j], own))
        best = reached
    return best[-1]


def answer(grade: float) -> Answer:
    """The grade in a word."""
    if grade >= 1.0 - 1e-9:
        return "yes"
    return "no" if grade <= 1e-9 else "perhaps"
