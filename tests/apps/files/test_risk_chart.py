"""The picture of a risk over time: one scale, a peak where it is, few points."""

import re

import numpy as np
import pytest

from tests.support.forecasts import FakeDynamics, spike
from tests.support.standing import standing
from texedo.apps.files.risk_chart import risk_chart, scale_for, time_step
from texedo.see.dynamics.outlook import Outlook, outlooks, risk_by_second, risk_near


def outlook(frames: int, success: float) -> Outlook:
    forecast = FakeDynamics(lambda _: success).foresee([standing(frames)])
    return next(outlooks(forecast))


def points(svg: str) -> list[tuple[float, float]]:
    found = re.search(r'class="curve" points="([^"]+)"', svg)
    assert found is not None
    pairs = (pair.split(",") for pair in found[1].split())
    return [(float(x), float(y)) for x, y in pairs]


def test_the_scale_is_the_next_round_one() -> None:
    assert [scale_for(v) for v in (0.0, 0.03, 0.1, 0.3, 1.0)] == [
        0.02,
        0.05,
        0.1,
        0.5,
        1.0,
    ]


def test_marks_of_time_are_at_most_a_dozen() -> None:
    for seconds, step in ((0.2, 0.5), (5.0, 0.5), (20.0, 2.0), (600.0, 60.0)):
        assert time_step(seconds) == step


def test_the_curve_is_high_within_half_a_second_of_the_peak() -> None:
    near = risk_near(spike(200, 0.5, at=100))
    assert near.max() == pytest.approx(0.5)
    np.testing.assert_array_equal(np.flatnonzero(near > 0.1)[[0, -1]], [76, 125])
    assert risk_by_second(spike(120, 0.5, at=60)) == [0.0, 0.5, 0.0]


def test_half_of_the_scale_is_half_of_the_height() -> None:
    svg = risk_chart(spike(200, 0.25, at=20), outlook(200, 0.75), scale=0.5)
    heights = [y for _, y in points(svg)]
    grid = [float(y) for y in re.findall(r'class="grid"[^>]*y1="([\d.]+)"', svg)]
    assert min(heights) == pytest.approx(grid[1]) and max(heights) == grid[0]
    assert "25 %" in svg and "50 %" in svg and "0.4 s: 25 %" in svg


def test_ten_minutes_are_few_points_and_keep_their_peak() -> None:
    hazard = spike(30000, 0.9, at=20)
    svg = risk_chart(hazard, outlook(30000, 0.1), scale=1.0)
    assert len(points(svg)) == 450 and len(svg) < 20_000
    assert min(y for _, y in points(svg)) < 40


def test_two_frames_are_drawn_too() -> None:
    svg = risk_chart(spike(2, 0.1, at=1), outlook(2, 0.9), scale=0.1)
    assert len(points(svg)) == 2
