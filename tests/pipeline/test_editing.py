"""Candidates whose count, angle or pace is off are edited where none fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.support.events_moves import Pose, squat_angles
from tests.support.generators import GivenRText, StandingGenerator
from texedo.core.errors import GenerationError
from texedo.motion import Motion
from texedo.pipeline import Generated, Pipeline
from texedo.pipeline.again.changes import changes_of
from texedo.pipeline.again.editing import Editing
from texedo.pipeline.again.more import Drawn
from texedo.pipeline.again.rounds import Again
from texedo.pipeline.result import About
from texedo.text.generators.prompts import Sampling

PROMPT = "a person does three squats"


def squatting(count: int) -> Motion:
    pose = Pose().stand(0.3)
    for _ in range(count):
        pose = pose.phase(1.2, **squat_angles(0.9)).stand(0.3)
    return pose.motion()


class Squatting(StandingGenerator):
    """Squats twice, whatever it is asked for."""

    def sample_many(
        self, prompts: Sequence[str], n: int, **_: Any
    ) -> list[list[Motion]]:
        return [[squatting(2)] * n for _ in prompts]

    def read_as(self, prompt: str) -> str:
        return prompt


def made(r_text: list[float], **options: Any) -> Generated:
    pipe = Pipeline(Squatting(), scorer=GivenRText(r_text), confirm=0)
    again = Again(write=None, join=None, edit=Editing(candidates=1), reword=None)
    return pipe(PROMPT, n=8, **{"again": again, **options})


def drawn(prompt: str = PROMPT, **options: Any) -> Drawn:
    made = {
        "generator": Squatting(),
        "sampling": Sampling(),
        "motions": [squatting(2)] * 8,
        "r_text": np.full(8, 0.5),
        "may_win": np.ones(8, dtype=np.bool_),
        "look": lambda *_: pytest.fail("nothing else is looked at"),
    }
    return Drawn(prompt=prompt, n=8, seed=0, **(made | options))


def test_a_motion_has_edits_that_leave_out_repeat_and_change_the_pace() -> None:
    told = [change.told for change in changes_of(squatting(2))]
    assert any(text.endswith("s left out") for text in told)
    assert any(text.endswith("s twice more") for text in told)
    assert "0.75 times as fast" in told and "1.33 times as fast" in told
    for change in changes_of(squatting(2)):
        assert 0.8 <= change.motion.duration <= 10.0


def test_a_third_squat_is_made_of_the_two_that_are_there() -> None:
    more = Editing(candidates=1).make(drawn())
    assert more is not None and 1 <= len(more.motions) <= 16
    assert all(text.startswith("candidate 0, ") for text in more.told)
    assert any(text.endswith("once more") for text in more.told)
    lasting = [round(motion.duration, 1) for motion in more.motions]
    assert 4.8 in lasting  # 3.3 s, and one squat of 1.5 s more


def test_what_is_done_as_asked_or_cannot_be_measured_has_no_edits() -> None:
    assert Editing(candidates=1).make(drawn("a person squats twice")) is None
    assert Editing(candidates=1).make(drawn("a person is lost in thought")) is None


def test_the_edit_is_chosen_where_it_fits_better_and_the_run_says_so() -> None:
    result = made([0.5] * 8 + [0.6, 0.99] + [0.1] * 40)
    assert result.selection.index == 9 and len(result.offered) > 9
    edited = result.candidates["edited"]
    assert edited[:8] == [None] * 8 and edited[9].startswith("candidate 0, ")
    assert result.account.winner.edited == edited[9]
    assert f"It is {edited[9]}." in result.explain()
    (remark,) = result.remarks
    count = len(result.offered) - 8
    assert remark == (
        f"no candidate fitted well, so {count} edits of 1 of them were tried, too"
    )


def test_nothing_is_edited_where_something_fits_or_where_nobody_wants_it() -> None:
    assert len(made([0.5] * 7 + [0.93]).offered) == 8
    result = made([0.5] * 8, again=False)
    assert len(result.offered) == 8 and "edited" not in result.candidates.columns
    assert result.about.request["edit"] is None
    assert made([0.93] * 8).about.request["edit"]["below"] == 0.92
    assert made([0.93] * 8).about.request["reword"] is None


def test_a_length_that_was_asked_for_and_somebodys_motions_stay_as_they_are() -> None:
    how = Editing()
    assert how.is_needed(drawn())
    assert not how.is_needed(drawn(sampling=Sampling(duration=3.0)))
    assert not how.is_needed(drawn(generator=StandingGenerator()))
    assert not how.is_needed(drawn(r_text=np.full(8, 0.95)))


def test_the_candidates_nearest_to_passing_and_fitting_are_edited() -> None:
    r_text = np.array([0.1, 0.8, 0.3, 0.9, 0.2, 0.2, 0.2, 0.2])
    may_win = np.array([True, True, True, False] + [True] * 4)
    near = drawn(r_text=r_text, may_win=may_win)
    more = Editing(candidates=2).make(near)
    assert more is not None
    assert {text.split(",")[0] for text in more.told} <= {"candidate 1", "candidate 2"}


def test_a_promise_is_of_motions_as_they_were_drawn() -> None:
    promise = {"candidates": 100, "max_failure": 0.01}
    for r_text, promised in (([0.5] * 60, promise), ([0.5] * 8 + [0.9] * 48, None)):
        result = made(r_text)
        object.__setattr__(result, "about", About(guarantee=promise))
        assert result.account.guarantee == promised
        assert (result.account.winner.edited is None) == (promised is not None)


@pytest.mark.parametrize(
    "wrong", [{"below": 1.5}, {"candidates": 0}, {"most": 0}, {"below": float("nan")}]
)
def test_settings_that_make_no_sense_are_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(GenerationError, match="got"):
        Editing(**wrong)
