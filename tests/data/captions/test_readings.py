"""Sentences with several verbs, taken apart; counts and angles, found in them."""

from __future__ import annotations

import pytest

from texedo.data.captions.quantities import quantities
from texedo.data.captions.readings import read
from texedo.data.captions.sequence import sequence


@pytest.mark.parametrize(
    "text, phrase",
    [
        ("A person walks forward and waves.", "~walk forward and ~wave"),
        (
            "he walks forward, then turns and waves his hand",
            "~walk forward, then ~turn and ~wave {poss} hand",
        ),
        (
            "Raise your left hand, then clap twice.",
            "~raise {poss} left hand, then ~clap twice",
        ),
        ("walking forward and then turning left", "~walk forward and then ~turn left"),
        ("someone is walking, swinging the arms", "~walk, swinging the arms"),
        ("a man swings his arms and legs", "~swing {poss} arms and legs"),
        ("she slowly kneels", "slowly ~kneel"),
        ("a robot hops as it waves its arms", "~hop as {pron} ~wave {poss} arms"),
    ],
)
def test_every_verb_that_changes_with_the_form_is_found(text: str, phrase: str) -> None:
    reading = read(text)
    assert reading is not None and reading.phrase == phrase


@pytest.mark.parametrize(
    "text",
    [
        "brisk walk, four long steps, no turning",
        "a person walks while the left hand waves",
        "standing referee makes a call",
        "punch combination with a duck",
        "a person walks and frobnicates the ball",
        "a person walked forward",
        "crouch, then three steps back",
        "",
    ],
)
def test_a_sentence_with_a_verb_in_doubt_is_not_read(text: str) -> None:
    assert read(text) is None


def test_a_dancer_is_not_anybody() -> None:
    anybody, dancer = read("a person spins left"), read("the dancer spins left")
    assert anybody is not None and anybody.anybody
    assert dancer is not None and not dancer.anybody
    assert dancer.subject == "the dancer"


@pytest.mark.parametrize(
    "text, parts",
    [
        ("he walks, then turns left", ("~walk", "~turn left")),
        ("he walks before turning left", ("~walk", "~turn left")),
        ("after walking, he turns left", ("~walk", "~turn left")),
        ("he walks and turns left", ("~walk and ~turn left",)),
        ("first jump, then clap and then bow", ("~jump", "~clap", "~bow")),
    ],
)
def test_parts_follow_one_another_only_if_the_sentence_says_so(
    text: str, parts: tuple[str, ...]
) -> None:
    reading = read(text)
    assert reading is not None and sequence(reading) == parts


@pytest.mark.parametrize(
    "text, kind, value",
    [
        ("jumps twice", "times", 2),
        ("claps 3x", "times", 3),
        ("hops six times", "times", 6),
        ("takes four slow steps", "events", 4),
        ("turns 90° left", "angle", 90),
        ("turns one hundred eighty degrees", "angle", 180),
        ("turns three quarters of a turn", "angle", 270),
        ("makes a 45 degree turn", "turn", 45),
        ("makes a full spin", "turn", 360),
        ("turns around to the left", "around", 180),
    ],
)
def test_a_quantity_has_a_value_however_it_is_put(
    text: str, kind: str, value: int
) -> None:
    (found,) = quantities(text)
    assert (found.kind, found.value) == (kind, value)


@pytest.mark.parametrize(
    "text",
    ["one arm up", "twice as high", "a turn around", "spins two and a half times"],
)
def test_what_is_no_plain_quantity_is_not_found(text: str) -> None:
    assert quantities(text) == []


def test_a_bound_is_hedged() -> None:
    (found,) = quantities("turns more than half a turn")
    assert found.hedged and found.turning
