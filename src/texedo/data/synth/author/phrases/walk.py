"""Phrases for going somewhere, and for turning, in every manner that is authored."""

from __future__ import annotations

from texedo.data.captions.grammar import number_word
from texedo.data.synth.author.phrases.common import Phrases, author_bank, filled
from texedo.data.synth.author.phrases.wanted import about_face, big_circle
from texedo.data.synth.author.spec import Spec

_BANK, _WANTED = author_bank("walk"), author_bank("wanted")
_PARTS = {
    90: "a quarter of a circle",
    180: "half a circle",
    270: "three quarters of a circle",
}


def walk_phrases(spec: Spec) -> Phrases:
    """Going in a direction, or round in a circle."""
    if spec.angle:
        return _circle(spec)
    ways = _BANK[f"to.{spec.way}"]
    manner = spec.manner
    if manner == "plain" and not 0.9 <= spec.tempo <= 1.15:
        manner = "brisk" if spec.tempo > 1.0 else "slow"
    away = f"away.{spec.way}"
    words = {
        "n": number_word(spec.count + _closing(spec)),
        "side": spec.side,
        "away": _BANK.text(away) if away in _BANK else ways[0],
    }
    bank = _BANK if f"walk.{manner}" in _BANK else _WANTED
    templates = bank[f"walk.{manner}"]
    if spec.way in ("left", "right") and manner == "plain":
        templates = (*templates, *_BANK["walk_aside"])
    return [
        phrase
        for i, template in enumerate(templates)
        for phrase in filled([template], {"to": ways[i % len(ways)], **words})
    ]


def _closing(spec: Spec) -> int:
    """Whether a last step brings the feet together, as in `gait.travel`."""
    sideways = spec.way in ("left", "right")
    return 0 if sideways and spec.count % 2 == 0 else 1


def _side_and_round(spec: Spec) -> dict[str, str]:
    if spec.angle > 0:
        return {"side": "left", "round": "counterclockwise"}
    return {"side": "right", "round": "clockwise"}


def _circle(spec: Spec) -> Phrases:
    how = {"brisk": " quickly", "cheerful": " cheerfully"}.get(spec.manner, "")
    slots = {**_side_and_round(spec), "how": how}
    if abs(spec.angle) >= 360:
        big = big_circle(spec) if spec.count > 11 else []
        return filled(_BANK["circle.full"], slots) + big
    part = _PARTS[abs(spec.angle)]
    return filled(_BANK["circle.part"], {**slots, "part": part})


def turn_phrases(spec: Spec) -> Phrases:
    """Turning on the spot."""
    if spec.way == "about":
        return about_face(spec)
    slots, angle = _side_and_round(spec), abs(spec.angle)
    amounts = _BANK[f"amount.{angle}"]
    out = [
        phrase
        for i, template in enumerate(_BANK[f"turn.{spec.manner}"])
        for phrase in filled([template], {**slots, "amount": amounts[i % len(amounts)]})
    ]
    if angle == 180 and spec.manner == "plain":
        out += filled(_BANK["turn_half"], slots)
    if angle == 360:
        out += filled(_BANK["turn_full"], slots)
    return out
