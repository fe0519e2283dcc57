"""Motions are written from what a sentence says where no candidate fits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.support.generators import GivenRText, StandingGenerator
from texedo.core.errors import GenerationError
from texedo.data import events as ev
from texedo.data.events import measure
from texedo.pipeline import Generated, Pipeline
from texedo.pipeline.again.more import Drawn
from texedo.pipeline.again.rounds import Again
from texedo.pipeline.again.writing import LESS_LIKELY, Writing
from texedo.text.generators.prompts import Sampling

PROMPT = "a person does three squats"


class Reading(StandingGenerator):
    """Stands, whatever it is asked for, and says how it reads."""

    def read_as(self, prompt: str) -> str:
        return prompt


def made(
    r_text: list[float],
    prompt: str = PROMPT,
    odds: float = 0.0,
    few: int = 0,
    **options: Any,
) -> Generated:
    pipe = Pipeline(Reading(), scorer=GivenRText(r_text), confirm=0)
    write = Writing(most=4, few=few, odds=odds)
    again = Again(write=write, join=None, edit=None, reword=None)
    return pipe(prompt, n=8, **{"again": again, **options})


def drawn(prompt: str = PROMPT, **options: Any) -> Drawn:
    given = {
        "generator": Reading(),
        "sampling": Sampling(),
        "motions": [],
        "r_text": np.full(8, 0.5),
        "may_win": np.ones(8, dtype=np.bool_),
        "look": lambda *_: pytest.fail("nothing else is looked at"),
    }
    return Drawn(prompt=prompt, n=8, seed=0, **(given | options))


def test_three_squats_are_written_as_three() -> None:
    more = Writing(most=4).make(drawn())
    assert more is not None and len(more.motions) == 4
    assert set(more.told) == {"written as: squat 3", "written as: squat arms_down 3"}
    for motion in more.motions:
        assert sum(event.count for event in measure(motion).of(ev.Squat)) == 3


def test_what_nobody_knows_how_to_do_is_not_written() -> None:
    assert Writing().make(drawn("a person is lost in thought")) is None


def test_the_same_seed_writes_the_same() -> None:
    one, two = (Writing(most=2).make(drawn()) for _ in range(2))
    assert one is not None and two is not None
    for a, b in zip(one.motions, two.motions, strict=True):
        np.testing.assert_array_equal(a.to_qpos(), b.to_qpos())


def test_the_written_one_is_chosen_where_it_fits_better_and_the_run_says_so() -> None:
    result = made([0.5] * 8 + [0.6, 0.99, 0.1, 0.1])
    assert result.selection.index == 9 and len(result.offered) == 12
    written = result.candidates["written"]
    assert written[:8] == [None] * 8 and written[9].startswith("written as: squat")
    assert result.account.winner.written == written[9]
    assert result.account.winner.origin == written[9]
    assert f"It is {written[9]}." in result.explain()
    assert result.remarks == (
        "no candidate fitted well, so 4 motions were written from what the sentence says",
    )


def test_that_it_was_written_for_the_sentence_is_evidence() -> None:
    # Odds of 1 become odds of 3; where the arms hang, which fewer mean, a little less.
    result = made([0.7] * 8 + [0.5] * 4, odds=math.log(3))
    assert result.selection.index >= 8
    less = 3 * math.exp(-LESS_LIKELY)
    expected = [0.75, less / (1 + less)] * 2
    assert result.scores.semantics[8:].tolist() == pytest.approx(expected)
    assert made([0.7] * 8 + [0.5] * 4).selection.index < 8


def test_a_few_are_written_where_something_fits_without_a_word_of_it() -> None:
    result = made([0.5] * 7 + [0.996] + [0.999] * 2, few=2)
    assert len(result.offered) == 10 and result.selection.index == 8
    assert result.remarks == ()
    assert Writing().few == 2  # by default


def test_nothing_is_written_where_something_fits_or_where_nobody_wants_it() -> None:
    assert len(made([0.5] * 7 + [0.996]).offered) == 8
    result = made([0.5] * 8, again=False)
    assert len(result.offered) == 8 and "written" not in result.candidates.columns
    assert result.about.request["write"] is None


def test_a_length_that_was_asked_for_and_somebodys_motions_stay_as_they_are() -> None:
    how = Writing()
    assert how.is_needed(drawn())
    assert not how.is_needed(drawn(sampling=Sampling(duration=3.0)))
    assert not how.is_needed(drawn(generator=StandingGenerator()))


@pytest.mark.parametrize(
    "wrong", [{"below": 1.5}, {"most": 0}, {"below": float("nan")}]
)
def test_settings_that_make_no_sense_are_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(GenerationError, match="got"):
        Writing(**wrong)
