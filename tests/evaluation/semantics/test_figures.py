"""Accuracy of pairs, retrieval in pools and calibration, by hand."""

import numpy as np
import pytest

from texedo.evaluation.semantics.accuracy import accuracy_row, accuracy_table, wins
from texedo.evaluation.semantics.calibration import calibration_error, reliability
from texedo.evaluation.semantics.retrieval import (
    Pools,
    alike_share,
    deal,
    derangement,
    groups_of,
    matching,
    ranks,
    retrieval_row,
    retrieval_table,
)

HALF = np.full(4, 0.5)


def same(count: int, *pairs: tuple[int, int]) -> np.ndarray:  # type: ignore[type-arg]
    found = np.eye(count, dtype=bool)
    for i, j in pairs:
        found[i, j] = found[j, i] = True
    return found


# Accuracy


def test_a_tie_counts_half() -> None:
    true, false = np.array([0.9, 0.5, 0.2]), np.array([0.1, 0.5, 0.3])
    assert wins(true, false).tolist() == [1.0, 0.5, 0.0]
    row = accuracy_row(true, false)
    assert (row["n"], row["accuracy"], row["ties"]) == (3, 0.5, 1)
    assert row["margin"] == pytest.approx((0.8 + 0 - 0.1) / 3)
    low, high = row["accuracy 95%"]
    assert 0 < low < 0.5 < high < 1 and low + high == pytest.approx(1)


def test_kinds_without_a_pair_have_no_row_and_all_of_them_one() -> None:
    none = np.zeros(0)
    rows = accuracy_table(
        {
            "side": (HALF, HALF - 0.1),
            "count": (none, none),
            "speed": (HALF, HALF + 0.1),
        }
    )
    assert {kind: row["accuracy"] for kind, row in rows.items()} == {
        "side": 1.0,
        "speed": 0.0,
        "all": 0.5,
    }
    assert rows["all"]["n"] == 8 and accuracy_table({}) == {}


# Retrieval


def test_everybody_is_dealt_into_pools_of_the_asked_size() -> None:
    pools = deal(70, pool=32, draws=3)
    assert pools.members.shape == (6, 32) and pools.size == 32
    for first in range(0, 6, 2):
        assert len(np.unique(pools.members[first : first + 2])) == 64
    assert deal(5, pool=32, draws=1).members.shape == (1, 5)


def test_a_rival_that_ties_is_ahead() -> None:
    scores = np.array([[0.5, 0.5, 0.1], [0.2, 0.9, 0.1], [0.8, 0.7, 0.6]])
    better, _ = ranks(scores, same(3), Pools(np.array([[0, 1, 2]]), 3))
    assert better.tolist() == [[1, 0, 2]]


def test_captions_that_say_the_same_are_one() -> None:
    scores = np.array([[0.1, 0.9, 0.8, 0.7]] * 4)
    pools = Pools(np.array([[0, 1, 2, 3]]), 4)
    assert ranks(scores, same(4), pools)[0][0].tolist() == [3, 0, 1, 2]
    # 1 and 2 say the same: behind them 0 is third, and neither stands in the other's way.
    assert ranks(scores, same(4, (1, 2)), pools)[0][0].tolist() == [2, 0, 0, 1]
    assert groups_of(same(4, (1, 2), (2, 3))).tolist() == [0, 1, 1, 3]
    assert alike_share(same(4, (1, 2))) == 0.5


def test_a_verifier_that_knows_finds_every_caption_and_lots_find_few() -> None:
    count = 64
    row = retrieval_row(np.eye(count), same(count), deal(count))
    assert (row["R@1"], row["R@1 95%"], row["pool"]) == (1.0, [1.0, 1.0], 32)
    rng = np.random.default_rng(0)
    table = retrieval_table(rng.random((count, count)), same(count), draws=50)
    for found in table.values():
        assert found["R@1"] == pytest.approx(1 / 32, abs=0.04)
        assert found["R@3"] == pytest.approx(3 / 32, abs=0.06)


def test_captions_that_are_handed_on_find_nothing() -> None:
    count = 64
    assert (derangement(count) != np.arange(count)).all()
    assert sorted(derangement(count)) == list(range(count))
    table = retrieval_table(np.eye(count), same(count))
    assert table["text to motion"]["R@1"] == 1.0
    # All rivals tie with a pair that does not belong together.
    assert table["motion to text, shuffled"]["R@3"] == 0.0


def test_the_way_asked_is_the_way_measured() -> None:
    # Every text likes motion 0 best; every motion likes its own text best.
    scores = np.array([[0.9, 0.1], [0.8, 0.5]])
    table = retrieval_table(scores, same(2))
    assert table["motion to text"]["R@1"] == 1.0
    assert table["text to motion"]["R@1"] == 0.5


def test_the_gap_is_between_true_pairs_and_all_others() -> None:
    scores = np.array([[0.9, 0.1, 0.3], [0.3, 0.7, 0.3], [0.0, 1.0, 0.8]])
    found = matching(scores, same(3, (1, 2)))
    assert found["true pairs"] == pytest.approx(0.8)
    # The two captions that say the same are no others: 0.1, 0.3, 0.3 and 0 are left.
    assert found["other pairs"] == pytest.approx(0.175)
    assert found["gap"] == pytest.approx(0.625)


# Calibration


def test_a_tenth_of_the_scores_that_is_true_as_often_as_it_says_has_no_error() -> None:
    true = np.array([0.75, 0.75, 0.75, 0.25])
    rows = reliability(true, 1 - true)
    assert [row["share true"] for row in rows if row["weight"]] == [0.25, 0.75]
    assert calibration_error(rows) == pytest.approx(0)


def test_a_verifier_that_is_sure_and_wrong_half_the_time_is_off_by_a_half() -> None:
    rows = reliability(np.ones(2), np.ones(6))
    assert (rows[9]["true"], rows[9]["false"], rows[9]["share true"]) == (2, 6, 0.5)
    assert calibration_error(rows) == pytest.approx(0.5)
