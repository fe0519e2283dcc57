"""Scores from labels, by hand."""

import numpy as np
import pytest

from texedo.evaluation.dynamics.heads import auroc
from texedo.evaluation.judges.protocol import Category, Judgement, Label, Unit
from texedo.evaluation.judges.rubric import AXES, holistic, per_axis

M, P, X, U = Label.MATCH, Label.PARTIAL, Label.MISMATCH, Label.UNKNOWN
A, B, S = Category.ACTION, Category.BODY, Category.SPATIAL


def units(*rows: tuple[Category, Label], opposite: bool = False) -> list[Unit]:
    return [
        Unit(category=c, content=c, label=label, opposite=opposite and c is S)
        for c, label in rows
    ]


@pytest.mark.parametrize(
    ("labels", "score"),
    [
        ([M, M, M], 10),
        ([M, M, P], 8),  # f = 0.83, and a partial unit allows 8.
        ([M, P], 8),  # f = 0.75.
        ([P, P], 5),  # f = 0.5, the primary action is no match: the lower one.
        ([M, M, M, X], 7),  # f = 0.75, a mismatch: the lower one.
        ([M, M, X, P], 5),  # f = 0.625.
        ([M, X], 3),  # Half of them do not match.
        ([X, M, M, M], 3),  # The primary action is missing.
        ([X, X], 1),
    ],
)
def test_labels_give_the_score_of_their_band_and_cap(
    labels: list[Label], score: int
) -> None:
    rows = [(A, labels[0]), *((B, label) for label in labels[1:])]
    assert holistic(units(*rows)).score == score


def test_the_contrary_direction_allows_three_at_most() -> None:
    rows = ((A, M), (S, X), (B, M), (B, M), (B, M))
    assert holistic(units(*rows)).score == 7
    assert holistic(units(*rows, opposite=True)).score == 3


def test_ties_are_broken_by_grades_and_by_how_much_was_measured() -> None:
    """One MATCH: (0.9375 + 0.5) / 2 = 0.719 of the last point; two: 0.792."""

    def fine(*grades: float | None) -> float:
        rows = [Unit(category=A, content="a", label=M, grade=grade) for grade in grades]
        return Judgement(score=10, units=tuple(rows)).fine

    assert fine(None) == pytest.approx(10 - 0.99 * (1 - 0.71875))
    assert fine(None, None) == pytest.approx(10 - 0.99 * (1 - 2.375 / 3))
    assert fine(-1.0) < fine(0.0) < fine(None) < fine(1.0) < 10
    assert fine(5.0) == fine(1.0)


def test_what_is_not_measured_has_no_part_in_the_score() -> None:
    assert holistic(units((A, M), (S, U))).score == 10
    assert holistic(units((A, U))).score is None


@pytest.mark.parametrize(
    ("marks", "spatial", "score"),
    [
        ((2, 2, 2, 2, 2), True, 10),
        ((2, 2, 1, 1, 2), True, 8),
        ((0, 2, 2, 2, 2), True, 3),
        ((1, 2, 2, 2, 2), True, 7),
        ((2, 2, 0, 2, 2), True, 3),
        ((2, 2, 0, 2, 2), False, 8),
        ((0, 0, 0, 0, 0), True, 1),
    ],
)
def test_axes_are_summed_and_capped(
    marks: tuple[int, ...], spatial: bool, score: int
) -> None:
    axes = dict(zip(AXES, marks, strict=True))
    assert per_axis(axes, spatial=spatial).score == score


def test_the_area_under_the_curve_is_the_share_of_pairs() -> None:
    rng = np.random.default_rng(0)
    values = rng.integers(0, 5, 60).astype(float)
    truth = rng.random(60) < 0.4
    weight = rng.integers(0, 3, 60).astype(float)
    won = total = 0.0
    for i in np.flatnonzero(truth):
        for j in np.flatnonzero(~truth):
            pair = weight[i] * weight[j]
            won += pair * (0.5 * (values[i] == values[j]) + (values[i] > values[j]))
            total += pair
    assert auroc(values, truth)(weight) == pytest.approx(won / total)
