"""Adaptive sampling stops when the next batch is not worth it, and not before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from tests.support.generators import GivenRText, StandingGenerator
from texedo.core.errors import GenerationError
from texedo.motion import Motion
from texedo.pipeline import Pipeline
from texedo.pipeline.adaptive import Adaptive, expected_gain


def test_the_expected_gain_is_that_of_the_last_draws_in_any_order() -> None:
    # Of 1, 2, 4 the last one adds 0, 0 or 2 to the largest: 2/3 on average.
    assert expected_gain(np.array([1.0, 4.0, 2.0]), 1) == pytest.approx(2 / 3)
    values = np.random.default_rng(0).random(9)
    mean = np.mean([max(kept) for kept in combinations(values, 5)])
    assert expected_gain(values, 4) == pytest.approx(values.max() - mean)
    assert expected_gain(np.array([0.3, 0.5]), 4) == 0.5


def test_equal_draws_promise_nothing_and_one_good_one_promises_more() -> None:
    adaptive = Adaptive(first=4, batch=2, worth=0.01)
    everybody = np.ones(4, dtype=bool)
    assert adaptive.is_enough(np.full(4, 0.9), everybody)
    assert not adaptive.is_enough(np.array([0.1, 0.1, 0.1, 0.9]), everybody)
    # Before the first batch is full nothing is decided.
    assert not adaptive.is_enough(np.full(3, 0.9), everybody[:3])


def test_as_long_as_nobody_passes_or_one_alone_it_goes_on() -> None:
    adaptive = Adaptive(first=4, batch=2, worth=0.3)
    r_text = np.full(6, 0.5)
    assert not adaptive.is_enough(r_text, np.zeros(6, dtype=bool))
    assert not adaptive.is_enough(r_text, np.eye(6, dtype=bool)[0])
    assert adaptive.is_enough(r_text, np.arange(6) < 2)


def test_no_batch_adds_more_than_is_left_to_add() -> None:
    # One of four stands out and promises more, but 0.99 leaves no room for it.
    everybody = np.ones(4, dtype=bool)
    for best, enough in ((0.97, False), (0.99, True)):
        r_text = np.array([best, 0.1, 0.1, 0.1])
        assert Adaptive(first=4, worth=0.02).is_enough(r_text, everybody) is enough
        alone = np.arange(4) == 0
        assert Adaptive(first=4, worth=0.02).is_enough(r_text, alone) is enough
    nobody = np.zeros(4, dtype=bool)
    assert not Adaptive(first=4, worth=0.02).is_enough(np.full(4, 1.0), nobody)


def test_three_more_draws_promise_more_than_one() -> None:
    # The largest of three of them is 0.6 in 3 of 4 cases, of one in 1 of 4: the last one
    # adds 0.025, the last three 0.075.
    r_text, everybody = np.array([0.5, 0.5, 0.6, 0.5]), np.ones(4, dtype=bool)
    for ahead, enough in ((1, True), (3, False), (9, False)):
        adaptive = Adaptive(first=4, ahead=ahead, worth=0.05)
        assert adaptive.is_enough(r_text, everybody) is enough


def test_a_batch_counts_by_how_many_of_it_will_pass() -> None:
    # Two of eight pass, so one of the next four will: 0.1 over 0.8 in half the orders.
    passes = np.arange(8) < 2
    r_text = np.array([0.9, 0.8, *[1.0] * 6])
    for worth, enough in ((0.049, False), (0.051, True)):
        assert Adaptive(worth=worth).is_enough(r_text, passes) is enough


def test_batches_end_with_the_budget() -> None:
    adaptive = Adaptive(first=8, batch=4)
    assert adaptive.parts(18) == [
        range(0, 8),
        range(8, 12),
        range(12, 16),
        range(16, 18),
    ]
    assert adaptive.parts(8) == [range(0, 8)] and adaptive.parts(3) == [range(0, 3)]
    for wrong in ({"first": 4, "batch": 5}, {"ahead": 0}, {"worth": float("nan")}):
        with pytest.raises(GenerationError):
            Adaptive(**wrong)  # type: ignore[arg-type]


class InParts(StandingGenerator):
    """Draws what is asked for, and remembers it."""

    def __init__(self) -> None:
        super().__init__(frames=4)
        self.parts: list[range] = []

    def sample_part(
        self, prompts: Sequence[str], part: range, *, seed: int = 0, **_: float | None
    ) -> list[list[Motion]]:
        self.parts.append(part)
        return [[self._motion(p, seed, i) for i in part] for p in prompts]


def test_a_prompt_whose_candidates_are_alike_takes_the_first_batch_alone() -> None:
    generator = InParts()
    pipe = Pipeline(generator, scorer=GivenRText([0.95] * 32), confirm=0)
    result = pipe("wave", adaptive=Adaptive(first=8))
    assert generator.parts == [range(0, 8)] and len(result.candidates) == 8
    assert result.remarks == ()  # Fewer than the budget is what was asked for.


def test_drawing_goes_on_while_it_pays_and_the_draws_are_those_of_a_plain_run() -> None:
    # Rising by 0.05 a draw, then flat.
    r_text = [0.05 * i for i in range(12)] + [0.6] * 20
    generator = InParts()
    pipe = Pipeline(generator, scorer=GivenRText(list(r_text)), confirm=0)
    result = pipe("wave", adaptive=Adaptive(first=8), seed=3)
    count = len(result.candidates)
    assert 16 <= count < 32 and generator.parts[1] == range(8, 12)
    plain = Pipeline(InParts(), scorer=GivenRText(list(r_text)), confirm=0)(
        "wave", seed=3
    )
    assert len(plain.candidates) == 32
    for mine, theirs in zip(result.candidates, plain.candidates, strict=False):
        assert mine.motion == theirs.motion


def test_where_nobody_passes_the_whole_budget_is_drawn() -> None:
    pipe = Pipeline(InParts(), scorer=GivenRText([0.9] * 18, r_dyn=0.1), confirm=0)
    result = pipe("wave", n=18, adaptive=True)
    assert len(result.candidates) == 18 and result.selection.fallback


def test_a_generator_that_draws_no_parts_is_scored_in_parts() -> None:
    generator = StandingGenerator(frames=4)
    pipe = Pipeline(generator, scorer=GivenRText([0.9] * 32), confirm=0)
    assert len(pipe("wave", adaptive=Adaptive(first=8)).candidates) == 8
    assert generator.batches == [["wave"]]


def test_as_many_are_drawn_as_are_to_be_handed_out() -> None:
    pipe = Pipeline(InParts(), scorer=GivenRText([0.9] * 32), confirm=0)
    result = pipe("wave", adaptive=Adaptive(first=4), top=7)
    assert len(result.candidates) == 8 and len(result.motions) == 7


def test_it_needs_a_rule_that_goes_by_r_text() -> None:
    pipe = Pipeline(
        InParts(), scorer=GivenRText([0.9] * 32), rule="dynamics", confirm=0
    )
    with pytest.raises(GenerationError, match="rule 'dynamics' does not choose by it"):
        pipe("wave", adaptive=True)


def test_many_candidates_are_drawn_and_scored_in_parts_of_64() -> None:
    generator = InParts()
    rising = [i / 150 for i in range(150)]
    pipe = Pipeline(generator, scorer=GivenRText(rising), confirm=0)
    result = pipe("wave", n=150)
    assert generator.parts == [range(0, 64), range(64, 128), range(128, 150)]
    assert result.selection.index == 149 and len(result.scores) == 150
    assert result.candidates["r_text"] == rising
