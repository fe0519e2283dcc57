"""Prompts in words and combinations that the training captions do not have.

`ood.txt` is the list. A prompt is out of distribution if it has

- a word no form of which occurs in any training caption, or
- two words of which each occurs in at least `FREQUENT` training captions, but never both
  in one.

Words like "the" do not count. Training captions are those of the corpus' train split and
the everyday requests that candidates were drawn for. `ood_captions.json` holds what the
check needs to know of them: how often the words of the list occur, and which pairs occur
together. `texedo evaluate ood --check CORPUS` counts again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any

from texedo.core.errors import FileFormatError, TexedoError
from texedo.core.files import write_whole
from texedo.data.captions.activities import prompts as request_prompts
from texedo.data.corpus.store import Corpus
from texedo.evaluation.suites.prompts import Asked
from texedo.language.normal import normalize
from texedo.language.vocabulary import caption_words, lemmas, words_of

LIST_FILE, CAPTIONS_FILE = "ood.txt", "ood_captions.json"
FREQUENT = 20
"""Captions with a word from which on its absence beside another one says something."""
KIND = "out of distribution"
_REQUESTS = 7000
"""Everyday requests that candidates were drawn for."""
_PLAIN = frozenset(
    "a an the and or then with of to in on at as if his her its their your you it is are "
    "do does up down out off by for from into over past one two three four both some "
    "someone somebody person me how while after before until through along like again "
    "please around across toward towards back front own than that this".split()
)


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What training captions have of the words of a list."""

    captions: int
    """Number of different ones."""
    words: Mapping[str, int]
    """Captions with some form of each word."""
    pairs: frozenset[tuple[str, str]]
    """Words that some caption has together, in alphabetical order."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "captions": self.captions,
            "words": dict(sorted(self.words.items())),
            "pairs": sorted(f"{a} {b}" for a, b in self.pairs),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Seen:
        pairs = (pair.split() for pair in record["pairs"])
        return cls(
            captions=int(record["captions"]),
            words={str(word): int(n) for word, n in record["words"].items()},
            pairs=frozenset((a, b) for a, b in pairs),
        )


@cache
def ood_prompts() -> tuple[str, ...]:
    """The list, as it comes with the package."""
    text = _file(LIST_FILE).read_text(encoding="utf-8")
    lines = (line.strip() for line in text.splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def ood_asked() -> list[Asked]:
    """The same as prompts of a suite."""
    return [Asked(text=text, kind=KIND) for text in ood_prompts()]


def content_words(text: str) -> list[str]:
    """Words that say something, each once."""
    words = words_of(normalize(text))
    return [word for word in dict.fromkeys(words) if word not in _PLAIN]


def what_is_new(text: str, seen: Seen) -> tuple[list[str], list[tuple[str, str]]]:
    """Words of a prompt that no caption has, and pairs of frequent ones that none has
    together."""
    words = content_words(text)
    known = _known_forms()
    fresh = [w for w in words if not seen.words.get(w) and not lemmas(w) & known]
    common = sorted(w for w in words if seen.words.get(w, 0) >= FREQUENT)
    apart = [pair for pair in combinations(common, 2) if pair not in seen.pairs]
    return fresh, apart


def not_new(texts: Iterable[str], seen: Seen) -> list[str]:
    """Those of the prompts that are in distribution after all."""
    return [text for text in texts if not any(what_is_new(text, seen))]


def training_captions(corpus: Corpus) -> list[str]:
    """All that a model may have read: captions of the train split, and requests."""
    train = [clip for clip in corpus.clips if clip.split == "train"]
    texts = {text for clip in train for text in clip.captions}
    if not texts:
        raise TexedoError("The corpus has no captions in its split train to check by.")
    return sorted(texts | {own.text for own in request_prompts(0, _REQUESTS)})


def look_up(texts: Sequence[str], captions: Sequence[str]) -> Seen:
    """What the captions have of the words of the prompts."""
    own = [content_words(text) for text in texts]
    forms: dict[str, set[str]] = {}
    for word in sorted({word for words in own for word in words}):
        for form in lemmas(word):
            forms.setdefault(form, set()).add(word)
    wanted = {pair for words in own for pair in combinations(sorted(words), 2)}
    counts: dict[str, int] = {}
    pairs: set[tuple[str, str]] = set()
    answers: dict[str, frozenset[str]] = {}
    for caption in captions:
        found: set[str] = set()
        for word in set(words_of(caption)):
            if word not in answers:
                answers[word] = frozenset(
                    one for form in lemmas(word) for one in forms.get(form, ())
                )
            found |= answers[word]
        for word in found:
            counts[word] = counts.get(word, 0) + 1
        pairs.update(p for p in combinations(sorted(found), 2) if p in wanted)
    return Seen(captions=len(captions), words=counts, pairs=frozenset(pairs))


@cache
def stored_seen() -> Seen:
    """What the check needs, as it comes with the package."""
    try:
        return Seen.from_dict(json.loads(_file(CAPTIONS_FILE).read_bytes()))
    except (OSError, ValueError, KeyError) as error:
        raise FileFormatError(f"{CAPTIONS_FILE}: cannot be read ({error}).") from error


def write_seen(path: Path, seen: Seen) -> None:
    """For `stored_seen`."""
    write_whole(path, (json.dumps(seen.to_dict(), indent=0) + "\n").encode())


@cache
def _known_forms() -> frozenset[str]:
    """What the words that come with the package are forms of."""
    return frozenset().union(*(lemmas(word) for word in caption_words()))


def _file(name: str) -> Any:
    return resources.files("texedo.evaluation.suites").joinpath(name)
