"""Who is chosen among the candidates of a prompt, by each way of choosing.

A way of choosing is a column of scores: the highest one among the survivors wins, the
lowest index if several share it, and NaN never does. Nobody survives: all of them may win.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.evaluation.understanding.body import Bools, Floats

FIRST = "first"
QUALITY = "Q*"

Columns = Mapping[str, Floats]
"""Scores by the name of the scorer, (N,) each."""


def choose(scores: Floats, survived: Bools) -> int:
    """The survivor with the highest score."""
    allowed = survived if survived.any() else np.ones_like(survived)
    values = np.where(allowed & np.isfinite(scores), scores, -np.inf)
    if not np.isfinite(values).any():
        return int(allowed.argmax())
    return int(values.argmax())


def built_in(n: int, quality: NDArray[np.float64] | None) -> dict[str, Floats]:
    """Columns that need no scorer: who came first, and Q* where it was performed."""
    columns = {FIRST: -np.arange(n, dtype=np.float64)}
    return columns if quality is None else {**columns, QUALITY: quality}


def read_columns(path: Path, prompts: Sequence[str], n: int) -> dict[str, Columns]:
    """Scores by prompt from a JSONL file: {"prompt": ..., "scores": {NAME: [...]}}."""
    found: dict[str, Columns] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            record = json.loads(line)
            columns = {
                str(name): np.array(values, dtype=np.float64)
                for name, values in record["scores"].items()
            }
            prompt = str(record["prompt"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FileFormatError(
                f'{path}, line {number}: should be {{"prompt": TEXT, "scores": '
                f"{{NAME: [numbers]}}}} ({error})."
            ) from error
        for name, values in columns.items():
            if values.shape != (n,):
                raise FileFormatError(
                    f"{path}, line {number}: {name} has {values.size} scores for {n} "
                    "candidates; score the same ones, in their order."
                )
        found[prompt] = columns
    missing = [prompt for prompt in prompts if prompt not in found]
    if missing:
        raise FileFormatError(
            f"{path}: has no scores for {len(missing)} of {len(prompts)} prompts, such "
            f"as {missing[0]!r}."
        )
    return found
