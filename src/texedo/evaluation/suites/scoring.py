"""Verifiers and judges as sources of scores, for one prompt or for many at once.

On a GPU the networks see the candidates of many prompts together, while worker processes
measure what needs no network.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.columns import Columns, Row, Source
from texedo.evaluation.suites import work
from texedo.motion import Motion
from texedo.see.dynamics.protocol import FILTER_NAMES, DynamicsVerifier, Forecast
from texedo.see.semantics.measured.verifier import (
    MeasuringVerifier,
    combined,
    evidence,
)
from texedo.see.semantics.protocol import SemanticVerifier, r_text

CHANCE = FILTER_NAMES["success"]
"""Column of it."""
Each = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]], str], list[Any]]
"""Calls a function of `work` for every prompt, under a name for the user."""


class Scores(Protocol):
    """What is needed of a judge."""

    @property
    def name(self) -> str: ...

    @property
    def digest(self) -> str: ...

    def score(self, prompt: str, motions: Sequence[Motion]) -> NDArray[Any]: ...


def dynamics_source(verifier: DynamicsVerifier, name: str, many: bool) -> Source:
    """R_dyn and the chance to finish; of many prompts together if so wanted."""

    def all_of(rows: Sequence[Row]) -> list[Columns]:
        flat = [motion for _, motions in rows for motion in motions]
        said = columns(verifier.foresee(flat))
        split = {key: _split(values, rows) for key, values in said.items()}
        return [{key: own[i] for key, own in split.items()} for i in range(len(rows))]

    def columns(said: Forecast) -> Columns:
        return {name: said.r_dyn, CHANCE: said.success}

    return Source(
        f"{name}, {CHANCE} {verifier.digest}",
        lambda _, motions: columns(verifier.foresee(motions)),
        all_of if many else None,
    )


def text_source(verifier: SemanticVerifier, name: str, each: Each | None) -> Source:
    """R_text; of many prompts together if there is somebody to measure for them."""

    def all_of(rows: Sequence[Row]) -> list[Columns]:
        assert each is not None
        return [{name: own} for own in _texts(verifier, rows, each)]

    return Source(
        f"{name} {verifier.digest}",
        lambda prompt, motions: {name: r_text(verifier, prompt, motions)},
        None if each is None else all_of,
    )


def judge_source(own: Scores, each: Each) -> Source:
    """What a judge says of performances; one that can be sent to workers is."""

    def score(prompt: str, motions: Sequence[Motion]) -> Columns:
        return {own.name: np.asarray(own.score(prompt, motions), dtype=np.float64)}

    def all_of(rows: Sequence[Row]) -> list[Columns]:
        calls = [(own.name, prompt, motions) for prompt, motions in rows]
        return [{own.name: said} for said in each(work.judge_by_name, calls, "judge")]

    measures = getattr(own, "measures", False)
    return Source(f"judge {own.name} {own.digest}", score, all_of if measures else None)


def _texts(
    verifier: SemanticVerifier, rows: Sequence[Row], each: Each
) -> list[NDArray[np.float64]]:
    texts = [prompt for prompt, _ in rows]
    flat = [motion for _, motions in rows for motion in motions]
    owner = np.repeat(np.arange(len(rows)), [len(motions) for _, motions in rows])
    pairs = np.stack((owner, np.arange(len(flat))), axis=1).astype(np.int64)
    if not isinstance(verifier, MeasuringVerifier):
        return _split(verifier.compare(texts, flat, pairs), rows)
    calls = [(verifier.claims(prompt), motions) for prompt, motions in rows]
    found = np.concatenate(each(evidence, calls, "measure"))
    odds = verifier.network.log_odds(texts, flat, pairs)
    return _split(combined(odds, found), rows)


def _split(values: NDArray[Any], rows: Sequence[Row]) -> list[NDArray[np.float64]]:
    ends = np.cumsum([len(motions) for _, motions in rows])[:-1]
    return np.split(np.asarray(values, dtype=np.float64), ends)
