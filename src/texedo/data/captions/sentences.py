"""Phrases into sentences: who, in which form, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from texedo.data.captions.banks import sentences as bank
from texedo.data.captions.choice import Choice
from texedo.data.captions.grammar import Form, Subject, conjugate, participle, tidy


@dataclass(frozen=True)
class Part:
    """One phrase, and one that goes on meanwhile."""

    main: str
    during: str | None = None

    def as_phrase(self) -> str:
        """Both in one phrase; the second stays as it is in every form of the first."""
        text = self.main
        if self.during is not None:
            joint = ", " if " while " in self.main + self.during else " while "
            text += joint + participle(self.during)
        return " ".join(text.split())  # a choice of nothing leaves two spaces


_VERB_FORM: dict[str, Form] = {
    "present": "third",
    "past": "past",
    "imperative": "base",
}


def sentence(parts: Sequence[Part], choice: Choice) -> str:
    """One to three parts, in order of time, as one caption."""
    form = choice.weighted(bank.FORMS)
    subject = bank.YOU if form == "imperative" else choice.weighted(bank.SUBJECTS)
    if form == "gerund":
        subject = Subject("", *_pronouns(subject))
    finite = form in ("present", "past")
    verb_form = _VERB_FORM.get(form, "ing")
    alone = len(parts) == 1
    pieces = [
        _Piece(part, verb_form, subject, _shape(part, choice, finite, alone))
        for part in parts
    ]
    text = _joined(pieces, choice, finite=finite)
    return dress(_with_subject(text, form, subject, choice), choice)


def dress(text: str, choice: Choice) -> str:
    """Capitals and full stops as people use them, or do not."""
    text = tidy(text)
    style = choice.weighted({"plain": 62, "stop": 20, "both": 18})
    if style == "both":
        text = ". ".join(s[:1].upper() + s[1:] for s in text.split(". "))
    return text if style == "plain" else text.rstrip(".") + "."


def _shape(part: Part, choice: Choice, finite: bool, alone: bool) -> str:
    """How two things at once are put; a second "while" would tangle the sentence."""
    if part.during is None:
        return ""
    if " while " in part.main + part.during:
        return "{a}, {b_ing}"
    if not alone:
        return bank.WHILE[0]
    return choice.one(bank.WHILE + (bank.WHILE_FINITE[:2] if finite else ()))


class _Piece:
    """A part in the forms that a connective may ask for."""

    def __init__(self, part: Part, form: Form, subject: Subject, shape: str):
        self.part, self.form, self.subject, self.shape = part, form, subject, shape
        self.pronoun = Subject(subject.pronoun, *_pronouns(subject))

    def say(self, form: Form) -> str:
        """The part in another form."""
        main = conjugate(self.part.main, form, self.subject)
        if self.part.during is None:
            return main
        shape = self.shape
        if "{pron}" in shape and form == "ing":
            shape = bank.WHILE[0]
        during = self.part.during
        return (
            shape.replace("{a_ing}", conjugate(self.part.main, "ing", self.subject))
            .replace("{b_ing}", conjugate(during, "ing", self.subject))
            .replace("{b_form}", conjugate(during, form, self.subject))
            .replace("{pron}", self.subject.pronoun)
            .replace("{a}", main)
            .replace("{b}", conjugate(during, form, self.pronoun))
        )

    def after_pronoun(self) -> str:
        """The part with the verb that its pronoun takes: "they walk"."""
        who = Subject(self.pronoun.name, *_pronouns(self.subject))
        main = conjugate(self.part.main, self.form, who)
        if self.part.during is None:
            return main
        return f"{main} while {conjugate(self.part.during, 'ing', who)}"


def _joined(pieces: Sequence[_Piece], choice: Choice, *, finite: bool) -> str:
    first = pieces[0]
    if len(pieces) == 1:
        return "{subject} " + first.say(first.form)
    if len(pieces) == 2:
        shapes = [*bank.THEN]
        if finite:
            shapes += [*bank.THEN_FINITE, *bank.AFTER_FINITE]
    else:
        shapes = [*bank.THREE, *(bank.THREE_FINITE if finite else ())]
    shape = choice.one(shapes)
    if "{subject}" not in shape:
        shape = "{subject} " + shape
    # After a pronoun the verb is its verb: "a person walks. they turn and sit".
    finite_part, pronoun, rest = shape.partition("{pron}")
    for letter, piece in zip("abc", pieces, strict=False):
        finite_part = _filled(finite_part, letter, piece, piece.say(piece.form))
        rest = _filled(rest, letter, piece, piece.after_pronoun())
    return finite_part + (first.subject.pronoun if pronoun else "") + rest


def _filled(shape: str, letter: str, piece: _Piece, said: str) -> str:
    if "{" + letter not in shape:
        return shape
    shape = shape.replace("{" + letter + "_ing}", piece.say("ing"))
    return shape.replace("{" + letter + "}", said)


def _with_subject(text: str, form: str, subject: Subject, choice: Choice) -> str:
    if form == "imperative":
        return text.replace("{subject} ", "")
    if form == "progressive":
        verb = "are" if subject.plural else "is"
        if "{subject} first" in text:
            text = text.replace("{subject} first", "{subject} {be} first")
        else:
            text = text.replace("{subject}", "{subject} {be}")
        return text.replace("{be}", verb).replace("{subject}", subject.name)
    if form == "seen":
        template = choice.one(bank.SEEN)
        name = _indefinite(subject)
        ing = text.replace("{subject} ", "")
        return template.replace("{subject}", name).replace("{ing}", ing)
    return text.replace("{subject}", subject.name)


def _indefinite(subject: Subject) -> str:
    """ "There is he walking" is no English; "there is a person walking" is."""
    bare = subject.name in ("he", "they", "person", "man")
    return "a person" if bare else subject.name.replace("the ", "a ")


def _pronouns(subject: Subject) -> tuple[str, str, str]:
    return subject.pronoun, subject.possessive, subject.reflexive
