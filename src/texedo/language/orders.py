"""What people ask for, put as plain orders, one after the other.

    plain_orders("half turn to the left, clap, then ten jumping jacks", knows)
    # "make a half turn to the left, clap, then do ten jumping jacks"

What is told of somebody ("a man walks") stays as it is, and so do plain noun phrases
("slow walk") without an order behind them: captions are full of both.
"""

from __future__ import annotations

import re

from texedo.language.deeds import is_counted, ordered_deed
from texedo.language.leading import (
    LIMBS,
    POSTURE,
    all_postures,
    begin,
    is_gerund,
    mannered,
    posture_ordered,
)
from texedo.language.person import Knows, gives_order
from texedo.language.strikes import strikes_ordered
from texedo.language.wording import is_told, of_somebody, opening_of, plainer, rephrased

_BETWEEN = re.compile(r"([,.:] (?:and then |then |and )?| and then | then | and )")
_OBJECTS = re.compile(r"(?:do|make|take|throw|perform|practice|play|stand in|try)\b")
"""Orders whose objects may be several: "do ten squats, five jumps"."""
_HOW = re.compile(
    r"(?:[\w]+ )*(?:steps?|strides?|paces?|reps|circles|pose|stance)(?: (?:each|per"
    r"|in) .*)?"
)
"""Behind a comma they tell how: "walk forward, small steps"."""
_PRAISED = re.compile(r"an? (?:good|nice|proper|real|single|full)\b")
_TURNED = re.compile(r"(?:turn|spin|rotate|pivot|twirl|twist)\b")
_ITS = re.compile(
    rf"\bits(?= (?:(?:left|right|whole|upper) )?(?:{LIMBS}|hips?|body)\b)"
)


def plain_orders(text: str, knows: Knows) -> str:
    """An order in small letters in plainer words; anything else as it is."""
    text = of_somebody(text, knows)
    if is_told(text, knows):
        return text
    parts = _BETWEEN.split(strikes_ordered(plainer(text, knows)))
    clauses, between = parts[::2], parts[1::2]
    clauses = [rephrased(clause, knows) for clause in clauses]
    if not _asks(clauses, knows):
        return text
    begin(clauses, between, knows)
    _give_verbs(clauses, between, knows)
    if not gives_order(clauses[0], knows):
        return text
    plain = "".join(a + b for a, b in zip(clauses, [*between, ""], strict=True))
    return _ITS.sub("their", plain)


def _asks(clauses: list[str], knows: Knows) -> bool:
    """Whether an order is given anywhere, or a deed is named by which people order."""
    if any(gives_order(clause, knows) for clause in clauses) or is_counted(
        clauses[0][len(opening_of(clauses[0])) :]
    ):
        return True
    if all_postures(clauses):
        return True
    return any(is_gerund(clause, knows) for clause in (clauses[0], clauses[-1]))


def _give_verbs(clauses: list[str], between: list[str], knows: Knows) -> None:
    """Deeds that are nouns get their verb, where the one before is not theirs too."""
    verb, named = "", False
    by_name = ordered_deed(clauses[0]) is not None
    for i, clause in enumerate(clauses):
        joint = between[i - 1] if i else ""
        opening = opening_of(clause)
        rest = clause[len(opening) :]
        if i and "then" in joint + opening and POSTURE.fullmatch(rest):
            clauses[i], verb = opening + posture_ordered(rest), ""
            continue
        found = ordered_deed(
            rest, bare=not i or "then" in joint or by_name or _is_part(rest)
        )
        if i and (slow := mannered(rest, knows)) and not rest.startswith("a "):
            clauses[i], verb = opening + slow, ""
            continue
        if found is None:
            objects = _OBJECTS.match(rest)
            if gives_order(clause, knows):
                verb, named = objects.group() if objects else "", False
            continue
        if verb in (found[0], "do", "perform", "practice", "try"):
            continue
        if i and _tells_how(clauses[i - 1], joint, rest, named):
            continue
        clauses[i], verb, named = f"{opening}{found[0]} {found[1]}", found[0], True


def _tells_how(before: str, joint: str, clause: str, named: bool) -> bool:
    """Whether it says how the deed before it is done: "walk forward, small steps"."""
    if clause.endswith(" at a time") or re.search(r"\ba (?:left|right)$", before):
        return True
    if "then" in joint:
        return False
    if joint == " and ":
        return not named
    if _TURNED.match(before) and re.search(
        r"\b(?:turn|circle|rotation|spin)s?$", clause
    ):
        return True
    return joint == ", " and bool(_HOW.fullmatch(clause) or _PRAISED.match(clause))


def _is_part(clause: str) -> bool:
    return re.match(r"(?:left|right|half|quarter|full) ", clause) is not None
