"""Sentences as the released semantic verifier reads them: words of its own vocabulary.

It was trained on lemmas with parts of speech ("person/NOUN walk/VERB"), and its own
best-of-N gives it the words as they stand, without either. Lemmas and parts of speech
are those of `paper.words`; the words that have a class of their own are the release's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import CheckpointError, FileFormatError
from texedo.formats.unpickle.plain import load_pickle
from texedo.see.semantics.paper.words import (
    MAX_WORDS,
    TAGS,
    Tokens,
    Words,
    required_words,
    words_of,
)

WORD_SIZE = 300
UNKNOWN, START, END = "unk", "sos", "eos"
"""Words of the vocabulary for one that is not in it and for both ends of a sentence."""
OTHER = TAGS.index("OTHER")

_CLASSES = {
    "Loc_VIP": "ahead anticlockwise back backward backwards clockwise counterclockwise "
    "curve down forward left right sideways straight up",
    "Body_VIP": "arm chin elbow eye face feet fist foot hand head hip knee leg mouth "
    "shoulder thigh waist wrist",
    "Obj_VIP": "ball baseball basketball car chair dumbbell floor handrail stair window",
    "Act_VIP": "advance balance bend block box bring carry clap climb crawl creep crouch "
    "dance dodge duck flap flee gesture grab hobble hold hook hop jab jog jump kick kneel "
    "lean leave lift limp lower lunge lurch march parry pick pivot point punch push put "
    "raise rotate rub run scurry shamble shuffle sidestep sit sneak spin spread squat "
    "stagger stalk stand step stop strafe stride strike stroll strut stumble sway swing "
    "take throw thrust tiptoe tread turn veer wade walk wash wave",
    "Desc_VIP": "aggressively angrily angry briskly careful carefully cautiously "
    "cheerfully covertly deliberately energetically fast fearfully frantically happily "
    "happy joyfully powerfully quickly rapidly sad sadly silently slow slowly steadily "
    "stealthily",
}
_CLASS_OF = {word: name for name, row in _CLASSES.items() for word in row.split()}
_PLAIN = {
    "Loc_VIP": "ADV",
    "Body_VIP": "NOUN",
    "Obj_VIP": "NOUN",
    "Act_VIP": "VERB",
    "Desc_VIP": "ADV",
}
"""Parts of speech of words that have a class of ours and none of the release's."""
_LETTERS = re.compile(r"[a-z]+")

Float32 = NDArray[np.float32]


class OfficialWords:
    """A vocabulary, and the lexicon if words are to be lemmas with parts of speech."""

    def __init__(self, numbers: Mapping[str, int], lexicon: Words | None) -> None:
        self.numbers, self.lexicon = dict(numbers), lexicon

    def read(self, text: str) -> Tokens:
        """The first 50 words of a sentence; `GenerationError` if there are none."""
        found = [self._entry(word, tag) for word, tag in self._tagged(text)]
        found = [(START, OTHER), *found[:MAX_WORDS], (END, OTHER)]
        return Tokens(
            np.array([self.numbers[word] for word, _ in found], dtype=np.int64),
            np.array([tag for _, tag in found], dtype=np.int64),
        )

    def unknown(self, text: str) -> list[str]:
        """Words of a sentence that are not in the vocabulary."""
        words = [word for word, _ in self._tagged(text)[:MAX_WORDS]]
        return [word for word in words if word not in self.numbers]

    def _tagged(self, text: str) -> list[tuple[str, str]]:
        if self.lexicon is None:
            words = required_words(text, _LETTERS.findall(text.lower()))
            return [(word, "OTHER") for word in words]
        words = required_words(text, words_of(text))
        return [self.lexicon.entry(word) for word in words]

    def _entry(self, word: str, tag: str) -> tuple[str, int]:
        if word not in self.numbers:
            return UNKNOWN, OTHER
        tag = _CLASS_OF.get(word, _PLAIN.get(tag, tag))
        return word, TAGS.index(tag)


def read_glove(
    vectors: Path, words: Path, numbers: Path
) -> tuple[dict[str, int], Float32]:
    """Rows of words, and the rows (V, 300); raises `CheckpointError`."""
    table = read_array(vectors)
    if table.ndim != 2 or table.shape[1] != WORD_SIZE:
        raise CheckpointError(
            f"{vectors}: word vectors have the shape {table.shape}, expected (V, "
            f"{WORD_SIZE}); take the release's glove.tar.gz."
        )
    listed, rows = _plain(words), _plain(numbers)
    if not isinstance(rows, dict) or not isinstance(listed, list | np.ndarray):
        raise CheckpointError(
            f"{words.parent}: {words.name} must hold a list of words and {numbers.name} "
            "a dict of their rows; take the release's glove.tar.gz."
        )
    found: dict[str, int] = {}
    for word in map(str, listed):
        row = rows.get(word)
        if not isinstance(row, int | np.integer) or not 0 <= row < len(table):
            raise CheckpointError(
                f"{numbers}: the word {word!r} has the row {row}, and {vectors.name} has "
                f"{len(table)}; all three files must come from one archive."
            )
        found[word] = int(row)
    for word in (UNKNOWN, START, END):
        if word not in found:
            raise CheckpointError(
                f"{words}: has no {word!r}, which every sentence needs."
            )
    return found, table


def read_array(path: Path) -> Float32:
    """The finite numbers in an npy file; raises `CheckpointError`."""
    try:
        found = np.load(path, allow_pickle=False)
        table = np.asarray(found, dtype=np.float32)
    except (OSError, ValueError, TypeError, EOFError) as error:
        raise CheckpointError(f"{path}: is no array of numbers ({error}).") from error
    if not np.isfinite(table).all():
        raise CheckpointError(f"{path}: holds NaN or infinity; download it again.")
    return table


def _plain(path: Path) -> object:
    try:
        found: object = load_pickle(path)
    except FileFormatError as error:
        raise CheckpointError(str(error)) from error
    return found
