"""Where somebody faces in the end who is asked to turn among other things.

Each step of "walks forward, turns right and walks on" fits into a part of a walk in a circle;
as a whole that turns too far.
"""

from __future__ import annotations

from texedo.data.captions.activities.rules import Rule, parse
from texedo.data.captions.asked.clauses import is_plain_turn
from texedo.data.captions.reader import Clause, Wanted

_QUARTER = 90.0
_SIGN = {"left": 1.0, "right": -1.0, None: 1.0}
_STEADY = frozenset(
    "walk run move turn jump wave clap arm hips head stop still squat bend crouch punch "
    "knee lean stand march".split()
)
"""Actions that turn nobody unless it is said."""
_OFF = 70.0
"""Who turns on the way may be so far off [degrees]."""


def facing_of(wanted: Wanted) -> Rule | None:
    """The sum of its turns; None where there is one thing to do, or no telling."""
    clauses = [clause for clause in wanted.clauses if not clause.negated]
    turns = [clause for clause in clauses if clause.action == "turn"]
    if len(clauses) < 2 or not turns or not all(map(_is_steady, clauses)):
        return None
    angles = [_angle(clause) for clause in turns]
    sides = {clause.side for clause in turns}
    total = sum(angle for angle in angles if angle is not None)
    if None in angles or (None in sides and len(turns) > 1):
        return None
    if abs(total) < _QUARTER / 2:
        return parse(f"turn(either, 0, {_OFF:g})")
    side = "either" if None in sides else "left" if total > 0 else "right"
    return parse(f"turn({side}, {abs(total):g}, {_OFF:g})")


def _is_steady(clause: Clause) -> bool:
    told = clause.action == "turn" or not clause.angles
    return clause.action in _STEADY and told and not clause.unsure


def _angle(clause: Clause) -> float | None:
    """How far, left positive; None if that is left open."""
    if clause.side not in _SIGN:
        return None
    times = clause.count or 1
    if len(clause.angles) == 1:
        return _SIGN[clause.side] * times * clause.angles[0]
    plain = is_plain_turn(clause) or (
        clause.count and clause.side and not clause.angles
    )
    return _SIGN[clause.side] * times * _QUARTER if plain else None
