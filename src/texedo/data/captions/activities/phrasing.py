"""A wording as people type it: an order, a description, a note, a question."""

from __future__ import annotations

import re
from collections.abc import Callable

from texedo.data.captions.activities.table import Asked
from texedo.data.captions.choice import Choice
from texedo.data.captions.grammar import (
    Subject,
    conjugate,
    number_word,
    tidy,
    times_word,
)

YOU = Subject("you", "you", "your", "yourself")
_SUBJECTS = (
    Subject("a person", "they", "their", "themselves"),
    Subject("someone", "they", "their", "themselves"),
    Subject("a man", "he", "his", "himself"),
    Subject("a woman", "she", "her", "herself"),
    Subject("the robot", "it", "its", "itself"),
    Subject("a robot", "it", "its", "itself"),
    Subject("he", "he", "his", "himself"),
    Subject("she", "she", "her", "herself"),
)
_OPENINGS = ("can you {}?", "please {}", "could you {}, please", "{} please")
_ASKED = ("I want you to {}", "go ahead and {}", "show me how to {}", "now {}")
_PRETEND = ("pretend to {}", "act as if to {}", "imagine you {}", "try to {}")
_SERIES = re.compile(r"^~(do|perform|throw) (?!(?:a|an|the|one)\b)(?=\w)")


def order(wording: str) -> str:
    """ "raise your left hand"."""
    return tidy(conjugate(wording, "base", YOU))


def doing(wording: str, subject: Subject = YOU) -> str:
    """ "raising your left hand"."""
    return tidy(conjugate(wording, "ing", subject))


def told(wording: str) -> str:
    """ "raises their left hand", of a person."""
    return tidy(conjugate(wording, "third", _SUBJECTS[0]))


def described(wording: str, choice: Choice) -> str:
    """ "a person raises their left hand", or "is raising"."""
    subject = choice.one(_SUBJECTS)
    if choice.chance(0.35):
        verb = conjugate(wording, "ing", subject)
        return tidy(f"{subject.name} is {verb}")
    return tidy(f"{subject.name} {conjugate(wording, 'third', subject)}")


def _gerund(wording: str, choice: Choice) -> str:
    return doing(wording, choice.one(_SUBJECTS))


def _note(wording: str, choice: Choice) -> str:
    """ "raise left hand": no owner, no article."""
    form: Callable[[str], str] = choice.one((order, doing))
    text = form(wording.replace("{poss} ", "").replace("{poss}", ""))
    if "yourself" in text or "themselves" in text:
        return text
    return tidy(re.sub(r"\b(?:the|a|an) (?!time|little|few)", "", text))


def _question(wording: str, choice: Choice) -> str:
    return choice.one((*_OPENINGS, *_ASKED)).format(order(wording))


def _pretend(wording: str, choice: Choice) -> str:
    return choice.one(_PRETEND).format(order(wording))


def with_count(wording: str, count: int) -> str:
    """ "do three squats", "wave twice"; "" where it cannot be said."""
    if not count:
        return wording
    if "~" not in wording:
        return ""
    if count > 1 and _SERIES.match(wording) and wording.endswith("s"):
        return _SERIES.sub(rf"~\1 {number_word(count)} ", wording)
    return f"{wording} {times_word(count)}"


def phrasings(asked: Asked, *, seed: object, number: int) -> list[str]:
    """Different texts for one thing that is asked, the plain order among the first."""
    choice = Choice("phrasings", seed, asked.request.id, asked.side, asked.count)
    forms = (
        described,
        lambda wording, _: order(wording),
        _gerund,
        _note,
        _question,
        lambda wording, _: order(wording),
        _pretend,
    )
    wordings = [with_count(w, asked.count) for w in asked.wordings]
    wordings = [wording for wording in wordings if wording]
    found: dict[str, None] = {}
    for turn in range(3 * number):
        if not wordings or len(found) >= number:
            break
        wording = wordings[turn % len(wordings)]
        if "~" not in wording:
            text = tidy(wording.replace("{poss}", "your"))
        elif turn == 0:
            text = order(wording)
        else:
            text = choice.one(forms)(wording, choice)
        found.setdefault(text, None)
    return list(found)
