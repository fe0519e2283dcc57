"""From a result to its account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

import texedo
from texedo.do import RULES
from texedo.pipeline.account import Account, CandidateAccount
from texedo.pipeline.again.editing import EDITED
from texedo.pipeline.again.joining import JOINED
from texedo.pipeline.again.rewording import ASKED_AS
from texedo.pipeline.again.writing import WRITTEN
from texedo.see.dynamics.outlook import Outlook
from texedo.see.dynamics.protocol import FILTER_NAMES, Filter
from texedo.see.scores import NAN

if TYPE_CHECKING:
    from texedo.pipeline.result import Generated

RUNNERS_UP = 2
_MADE = (EDITED, JOINED, WRITTEN)
"""Columns of candidates that were not drawn."""
_RANKED_BY = {"semantics": "R_text", "dynamics": "R_dyn", "quality": "Q*"}


def account_of(result: Generated) -> Account:
    """Everything to tell of a result."""
    selection = result.selection
    return Account(
        prompt=result.prompt,
        read_as=result.about.read_as or result.prompt,
        remarks=result.remarks,
        rule=selection.rule,
        threshold=result.threshold,
        filters_by=_filters_by(result),
        guarantee=_guarantee(result),
        chosen=selection.index,
        runners_up=_runners_up(result),
        why=_why(result),
        rejected=_rejected(result),
        candidates=tuple(_candidate(result, i) for i in range(len(result.offered))),
        seconds=result.seconds,
        settings=result.about.request,
        weights=result.about.weights,
        version=texedo.__version__,
    )


def _guarantee(result: Generated) -> Mapping[str, Any] | None:
    """What is promised, if it was promised of such a choice: of a motion as it was drawn
    that passes, among no more candidates than there were when it was measured."""
    promised, chosen = result.about.guarantee, result.selection.index
    passes = result.scores.screened[chosen] > result.threshold
    made = any(_told(result, column, chosen) for column in _MADE)
    if promised is None or not passes or made:
        return None
    count = len(result.offered)
    return promised if count <= promised.get("candidates", count) else None


def _candidate(result: Generated, i: int) -> CandidateAccount:
    scores, verdict = result.scores, result.selection.verdicts[i]
    outlook = None if scores.outlooks is None else scores.outlooks[i]
    return CandidateAccount(
        index=i,
        r_text=float(scores.semantics[i]),
        r_dyn=float(scores.dynamics[i]),
        **_expected(outlook),
        expected_reason=None if outlook is None else outlook.termination,
        expected_limb=None if outlook is None else outlook.part,
        risk=None if scores.risk is None else scores.risk[i],
        outlook=scores.performance(i),
        check_verdict=result.offered[i].check.verdict,
        outcome=verdict.outcome,
        reason=verdict.reason,
        performed=result.performed.get(i) or scores.performed.get(i),
        asked_as=_told(result, ASKED_AS, i),
        edited=_told(result, EDITED, i),
        joined=_told(result, JOINED, i),
        written=_told(result, WRITTEN, i),
        motion=result.offered[i].motion,
    )


def _told(result: Generated, column: str, i: int) -> str | None:
    """What a column says of a candidate; None if nothing."""
    values = result.scores.columns.get(column)
    return None if values is None else values[i]


def _why(result: Generated) -> str:
    """Why the chosen one was chosen, and how it came to be if it was not drawn for the
    prompt as it was said."""
    selection = result.selection
    words = _told(result, ASKED_AS, selection.index)
    made = [_told(result, column, selection.index) for column in _MADE]
    asked = "" if words is None else f" It was asked for as '{words}'."
    return f"{selection.reason}{asked}" + "".join(f" It is {m}." for m in made if m)


def _expected(outlook: Outlook | None) -> dict[str, float]:
    if outlook is None:
        return {}
    known = {
        "success": outlook.success,
        "robust": outlook.robust,
        "quality": outlook.quality,
        "riskiest_second": outlook.riskiest_s,
    }
    return {name: NAN if value is None else value for name, value in known.items()}


def _runners_up(result: Generated) -> tuple[int, ...]:
    """Who comes next by the rule, of those that did not fall meanwhile."""
    verdicts, out = result.selection.verdicts, {result.selection.index}
    left = (
        i
        for i in result.selection.order
        if i not in out and verdicts[i].outcome != "fails_in_physics"
    )
    return tuple(left)[:RUNNERS_UP]


def _rejected(result: Generated) -> Mapping[str, int]:
    """How many were turned away, by the reason, the most frequent first."""
    kept = {result.selection.index, *result.handed_out}
    left = [i for i in range(len(result.offered)) if i not in kept]
    found = Counter(_turned_away(result, i) for i in left)
    return dict(found.most_common())


def _turned_away(result: Generated, i: int) -> str:
    """Why one is not handed out, in words that others share."""
    outcome = result.selection.verdicts[i].outcome
    ranked = _ranked_by(result.selection.rule)
    if outcome == "infeasible":
        outlooks = result.scores.outlooks
        cause = "" if outlooks is None else outlooks[i].cause
        said = f"{FILTER_NAMES[_filters_by(result)]} not above {result.threshold:g}"
        return f"{said} ({cause})" if cause else said
    return {
        "fails_check": "fails `texedo check`",
        "outranked": f"lower {ranked}",
        "tied": f"same {ranked}, drawn later",
        "passed_over": "not looked at",
        "no_score": "without a score",
        "fails_in_physics": "fails in physics",
    }.get(outcome, outcome)


def _filters_by(result: Generated) -> Filter:
    """What the threshold is of."""
    return "r_dyn" if result.scores.chance is None else "success"


def _ranked_by(rule: str) -> str:
    reads = RULES[rule].reads if rule in RULES else ()
    return _RANKED_BY[reads[-1]] if reads and rule != "linear" else "score"


def is_known(value: float) -> bool:
    """Whether anybody knows this number."""
    return bool(np.isfinite(value))
