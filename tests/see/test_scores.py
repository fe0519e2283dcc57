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


def test_what_a_threshold_is_of_stays_with_the_candidates_that_come_later() -> None:
    def of(chance: list[float] | None) -> Scores:
        return Scores(
            dynamics=np.array([0.1, 0.2]),
            semantics=UNKNOWN,
            quality=UNKNOWN,
            chance=None if chance is None else np.array(chance),
        )

    assert Scores.join([of(None), of(None)]).screened.tolist() == [0.1, 0.2, 0.1, 0.2]
    joined = Scores.join([of([0.9, 0.8]), of([0.7, 0.6])])
    assert joined.screened.tolist() == [0.9, 0.8, 0.7, 0.6]
