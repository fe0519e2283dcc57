"""The words of the training captions and how often each occurs: `words.txt`.

    texedo data words CORPUS --captions written.jsonl

writes it. A line is a word and its count, the most frequent first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from texedo.language.normal import normalize

WORDS_FILE = "words.txt"
_WORD = re.compile(r"[^\W\d_]+")
_DOUBLES = re.compile(r"^[^aeiou]*[aeiou][bdgklmnprtv]$")
"""Short stems whose last letter is doubled before -ing."""
_AFTER_STEM = ("s", "es", "ly", "less", "ful", "ness", "like", "wise")
_ENDINGS = (*_AFTER_STEM, "ies", "ied", "ily", "ing", "est", "ed", "er", "y", "ish")


def words_of(text: str) -> list[str]:
    """The words of a text in small letters; numbers are none."""
    return _WORD.findall(text.lower())


def count_words(captions: Iterable[str]) -> Counter[str]:
    """How often each word occurs, as it was written or as `normalize` writes it."""
    found: Counter[str] = Counter()
    for caption in captions:
        found.update(Counter(words_of(caption)) | Counter(words_of(normalize(caption))))
    return found


def words_text(counts: Mapping[str, int]) -> str:
    """The text of a `words.txt`."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return "".join(f"{word} {count}\n" for word, count in ranked)


@cache
def caption_words() -> Mapping[str, int]:
    """The words that come with the package."""
    file = resources.files("texedo.language").joinpath(WORDS_FILE)
    lines = file.read_text(encoding="utf-8").splitlines()
    return {word: int(count) for word, count in (line.split() for line in lines)}


def lemmas(word: str) -> set[str]:
    """What a word may be a form of: "twirled" of "twirl", "hopping" of "hop"."""
    found = {word}
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 3 or (ending == "s" and stem[-1] == "s"):
            continue
        if ending in ("ies", "ied", "ily"):
            found.add(stem + "y")
        if ending in _AFTER_STEM:
            found.add(stem)
            continue
        # "Hoping" is of "hope" alone, and "joging" is of nothing.
        found |= {stem + "e"} if _DOUBLES.search(stem) else {stem, stem + "e"}
        if stem[-1] == stem[-2]:
            found.add(stem[:-1])
    return found
