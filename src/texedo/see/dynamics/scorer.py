"""R_dyn as the pipeline takes it: a dynamic verifier that scores candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from texedo.motion import Motion
from texedo.see.dynamics.outlook import UNREADABLE, Outlook, outlooks
from texedo.see.dynamics.protocol import (
    FILTER_NAMES,
    DynamicsVerifier,
    Forecast,
    chance_of,
)
from texedo.see.scores import Progress, Scores


@runtime_checkable
class Documented(Protocol):
    """What a verifier may offer beside: what is stored with its weights."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """`guarantee`: max_failure, threshold, what it is of, n and level, if somebody
        measured it."""
        ...


def guarantee_of(verifier: DynamicsVerifier) -> Mapping[str, Any] | None:
    """How often what it lets pass fails at most, if that came with its weights."""
    if not isinstance(verifier, Documented):
        return None
    found: Mapping[str, Any] | None = verifier.metadata.get("guarantee")
    return found


def guarantee_text(guarantee: Mapping[str, Any]) -> str:
    """The same as a sentence."""
    return (
        f"At most {100 * guarantee['max_failure']:g} % of the motions that are chosen so "
        f"fail: {FILTER_NAMES[guarantee.get('filters_by', 'r_dyn')]} above "
        f"{guarantee['threshold']:g}, by {guarantee['n']:,} prompts, "
        f"with {100 * guarantee['level']:g} % confidence."
    )


def foresee(
    verifier: DynamicsVerifier, motions: Sequence[Motion]
) -> tuple[Forecast, list[Outlook]]:
    """The forecast of all motions, and what it says of each.

    A verifier without a hazard knows a share of the motion, which has a time.
    """
    forecast = verifier.foresee(motions)
    found = []
    for motion, outlook in zip(motions, outlooks(forecast), strict=True):
        if outlook.fall_s is None and outlook.progress is not None:
            outlook = replace(outlook, fall_s=outlook.progress * motion.duration)
        found.append(outlook)
    return forecast, found


class DynamicsScorer:
    """Fills in R_dyn and what is expected to happen; nobody is performed."""

    gives = frozenset({"dynamics"})

    def __init__(self, verifier: DynamicsVerifier) -> None:
        self.verifier = verifier
        self.name = f"R_dyn of {verifier.name}"

    @property
    def digest(self) -> str:
        return self.verifier.digest

    @property
    def threshold(self) -> float:
        """Above which a candidate is taken to be feasible."""
        return self.verifier.threshold

    def score(
        self,
        prompt: str,
        candidates: Sequence[Motion],
        *,
        progress: Progress | None = None,
    ) -> Scores:
        """R_dyn of all candidates; the prompt plays no part."""
        forecast, found = foresee(self.verifier, candidates)
        if progress is not None:
            progress(len(candidates), len(candidates))
        unknown = np.full(len(candidates), np.nan)
        return Scores(
            dynamics=np.asarray(forecast.r_dyn, dtype=np.float64),
            semantics=unknown,
            chance=chance_of(self.verifier, forecast),
            quality=unknown,
            performances=[outlook.in_words() for outlook in found],
            columns=_columns(found),
            outlooks=found,
            risk=forecast.hazard,
        )


def _columns(found: Sequence[Outlook]) -> dict[str, list[Any]]:
    rows = [outlook.to_dict() for outlook in found]
    columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
    if not all(outlook.readable for outlook in found):
        columns["error"] = [None if one.readable else UNREADABLE for one in found]
    return columns
