"""How decidedly R_dyn takes success: what is fitted, and what it may not cost."""

import numpy as np

from texedo.quality import oracle_quality
from texedo.see.dynamics.calibration import Line
from texedo.see.learn.dynamics.decision import Suite, fit_decision, merits


def suite(success: list[float], quality: list[float], fine: list[bool]) -> Suite:
    """Prompts of four motions each; what fails gets half-way."""
    count, done = len(success), np.array(fine)
    q_d, progress = np.array(quality), np.full(count, 0.5)
    return Suite(
        groups=[str(i // 4) for i in range(count)],
        success=np.array(success),
        quality=q_d,
        progress=progress,
        shaken=done.astype(np.float64),
        q_star=oracle_quality(done, q_d, progress),
    )


HEDGED = suite([0.95, 0.88, 0.91, 0.1], [0.5, 0.6, 0.55, 0.5], [True] * 3 + [False])
"""Three that succeed, the surest of them is followed worst."""


def test_successes_that_are_all_sure_enough_are_ranked_by_how_well() -> None:
    line = fit_decision([HEDGED])
    assert line.slope > 1
    assert merits(HEDGED, line).tau > merits(HEDGED, Line()).tau
    assert merits(HEDGED, line).tau == 1.0


def test_an_order_that_is_right_already_is_left_alone() -> None:
    right = suite([0.95, 0.9, 0.85, 0.1], [0.9, 0.6, 0.3, 0.5], [True] * 3 + [False])
    assert merits(right, Line()).tau == 1.0
    assert fit_decision([right]) == Line()
    assert fit_decision([]) == Line()


def test_a_line_that_would_let_a_failure_be_chosen_is_not_taken() -> None:
    # A failure with 0.8 that would be followed best overtakes whoever is surer.
    risky = suite(
        [0.99, 0.98, 0.97, 0.8], [0.3, 0.5, 0.4, 0.9], [True, True, True, False]
    )
    assert merits(risky, Line()).shaken == 1.0
    assert merits(risky, Line(8.0, 0.0)).shaken == 0.0
    assert merits(risky, fit_decision([risky])).shaken == 1.0
