"""Orders told as what somebody does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texedo.language.person import is_verb, third_person
from texedo.language.reading import read_prompt

WORDS = frozenset(
    "raise raises raising turn turns turning walk walks walking wave waves waving hand "
    "hands squat squats squatting carry carries carrying push pushes pushing left and "
    "then forward your both arms slowly the person a hip on".split()
)


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("raise your left hand", "a person raises their left hand"),
        ("turn left, then walk forward", "a person turns left, then walks forward"),
        ("slowly raise both arms", "a person slowly raises both arms"),
        ("walk and slowly turn", "a person walks and slowly turns"),
        ("do not walk", "a person does not walk"),
        ("squat", "a person squats"),
        ("carry the hand and push", "a person carries the hand and pushes"),
        ("first wave, then turn", "a person first waves, then turns"),
        ("you wave", "a person waves"),
        ("i raise my hand", "a person raises their hand"),
        ("we walk and turn", "a person walks and turns"),
        ("back up", "a person backs up"),
        ("turn, then back up", "a person turns, then backs up"),
        ("waves both arms", "a person waves both arms"),
        ("slowly carries the hand", "a person slowly carries the hand"),
        ("walk forward and back up", "a person walks forward and back up"),
        (
            "raise both arms in front of you",
            "a person raises both arms in front of them",
        ),
        ("walk until you turn", "a person walks until they turn"),
        ("wave before you turn", "a person waves before they turn"),
        ("start walking", "a person starts walking"),
        ("head over to the left", "a person heads over to the left"),
    ],
)
def test_an_order_is_told_about_a_person(order: str, told: str) -> None:
    assert third_person(order, WORDS.__contains__) == told


@pytest.mark.parametrize(
    "text",
    [
        "a person waves",
        "hand on hip",
        "waving both hands",
        "left hand",
        "",
        "3 4",
        "slowly",
        "back and forth",
        "head down",
        "hands on hip",
        "waves the person",
        "start",
        "you",
        "first",
    ],
)
def test_what_is_no_order_is_left_alone(text: str) -> None:
    assert third_person(text, WORDS.__contains__) == text


def test_a_word_is_a_verb_if_captions_have_its_three_forms() -> None:
    assert is_verb("wave", WORDS.__contains__)
    assert not is_verb("hip", WORDS.__contains__)  # Nobody writes "hipping".
    known = frozenset("lower lowers lowering stop stops stopping".split())
    assert is_verb("lower", known.__contains__) and is_verb("stop", known.__contains__)


@given(st.text(alphabet="abcdefgh ,.", max_size=40))
def test_twice_is_the_same_as_once(text: str) -> None:
    once = third_person(text, WORDS.__contains__)
    assert third_person(once, WORDS.__contains__) == once


def test_a_prompt_is_read_so() -> None:
    assert read_prompt("Please RAISE your left-hand!").text == (
        "a person raises their left hand"
    )


def test_slow_is_an_order_before_down() -> None:
    assert read_prompt("jog forward, slow down and stop").text == (
        "a person jogs forward, slows down and stops"
    )
    assert read_prompt("slow walk").text == "slow walk"
