"""Captions that lean on a label: its own sentences, and sentences with its words."""

from __future__ import annotations

import re

from texedo.data.captions.banks.actions import action_of
from texedo.data.captions.banks.manners import MANNERS, Manner, manner_of
from texedo.data.captions.beats import Beat
from texedo.data.captions.choice import Choice
from texedo.data.captions.claims import contradicts, fully_borne_out
from texedo.data.captions.grammar import Subject, conjugate
from texedo.data.captions.phrases import phrase
from texedo.data.captions.phrases.travel import direction_words
from texedo.data.captions.sentences import Part, dress
from texedo.data.captions.types import Annotation
from texedo.data.captions.wording import Wording, fill, named_activities
from texedo.data.events import ArmRaise, Facts, Travel, Turn, Wave

SCURRY_SPEED = 0.9
"""Those who are scared and this fast do not creep [m/s]."""
LONG_CAPTION = 11
"""A label's sentence of more words carries no addition."""

_FAMILY_STYLES = {
    "sneak": "sneakily",
    "limp": "limping",
    "march": "like a soldier",
    "stumble": "stumbling",
}

_GROUPS: tuple[tuple[str, ...], ...] = (
    ("a person", "someone", "the person", "somebody", "a figure", "an individual"),
    ("the man", "he", "a man"),
)
_SUBJECT = re.compile(
    r"^(a person|someone|the person|somebody|the man|he|a man|a woman|she|the woman)\b"
)
_HIS, _HER = ("he", "his", "himself"), ("she", "her", "herself")
_THEIRS = ("they", "their", "themselves")


def wording_of(label: Annotation, facts: Facts, choice: Choice) -> Wording:
    """The words that a label opens."""
    return Wording(named=named_activities(label), manner=_manner(label, facts, choice))


def _manner(label: Annotation, facts: Facts, choice: Choice) -> Manner | None:
    styles = list(label.style)
    if label.family in _FAMILY_STYLES:
        styles.append(_FAMILY_STYLES[label.family])
    found = [m for m in map(manner_of, styles) if m is not None]
    if not found:
        return None
    fastest = max((travel.speed for travel in facts.of(Travel)), default=0.0)
    if {"scared", "fearfully"} & set(styles) and fastest > SCURRY_SPEED:
        return MANNERS["scared_fast"]
    return choice.one(found)


def true_captions(label: Annotation, facts: Facts) -> list[str]:
    """The label's own captions that hold for this motion."""
    if label.scope == "part":
        return [text for text in label.captions if fully_borne_out(text, facts)]
    return [text for text in label.captions if not contradicts(text, facts)]


def own_caption(text: str, choice: Choice) -> str:
    """A label's caption, perhaps with another subject of the same pronoun."""
    match = _SUBJECT.match(text)
    if match is not None and choice.chance(0.5):
        for group in _GROUPS:
            if match[1] in group:
                text = choice.one(group) + text[match.end() :]
    return dress(text, choice)


def extended_caption(
    text: str, beats: list[Beat], choice: Choice, wording: Wording
) -> str | None:
    """A label's caption with one measured thing added; None if nothing fits."""
    if len(text.split()) > LONG_CAPTION or "," in text:
        return None
    fitting = [beat for beat in beats if _adds_to(beat, text)]
    if not fitting:
        return None
    best = max(fitting, key=lambda beat: beat.weight)
    said = phrase(best, choice, Wording(named=wording.named))
    addition = conjugate(said, "ing", _subject_of(text))
    joint = ", " if " while " in text + addition else choice.one((", ", " while "))
    return dress(f"{text}{joint}{addition}", choice)


def _adds_to(beat: Beat, text: str) -> bool:
    """The beat says something new and can go on in the background."""
    event = beat.event
    if isinstance(event, Travel):
        moving = (
            r"walk|run|jog|step|mov|go(?:es)?\b|strid|march|stroll|creep|sneak|limp"
        )
        return event.distance > 0.6 and not re.search(moving, text)
    if isinstance(event, Turn):
        return event.angle > 60 and not re.search(r"turn|spin|twirl|circl|rotat", text)
    if isinstance(event, ArmRaise):
        plain = not re.search(r"arm|hand|rais|lift|reach|wav|danc", text)
        return event.level in ("head", "overhead") and plain
    if isinstance(event, Wave):
        return beat.weight > 0.5 and not re.search(r"hand|arm|wav", text)
    return False


def _subject_of(text: str) -> Subject:
    match = _SUBJECT.match(text)
    name = match[1] if match else ""
    if name in ("he", "the man", "a man") or re.search(r"\bhis\b", text):
        return Subject(name, *_HIS)
    if name in ("she", "the woman", "a woman") or re.search(r"\bher\b", text):
        return Subject(name, *_HER)
    return Subject(name, *_THEIRS)


def action_part(
    label: Annotation, beats: list[Beat], choice: Choice, wording: Wording
) -> Part | None:
    """The activity that the label names, with what was measured; None if it names none."""
    action = action_of(label.description) if label.scope != "part" else None
    if action is None:
        return None
    travels = [
        b for b in beats if isinstance(b.event, Travel) and b.event.distance > 0.6
    ]
    if action.going and travels and choice.chance(0.6):
        travel = max(travels, key=lambda beat: beat.weight).event
        assert isinstance(travel, Travel)
        words = {"dir": direction_words(travel.direction)}
        text = fill(choice, action.going, slots=words)
    else:
        text = fill(choice, action.phrases)
    acted = label.family.startswith("act_")  # the action is the manner already
    if wording.manner is not None and not acted and choice.chance(0.5):
        text = f"{text} {choice.one(wording.manner.manners)}"
    during = None
    others = [
        b for b in beats if isinstance(b.event, Turn | ArmRaise) and b.weight > 0.55
    ]
    if others and "{dir}" not in text and choice.chance(0.3):
        plain = Wording(named=wording.named)
        during = phrase(choice.one(others), choice, plain)
    return Part(text, during)
