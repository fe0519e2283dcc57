"""Drawn candidates as a token file: what each one does, told afterwards.

A model that learns from its own samples with captions of what they really are learns
what words ask for, however seldom it obeyed. What says nothing new or nothing good is left
out: long waits, motions that did not end by themselves, prompts that were not obeyed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.data.corpus.drawn import Candidate, read_parts
from texedo.text.learn.lm.data import write_tokens

MAX_STILL = 0.4
"""Share of the time at rest from which on a candidate is left out."""
MAX_CODES = 150
"""Codes from which on it is taken for one that does not end, 12 s."""
MIN_CODES = 12
_ORDER = {"yes": 0, "perhaps": 1, "no": 2}


def write_drawn_tokens(folder: Path, path: Path, *, limit: int, num_codes: int) -> int:
    """Write the useful candidates of the split train; returns how many there are.

    Those that did all that was asked come first, then those of which nobody can tell;
    within each, in an order that is random but always the same.
    """
    found = sorted(_useful(folder), key=lambda row: row[0])[:limit]
    if not found:
        raise TexedoError(f"{folder}: holds no useful candidates of the split train.")
    write_tokens(
        path,
        [codes for _, codes, _ in found],
        [clip for _, _, clip in found],
        num_codes=num_codes,
    )
    return len(found)


def _useful(
    folder: Path,
) -> Iterator[tuple[tuple[int, str], NDArray[np.int64], dict[str, Any]]]:
    for part in read_parts(folder):
        for one, codes in zip(part.candidates, part.codes, strict=True):
            sentences = captions_of(one)
            if (
                one.split == "train"
                and sentences
                and one.still <= MAX_STILL
                and MIN_CODES <= len(codes) <= MAX_CODES
            ):
                order = hashlib.sha256(one.id.encode()).hexdigest()
                yield (
                    (_ORDER[one.obeys], order),
                    codes,
                    {
                        "id": one.id,
                        "split": one.split,
                        "kind": "drawn",
                        "family": one.family,
                        "captions": sentences,
                    },
                )


def captions_of(one: Candidate) -> list[str]:
    """The prompt unless it was not obeyed, then what was measured."""
    asked = [] if one.obeys == "no" else [one.prompt]
    return list(dict.fromkeys([*asked, *one.true]))
