"""Phrases for arms: where hands are, "arms crossed", "reaches for the sky"."""

from __future__ import annotations

import re
from collections.abc import Callable

from texedo.data.captions.postures.patterns import (
    IS,
    SIDE,
    WHOSE,
    Phrase,
    Told,
    compiled,
    posture_words,
)
from texedo.data.captions.postures.types import Posture, read_posture

_PUTS = (
    r"(?:(?:raises?|lifts?|holds?|keeps?|puts?|places?|stretches|extends?|spreads?|opens?|brings?"
    r"|throws?|rests?|sets?|lays?|has|moves|swings|reaches|points|raising|lifting|holding"
    r"|keeping|putting|placing|stretching|extending|spreading|opening|bringing|resting|having"
    r"|with|by) )?(?:(?:out|up) )?"
)
_LIMBS = r"(?P<limb>arms?|hands?|fists?|palms?|elbows?)"

_BEFORE = {
    "side": "open|outstretched|spread|wide open|widespread",
    "up": "raised|lifted|upraised",
    "crossed": "crossed|folded",
}
"""Words before the arms, by where they are then."""


def arm_phrases() -> list[Phrase]:
    """Those that say most first."""
    return [*_held(), *_adjectives(), *_deeds()]


def _held() -> list[Phrase]:
    rows = posture_words()["places"]
    places = "|".join(
        f"(?P<p{number}>{words.replace('{whose}', WHOSE)})"
        for number, (_, words) in enumerate(rows)
    )
    names = [name for name, _ in rows]

    def of_place(match: re.Match[str]) -> Told | None:
        place = next(n for i, n in enumerate(names) if match[f"p{i}"])
        return _hands(place, match["side"], match["limb"])

    hands = rf"{_PUTS}(?:an? )?{WHOSE}(?:{SIDE} )?{_LIMBS} {IS}(?:curved |held |kept )*"
    return [
        Phrase(
            compiled(rf"(?:with )?{WHOSE}(?P<limb>hands|arms) akimbo"), _of_word("hip")
        ),
        Phrase(
            compiled(
                r"(?:makes|forms|draws|making|forming) an? (?:(?:big|round|large|wide|full) )*(?:circle"
                rf"|arc|arch|oval|ring|o) with {WHOSE}(?P<limb>arms|hands) (?:over|above) {WHOSE}head"
            ),
            _of_word("up-together"),
        ),
        Phrase(compiled(f"{hands}(?:{places})"), of_place),
    ]


def _adjectives() -> list[Phrase]:
    return [
        *(
            Phrase(compiled(rf"(?:with )?{WHOSE}(?:{words}) {_LIMBS}"), _of_word(place))
            for place, words in _BEFORE.items()
        ),
        Phrase(
            compiled(rf"(?:crosses|folds|crossing|folding) {WHOSE}(?P<limb>arms)"),
            _of_word("crossed"),
        ),
    ]


def _deeds() -> list[Phrase]:
    return [
        Phrase(
            compiled(rf"(?:raises|lifts|raising|lifting) {WHOSE}(?:{SIDE} )?{_LIMBS}"),
            _of_word("up"),
            deed=True,
        ),
        Phrase(
            compiled(
                r"(?:(?:stretches|reaches|reaching|stretching) (?:up|tall|high|overhead|(?:up )?"
                r"(?:to|toward|for) the (?:sky|ceiling|sun|stars))+)"
                rf"(?: with {WHOSE}(?:{SIDE} )?(?P<limb>arms?|hands?))?"
            ),
            lambda m: _hands("up", m["side"], m["limb"] or "hands"),
            deed=True,
        ),
        Phrase(
            compiled(
                r"(?:(?:bends|reaches|leans|folds|goes)(?: (?:down|over|forward))*(?: and | to ))?"
                r"(?:touch(?:es)?|reach(?:es)?(?: down)?(?: for| toward| to)) "
                rf"(?:the |their |his |her )(?:toes|feet|floor|ground)(?: with {WHOSE}(?P<limb>hands?))?"
            ),
            lambda _: Told(read_posture("both=floor lean=85 legs=bent")),
            deed=True,
        ),
    ]


def _hands(place: str, side: str | None, limb: str) -> Told | None:
    if side == "left":
        return Told(Posture(left=place))
    if side == "right":
        return Told(Posture(right=place))
    if side is None and limb.endswith("s"):
        return Told(Posture(left=place, right=place))
    return Told(Posture(right=place), open=True)


def _of_word(place: str) -> Callable[[re.Match[str]], Told | None]:
    return lambda match: _hands(place, match.groupdict().get("side"), match["limb"])
