"""The two lists of sentences that should be refused."""

import pytest

from texedo.evaluation.refusal.prompts import Part, foreign_prompts
from texedo.language.vocabulary import caption_words


@pytest.mark.parametrize("part", ["development", "test"])
def test_a_list_has_a_hundred_sentences_two_thirds_of_them_actions(part: Part) -> None:
    rows = foreign_prompts(part)
    assert len({row.prompt for row in rows}) == 100
    assert sum(row.kind in ("absent", "known words") for row in rows) == 67


@pytest.mark.parametrize("part", ["development", "test"])
def test_no_caption_has_the_word_of_an_absent_action(part: Part) -> None:
    absent = [row.absent for row in foreign_prompts(part) if row.kind == "absent"]
    assert len(absent) == 55
    assert not [word for word in absent if word in caption_words()]


def test_what_the_rule_is_fitted_on_is_not_what_it_is_measured_on() -> None:
    own, other = (
        {row.prompt for row in foreign_prompts(p)} for p in ("development", "test")
    )
    assert not own & other
    assert {"do a backflip", "asdf", "the stock market fell"} <= other
