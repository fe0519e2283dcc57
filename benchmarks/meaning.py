"""What several benchmarks share about the prompts of `texedo evaluate understanding`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.columns import score_all, semantic_sources
from texedo.evaluation.understanding.report import judge_all
from texedo.evaluation.understanding.suite import Part, Prompt, prompts_of
from texedo.evaluation.understanding.verdict import Verdict
from texedo.motion import Motion
from texedo.see.semantics.find import OUR_SEMANTICS, find_semantics


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
