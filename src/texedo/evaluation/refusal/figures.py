"""Who is refused: shares by kind of sentence, and of held-out captions.

Candidates are drawn only for sentences whose answer R_text can change; they are kept on
disk with their scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.columns import Source, semantic_sources
from texedo.evaluation.generation import Bench
from texedo.evaluation.refusal.fit import FitsOf
from texedo.evaluation.refusal.prompts import Foreign
from texedo.pipeline.refusal.refuser import Refuser
from texedo.quality import wilson_interval
from texedo.see.semantics.protocol import SemanticVerifier

Float64 = NDArray[np.float64]
TEMPERATURE = 1.0
_NAME = "R_text"
_TOGETHER = 8


@dataclass(frozen=True)
class Fits:
    """R_text of drawn candidates."""

    bench: Bench
    verifier: SemanticVerifier
    n: int

    def of(self, prompts: Sequence[str]) -> dict[str, Float64]:
        """Of the candidates of each prompt, (n,)."""
        found: dict[str, Float64] = {}
        # A few at a time: the candidates of all prompts together fill the memory.
        for first in range(0, len(prompts), _TOGETHER):
            some = prompts[first : first + _TOGETHER]
            drawn = self.bench.sample(some, self.n, TEMPERATURE)
            known = self.bench.score([self._source], some, drawn)
            found |= {prompt: known[prompt][f"R_text ({_NAME})"] for prompt in some}
        return found

    @property
    def _source(self) -> Source:
        return semantic_sources({_NAME: self.verifier})[0]


def refused(
    refuser: Refuser,
    prompts: Sequence[str],
    fits: FitsOf,
) -> NDArray[np.bool_]:
    """Which of the prompts are refused, (P,)."""
    known = fits([prompt for prompt in prompts if refuser.needs_candidates(prompt)])
    return np.array([refuser.judge(p, known.get(p)) is not None for p in prompts])


def refusal_report(
    refuser: Refuser,
    foreign: Sequence[Foreign],
    captions: Sequence[str],
    fits: FitsOf,
) -> dict[str, Any]:
    """A row for all sentences that should be refused, for each kind, and for captions."""
    prompts = [row.prompt for row in foreign]
    answers = refused(refuser, [*prompts, *captions], fits)
    own, others = answers[: len(prompts)], answers[len(prompts) :]
    rows = {"should be refused": share(own)}
    for kind in dict.fromkeys(row.kind for row in foreign):
        at = np.array([row.kind == kind for row in foreign])
        rows[f"  {kind}"] = share(own[at])
    rows["held-out captions"] = share(others)
    return {"refusal": refuser.digest, "rows": rows}


def share(answers: NDArray[np.bool_]) -> dict[str, Any]:
    """How many are refused, with a Wilson 95 % interval."""
    count, total = int(answers.sum()), len(answers)
    return {
        "n": total,
        "refused": count,
        "share": count / max(total, 1),
        "95%": [round(float(end), 4) for end in wilson_interval(count, total)],
    }
