"""What several benchmarks share about the prompts of `texedo evaluate understanding`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
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
from texedo.pipeline.again.more import Looked
from texedo.see.dynamics.find import find_dynamics
from texedo.see.dynamics.protocol import screened
from texedo.see.semantics.find import OUR_SEMANTICS, find_semantics
from texedo.see.semantics.protocol import all_pairs
from texedo.text.postprocess import postprocess

RESAMPLED = 4000
_semantics, _dynamics = cache(find_semantics), cache(find_dynamics)


def with_a_rule(part: Part) -> list[Prompt]:
    """The prompts of a half that a motion can be judged by."""
    return [prompt for prompt in prompts_of(part) if prompt.rule is not None]


def meaning(
    prompts: Sequence[Prompt], drawn: Sequence[Sequence[Motion]], folder: Path
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """R_text of the candidates of every prompt, kept in `folder`, and who is right,
    (prompts, n) each."""
    texts = [prompt.text for prompt in prompts]
    sources = semantic_sources({OUR_SEMANTICS: _semantics()})
    columns = score_all(sources, texts, drawn, folder / "scores")
    r_text = np.array([next(iter(columns[text].values())) for text in texts])
    return np.nan_to_num(r_text), judge_all(prompts, drawn)[0] == Verdict.RIGHT


def looked(text: str, motions: Sequence[Motion]) -> Looked:
    """Motions for any sentence as the pipeline looks at them: post-processed, with their
    R_text and who passes R_dyn."""
    made = postprocess(list(motions))[0]
    pairs = all_pairs(1, len(made))
    r_text = _semantics().compare([text], made, pairs)
    return Looked(made, r_text, passing([made])[0])


def passing(
    drawn: Sequence[Sequence[Motion]], dynamics: str | None = None
) -> NDArray[np.bool_]:
    """Who is above the threshold, (prompts, n); ours if no verifier is named."""
    verifier = _dynamics(dynamics)
    found = [
        screened(verifier, verifier.foresee(own)) > verifier.threshold for own in drawn
    ]
    return np.array(found, dtype=np.bool_)


def best(r_text: NDArray[np.float64], passes: NDArray[np.bool_]) -> int:
    """The highest R_text of those that pass; of all if none does."""
    values = np.where(passes, r_text, -1.0) if passes.any() else r_text
    return int(values.argmax())


def cells(name: str, values: NDArray[np.float64]) -> dict[str, Any]:
    """The mean and its interval over prompts."""
    return row(name, mean_interval(values, draws=RESAMPLED))
