"""What a sentence asks for is drawn thing by thing and put together where none fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.support.generators import GivenRText, StandingGenerator
from tests.support.standing import standing
from texedo.core.errors import GenerationError
from texedo.data.events import measure
from texedo.data.events.types import Squat
from texedo.data.synth.author import Spec, author
from texedo.motion import Motion
from texedo.pipeline import Generated, Pipeline
from texedo.pipeline.again.joining import Joining
from texedo.pipeline.again.more import Drawn, Looked
from texedo.pipeline.again.rounds import Again
from texedo.pipeline.result import About
from texedo.text.generators.prompts import Sampling

TURN_SQUAT = "a person raises the left arm, then squats"
AT_ONCE = "a person squats while raising the left arm"


@cache
def squatting() -> Motion:
    return author(Spec(kind="squat", count=1)).motion


@cache
def raising() -> Motion:
    return author(Spec(kind="raise_hand", side="left", way="up")).motion


class Knows(StandingGenerator):
    """Squats or raises an arm, if that is all; whoever asks for both sees it stand."""

    def sample_many(
        self, prompts: Sequence[str], n: int, **_: Any
    ) -> list[list[Motion]]:
        self.batches.append(list(prompts))
        made = {
            "a person squats": squatting(),
            "a person raises the left arm": raising(),
        }
        still = standing(100)
        return [[made.get(prompt, still)] * n for prompt in prompts]

    def read_as(self, prompt: str) -> str:
        return prompt


def made(prompt: str, r_text: list[float], **options: Any) -> Generated:
    pipe = Pipeline(Knows(), scorer=GivenRText(r_text), confirm=0)
    again = Again(write=None, join=Joining(write=None), edit=None, reword=None)
    return pipe(prompt, n=8, **{"again": again, **options})


def drawn(prompt: str, **options: Any) -> Drawn:
    def look(sentence: str, motions: Sequence[Motion]) -> Looked:
        count = len(motions)
        return Looked(motions, np.full(count, 0.9), np.ones(count, dtype=np.bool_))

    given = {
        "generator": Knows(),
        "sampling": Sampling(),
        "motions": [squatting()] * 8,
        "r_text": np.full(8, 0.5),
        "may_win": np.ones(8, dtype=np.bool_),
        "look": look,
    }
    return Drawn(prompt=prompt, n=8, seed=0, **(given | options))


def highest_hand(motion: Motion) -> int:
    """The frame in which the left arm is raised most."""
    return int(motion.joint_pos[:, 15].argmin())


def lowest(motion: Motion) -> int:
    return int(motion.root_pos_w[:, 2].argmin())


def test_steps_come_one_after_the_other_without_a_jump() -> None:
    more = Joining(write=None, most=2).make(drawn(TURN_SQUAT))
    assert more is not None and 1 <= len(more.motions) <= 2
    motion = more.motions[0]
    # 3.2 s and 3.0 s, less the waits before and after, and a bridge.
    assert 5.0 <= motion.duration <= 8.0
    assert highest_hand(motion) + 50 < lowest(motion)
    assert np.abs(np.diff(motion.joint_pos, axis=0)).max() < 0.2
    assert more.told[0].startswith("joined from candidates ")
    assert "one after the other" in more.remark and "'a person squats'" in more.remark


def test_of_two_things_at_once_the_arms_go_on_the_legs() -> None:
    more = Joining(write=None, most=3).make(drawn(AT_ONCE))
    assert more is not None and 1 <= len(more.motions) <= 3
    motion = more.motions[0]
    assert abs(motion.duration - squatting().duration) < 0.8
    assert abs(highest_hand(motion) - lowest(motion)) < 20
    assert sum(squat.count for squat in measure(motion).of(Squat)) == 1


def test_each_thing_is_drawn_once_however_often_it_is_asked_for() -> None:
    own = drawn("a person squats, then raises the left arm, then squats")
    assert Joining(write=None).make(own) is not None
    assert own.generator.batches == [  # type: ignore[attr-defined]
        ["a person squats", "a person raises the left arm"]
    ]


def test_a_thing_that_was_not_drawn_is_written() -> None:
    def look(sentence: str, motions: Sequence[Motion]) -> Looked:
        fits = [len(motions) == 4] * len(motions)  # Eight are drawn, four written.
        r_text = np.where(fits, 0.9, 0.1)
        return Looked(motions, r_text, np.ones(len(motions), dtype=np.bool_))

    text = "a person bows, then squats twice"
    more = Joining(edit=None, most=2).make(drawn(text, look=look))
    assert more is not None
    numbers = re.findall(r"\d+", " ".join(more.told))
    assert numbers and all(int(number) >= 8 for number in numbers)
    for motion in more.motions:
        assert sum(squat.count for squat in measure(motion).of(Squat)) == 2


def test_one_thing_is_not_taken_apart() -> None:
    assert Joining(write=None).make(drawn("a person squats")) is None


def test_what_does_not_pass_is_not_put_together() -> None:
    def nobody(sentence: str, motions: Sequence[Motion]) -> Looked:
        count = len(motions)
        return Looked(motions, np.full(count, 0.9), np.zeros(count, dtype=np.bool_))

    assert Joining(write=None).make(drawn(TURN_SQUAT, look=nobody)) is None


def test_a_length_that_was_asked_for_and_somebodys_motions_stay_as_they_are() -> None:
    how = Joining()
    assert how.is_needed(drawn(TURN_SQUAT))
    assert not how.is_needed(drawn(TURN_SQUAT, sampling=Sampling(duration=3.0)))
    assert not how.is_needed(drawn(TURN_SQUAT, generator=StandingGenerator()))
    assert not how.is_needed(drawn(TURN_SQUAT, r_text=np.full(8, 0.98)))


def test_the_joined_one_is_chosen_where_it_fits_better_and_the_run_says_so() -> None:
    # 8 as it was said, 8 for each step, then what was put together.
    result = made(TURN_SQUAT, [0.5] * 8 + [0.9] * 16 + [0.6, 0.99] + [0.1] * 10)
    assert result.selection.index == 9
    joined = result.candidates["joined"]
    assert joined[:8] == [None] * 8 and joined[9].startswith("joined from candidates")
    assert result.account.winner.joined == joined[9]
    assert f"It is {joined[9]}." in result.explain()
    assert any("drawn one by one" in remark for remark in result.remarks)
    object.__setattr__(
        result, "about", About(guarantee={"candidates": 100, "max_failure": 0.01})
    )
    assert result.account.guarantee is None  # Promised of motions as they were drawn.


def test_nothing_is_joined_where_something_fits_or_where_nobody_wants_it() -> None:
    assert len(made(TURN_SQUAT, [0.5] * 7 + [0.98]).offered) == 8
    result = made(TURN_SQUAT, [0.5] * 8, again=False)
    assert len(result.offered) == 8 and "joined" not in result.candidates.columns
    assert result.about.request["join"] is None


@pytest.mark.parametrize(
    "wrong", [{"below": 1.5}, {"candidates": 0}, {"best": 0}, {"most": 0}]
)
def test_settings_that_make_no_sense_are_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(GenerationError, match="got"):
        Joining(**wrong)
