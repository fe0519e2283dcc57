"""Figures of dynamic verifiers, on numbers that can be checked by hand."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from texedo.evaluation.dynamics.bold import cells
from texedo.evaluation.dynamics.calibration import brier, ece, equal_bins, reliability
from texedo.evaluation.dynamics.choosing import recovered
from texedo.evaluation.dynamics.curve import reliability_svg
from texedo.evaluation.dynamics.falls import (
    alarms,
    fall_frame,
    soon,
    weighted_median,
)
from texedo.evaluation.dynamics.forecasts import joint_travel
from texedo.evaluation.dynamics.heads import auprc, auroc, refused_at, spearman
from texedo.evaluation.dynamics.pools import Pools, best_of
from texedo.evaluation.dynamics.ranking import tau_b
from texedo.evaluation.dynamics.splits import split_rows
from texedo.evaluation.resample import (
    mean_interval,
    share_interval,
    with_interval,
)
from texedo.see.dynamics.guarantee import Candidates

SEEDS = st.integers(0, 2**32 - 1)


def test_auroc_counts_pairs_and_half_a_tie() -> None:
    # Successes 0.9 and 0.4, failures 0.4 and 0.1: three pairs won, one tied.
    figure = auroc([0.9, 0.4, 0.4, 0.1], [True, True, False, False])
    assert figure(np.ones(4)) == 3.5 / 4
    # Twice the tied failure: 5 of 6 pairs, two of them ties.
    assert figure(np.array([1.0, 1, 2, 1])) == pytest.approx((4 + 2 * 0.5) / 6)
    assert math.isnan(figure(np.array([1.0, 1, 0, 0])))


def test_the_successes_below_the_cut_that_finds_enough_failures_are_refused() -> None:
    scores = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    fine = [False, True, False, True, False, True, True]
    # Three fail, at 0.1, 0.3 and 0.5; four succeed.
    for recall, refused in ((1 / 3, 0.0), (0.5, 0.25), (0.93, 0.5)):
        assert refused_at(scores, fine, recall)(np.ones(7)) == refused
    # Who shares the score of the last failure goes with it.
    assert refused_at([0.5, 0.5], [False, True], 0.93)(np.ones(2)) == 1
    assert np.isnan(refused_at([0.5], [True], 0.93)(np.ones(1)))


def test_auprc_is_the_mean_precision_at_the_positives() -> None:
    # In order: hit, miss, hit, miss: (1/1 + 2/3) / 2.
    figure = auprc([4, 3, 2, 1], [True, False, True, False])
    assert figure(np.ones(4)) == pytest.approx((1 + 2 / 3) / 2)
    # A coin: all motions at once.
    assert auprc([0, 0, 0, 0], [True, False, False, False])(np.ones(4)) == 1 / 4


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_weights_are_the_same_as_copies(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 6, 20), rng.integers(0, 6, 20)
    times = rng.integers(0, 3, 20)
    copies = np.repeat(np.arange(20), times)
    for figure in (auroc, auprc):
        ours = figure(a, b > 2)(times.astype(float))
        theirs = figure(a[copies], b[copies] > 2)(np.ones(len(copies)))
        assert ours == pytest.approx(theirs, nan_ok=True)
    ours = spearman(a, b)(times.astype(float))
    if not math.isnan(ours):
        theirs = stats.spearmanr(a[copies], b[copies]).statistic
        assert ours == pytest.approx(theirs)


def test_spearman_of_opposite_orders_is_minus_one() -> None:
    assert spearman([1, 2, 3, 10], [8, 4, 2, 1])(np.ones(4)) == pytest.approx(-1)
    assert math.isnan(spearman([1, 1], [1, 2])(np.ones(2)))


def test_tau_b_with_a_tie() -> None:
    # Pairs of (1, 2, 2, 3) and (1, 2, 3, 4): five in order, one tied in the first.
    found = tau_b(np.array([[1.0, 2, 2, 3]]), np.array([[1.0, 2, 3, 4]]))
    assert found[0] == pytest.approx(5 / math.sqrt(5 * 6))


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_tau_b_is_that_of_scipy_row_by_row(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 4, (5, 8)).astype(float), rng.random((5, 8))
    a[0, 6:] = b[0, 6:] = np.nan
    a[1] = 1.0  # Nothing to put in order.
    found = tau_b(a, b)
    assert found[0] == pytest.approx(
        stats.kendalltau(a[0, :6], b[0, :6]).statistic, nan_ok=True
    )
    assert math.isnan(found[1])
    for row in (2, 3, 4):
        wanted = stats.kendalltau(a[row], b[row]).statistic
        assert found[row] == pytest.approx(wanted, nan_ok=True)


def test_pools_put_the_candidates_of_each_prompt_in_a_row() -> None:
    pools = Pools(np.array([7, 3, 7, 7, 3, 9]), fewest=2)
    assert pools.motions.tolist() == [[1, 4, -1], [0, 2, 3]]
    assert pools.size.tolist() == [2, 3]
    np.testing.assert_array_equal(
        pools.rows(np.arange(6.0)), [[1, 4, np.nan], [0, 2, 3]]
    )
    assert len(Pools(np.zeros(0, dtype=np.int64))) == 0


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(1, 5))
def test_the_best_of_n_is_the_mean_over_all_draws(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    scores, values = rng.random(5), rng.random(5)
    draws = [list(draw) for draw in combinations(range(5), n)]
    wanted = np.mean([values[draw][np.argmax(scores[draw])] for draw in draws])
    found = best_of(scores[None], values[None], np.array([5]), n)
    assert found[0] == pytest.approx(wanted)


def test_draws_in_which_all_fail_are_counted_by_how_often_they_happen() -> None:
    # Two of three candidates fail: one of the three pairs is of failures alone.
    scores = np.array([[0.2, np.nan, 0.1]])
    values = np.array([[0.8, 0.9, 0.4]])
    size, among = np.array([2]), np.array([3])
    found = best_of(scores, values, size, 2, among=among)
    assert found[0] == pytest.approx(0.8 / 3)
    assert math.isnan(best_of(scores, values, size, 4, among=among)[0])


def test_the_recovered_share_is_how_far_from_random_to_the_oracle() -> None:
    assert recovered(0.95, 0.8, 1.0) == pytest.approx(0.75)
    assert recovered(0.7, 0.8, 1.0) == pytest.approx(-0.5)
    assert recovered(0.8, 0.8, 0.8) is None


def test_a_perfectly_calibrated_forecast_has_no_calibration_error() -> None:
    # Ten motions of 0.2, two of which succeed, and ten of 0.7 with seven.
    p = np.repeat([0.2, 0.7], 10)
    y = np.array([1.0] * 2 + [0] * 8 + [1] * 7 + [0] * 3)
    assert ece(p, y, bins=2)(np.ones(20)) == pytest.approx(0)
    assert brier(p, y)(np.ones(20)) == pytest.approx((0.16 + 0.21) / 2)
    # If all of them fail it is as far off as it is sure: 0.45 in the mean.
    assert ece(p, 0 * y, bins=2)(np.ones(20)) == pytest.approx(0.45)
    rows = reliability(p, y, bins=2)
    assert [(row["n"], row["outcome"]) for row in rows] == [(10, 0.2), (10, 0.7)]
    svg = reliability_svg({"a < b": rows}, title="plain")
    assert svg.count("<circle") == 2 and "a &lt; b" in svg


def test_bins_of_equal_size_differ_by_one_at_most() -> None:
    sizes = np.bincount(equal_bins(np.random.default_rng(0).random(100), bins=15))
    assert len(sizes) == 15 and sizes.max() - sizes.min() <= 1


def test_the_time_of_the_fall_is_the_median_of_the_hazard() -> None:
    # Falls at frame 2 with 0.1, at 3 with 0.9 * 0.5 = 0.45: more than half is at 3.
    assert fall_frame(np.array([0, 0, 0.1, 0.5, 0])) == 3
    # However unlikely a fall is: if there is one, it is there.
    assert fall_frame(np.array([0, 1e-6, 0, 0])) == 1
    assert math.isnan(fall_frame(np.zeros(4))) and math.isnan(fall_frame(np.zeros(0)))


def test_an_alarm_looks_ahead_and_rings_once() -> None:
    hazard = np.zeros(200)
    hazard[100] = 0.5
    np.testing.assert_allclose(soon(hazard)[[50, 51, 100, 101]], [0, 0.5, 0.5, 0])
    assert alarms(hazard, 0.3).tolist() == [51]
    assert alarms(hazard, 0.6).tolist() == []
    hazard[[20, 199]] = 1.0
    assert alarms(hazard, 0.3).tolist() == [0, 51, 150]


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_a_weighted_median_is_that_of_the_copies(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, times = rng.integers(0, 9, 7).astype(float), rng.integers(0, 3, 7)
    if times.sum():
        found = weighted_median(values)(times.astype(float))
        assert found == np.median(np.repeat(values, times))


def test_joint_travel_is_the_sum_over_joints_per_second() -> None:
    qpos = np.zeros((51, 36), dtype=np.float32)
    qpos[:, 7] = np.linspace(0, 2, 51)  # 2 rad in a second.
    qpos[::2, 8] = 0.01  # 50 times 0.01 rad.
    qpos[:, 0] = np.arange(51)  # The root is no joint.
    assert joint_travel(qpos) == pytest.approx(2.5, rel=1e-5)
    assert joint_travel(qpos[:1]) == 0


def test_settings_from_a_range_fall_into_cells_around_the_shipped_one() -> None:
    few, own = cells(np.array([0.7, 1.0, 1.3]), 0.2, 1.0)
    assert few.tolist() == [0.7, 1.0, 1.3] and own == 1.0
    many, own = cells(np.linspace(0.71, 1.49, 17), 0.2, 1.0)
    np.testing.assert_allclose(np.unique(many.round(6)), [0.8, 1.0, 1.2, 1.4])
    assert own == 1.0


def test_prompts_not_motions_are_drawn_again() -> None:
    # Two prompts, one good, one bad, of a hundred motions each: the interval is all.
    values, group = np.repeat([0.0, 1.0], 100), np.repeat([0, 1], 100)
    mean, interval = with_interval(lambda w: float(w @ values / w.sum()), group)
    assert (mean, interval) == (0.5, [0, 1])
    assert with_interval(lambda w: math.nan, group) == (None, None)


def test_an_interval_over_prompts_is_what_scipy_draws() -> None:
    # Forty prompts of three motions each: to draw prompts is to draw their means.
    means = np.random.default_rng(3).random(40)
    values, group = np.repeat(means, 3), np.repeat(np.arange(40), 3)
    _, found = with_interval(
        lambda w: float(w @ values / w.sum()), group, draws=4000, seed=1
    )
    wanted = stats.bootstrap(
        (means,),
        np.mean,
        method="percentile",
        n_resamples=4000,
        rng=np.random.default_rng(2),
    ).confidence_interval
    assert found == pytest.approx([wanted.low, wanted.high], abs=0.008)
    assert mean_interval(means, draws=4000)[1] == pytest.approx(found, abs=0.008)


@pytest.mark.parametrize(("hits", "total"), [(0, 7), (3, 10), (29, 30), (12, 12)])
def test_an_interval_of_a_share_is_wilsons_by_scipy(hits: int, total: int) -> None:
    wanted = stats.binomtest(hits, total).proportion_ci(method="wilson")
    _, found = share_interval(np.repeat([1.0, 0.0], [hits, total - hits]))
    assert found == pytest.approx([wanted.low, wanted.high], abs=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_auroc_is_the_u_of_mann_and_whitney(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, good = rng.integers(0, 9, 50).astype(float), rng.random(50) < 0.4
    u = stats.mannwhitneyu(scores[good], scores[~good]).statistic
    wanted = u / (good.sum() * (~good).sum())
    assert auroc(scores, good)(np.ones(50)) == pytest.approx(wanted)


def test_an_interval_of_a_share_does_not_vanish_where_all_went_well() -> None:
    mean, interval = share_interval(np.ones(32))
    # Wilson: n / (n + 1.96^2) = 32 / 35.84
    assert mean == 1 and interval == pytest.approx([32 / 35.8415, 1], rel=1e-4)
    assert mean_interval(np.array([np.nan])) == (None, None)


def test_a_promise_holds_on_other_prompts_and_small_halves_promise_nothing() -> None:
    rng = np.random.default_rng(0)
    ease = rng.beta(20, 1, (600, 8))
    suite = Candidates(ease, (rng.random((600, 8)) > ease).astype(float))
    rows = split_rows({"plain": suite}, max_failure=0.02)
    assert rows["tested"]["holds"] >= 95
    assert 0 < rows["tested"]["mean failure"] < 0.02
    few = Candidates(suite.scores[:100], suite.failures[:100])
    rows = split_rows({"plain": few}, max_failure=0.01, splits=3)
    assert rows["tested"]["nothing to promise"] == 3
    assert rows["tested"]["mean failure"] is None
