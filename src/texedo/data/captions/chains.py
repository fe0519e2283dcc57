"""Verb phrases of freely written captions: orders, gerunds, and several verbs in a row.

    "Walk ahead, curve left and stop."      ~walk ahead, ~curve left and ~stop
    "prowling forward like a cat"           ~prowl forward like a cat
    "a person bows and turns to the left"   ~bow and ~turn to the left

`plain` takes sentences with one verb, in which place alone tells the verb. Here a word
counts as a verb only where one may stand (first, or after a comma, "and" or "then") and
if it is one of a list, so that "raises both arms and hands" is left alone. A caption
that may hold a verb which is not recognised gives nothing: half of its verbs in one form
and half in another is no English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

from texedo.data.captions.grammar import inflect
from texedo.data.captions.plain import (
    OWNER,
    SELF,
    WHO,
    base_form,
    is_sure,
    plain_phrase,
)
from texedo.data.captions.tagging import bank_verbs

MAX_WORDS = 14
"""Longer ones do not go into a sentence with others."""

_MORE_VERBS = frozenset(
    "advance arc balance bounce bound brush catch circle climb cook cross curve dance "
    "drift ease edge end face fan finish flip freeze glide grab halt head hurry jump kick "
    "land lean linger loop lower lurch march mimic mop move nod open pace paint pause "
    "peek pick pivot play point pour prance press prowl pull punch push raise reach "
    "return rotate scoop scrub settle shift shuffle sidestep sneak sprint stagger stalk "
    "start stay step stick stir stoop stop straighten stretch stroll swagger sway swerve tap tip "
    "toddle toss touch trace travel turn twirl twist veer wait walk wander wash wave "
    "whirl wipe work".split()
)
_NOUNS = frozenset("arm back end fist foot hand head leg palm round step swing".split())
"""Also verbs of the list, but after "and" mostly not."""
_NO_ORDERS = frozenset("back round".split())
# What follows a verb; before "jumping kicks" or "swing dance" there was none.
_AFTER_VERB = re.compile(
    r"^(?:(?:forwards?|ahead|back|backwards?|left|right|sideways|straight|up|down|around"
    r"|round|in|on|at|with|to|your|the|an?|both|one|two|three|four|five|six|seven|once"
    r"|twice|and|then|like|along|away|out|over|off|across|through|from|into|towards?|past"
    r"|again|very|some|something|low|high|slightly|\w+ly)\b|,|$)"
)
_UNCHANGED = re.compile(
    r"^(?:(?:arms?|hands?|fists?|knees?|elbows?|legs?|first|later|almost|nearly|always|all"
    r"|still|no|not|without|bent|relaxed|head|body|barely|hardly|a bit|about)\b)"
)
"""What a piece without a verb may begin with, apart from what may follow one."""
_CLAUSE = re.compile(
    r"\b(?:person|someone|somebody|subject|figure|man|woman|dancer|as(?! (?:if|though)\b)|until|when|where|but|so|is|are|was|were|has|have|had|its"
    r"|he|she|they|him|them|who|it|you|i|which|that|each|while (?!\w+ing\b)"
    r"|(?:before|after) (?!\w+ing\b))\b|[;:.!?()]"
)
"""A second subject, or a verb whose form must not change."""
_JOINT = re.compile(r"(, and then |, and |, then | and then |, | and | then )")
_YOURS, _YOU = re.compile(r"\byour\b"), re.compile(r"\byourself\b")


@cache
def _verbs() -> frozenset[str]:
    return frozenset(bank_verbs()) | {verb for verb in _MORE_VERBS if is_sure(verb)}


@cache
def _gerunds() -> dict[str, str]:
    return {inflect(verb, "ing"): verb for verb in _verbs()}


def _third(word: str) -> str | None:
    base = base_form(word)
    return base if base in _verbs() else None


def _order(word: str) -> str | None:
    return word if word in _verbs() else None


def _gerund(word: str) -> str | None:
    return _gerunds().get(word)


def chain_phrase(caption: str) -> str | None:
    """The verb phrase of a caption with its verbs marked; None if it is not clear."""
    text = caption.strip().rstrip(".!")
    text = text[:1].lower() + text[1:]
    if len(text.split()) > MAX_WORDS or any(c in caption for c in '{}~"'):
        return None
    who = WHO.match(text)
    if who is not None:
        return _chain(text[who.end() :], _third)
    first = text.partition(" ")[0].rstrip(",")
    if not _AFTER_VERB.match(text[len(first) :].lstrip()):
        return None
    for verb_of in (_gerund, _third):
        if verb_of(first) is not None:
            return _chain(text, verb_of)
    if first in _NO_ORDERS:
        return None
    text = _YOURS.sub("{poss}", _YOU.sub("{refl}", text))
    return _chain(text, _order)


def _chain(text: str, verb_of: Callable[[str], str | None]) -> str | None:
    if _CLAUSE.search(text):
        return None
    pieces = _JOINT.split(text)
    marked = _marked(pieces[0], verb_of)
    if marked is None:
        return None
    out = [marked]
    for joint, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        said = _later(piece, verb_of, comma=joint == ", ")
        if said is None:
            return None
        out += [joint, said]
    return OWNER.sub("{poss}", SELF.sub("{refl}", "".join(out)))


def _marked(piece: str, verb_of: Callable[[str], str | None]) -> str | None:
    word, space, rest = piece.partition(" ")
    base = verb_of(word)
    return None if base is None else f"~{base}{space}{rest}"


def _later(
    piece: str, verb_of: Callable[[str], str | None], *, comma: bool
) -> str | None:
    """A further piece: a verb of the chain, or something that stays as it is."""
    word = piece.partition(" ")[0]
    if word.endswith("ing"):
        # ", turning left" stays; "bending and leaning" is one more verb.
        if verb_of is not _gerund or comma:
            return piece if comma else None
        return _marked(piece, verb_of)
    base = verb_of(word)
    if base is not None and base not in _NOUNS:
        return _marked(piece, verb_of)
    if base is not None and word not in _NO_ORDERS:
        return None
    same = _AFTER_VERB.match(piece) or _UNCHANGED.match(piece) or word.isdecimal()
    return piece if same else None


def written_phrases(captions: Iterable[str]) -> list[str]:
    """The phrases of all captions that have one, without repetition."""
    found = (plain_phrase(text) or chain_phrase(text) for text in captions)
    return list(dict.fromkeys(phrase for phrase in found if phrase is not None))
