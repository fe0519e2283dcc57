"""A sentence that nothing fits is asked again in other words, and no other one is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.generators import GivenRText, StandingGenerator
from texedo.core.errors import GenerationError
from texedo.pipeline import Generated, Pipeline
from texedo.pipeline.again.more import nothing_fits
from texedo.pipeline.again.rewording import Rewording, draw_in_other_words, other_words
from texedo.pipeline.again.rounds import Again
from texedo.pipeline.drawing import Ask
from texedo.pipeline.pipe import make_choice
from texedo.pipeline.result import About, Failed
from texedo.pipeline.stream import Parts, run_stream
from texedo.text.generators.prompts import Sampling

PROMPT = "a person jumps forward twice"


class Reading(StandingGenerator):
    """Says how it reads: in small letters, without a stop."""

    def read_as(self, prompt: str) -> str:
        return prompt.lower().strip(" .!?")


def made(r_text: list[float], n: int = 8, **options: Any) -> Generated:
    pipe = Pipeline(Reading(frames=4), scorer=GivenRText(r_text), confirm=0)
    return pipe(PROMPT, n=n, **{"again": Again(write=None), **options})


def test_nothing_fits_where_the_best_that_passes_is_below_the_bound() -> None:
    everybody = np.ones(8, dtype=bool)
    assert nothing_fits([0.87] * 8, everybody, 0.88)
    assert not nothing_fits([0.1] * 7 + [0.88], everybody, 0.88)
    assert nothing_fits([0.1] * 7 + [0.88], everybody & (np.arange(8) < 7), 0.88)
    assert nothing_fits([0.99] * 8, ~everybody, 0.88)


def test_few_candidates_and_unknown_scores_say_nothing() -> None:
    assert not nothing_fits([0.1] * 7, np.ones(7, dtype=bool), 0.88)
    assert not nothing_fits([np.nan] * 8, np.ones(8, dtype=bool), 0.88)


def test_other_words_are_read_otherwise_and_say_the_same() -> None:
    words = other_words(Reading(), PROMPT, 4)
    assert len(words) == 4 == len({PROMPT, *words}) - 1
    # The wordings of the request come first, then other forms of the sentence.
    assert words[0] == "a person leaps ahead twice" and words[3].startswith("now")
    assert all("twice" in text or "two" in text for text in words)
    assert all(text == Reading().read_as(text) for text in words)
    assert words == other_words(Reading(), PROMPT, 4)


def test_a_generator_that_does_not_say_how_it_reads_is_not_asked_again() -> None:
    assert other_words(StandingGenerator(), PROMPT, 4) == []
    scorer = GivenRText([0.5] * 8)
    result = Pipeline(StandingGenerator(frames=4), scorer=scorer, confirm=0)(
        PROMPT, n=8
    )
    assert len(result.offered) == 8
    assert not any("more were asked" in remark for remark in result.remarks)


def test_wordings_take_turns_and_no_more_is_drawn_than_asked_for() -> None:
    drawn = draw_in_other_words(
        Reading(frames=4), ["a", "b", "c"], 5, seed=0, sampling=Sampling()
    )
    assert [one.wording for one in drawn] == ["a", "b", "c", "a", "b"]
    assert Rewording(most=32).count(200) == 32 and Rewording().count(8) == 8


def test_the_best_of_other_words_is_chosen_where_nothing_else_fits() -> None:
    result = made([0.5] * 8 + [0.2, 0.9] + [0.1] * 6)
    assert len(result.offered) == 16 and result.selection.index == 9
    words = result.candidates["asked_as"]
    assert words[:8] == [None] * 8 and words[9] == result.account.winner.asked_as
    remark, doubt = result.remarks
    assert doubt.startswith("it may not do all that was said: its R_text is 0.90")
    assert remark.startswith("no candidate fitted well, so 8 more were asked for")
    assert all(f"'{text}'" in remark for text in words[8:])
    assert f"It was asked for as '{words[9]}'." in result.explain()


def test_what_fits_is_kept_and_the_first_candidates_are_the_same() -> None:
    asked_twice, once = made([0.5] * 16), made([0.5] * 7 + [0.9])
    assert len(once.offered) == 8 and "asked_as" not in once.candidates.columns
    for first, second in zip(once.offered, asked_twice.offered, strict=False):
        assert first.motion == second.motion
    assert asked_twice.selection.index == 0  # Equal ones: who was drawn first.


def test_it_can_be_left_out_and_the_run_says_so() -> None:
    result = made([0.5] * 8, again=False)
    assert len(result.offered) == 8
    assert result.about.request["reword"] is None
    assert made([0.9] * 8).about.request["reword"] == {
        "below": 0.88,
        "wordings": 4,
        "most": 32,
    }


def test_a_rule_that_does_not_look_at_the_sentence_asks_nothing_again() -> None:
    pipe = Pipeline(
        Reading(frames=4), scorer=GivenRText([0.5] * 8), rule="dynamics", confirm=0
    )
    assert len(pipe(PROMPT, n=8).offered) == 8


def test_a_refused_sentence_is_not_asked_again() -> None:
    class Refuses:
        def judge_early(self, prompt: str) -> None:
            return None

        def judge(self, prompt: str, r_text: Any) -> Exception:
            assert len(r_text) == 8
            return GenerationError("nothing known means that")

    generator, scorer = Reading(frames=4), GivenRText([0.5] * 16)
    refuser: Any = Refuses()
    parts = Parts(generator, scorer, make_choice(scorer), refuser=refuser)
    (result,) = run_stream([PROMPT], parts, Ask(n=8))
    assert isinstance(result, Failed) and len(generator.batches) == 1


def test_a_promise_is_of_no_more_candidates_than_there_were() -> None:
    promise = {"candidates": 8, "max_failure": 0.01}
    for r_text, promised in (([0.9] * 8, promise), ([0.5] * 16, None)):
        result = made(r_text)
        object.__setattr__(result, "about", About(guarantee=promise))
        assert result.account.guarantee == promised


@pytest.mark.parametrize("wrong", [{"below": 1.5}, {"wordings": 0}, {"most": 0}])
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(GenerationError):
        Rewording(**wrong)


def test_whose_r_text_nobody_has_measured_is_neither_doubted_nor_asked_again() -> None:
    scorer = GivenRText([0.5] * 8, fits_from=None)
    result = Pipeline(Reading(frames=4), scorer=scorer, confirm=0)(PROMPT, n=8)
    assert len(result.offered) == 8 and result.remarks == ()


def test_a_choice_that_fits_is_not_doubted() -> None:
    assert made([0.5] * 7 + [0.92]).remarks == ()
