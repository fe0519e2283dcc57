"""Candidates that fail the check may be repaired before they are scored."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.generators import TableScorer
from tests.support.standing import standing
from texedo.motion import Motion
from texedo.pipeline import Pipeline
from texedo.text.generators.folder import GivenMotions


def leap(height: float) -> Motion:
    """Two seconds of standing, with a leap in the middle that takes half a second."""
    qpos = standing(100).to_qpos()
    qpos[:, 2] += height * np.exp(-(((np.arange(100) - 50) / 8.0) ** 2))
    return Motion.from_qpos(qpos)


@pytest.mark.parametrize("repair", [False, True])
def test_a_leap_of_half_a_metre_is_rejected_or_made_lower(repair: bool) -> None:
    generator = GivenMotions([standing(100), leap(0.5)], names=["still", "leap"])
    scorer = TableScorer(lambda prompt: [0.6, 0.9])
    pipe = Pipeline(generator, scorer=scorer, confirm=0, repair=repair, anyway=True)
    result = pipe("a person leaps", n=2)
    verdicts = [one.check.verdict for one in result.offered]
    assert verdicts == (["pass", "pass"] if repair else ["pass", "fail"])
    # The better one wins once nothing is wrong with it.
    assert result.selection.index == int(repair)
    said = "1 of 1 that failed the check were repaired."
    assert (said in result.remarks) == repair
    assert result.motion.to_qpos()[:, 2].max() < 1.1
