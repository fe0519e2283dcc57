"""The tables of requests and the prompts made of them."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support.standing import standing
from texedo.core.errors import FileFormatError
from texedo.data.captions.activities import load_requests, prompts
from texedo.data.captions.activities.compose import RequestPrompt, name_of
from texedo.data.captions.activities.judge import scene_of
from texedo.data.captions.activities.phrasing import phrasings, with_count
from texedo.data.captions.activities.predicates.grades import CLEARLY
from texedo.data.captions.activities.rules import Joined, grade_of
from texedo.data.captions.activities.table import (
    Asked,
    asked_of,
    find_request,
    read_request,
)


@pytest.fixture(scope="module")
def made() -> list[RequestPrompt]:
    return prompts(0)


def test_there_are_many_requests_each_in_several_words() -> None:
    requests = load_requests()
    assert len(requests) >= 700
    for request in requests:
        texts = phrasings(Asked(request=request), seed=0, number=6)
        assert len(texts) >= 3, request.id
        assert not any(mark in text for text in texts for mark in "~{}"), texts


def test_a_side_is_said_or_left_out() -> None:
    request = find_request("hand-hip")
    either, left, _ = asked_of(request)
    assert "put your hand on your hip" in phrasings(either, seed=0, number=9)
    for text in phrasings(left, seed=0, number=9):
        assert "left" in text and "right" not in text


def test_a_count_is_said() -> None:
    assert with_count("~wave", 3) == "~wave three times"
    assert with_count("~do squats", 2) == "~do two squats"
    assert with_count("squats", 2) == ""
    assert name_of(Asked(request=find_request("jab"), side="left", count=2)) == (
        "jab/left/2"
    )


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("a | A | ~wave", "3 fields"),
        ("a | Q | ~wave | wave()", "'Q' is no kind"),
        ("a | A | ~wave {arm} | wave()", "in braces"),
        ("a | A | ~wave | wavy()", "no predicate 'wavy'"),
    ],
)
def test_a_line_that_is_wrong_is_named(line: str, complaint: str) -> None:
    with pytest.raises(FileFormatError, match=f"here, line 3: .*{complaint}"):
        read_request(line, "here, line 3")


def test_half_of_the_prompts_ask_for_one_thing(made: list[RequestPrompt]) -> None:
    assert len(made) >= 6000
    assert len({one.text for one in made}) == len(made)
    singles = sum(one.is_single for one in made)
    assert abs(singles - len(made) / 2) <= 1
    first = made[:1504]
    assert sum(one.is_single for one in first) == 752
    ids = Counter(one.id.split("/")[0] for one in first if one.is_single)
    assert max(ids.values()) <= 2 and len(ids) >= 700


def test_prompts_depend_on_the_seed_alone(made: list[RequestPrompt]) -> None:
    assert prompts(0, 50) == made[:50]
    assert prompts(1, 50) != made[:50]


def test_steps_are_asked_for_in_order(made: list[RequestPrompt]) -> None:
    ordered = [one for one in made if one.text.startswith("first ")]
    assert len(ordered) > 100
    for one in ordered:
        rules = [one.rule, *getattr(one.rule, "parts", ())]
        assert any(isinstance(r, Joined) and r.how == "then" for r in rules)


def test_every_prompt_can_be_judged(made: list[RequestPrompt]) -> None:
    scene = scene_of(standing(120, swing=0.0))
    grades = [grade_of(one.rule, scene) for one in made]
    assert all(1 - CLEARLY <= grade <= CLEARLY for grade in grades)
    # Who stands there does hardly anything that people ask for.
    assert sum(grade == 1.0 for grade in grades) < 0.05 * len(grades)
