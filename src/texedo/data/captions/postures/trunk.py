"""Phrases for the trunk: leans, bends, twists, a bent back."""

from __future__ import annotations

import re

from texedo.data.captions.postures.patterns import (
    IS,
    THE,
    WHOSE,
    Phrase,
    Told,
    compiled,
)
from texedo.data.captions.postures.types import Posture

_TO_SIDE = rf"(?:(?:over )?(?:to|toward|onto) )?{THE}(?P<side>left|right)(?: side)?"
_TO_AND_FRO = (
    rf"(?:from )?(?:(?:to )?{THE}(?:left|right)(?: side)?,? (?:and|to)(?: then)? (?:(?:to )?{THE})?"
    r"(?:left|right)(?: side)?|side to side|(?:to )?(?:both|each) sides?|both ways)"
)
_TRUNK = r"(?:upper body|body|trunk|torso|chest|waist|shoulders|head|hips)"
_DEGREES = r"(?: (?:by |about |around |at )*(?P<angle>\d+|ten|fifteen|twenty|thirty|forty five|forty|forty-five) degrees)?"
_ANGLES = {
    **{"ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40},
    **{"forty five": 45, "forty-five": 45},
}


_LEANS = r"(?:leans?|bends?|tilts?|tips?|inclines|leaning|bending|tilting|leaned|tilted|bent)"
_TWISTS = r"(?:twists?|turns?|rotates?|twisting|turning|rotating)"
_BENDS = (
    r"(?:leans?|bends?|tilts|folds|hinges|inclines|hangs|leaning|bending|hanging|bent)"
)


def trunk_phrases() -> list[Phrase]:
    """Those that say most first."""
    return [*_to_and_fro(), *_to_one_side(), *_ahead_and_back()]


def _to_and_fro() -> list[Phrase]:
    return [
        Phrase(
            compiled(rf"{_TWISTS} {WHOSE}{_TRUNK} {_TO_AND_FRO}"),
            lambda _: Told(Posture(twist=38), open=True, swaps=True),
            deed=True,
        ),
        Phrase(
            compiled(rf"{_LEANS}(?: {WHOSE}{_TRUNK})? {_TO_AND_FRO}"),
            lambda _: Told(Posture(tip=20), open=True, swaps=True),
            deed=True,
        ),
    ]


def _to_one_side() -> list[Phrase]:
    return [
        Phrase(
            compiled(rf"{_TWISTS} {WHOSE}{_TRUNK}(?: around)? {_TO_SIDE}"),
            lambda m: Told(Posture(twist=40 if m["side"] == "left" else -40)),
            deed=True,
        ),
        Phrase(
            compiled(
                rf"(?:{_LEANS}(?: over)?(?: {WHOSE}{_TRUNK})?(?: over| sideways)*|{WHOSE}{_TRUNK} {_LEANS}"
                r"|(?:does|makes|with|in)? ?(?:an? )?(?:good |deep |standing )*side (?:bend|stretch|lean)s?"
                rf"(?: over)?) {_TO_SIDE}{_DEGREES}"
            ),
            _tipped,
            deed=True,
        ),
    ]


def _ahead_and_back() -> list[Phrase]:
    return [
        Phrase(
            compiled(
                rf"{WHOSE}(?:{_TRUNK} )?{_BENDS}(?: {WHOSE}{_TRUNK})? (?:(?:over|down|forward|deeply) ?)+"
                rf"(?:at {THE}(?:hips|waist))?{_DEGREES}"
            ),
            lambda m: Told(Posture(lean=_angle(m, 55))),
            deed=True,
        ),
        Phrase(
            compiled(
                rf"(?:{_BENDS}(?: {WHOSE}{_TRUNK})?|{WHOSE}{_TRUNK} {_BENDS}) (?:back|backward)s?"
                rf"|arches {THE}back"
            ),
            lambda _: Told(Posture(lean=-14)),
            deed=True,
        ),
        Phrase(
            compiled(
                rf"(?:with )?(?:hunched(?: over| back| shoulders)*|stooped|{THE}back {IS}"
                r"(?:bent|hunched|round|rounded|curved|crooked)|an? (?:bent|hunched|crooked) back)"
            ),
            lambda _: Told(Posture(lean=28)),
        ),
    ]


def _angle(match: re.Match[str], usual: int) -> int:
    said = match["angle"]
    if not said:
        return usual
    return int(said) if said.isdigit() else _ANGLES[said]


def _tipped(match: re.Match[str]) -> Told:
    angle = min(_angle(match, 24), 36)
    return Told(Posture(tip=angle if match["side"] == "left" else -angle))
