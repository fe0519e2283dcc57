"""How many labels are enough, by hand."""

import math

from texedo.apps.adapt.curve import Point, enough_labels, gains, sentences
from texedo.apps.adapt.judge import Figures


def points(*aurocs: float) -> list[Point]:
    """After 0, 100, 200, ... labels; tau is always a half."""
    return [
        Point(100 * i, Figures(auroc=value, tau=0.5, motions=9, failures=3, groups=2))
        for i, value in enumerate(aurocs)
    ]


def test_the_gain_is_counted_from_where_it_began() -> None:
    found = gains(points(0.5, 0.6, 0.7), "auroc")
    assert [round(share, 6) for share in found] == [0.0, 0.5, 1.0]


def test_enough_is_95_percent_of_the_gain_and_stays_there() -> None:
    # A gain of 0.1: 95 % of it are reached at 0.595.
    assert enough_labels(points(0.5, 0.56, 0.596, 0.6), "auroc") == 200
    assert enough_labels(points(0.5, 0.56, 0.594, 0.6), "auroc") == 300
    # Once there by chance and worse with more is not enough.
    assert enough_labels(points(0.5, 0.6, 0.55, 0.6), "auroc") == 300
    assert enough_labels(points(0.5, 0.6, 0.55, 0.6), "auroc", share=0.4) == 100


def test_without_a_gain_no_number_is_enough() -> None:
    assert enough_labels(points(0.5, 0.5, 0.4), "auroc") is None
    assert all(math.isnan(share) for share in gains(points(0.5, 0.4), "tau"))
    auroc, tau = sentences(points(0.5, 0.596, 0.6))
    assert auroc == (
        "AUROC: 0.500 as it was, 0.600 with 200 labels; 100 give 95 % of the gain."
    )
    assert tau.endswith("no gain to speak of.")
