"""What speaks for and against a sentence, in numbers that can be worked out."""

import math

import pytest

from texedo.language import read_prompt
from texedo.pipeline.refusal.evidence import (
    BEST,
    WORST,
    differs,
    fit_of,
    names_action,
    unknown_share,
)


def test_of_plays_and_guitar_one_word_in_two_is_unknown() -> None:
    assert unknown_share(read_prompt("a person plays the guitar")) == 0.5
    assert unknown_share(read_prompt("a person walks forward")) == 0.0


def test_a_sentence_without_a_word_that_says_something_is_all_unknown() -> None:
    assert unknown_share(read_prompt("the person and the man")) == 1.0
    assert unknown_share(read_prompt("!!!")) == 1.0


def test_who_turns_left_acts_and_who_is_blue_does_not() -> None:
    assert names_action(read_prompt("a person turns left"))
    assert not names_action(read_prompt("my favourite colour is blue"))


def test_candidates_of_even_odds_fit_with_zero() -> None:
    assert fit_of([0.5] * 8) == pytest.approx(0.0)


def test_the_best_quarter_counts_and_the_others_do_not() -> None:
    # Even odds and odds of 2 to 1; the six others do not fit at all.
    scores = [0.5, 2 / 3, *[0.0] * 6]
    assert fit_of(scores) == pytest.approx(math.log(2) / 2)
    assert fit_of(scores[::-1] * 4) == pytest.approx(fit_of(scores))


def test_three_candidates_are_judged_by_the_best_one() -> None:
    assert fit_of([0.1, 2 / 3, 0.2]) == pytest.approx(math.log(2))


def test_beyond_its_ends_r_text_says_no_more() -> None:
    assert fit_of([1.0]) == BEST and fit_of([0.0]) == WORST


def test_what_nobody_scored_is_no_evidence() -> None:
    assert fit_of(None) is None and fit_of([math.nan]) is None
    assert fit_of([math.nan, 2 / 3]) == pytest.approx(math.log(2))


def test_a_phrase_differs_by_a_word_that_says_something() -> None:
    assert differs("a man jumps", ["a person walks"])
    assert not differs("the man walks", ["a person walks"])
