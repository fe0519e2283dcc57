"""Punches called one after the other."""

import pytest

from texedo.language import read_prompt


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("jab jab cross", "a person throws two jabs, then throws a cross"),
        ("jab, jab, cross", "a person throws a jab, throws a jab, then throws a cross"),
        (
            "jab cross hook uppercut",
            "a person throws a jab, throws a cross, throws a hook, then throws an uppercut",
        ),
        ("jab twice then cross", "a person throws two jabs, then throws a cross"),
        (
            "left hook, right uppercut, front kick",
            "a person throws a left hook, throws a right uppercut, then does a front kick",
        ),
        ("one two combo", "a person throws a jab, then throws a cross"),
        ("two jabs and a cross", "a person throws two jabs and a cross"),
    ],
)
def test_punches_called_in_a_row_are_orders(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "shadow boxing, left right, stay light on the feet",
            "a person does shadow boxing, punches with the left hand, punches with the right hand, stays light on the feet",
        ),
        (
            "punch left right left",
            "a person punches with the left hand, punches with the right hand, punches with the left hand",
        ),
    ],
)
def test_left_and_right_are_hands_of_a_boxer(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("cross your arms", "a person crosses their arms"),
        ("march left right left right", "a person marches left right left right"),
        ("hook the rope", "a person hooks the rope"),
        ("walk left, right", "a person walks left, right"),
    ],
)
def test_what_is_no_fight_stays(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read
