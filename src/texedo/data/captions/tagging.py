"""Lemmas with their part of speech, as HumanML3D writes them: "walk/VERB".

The tagger is HanTa, a small package with its model inside, needed only to build text
files: `pip install 'texedo[data]'`. As in HumanML3D, tokens are the alphabetic words
without hyphens, and nouns and verbs are given as lemmas.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Protocol

from texedo.core.errors import TexedoError
from texedo.data.captions.banks import load_bank
from texedo.data.captions.banks.actions import ACTIONS
from texedo.data.captions.banks.manners import MANNERS
from texedo.data.captions.grammar import Form, inflect
from texedo.data.captions.types import Caption

# HanTa speaks the C5 tags of the British National Corpus; the first letters decide.
_UNIVERSAL: tuple[tuple[str, str], ...] = (
    ("AVP", "ADP"),
    ("AT", "DET"),
    ("DPS", "DET"),
    ("DT", "DET"),
    ("NP", "PROPN"),
    ("N", "NOUN"),
    ("ZZ", "NOUN"),
    ("UNC", "NOUN"),
    ("VB", "AUX"),
    ("VM", "AUX"),
    ("V", "VERB"),
    ("AJ", "ADJ"),
    ("ORD", "ADJ"),
    ("AV", "ADV"),
    ("PR", "ADP"),
    ("CRD", "NUM"),
    ("PN", "PRON"),
    ("EX", "PRON"),
    ("CJC", "CCONJ"),
    ("CJ", "SCONJ"),
    ("TO", "PART"),
    ("XX", "PART"),
    ("POS", "PART"),
    ("ITJ", "INTJ"),
)
_WORD = re.compile(r"[a-z]+|[,.]")
"""The tagger reads commas; the tokens are words."""
_FORMS: tuple[Form, ...] = ("third", "ing", "past")


class Tagger(Protocol):
    """Whatever gives (word, lemma, C5 tag) for the words of a sentence."""

    def tag_sent(self, words: list[str]) -> list[tuple[str, str, str]]: ...


@cache
def load_tagger() -> Tagger:
    """HanTa with its English model."""
    try:
        module: Any = importlib.import_module("HanTa.HanoverTagger")
    except ImportError:
        raise TexedoError(
            "Tagging captions needs HanTa: pip install 'texedo[data]' "
            "(or pip install HanTa)."
        ) from None
    tagger: Tagger = module.HanoverTagger("morphmodel_en.pgz")
    return tagger


@lru_cache(maxsize=65536)
def tag_tokens(text: str) -> tuple[str, ...]:
    """The tokens of a sentence, "lemma/POS"."""
    words = _WORD.findall(text.lower().replace("-", "").replace("'s", ""))
    if not words:
        return ()
    tokens: list[str] = []
    before = ""
    for word, lemma, c5 in load_tagger().tag_sent(words):
        pos = _part_of_speech(word, c5, before)
        before = pos
        if word.isalpha():
            tokens.append(f"{_lemma(word, lemma, pos)}/{pos}")
    return tuple(tokens)


def tag(captions: Iterable[Caption]) -> list[Caption]:
    """The captions with their tokens."""
    return [replace(c, tokens=tag_tokens(c.text)) for c in captions]


def _part_of_speech(word: str, c5: str, before: str) -> str:
    sided = word in ("left", "right") and not c5.startswith("AV")
    if sided or (word.endswith("like") and len(word) > len("alike")):
        return "ADJ"
    pos = next((name for start, name in _UNIVERSAL if c5.startswith(start)), "X")
    # A tagger trained on newspapers knows no pivoting; "his raised hand" it knows.
    moving = word.endswith(("ing", "ed")) and word in _known_verbs()
    return "VERB" if moving and before not in ("DET", "ADJ", "ADP") else pos


def _lemma(word: str, lemma: str, pos: str) -> str:
    if pos in ("VERB", "NOUN"):
        return _known_verbs().get(word, lemma.lower())
    return word


def bank_verbs() -> set[str]:
    """The verbs of all banks."""
    templates = [
        t for name in ("arms", "body", "travel") for t in load_bank(name).templates()
    ]
    templates += [t for action in ACTIONS for t in (*action.phrases, *action.going)]
    templates += [
        t for manner in MANNERS.values() for t in (*manner.manners, *manner.looks)
    ]
    verbs = set(re.findall(r"~([a-z]+)", " ".join(templates)))
    return verbs | {v.split()[0] for manner in MANNERS.values() for v in manner.verbs}


@cache
def _known_verbs() -> dict[str, str]:
    """Every form of the verbs of our own banks: a tagger takes "hops" for "hope", and
    "lunges" for lungs; our nouns are made of the same stems."""
    verbs = bank_verbs()
    return {inflect(v, form): v for v in sorted(verbs) for form in (*_FORMS, "base")}
