"""Weights and bounds from sentences whose evidence is made up."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.refusal import SEMANTICS, PlaneRefuser
from texedo.evaluation.refusal.figures import refusal_report
from texedo.evaluation.refusal.fit import Fitting, is_phrase, learn_known, weigh
from texedo.evaluation.refusal.prompts import Foreign
from texedo.pipeline.refusal.evidence import Evidence

FAR = [f"far {i}" for i in range(20)]
CAPTIONS = [f"caption {i}" for i in range(100)]


def told() -> dict[str, Evidence]:
    """Captions are between 0.50 and 0.995 near, the others between 0.20 and 0.39."""
    far = {p: Evidence(0.2 + 0.01 * i, 0.5, 0.0) for i, p in enumerate(FAR)}
    near = {p: Evidence(0.5 + 0.005 * i, 0.0, 1.0) for i, p in enumerate(CAPTIONS)}
    return far | near


class Drawn:
    """Remembers whose candidates were asked for; all fit with log-odds of 0."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, prompts: Sequence[str]) -> dict[str, NDArray[np.float64]]:
        self.asked += prompts
        return {prompt: np.full(4, 0.5) for prompt in prompts}


def fitting(drawn: Drawn) -> Fitting:
    return Fitting(
        told=told(),
        foreign=FAR,
        captions=CAPTIONS,
        some=CAPTIONS[50::10],
        fits=drawn,
        max_refused=0.02,
    )


def test_near_and_known_words_speak_against_a_refusal() -> None:
    known = told()
    rule = weigh(*([known[p].values() for p in own] for own in (FAR, CAPTIONS)))
    near, unknown, action = rule.weights
    assert near < 0 < unknown and action < 0
    assert all(rule.odds(known[p]) > 0 for p in FAR)
    assert all(rule.odds(known[p]) < 0 for p in CAPTIONS)


def test_two_captions_in_a_hundred_are_refused() -> None:
    rule = fitting(Drawn()).without_r_text()
    assert [p for p in CAPTIONS if rule.refuses(told()[p])] == CAPTIONS[:2]


def test_candidates_are_drawn_only_where_they_may_matter() -> None:
    drawn = Drawn()
    rule = fitting(drawn).with_r_text()
    # All that should be refused, five that are fitted on, the three at the top and
    # four beside them.
    assert set(drawn.asked) == {*FAR, *CAPTIONS[50::10], *CAPTIONS[:7]}
    refused = [p for p in CAPTIONS if rule.refuses(told()[p]._replace(fits=0.0))]
    assert refused == CAPTIONS[:2]


def test_a_phrase_is_short_and_plain() -> None:
    assert is_phrase("a person waves")
    assert not is_phrase("waves, then bows")
    assert not is_phrase("a person takes four steps straight ahead at an ordinary pace")
    assert not is_phrase("waves")


def test_phrases_are_of_short_captions_and_groups_of_all() -> None:
    vectors = np.array([[0, 1], [1, 0]], dtype=np.float32)
    known = learn_known(["a person waves", "bows, then waves"], vectors, 2)
    assert known.phrases == ("a person waves", "")


def test_the_report_counts_by_kind_and_draws_for_the_undecided_alone() -> None:
    places = {
        "asdf": [-1.0, -1.0],
        "a person hovers": [-0.8, 0.6],
        "a person waves": [0.0, 1.0],
    }
    refuser = PlaneRefuser(lambda text: places[text], semantics=SEMANTICS)
    foreign = [Foreign("nonsense", "asdf", ""), Foreign("absent", "hover", "hover")]
    drawn = Drawn()
    rows = refusal_report(refuser, foreign, ["a person waves"], drawn)["rows"]
    # A wave is refused with the worst candidates and answered with these.
    assert drawn.asked == ["hover", "a person waves"]
    assert [row["refused"] for row in rows.values()] == [2, 1, 1, 0]
    assert rows["held-out captions"]["share"] == 0.0
    assert rows["should be refused"]["95%"] == pytest.approx([0.3424, 1.0])
