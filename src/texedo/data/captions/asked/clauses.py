"""Clauses of the reader as rules with grades: how clearly, and not only whether."""

from __future__ import annotations

from collections.abc import Callable

from texedo.data.captions.activities.rules import Joined, Rule, all_of, in_order, parse
from texedo.data.captions.reader import Clause, Wanted

_SIDED = frozenset(("left", "right", "both"))
_WAYS = frozenset(
    "forward backward left right sideways forward-left forward-right backward-left "
    "backward-right".split()
)
_STEP = 0.35
"""Ground that a step covers [m]."""
_PLAIN_TURN = 150.0
"""Who is asked to turn left turns by less [degrees]."""
_ROUND = frozenset(
    "around round circle circles spin spins spinning back about keep".split()
)


def _side(clause: Clause) -> str:
    if clause.side == "either":
        return "one"
    return clause.side if clause.side in _SIDED else "either"


def _way(clause: Clause) -> str:
    return clause.direction if clause.direction in _WAYS else "any"


def _travel(clause: Clause) -> list[str]:
    if clause.in_place:
        return ["stay(0.6)", "lifts_feet(4, 0.04)"]
    least = 0.6 if clause.action != "run" else 0.9
    if clause.count is not None:
        least = min(_STEP * clause.count * 0.6, least)
    rules = [f"travel({_way(clause)}, {least:g})"]
    if clause.distance is not None:
        rules = [f"covers({_way(clause)}, {clause.distance:g})"]
    if clause.action == "run":
        rules.append("run() or pace(min=0.9)")
    if clause.count is not None:
        rules.append(f"steps({clause.count})")
    if clause.speed == "slow":
        rules.append("pace(max=0.42)")
    if clause.speed == "fast":
        rules.append("pace(min=0.66)")
    if clause.straight:
        rules.append("straight()")
    return rules


def _turn(clause: Clause) -> list[str]:
    side = clause.side if clause.side in ("left", "right") else "either"
    angles = clause.angles
    if not angles and clause.count is not None and clause.count > 1:
        angles = (90.0,)  # "Turns left twice".
    if angles:
        times = clause.count or 1
        wanted = [
            f"turn({side}, {times * angle:g}, {max(22.0, 0.17 * times * angle):g})"
            for angle in angles
        ]
        return [" or ".join(wanted)]
    rules = [f"turns({side}, {20 if clause.slight else 50})"]
    if is_plain_turn(clause):
        rules.append(f"swings({side}, 50, {_PLAIN_TURN:g})")
    return rules


def is_plain_turn(clause: Clause) -> bool:
    """ "Turns left": about a quarter, and not "turns around to the left"."""
    words = clause.text.split()
    return clause.side in ("left", "right") and not (
        clause.slight or clause.count is not None or _ROUND.intersection(words)
    )


def _turn_in_passing(clause: Clause) -> list[str]:
    """Of one of several deeds: others may turn it back."""
    if clause.angles:
        return _turn(clause)
    side = clause.side if clause.side in ("left", "right") else "either"
    most = f", {_PLAIN_TURN:g}" if is_plain_turn(clause) else ""
    return [f"swings({side}, {20 if clause.slight else 50}{most})"]


def _circle(clause: Clause) -> list[str]:
    side = clause.side if clause.side in ("left", "right") else "either"
    return [f"circle({side}, {clause.count or 1})"]


def _jump(clause: Clause) -> list[str]:
    count = clause.count or 0
    rules = [f"jump({count}, {_way(clause)})"]
    if "hop" in clause.text and not count:
        rules = [f"jump(0, {_way(clause)}) or hop()"]
    if clause.angles:
        rules.append(_turn(clause)[0])
    if clause.in_place:
        rules.append("stay(0.5)")
    return rules


def _limb(pattern: str) -> Callable[[Clause], list[str]]:
    def rules(clause: Clause) -> list[str]:
        text = pattern.replace("SIDE", _side(clause))
        return [text.replace("COUNT", str(clause.count or 0))]

    return rules


def _arm(clause: Clause) -> list[str]:
    level = clause.level or "shoulder"
    side = _side(clause)
    text = clause.text
    if "swing" in text.split():
        return [f"hand_busy({side}, 0.2)"]
    if clause.level is None and "front" in text:
        return [f"arm_out(front, {side}) or reaches(forward, {side})"]
    if clause.level is None and ("forward" in text or "ahead" in text):
        return [f"arm_out(front, {side}) or reaches(forward, {side})"]
    if clause.level is None and ("side" in text or "wide" in text or "spread" in text):
        return [f"arm_out(out, {side})"]
    if clause.count is not None:
        return [f"raises({side}, {clause.count})"]
    return [f"hand_level({level}, {side})"]


def _lean(clause: Clause) -> list[str]:
    if "back" in clause.text.split():
        return ["leans(back, 9)"]
    return [f"leans({clause.side or 'either'}, 13)"]


_RULES: dict[str, Callable[[Clause], list[str]]] = {
    "walk": _travel,
    "run": _travel,
    "move": _travel,
    "turn": _turn,
    "circle": _circle,
    "jump": _jump,
    "hop": _limb("hop(SIDE, COUNT)"),
    "jack": _limb("jacks(COUNT)"),
    "one_leg": _limb("one_leg(SIDE, 1.2)"),
    "hips": _limb("hand_near(hip, SIDE)"),
    "head": _limb(
        "hand_near(head, SIDE) or hand_near(face, SIDE) or hand_level(head, SIDE)"
    ),
    "kneel": _limb("kneel(SIDE)"),
    "wave": _limb("wave(SIDE, COUNT)"),
    "clap": _limb("clap(COUNT)"),
    "twist": _limb("twists(2)"),
    "sway": _limb("sways(2, 9) or hips_sway(3, 0.05)"),
    "kick": _limb("kick(SIDE, any, COUNT)"),
    "knee": _limb("knee_raise(SIDE, COUNT)"),
    "march": _limb("lifts_feet(4, 0.05) and stay(0.7)"),
    "punch": _limb("punch(SIDE, COUNT)"),
    "arm": _arm,
    "lunge": _limb("lunge(SIDE, COUNT)"),
    "squat": _limb("squat(COUNT)"),
    "bend": _limb("bent(28)"),
    "lean": _lean,
    "crouch": _limb("low(0.86, 0.4)"),
    "still": _limb("still(0.4)"),
    "stop": _limb("stops() or freezes()"),
}


def rule_of(clause: Clause, *, alone: bool = True) -> Rule | None:
    """None where it cannot be measured, or not all of it was understood."""
    make = _RULES.get(clause.action)
    if clause.action == "turn" and not alone:
        make = _turn_in_passing
    if make is None or (clause.unsure and not clause.negated):
        return None
    texts = make(clause)
    if alone and clause.action == "walk" and "walk" in clause.text:
        texts = [*texts, "not run()"]
    rule = all_of(*(parse(text) for text in texts))
    return Joined("not", (rule,)) if clause.negated else rule


def rule_of_all(wanted: Wanted) -> Rule | None:
    """All clauses that can be measured, those that come "then" in order."""
    steps: list[list[Rule]] = []
    whole: list[Rule] = []
    alone = len(wanted.clauses) == 1
    for clause in wanted.clauses:
        rule = rule_of(clause, alone=alone)
        if clause.link == "then" or not steps:
            steps.append([])
        if rule is None:
            continue
        (whole if clause.negated else steps[-1]).append(rule)
    parts = [all_of(*rules) if rules else parse("anything()") for rules in steps]
    if not any(steps) and not whole:
        return None
    return all_of(in_order(*parts), *whole) if parts else all_of(*whole)
