"""Sentences that should be refused, and captions that should not.

`development.tsv` and `test.tsv` hold 100 sentences each, of the same kinds:

    absent                an action whose word no caption has; the word stands beside it
    known words           an action that no clip shows, in words that captions have
    no action             a sentence in which nobody moves
    nonsense
    another language
    code, signs, numbers
"""

from __future__ import annotations

import csv
from importlib import resources
from typing import Literal, NamedTuple

from texedo.data.corpus.store import Corpus
from texedo.evaluation.alignment import choose_prompts

Part = Literal["development", "test"]
_TURNS = 3
"""Captions of one clip at most."""


class Foreign(NamedTuple):
    """A sentence that should be refused."""

    kind: str
    prompt: str
    absent: str
    """A word of it, or its stem, that no caption has; empty where there is none."""


def foreign_prompts(part: Part) -> list[Foreign]:
    """One of the two lists."""
    file = resources.files(__package__).joinpath(f"{part}.tsv")
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    return [Foreign(**row) for row in rows]


def held_out_captions(
    corpus: Corpus, split: str, count: int | None = None
) -> list[str]:
    """Captions of the captured clips of a split, one of each clip before a second one;
    two of each if no count is given."""
    turns = 2 if count is None else _TURNS
    found: dict[str, None] = {}
    for turn in range(turns):
        found |= dict.fromkeys(choose_prompts(corpus, split, turn=turn).prompts)
    return list(found)[:count]
