"""A prompt as it is read: normalized, its typos put right, and what to say about it.

    reading = read_prompt("a persno wavs with the zamboni")
    reading.text  # "a person waves with the zamboni"
    reading.remarks  # what was corrected, what is not known

Nothing is an error here: a prompt that is not understood is read as it is, and said so.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

from texedo.core.errors import CheckpointError
from texedo.language.normal import normalize
from texedo.language.orders import plain_orders
from texedo.language.person import third_person
from texedo.language.spelling import Correction, Spelling
from texedo.language.verbs import verb_forms
from texedo.language.vocabulary import caption_words, words_of, words_text

_VERSION = 5
"""Of the rules; a new one if any prompt is read differently."""

_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+\b")
_SHOWN = 5
"""Corrections and unknown words that are named one by one."""
_ENOUGH = 0.5
"""Share of words that an English prompt has in the captions, typos put right."""

_KEPT = verb_forms() | frozenset(("rond", "chasse", "jete", "releve", "plie", "tendu"))
"""Words that captions lack and that are no typos all the same."""

_ENGLISH = frozenset(
    "a about after again all also an and any are around as at away be because been "
    "before behind being below between both but by can could did do does doing done "
    "down each either else every few for from get go had has have he her here hers him "
    "his how i if in into is it its just like make many may me might more most much "
    "must my never no nor not now of off on once only onto or other our out over own "
    "per she should since so some such than that the their them then there these they "
    "this those through to too toward under until up upon us very was we were what when "
    "where which while who whom whose why will with within without would yes you your".split()
)
"""Words that every English text has, whether or not a caption does."""
_FOREIGN = (
    frozenset(
        "der die das und ein eine einen einem einer mit nach nicht ist sich auf dem den "
        "seine seinen ihre ihren dann geht zur zum le la les un une et des du avec vers est "
        "il elle sur dans puis son sa ses qui el los las una unos con hacia y luego su sus "
        "del que por como lo gli con poi verso sua suo che di della het een en naar met zijn "
        "og och att det uma com para seu sua os um ao w na do przodu jest".split()
    )
    - _ENGLISH
)


class Reading(NamedTuple):
    """What becomes of a prompt before the text encoder sees it."""

    text: str
    """What is read."""
    corrections: tuple[Correction, ...] = ()
    """Typos that were put right."""
    unknown: tuple[str, ...] = ()
    """Words that no training caption has, in any form."""
    remarks: tuple[str, ...] = ()
    """Sentences for the user."""


class Reader:
    """Reads prompts by the words of the captions and a vocabulary of real words."""

    def __init__(
        self, vocabulary: Collection[str] = (), *, spelling: Spelling | None = None
    ) -> None:
        real = frozenset(word for word in vocabulary if word.isalpha())
        self.spelling = spelling or Spelling(caption_words(), real)

    def read(self, prompt: str) -> Reading:
        """Never fails; an empty text is left only where nothing was said."""
        text = normalize(prompt)
        if not words_of(text):
            return Reading(text, remarks=("nothing that can be read is left of it",))
        names = frozenset(map(str.lower, _NAME.findall(prompt)))
        spelled, made = self.spelling.correct(text, keep=names | _KEPT)
        if not self._is_english(words_of(text), words_of(spelled)):
            return Reading(
                text,
                unknown=self._unknown(text),
                remarks=(
                    "the prompt does not seem to be English; write it in English",
                ),
            )
        # A word that was put right may complete "counter-clockwise".
        spelled = spelled if spelled == text else normalize(spelled)
        unknown = self._unknown(spelled)
        knows = self.spelling.counts.__contains__
        told = third_person(plain_orders(spelled, knows), knows)
        return Reading(told, made, unknown, _remarks(made, unknown))

    def _unknown(self, text: str) -> tuple[str, ...]:
        words = dict.fromkeys(words_of(text))
        return tuple(word for word in words if len(word) > 1 and not self._knows(word))

    def _knows(self, word: str) -> bool:
        return word in _ENGLISH or self.spelling.knows(word)

    def _is_english(self, given: Sequence[str], spelled: Sequence[str]) -> bool:
        """By the share of words that are known; foreign ones are not put right first."""
        foreign = sum(word in _FOREIGN for word in given)
        words = given if foreign else spelled
        known = sum(
            (self._knows(word) or word in _KEPT) and word not in _FOREIGN
            for word in words
        )
        letters = "".join(given)
        latin = sum(letter.isascii() for letter in letters)
        if latin < _ENOUGH * len(letters):
            return False
        if not foreign and (len(words) < 3 or any(word in _ENGLISH for word in given)):
            return True
        return known >= _ENOUGH * len(words)


def _remarks(made: Sequence[Correction], unknown: Sequence[str]) -> tuple[str, ...]:
    found = []
    if made:
        shown = [f"'{given}' as '{read}'" for given, read in made[:_SHOWN]]
        found.append(f"read {_listed(shown, len(made))}")
    if unknown:
        shown = [f"'{word}'" for word in unknown[:_SHOWN]]
        what = "word" if len(unknown) == 1 else "words"
        found.append(
            f"no training caption has the {what} {_listed(shown, len(unknown))}"
        )
    return tuple(found)


def _listed(shown: Sequence[str], total: int) -> str:
    text = ", ".join(shown)
    return text if total == len(shown) else f"{text} and {total - len(shown)} more"


def read_prompt(text: str) -> Reading:
    """A prompt as the generator that ships with the package reads it."""
    return _shipped_reader().read(text)


def is_common(word: str) -> bool:
    """Whether every English text has it, so that it says nothing of what is done."""
    return word in _ENGLISH


@cache
def reading_digest() -> str:
    """Names the way in which prompts are read: the rules and the words."""
    words = words_text(caption_words()).encode()
    return hashlib.sha256(f"{_VERSION}\n".encode() + words).hexdigest()


@cache
def _shipped_reader() -> Reader:
    from texedo.checkpoints.artifact import read_artifact
    from texedo.checkpoints.bundled import BUNDLED, GENERATOR, has_weights

    folder = BUNDLED / GENERATOR / "text_encoder"
    try:
        if not has_weights(folder):
            return Reader()
        _, tensors = read_artifact(folder, kind="text-encoder")
    except (CheckpointError, ImportError):
        return Reader()  # The words of the captions alone.
    return Reader(tensors["vocabulary"].tobytes().decode().split("\n"))
