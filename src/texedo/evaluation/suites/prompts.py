"""What is asked for in a suite: sentences, and rules for those that have some."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from texedo.core.errors import TexedoError
from texedo.data.corpus.store import Corpus
from texedo.evaluation.alignment import choose_prompts
from texedo.evaluation.understanding.rules import Rule
from texedo.evaluation.understanding.suite import prompts_of
from texedo.text.generators.prompts import check_prompts, read_prompts

Part = Literal["dev", "test"]
PEOPLE, CAPTIONS, FILE = "people", "captions", "file"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A prompt of a suite."""

    text: str
    kind: str
    """Where it is from."""
    rule: Rule | None = None
    """Measures whether a motion does it, if there is one."""
    shown: bool = True
    """Whether a report may speak of it by itself; nobody should choose by test items."""


def ruled(part: Part) -> list[Asked]:
    """Prompts of `texedo evaluate understanding` that a motion can do."""
    return [
        Asked(text=own.text, kind=PEOPLE, rule=own.rule, shown=part == "dev")
        for own in prompts_of(part)
        if own.rule is not None
    ]


def captions(corpus: Corpus, split: str) -> list[Asked]:
    """One caption for each captured clip of a split, copies left out."""
    texts = choose_prompts(corpus, split).prompts
    return [Asked(text=text, kind=CAPTIONS, shown=split == "val") for text in texts]


def from_file(path: Path, *, kind: str = FILE, shown: bool = True) -> list[Asked]:
    """One a line; empty lines and lines that start with # are left out."""
    texts = check_prompts(read_prompts(path))
    return [Asked(text=text, kind=kind, shown=shown) for text in texts]


def unique(asked: Iterable[Asked]) -> list[Asked]:
    """Each sentence once: the first of those that are the same."""
    found: dict[str, Asked] = {}
    for own in asked:
        found.setdefault(own.text, own)
    return list(found.values())


def spread(asked: Sequence[Asked], limit: int | None) -> list[Asked]:
    """At most `limit` of them, from all over the list: neighbours are alike."""
    if limit is not None and limit < 1:
        raise TexedoError(f"--limit must be at least 1, got {limit}.")
    if limit is None or limit >= len(asked):
        return list(asked)
    return [asked[k * len(asked) // limit] for k in range(limit)]
