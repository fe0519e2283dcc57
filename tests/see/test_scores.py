"""What a scorer may leave out."""

import numpy as np

from texedo.see.scores import Scores

UNKNOWN = np.full(2, np.nan)


def test_a_scorer_that_knows_survival_needs_to_say_no_more() -> None:
    scores = Scores(
        dynamics=UNKNOWN,
        semantics=UNKNOWN,
        quality=UNKNOWN,
        survived=np.array([True, False]),
    )
    assert [scores.performance(i) for i in range(2)] == [
        "performed to the end",
        "fails",
    ]


def test_a_scorer_that_performs_nothing_says_so() -> None:
    scores = Scores(dynamics=UNKNOWN, semantics=UNKNOWN, quality=UNKNOWN)
    assert scores.performance(0) == "not performed" and len(scores) == 2


def test_a_scorer_may_have_words_of_its_own() -> None:
    said = ("performed to the end", "fails at 1.20 s: pelvis height")
    scores = Scores(
        dynamics=UNKNOWN, semantics=UNKNOWN, quality=UNKNOWN, performances=said
    )
    assert scores.performance(1) == said[1]
