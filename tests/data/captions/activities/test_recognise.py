"""A request is recognised whoever says it, and nothing else is."""

import pytest

from texedo.data.captions.activities.recognise import key_of, recognise
from texedo.data.captions.activities.table import Asked, find_request


@pytest.mark.parametrize(
    "text",
    [
        "raise your left hand",
        "can you raise your left hand, please?",
        "a man is raising his left hand",
        "She raises the left hand.",
    ],
)
def test_one_request_in_any_form(text: str) -> None:
    assert recognise(text) == recognise("raise left hand") is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("raise your left hand", "raise your right hand"),
        ("clap twice", "clap three times"),
        ("walk backward", "walk forward"),
        ("bow", "jump"),
    ],
)
def test_another_side_count_or_action_is_another_request(one: str, other: str) -> None:
    assert recognise(one) is not None and recognise(other) is not None
    assert recognise(one) != recognise(other)


def test_numbers_are_the_same_in_words_and_in_figures() -> None:
    assert key_of("clap 3 times") == key_of("claps three times") == ("clap", "3")


def test_steps_are_recognised_one_by_one_and_in_their_order() -> None:
    first, second = recognise("bow, then jump"), recognise("jump and then bow")
    assert first is not None and second is not None and first != second


@pytest.mark.parametrize(
    "text", ["", "then", "frobnicate the left wug", "bow, then zorp"]
)
def test_what_is_not_known_has_no_rule(text: str) -> None:
    assert recognise(text) is None


def test_the_rule_is_that_of_the_table() -> None:
    assert recognise("take a bow") == Asked(request=find_request("bow")).rule
