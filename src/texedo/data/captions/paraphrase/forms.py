"""Who does it, in which form, in which order of words: from a `Reading` to a sentence."""

from __future__ import annotations

import re

from texedo.data.captions.banks import load_tables
from texedo.data.captions.choice import Choice
from texedo.data.captions.grammar import Form, Subject, conjugate
from texedo.data.captions.readings import Reading
from texedo.data.captions.sequence import is_simple, sequence

_BANK = load_tables("paraphrase")
_ORDERS: list[str] = _BANK["order_forms"]
_THEN: list[str] = _BANK["then"]
_THEN_SIMPLE: list[str] = _BANK["then_simple"]
_SUBJECTS = [Subject(*row) for row in _BANK["subjects"]]
_YOU = Subject("", "you", "your", "yourself")
_NOBODY = Subject("", "they", "the", "oneself")
"""Of a gerund nobody is the subject: "raising the left hand"."""
_SHORT = Subject("", "", "", "")
_FORMS: dict[str, float] = {
    "order": 30,
    "present": 35,
    "progressive": 12,
    "gerund": 10,
    "short": 6,
    "participle": 5,
}
_LIMB = (
    r"(?:left |right )?(?:hands?|arms?|legs?|foot|feet|knees?|elbows?|shoulders?|head|"
    r"hips|chest|waist|fists?|face)\b"
)
_THE_LIMB = re.compile(rf"\bthe (?={_LIMB})(?!\w+ of\b)")
_HIS_LIMB = re.compile(rf"\{{poss\}} (?={_LIMB})")
_PRONOUN = re.compile(
    r"(?P<link> as | while |, after which |\. [a-z, ]*)\{pron\} (?:then )?"
)
_LIST = re.compile(r", (?:[a-z]+ly )?~")
"""Deeds one after the other that a mere comma joins; as "-ing" they would be at once."""
_NO_ING = re.compile(r"~(?:have|begin|start|continue)\b|~(?:keep|stop|go) \w+ing\b")


def retell(reading: Reading, choice: Choice) -> str | None:
    """The sentence in another form, told of somebody; None if the form drawn does not fit."""
    form = choice.weighted(_FORMS)
    if not reading.anybody:
        return _of_somebody(reading, form)
    phrase, lead = reading.phrase, reading.lead
    if form in ("gerund", "progressive", "participle"):
        if _LIST.search(phrase) or _NO_ING.search(phrase):
            form = "present"
        elif form == "gerund" and lead:
            form = "progressive"
    if form == "order":
        return _order(reading, choice)
    if form == "short":
        return _short(reading)
    if form == "gerund":
        return _told(phrase, "ing", _NOBODY, choice, reading)
    subject = choice.one(_SUBJECTS)
    if form == "participle" and subject.name in ("he", "she"):
        subject = _SUBJECTS[0]
    if form == "present":
        return _told(phrase, "third", subject, choice, reading)
    be = " is" if form == "progressive" else ""
    named = Subject(subject.name + be, *_pronouns(subject))
    return _told(phrase, "ing", named, choice, reading)


def _pronouns(subject: Subject) -> tuple[str, str, str]:
    return subject.pronoun, subject.possessive, subject.reflexive


def _of_somebody(reading: Reading, form: str) -> str | None:
    """Of a dancer or an old man only the form can change."""
    if reading.subject and (
        _LIST.search(reading.phrase) or _NO_ING.search(reading.phrase)
    ):
        return None
    be = " is " if form != "participle" else " "
    return reading.subject + be + conjugate(reading.phrase, "ing", _NOBODY)


def _told(
    phrase: str, form: Form, subject: Subject, choice: Choice, reading: Reading
) -> str | None:
    """The whole sentence, in the same order of time or with another word for it."""
    name = subject.name + " " if subject.name else ""
    if form == "third" or not name:
        phrase = _owners(phrase, choice)
    parts = sequence(reading)
    if len(parts) == 2 and choice.chance(0.7):
        shapes = list(_THEN)
        if all(is_simple(part) for part in parts):
            shapes += _THEN_SIMPLE
        shape = choice.one(shapes)
        if shape.startswith("after") and form == "ing" and not name:
            shape = _THEN_SIMPLE[0]
        a, b = (_owners(part, choice) for part in parts)
        if "{subject}" not in shape:
            shape = "{subject}" + shape
        shape = shape.replace("{a_ing}", conjugate(a, "ing", subject))
        shape = shape.replace("{b_ing}", conjugate(b, "ing", subject))
        shape = shape.replace("{a}", conjugate(a, form, subject))
        shape = shape.replace("{b}", conjugate(b, form, subject))
        return shape.replace("{subject}", name)
    lead = conjugate(reading.lead, "base", subject)
    said = _with_pronouns(phrase, form, subject)
    return None if said is None else lead + name + said


def _owners(phrase: str, choice: Choice) -> str:
    """ "Raises the left hand" and "raises his left hand" are one."""
    if choice.chance(0.3):
        return _THE_LIMB.sub("{poss} ", phrase)
    return _HIS_LIMB.sub("the ", phrase) if choice.chance(0.3) else phrase


def _with_pronouns(phrase: str, form: Form, subject: Subject) -> str | None:
    """The phrase in one form; a second "he" becomes whoever it is now."""
    if "{pron}" not in phrase:
        return conjugate(phrase, form, subject)
    match = _PRONOUN.search(phrase)
    if match is None or phrase.count("{pron}") > 1:
        return None
    first, second = phrase[: match.start()], phrase[match.end() :]
    link = match["link"]
    at_once = link in (" as ", " while ")
    if form == "third":
        third: Form = "base" if subject.pronoun == "they" else "third"
        joint = match.group().replace("{pron}", subject.pronoun)
        return (
            conjugate(first, form, subject) + joint + conjugate(second, third, subject)
        )
    if at_once:
        joint, form_then = " while ", "ing"
    elif link.strip(" .,") or "then" in match.group():
        joint, form_then = ", then ", form
    else:
        return None
    return conjugate(first, form, subject) + joint + _as(second, form_then, subject)


def _as(phrase: str, form: str, subject: Subject) -> str:
    return conjugate(phrase, "ing" if form == "ing" else "base", subject)


def _order(reading: Reading, choice: Choice) -> str | None:
    said = _told(reading.phrase, "base", _YOU, choice, reading)
    if said is None:
        return None
    if reading.lead or said.startswith(("after", "first")) or ". " in said:
        return said
    shape = choice.one(_ORDERS)
    if shape.endswith(", please") and "," in said:
        shape = "please {base}"
    return shape.replace("{base}", said)


def _short(reading: Reading) -> str | None:
    """As in a list of what to do: "walk forward, turn left"."""
    if reading.lead or "{pron}" in reading.phrase or "{refl}" in reading.phrase:
        return None
    said = ", ".join(sequence(reading))
    said = re.sub(
        r"(?:\{poss\}|\bthe) (?=(?:left|right) (?:hand|arm|leg|foot|knee)\b)", "", said
    )
    return conjugate(said, "base", _YOU)
