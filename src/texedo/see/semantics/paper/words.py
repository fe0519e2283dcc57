"""Sentences as the paper's verifier reads them: lemmas and parts of speech.

A word is looked up in a lexicon that was made from the tagged training captions and is
stored with the weights: its lemma and its most frequent part of speech. The trainer reads
captions through the same lexicon, so that nothing differs between training and use, and
no tagger is needed. A word that is not there is an inflected form of one that is, or is
unknown; its ending decides what part of speech it is.

The paper gives words for places, bodies, objects, actions and manners a class of their
own, as HumanML3D does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import CheckpointError, GenerationError

TAGS = tuple(
    "VERB NOUN DET ADP NUM AUX PRON ADJ ADV "
    "Loc_VIP Body_VIP Obj_VIP Act_VIP Desc_VIP OTHER".split()
)
"""Parts of speech; a word of one of the VIP classes has that instead of its own."""
UNKNOWN, START, END = 0, 1, 2
"""Numbers of a word that is not in the vocabulary and of both ends of a sentence."""
SPECIAL = ("<unknown>", "<start>", "<end>")
MAX_WORDS = 50
"""What comes after them is not read."""

_CLASSES = {
    "Loc_VIP": "left right clockwise counterclockwise anticlockwise forward forwards "
    "back backward backwards up upward upwards down downward downwards straight curve "
    "sideways sideway circle around",
    "Body_VIP": "arm chin foot feet face hand mouth leg waist eye knee shoulder thigh "
    "elbow wrist hip head torso body fist toe heel ankle chest",
    "Obj_VIP": "stair dumbbell chair window floor car ball handrail baseball basketball "
    "box sword ladder",
    "Act_VIP": "walk run swing pick bring kick put squat throw hop dance jump turn "
    "stumble stop sit lift lower raise wash stand kneel stroll rub bend balance flap jog "
    "shuffle lean rotate spin spread climb punch wave step march crouch reach push pull",
    "Desc_VIP": "slowly carefully fast careful slow quickly quick happy angry sad "
    "happily angrily sadly",
}
_CLASS_OF = {word: name for name, row in _CLASSES.items() for word in row.split()}
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_WORD = re.compile(r"[a-z]+|[0-9]+")
_ENDINGS = (
    ("ies", "y"),
    ("es", ""),
    ("s", ""),
    ("ied", "y"),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
)

Int64 = NDArray[np.int64]


class Tokens(NamedTuple):
    """A sentence with its ends: numbers of its words and of their parts of speech."""

    words: Int64
    """(L,)."""
    tags: Int64
    """(L,)."""


@dataclass(frozen=True, eq=False)
class Words:
    """What is known about words."""

    vocabulary: tuple[str, ...]
    """Lemmas that have a vector, the `SPECIAL` ones first."""
    lexicon: Mapping[str, tuple[str, str]]
    """Lemma and part of speech, one of `TAGS`, of each word."""

    def __post_init__(self) -> None:
        wrong = {tag for _, tag in self.lexicon.values()} - set(TAGS)
        if self.vocabulary[: len(SPECIAL)] != SPECIAL or wrong:
            raise CheckpointError(
                f"A vocabulary begins with {', '.join(SPECIAL)} and knows the parts of "
                f"speech {', '.join(TAGS)}; this one is of another version."
            )

    def __len__(self) -> int:
        return len(self.vocabulary)

    @cached_property
    def _number(self) -> dict[str, int]:
        return {lemma: i for i, lemma in enumerate(self.vocabulary)}

    def read(self, text: str) -> Tokens:
        """The words of a sentence; raises `GenerationError` if there are none."""
        words = required_words(text, words_of(text))
        found = [self.entry(word) for word in words[:MAX_WORDS]]
        numbers = [self._number.get(lemma, UNKNOWN) for lemma, _ in found]
        tags = [TAGS.index(tag) for _, tag in found]
        other = TAGS.index("OTHER")
        return Tokens(
            np.array([START, *numbers, END], dtype=np.int64),
            np.array([other, *tags, other], dtype=np.int64),
        )

    def entry(self, word: str) -> tuple[str, str]:
        """Lemma and part of speech of a word in small letters, known or not."""
        if word in self.lexicon:
            return self.lexicon[word]
        for stem in _stems(word):
            if stem in self.lexicon:
                return self.lexicon[stem]
        return word, classify(word, _by_ending(word))

    def to_config(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "vocabulary": list(self.vocabulary),
            "lexicon": {word: "/".join(e) for word, e in self.lexicon.items()},
        }

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Words:
        """Undo `to_config`."""
        return cls(tuple(config["vocabulary"]), read_lexicon(config["lexicon"]))


def read_lexicon(entries: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Lemma and part of speech of "lemma/TAG"."""
    found: dict[str, tuple[str, str]] = {}
    for word, entry in entries.items():
        lemma, _, tag = entry.partition("/")
        found[word] = (lemma, tag)
    return found


def words_of(text: str) -> list[str]:
    """Words in small letters without accents; "counter-clockwise" is one word, and a
    small number is its name."""
    plain = unicodedata.normalize("NFKD", text.lower())
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    plain = plain.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    words = _WORD.findall(plain.replace("-", "").replace("'s", ""))
    return [_named(word) for word in words]


def required_words(text: str, words: list[str]) -> list[str]:
    """The words of a text; raises `GenerationError` if there are none."""
    if not words:
        raise GenerationError(
            f"The prompt {text[:20]!r} has no word in it: say what the robot should "
            "do, as in 'a person waves'."
        )
    return words


def sentence_key(text: str) -> str:
    """The same for sentences of the same words."""
    return " ".join(words_of(text))


def classify(lemma: str, tag: str) -> str:
    """One of `TAGS` for a lemma and its part of speech (Universal Dependencies)."""
    if lemma in _CLASS_OF:
        return _CLASS_OF[lemma]
    tag = {"PROPN": "NOUN"}.get(tag, tag)
    return tag if tag in TAGS else "OTHER"


def _named(word: str) -> str:
    if word.isdigit() and len(word) < 3 and int(word) < len(_NUMBERS):
        return _NUMBERS[int(word)]
    return word


def _stems(word: str) -> Iterator[str]:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word.removesuffix(ending) + instead
            yield stem
            if not instead and len(stem) > 3 and stem[-1] == stem[-2]:
                yield stem[:-1]


def _by_ending(word: str) -> str:
    if word.isdigit():
        return "NUM"
    if word.endswith("ly"):
        return "ADV"
    return "VERB" if word.endswith(("ing", "ed")) else "NOUN"
