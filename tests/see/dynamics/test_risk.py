"""Thresholds that keep a promise: numbers that can be checked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texedo.core.errors import TexedoError
from texedo.see.dynamics.guarantee import TOGETHER, Candidates, guarantee, join_suites
from texedo.see.dynamics.risk import (
    THRESHOLDS,
    conformal_threshold,
    fewest_prompts,
    prompt_losses,
    risk_bound,
    risk_p_value,
    threshold_by_tests,
)

SCORES = np.array([[0.9, 0.7, 0.5, 0.3], [0.8, 0.6, np.nan, np.nan]])
FAILURES = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, np.nan, np.nan]])


def losses_at(threshold: float, pick: str) -> list[float]:
    found = prompt_losses(SCORES, FAILURES, thresholds=[threshold], pick=pick)  # type: ignore[arg-type]
    return [float(value) for value in found.loss[0]]


def test_the_loss_is_the_share_of_failures_among_those_who_pass() -> None:
    assert losses_at(0.95, "random") == [0, 0]  # Nobody passes: nothing fails.
    assert losses_at(0.75, "random") == [1, 0]
    assert losses_at(0.55, "random") == [1 / 2, 1 / 2]
    assert losses_at(0.4, "random") == [1 / 3, 1 / 2]
    assert losses_at(0.0, "random") == [2 / 4, 1 / 2]


def test_the_best_one_may_fail_though_few_of_those_who_pass_do() -> None:
    assert losses_at(0.0, "best") == [1, 0]
    assert losses_at(0.0, "any") == [1, 1]
    assert losses_at(0.65, "any") == [1, 0]


def test_a_score_at_the_threshold_does_not_pass() -> None:
    found = prompt_losses(SCORES, FAILURES, thresholds=[0.9, 0.8], pick="random")
    assert found.empty.tolist() == [[True, True], [False, True]]


def zero(count: int) -> float:
    return float(risk_p_value(np.zeros(count), limit=0.01))


def test_without_a_failure_320_prompts_promise_one_percent_and_319_do_not() -> None:
    # Four fifths are staked in full: 0.8 * 1.01^320 is 19.3, the rest fills up to 20.
    grown = 0.8 * 1.01**320 + 0.1 * 1.005**320 + 0.1 * 1.0025**320
    assert zero(320) == pytest.approx(1 / grown) and 20 < grown < 20.1
    assert fewest_prompts(limit=0.01, confidence=0.95) == 320
    for count, found in ((320, 1000), (319, None)):
        none = {"plain": np.zeros((len(THRESHOLDS), count))}
        assert threshold_by_tests(none, limit=0.01, confidence=0.95) == found


def test_one_prompt_that_is_lost_costs_the_full_stake_a_hundredfold() -> None:
    losses = np.zeros(1000)
    losses[0] = 1
    # 1 + 1 (0.01 - 1) = 0.01; half a stake keeps 1 - 0.495, a quarter 1 - 0.2475.
    grown = 0.8 * 1.01**999 * 0.01
    grown += 0.1 * 1.005**999 * 0.505 + 0.1 * 1.0025**999 * 0.7525
    assert risk_p_value(losses, limit=0.01) == pytest.approx(1 / grown)


def test_the_p_value_is_one_where_the_rate_is_above_the_limit() -> None:
    assert risk_p_value(np.full(1000, 0.02), limit=0.01) == 1
    assert risk_p_value(np.zeros(0), limit=0.01) == pytest.approx(1)


def test_the_bound_is_where_the_promise_would_just_be_made() -> None:
    losses = np.repeat([0.0, 0.05], [380, 20])
    bound = risk_bound(losses, confidence=0.95)
    assert losses.mean() < bound < 0.02
    assert risk_p_value(losses, limit=bound) == pytest.approx(0.05, rel=1e-4)


def test_conformal_risk_control_counts_the_prompt_to_come_as_lost() -> None:
    # Thresholds fall; at each one more of nine prompts is lost: (k + 1) / 10 <= 0.3.
    losses = np.tril(np.ones((9, 9)), -1)
    assert conformal_threshold(losses, limit=0.3) == 2
    assert conformal_threshold(losses, limit=0.1) == 0
    assert conformal_threshold(losses, limit=0.09) is None


def test_conformal_risk_control_goes_by_the_worst_of_the_higher_thresholds() -> None:
    # The second threshold loses four of nine, all lower ones none: (4 + 1) / 10 > 0.3.
    losses = np.zeros((5, 9))
    losses[1, :4] = 1
    assert conformal_threshold(losses, limit=0.3) == 0
    assert conformal_threshold(losses, limit=0.5) == 4


def test_tests_stop_at_the_first_threshold_that_fails_though_lower_ones_pass() -> None:
    losses = np.zeros((5, 400))
    losses[3] = 1
    assert threshold_by_tests({"a": losses}, limit=0.01, confidence=0.95) == 2


def test_an_easy_suite_does_not_make_up_for_a_hard_one() -> None:
    easy, hard = np.zeros((3, 2000)), np.zeros((3, 100))
    hard[2, :5] = 1  # 5 % of the hard one, 0.24 % of all.
    both = {"plain": easy, "lively": hard}
    assert threshold_by_tests({"plain": easy}, limit=0.01, confidence=0.95) == 2
    assert threshold_by_tests(both, limit=0.01, confidence=0.95) == 1
    # A hundred prompts by themselves promise nothing.
    assert threshold_by_tests(both, limit=0.01, confidence=0.95, each=True) is None
    assert threshold_by_tests(both, limit=0.04, confidence=0.95, each=True) == 1


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_loss_of_any_pick_bounds_the_others_and_never_rises(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, failed = rng.random((20, 6)), rng.random((20, 6)) < 0.3
    found = {
        pick: prompt_losses(scores, failed, pick=pick).loss  # type: ignore[arg-type]
        for pick in ("random", "best", "any")
    }
    assert (found["any"] >= found["random"]).all()
    assert (found["any"] >= found["best"]).all()
    assert (np.diff(found["any"], axis=0) >= 0).all()  # Thresholds fall.
    plain = (scores[None] > THRESHOLDS[::100, None, None]).sum(axis=2) == 0
    assert (prompt_losses(scores, failed).empty[::100] == plain).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 299))
def test_more_failures_are_never_better_evidence(seed: int, one: int) -> None:
    low = np.random.default_rng(seed).random(300) ** 8
    high = low.copy()
    high[one] = 1
    first, second = (risk_p_value(own, limit=0.2) for own in (low, high))
    assert first <= second * (1 + 1e-9)
    assert risk_bound(low, confidence=0.9) <= risk_bound(high, confidence=0.9) + 1e-6


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_stricter_promise_never_has_a_lower_threshold(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ease = rng.beta(8, 1, (400, 8))
    suite = {"a": prompt_losses(ease, rng.random((400, 8)) > ease).loss}
    found = [
        threshold_by_tests(suite, limit=limit, confidence=confidence)
        for limit, confidence in ((0.02, 0.95), (0.05, 0.95), (0.05, 0.8))
    ]
    numbers = [-1 if number is None else number for number in found]
    assert numbers == sorted(numbers)


def test_the_promise_is_kept_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    # One candidate, which fails with probability 1 - score: the true rate is known.
    broken, limit = 0, 0.1
    for _ in range(100):
        ease = rng.random((300, 1))
        failed = rng.random((300, 1)) > ease
        losses = {"a": prompt_losses(ease, failed).loss}
        at = threshold_by_tests(losses, limit=limit, confidence=0.9)
        assert at is not None
        theta = THRESHOLDS[at]
        # Handed out above theta: the integral of 1 - s from theta to 1.
        broken += (1 - theta) ** 2 / 2 > limit
    assert broken <= 10


def test_a_guarantee_says_all_about_itself() -> None:
    scores = np.tile([0.95, 0.5], (400, 1))
    failures = np.tile([0.0, 1.0], (400, 1))
    found = guarantee({"plain-val": Candidates(scores, failures)}, max_failure=0.01)
    # At 0.5 the failure does not pass, a thousandth below it does.
    assert found["threshold"] == 0.5
    assert (found["n"], found["level"], found["max_failure"]) == (400, 0.95, 0.01)
    row = found["suites"]["plain-val"]
    assert row == found["suites"][TOGETHER]
    assert (row["failure"], row["empty"], row["refused"]) == (0, 0, 0.5)
    assert row["successes refused"] == pytest.approx(0)
    assert 0 < row["bound"] < 0.01


def test_too_few_prompts_are_told_with_the_number_that_it_takes() -> None:
    few = Candidates(np.ones((100, 2)), np.zeros((100, 2)))
    with pytest.raises(TexedoError, match=r"at least 320 prompts in all \(plain 100\)"):
        guarantee({"plain": few}, max_failure=0.01)


def test_suites_of_different_widths_are_joined() -> None:
    wide, narrow = np.ones((2, 3)), np.zeros((1, 2))
    joined = join_suites([Candidates(wide, wide), Candidates(narrow, narrow)])
    assert joined.scores.shape == (3, 3) and math.isnan(joined.scores[2, 2])
