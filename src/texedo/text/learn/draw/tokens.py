"""Drawn candidates as a token file: what each one does, told afterwards.

A model that learns from its own samples with captions of what they really are learns
what words ask for, however seldom it obeyed. What says nothing new or nothing good is left
out: long waits, motions that did not end by themselves, prompts that were not obeyed.

Of everyday requests only candidates that fulfil the rule are kept, a few of each prompt,
with the request in several wordings; prompts that few candidates obeyed come first, because
there is most to learn from those.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.data.corpus.drawn import REQUESTS, Candidate, read_parts
from texedo.text.learn.lm.data import write_tokens

MAX_STILL = 0.4
"""Share of the time at rest from which on a candidate is left out."""
MAX_CODES = 150
"""Codes from which on it is taken for one that does not end, 12 s."""
MIN_CODES = 12
MAX_STILL_REQUEST = 0.7
"""The same for a request that is fulfilled: who holds a pose rests."""
MAX_OBEYING = 4
"""Candidates of one request that are kept."""
_ORDER = {"yes": 0, "perhaps": 1, "no": 2}


def write_drawn_tokens(folder: Path, path: Path, *, limit: int, num_codes: int) -> int:
    """Write the useful candidates of the split train; returns how many there are.

    Those that did all that was asked come first, then those of which nobody can tell;
    within each, in an order that is random but always the same.
    """
    found = sorted(_limited(_useful(folder)), key=lambda row: row[0])[:limit]
    if not found:
        raise TexedoError(f"{folder}: holds no useful candidates of the split train.")
    write_tokens(
        path,
        [codes for _, codes, _ in found],
        [clip for _, _, clip in found],
        num_codes=num_codes,
    )
    return len(found)


_Row = tuple[tuple[int, int, str], NDArray[np.int64], dict[str, Any]]


def _useful(folder: Path) -> Iterator[tuple[Candidate, NDArray[np.int64]]]:
    for part in read_parts(folder):
        for one, codes in zip(part.candidates, part.codes, strict=True):
            asked = one.family == REQUESTS
            if (
                one.split == "train"
                and captions_of(one)
                and one.still <= (MAX_STILL_REQUEST if asked else MAX_STILL)
                and MIN_CODES <= len(codes) <= MAX_CODES
            ):
                yield one, codes


def _limited(rows: Iterator[tuple[Candidate, NDArray[np.int64]]]) -> Iterator[_Row]:
    """With what they are sorted by; of a request only so many."""
    found = [(hashlib.sha256(one.id.encode()).hexdigest(), one, c) for one, c in rows]
    obeying = Counter(one.prompt for _, one, _ in found if one.family == REQUESTS)
    taken: Counter[str] = Counter()
    for order, one, codes in sorted(found, key=lambda row: row[0]):
        if one.family == REQUESTS:
            taken[one.prompt] += 1
            if taken[one.prompt] > MAX_OBEYING:
                continue
        clip = {
            "id": one.id,
            "split": one.split,
            "kind": "drawn",
            "family": one.family,
            "captions": captions_of(one),
        }
        yield (_ORDER[one.obeys], obeying[one.prompt], order), codes, clip


def captions_of(one: Candidate) -> list[str]:
    """The prompt unless it was not obeyed, then what was measured.

    Of a request that is fulfilled the wordings; of any other nothing.
    """
    if one.family == REQUESTS:
        return [one.prompt, *one.phrasings] if one.obeys == "yes" else []
    asked = [] if one.obeys == "no" else [one.prompt]
    return list(dict.fromkeys([*asked, *one.true]))
