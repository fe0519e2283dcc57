"""What several benchmarks share about the prompts of `texedo evaluate understanding`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.columns import score_all, semantic_sources
from texedo.evaluation.resample import mean_interval, row
from texedo.evaluation.understanding.report import judge_all
from texedo.evaluation.understanding.suite import Part, Prompt, prompts_of
from texedo.evaluation.understanding.verdict import Verdict
from texedo.motion import Motion
from texedo.see.dynamics.find import find_dynamics
from texedo.see.semantics.find import OUR_SEMANTICS, find_semantics

RESAMPLED = 4000


def with_a_rule(part: Part) -> list[Prompt]:
    """The prompts of a half that a motion can be judged by."""
    return [prompt for prompt in prompts_of(part) if prompt.rule is not None]


def meaning(
    prompts: Sequence[Prompt], drawn: Sequence[Sequence[Motion]], folder: Path
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """R_text of the candidates of every prompt, kept in `folder`, and who is right,
    (prompts, n) each."""
    texts = [prompt.text for prompt in prompts]
    sources = semantic_sources({OUR_SEMANTICS: find_semantics()})
    columns = score_all(sources, texts, drawn, folder / "scores")
    r_text = np.array([next(iter(columns[text].values())) for text in texts])
    return np.nan_to_num(r_text), judge_all(prompts, drawn)[0] == Verdict.RIGHT


def passing(
    drawn: Sequence[Sequence[Motion]], dynamics: str | None = None
) -> NDArray[np.bool_]:
    """Whose R_dyn is above the threshold, (prompts, n); ours if no verifier is named."""
    verifier = find_dynamics(dynamics)
    found = [verifier.foresee(own).r_dyn > verifier.threshold for own in drawn]
    return np.array(found, dtype=np.bool_)


def best(r_text: NDArray[np.float64], passes: NDArray[np.bool_]) -> int:
    """The highest R_text of those that pass; of all if none does."""
    values = np.where(passes, r_text, -1.0) if passes.any() else r_text
    return int(values.argmax())


def cells(name: str, values: NDArray[np.float64]) -> dict[str, Any]:
    """The mean and its interval over prompts."""
    return row(name, mean_interval(values, draws=RESAMPLED))
