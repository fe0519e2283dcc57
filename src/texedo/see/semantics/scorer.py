"""R_text as the pipeline takes it: a semantic verifier that scores candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from texedo.motion import Motion
from texedo.see.scores import Progress, Scores, fit_bound
from texedo.see.semantics.protocol import SemanticVerifier, r_text


@runtime_checkable
class Remarks(Protocol):
    """What a verifier may offer beside: what it could not read of a prompt."""

    def remarks(self, prompt: str) -> tuple[str, ...]:
        """Sentences for the user."""
        ...


def verifier_remarks(verifier: SemanticVerifier, prompt: str) -> tuple[str, ...]:
    """What the verifier says about a prompt; nothing if it has no opinion."""
    return verifier.remarks(prompt) if isinstance(verifier, Remarks) else ()


class SemanticScorer:
    """Fills in R_text, and nothing else."""

    gives = frozenset({"semantics"})

    def __init__(self, verifier: SemanticVerifier) -> None:
        self.verifier = verifier
        self.name = f"R_text of {verifier.name}"

    @property
    def digest(self) -> str:
        return self.verifier.digest

    @property
    def fits_from(self) -> float | None:
        """That of the verifier, if it has one."""
        return fit_bound(self.verifier)

    def score(
        self,
        prompt: str,
        candidates: Sequence[Motion],
        *,
        progress: Progress | None = None,
    ) -> Scores:
        """R_text of all candidates; nobody is performed."""
        unknown = np.full(len(candidates), np.nan)
        found = r_text(self.verifier, prompt, candidates)
        if progress is not None:
            progress(len(candidates), len(candidates))
        return Scores(
            dynamics=unknown,
            semantics=np.asarray(found, dtype=np.float64),
            quality=unknown,
            remarks=verifier_remarks(self.verifier, prompt),
        )
