"""A sentence about several things as a sentence for each of them."""

import pytest

from texedo.data.captions.asked.at_once import at_once_of
from texedo.data.captions.asked.stages import sentences_of, told


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (
            "a man walks forward, stops, bows and then waves",
            ["a man walks forward, then stops", "a person bows", "a person waves"],
        ),
        (
            "a person raises their left hand before bowing",
            ["a person raises their left hand", "a person bows"],
        ),
        (
            "a person kneels, holds two seconds, stands, salutes",
            [
                "a person kneels, then holds two seconds, then stands",
                "a person salutes",
            ],
        ),
        (
            "a person claps twice, turns right, claps twice again",
            ["a person claps twice", "a person turns right", "a person claps twice"],
        ),
        (
            "a person walks four steps, stops for a second, and walks four more steps",
            [
                "a person walks four steps, then stops for a second",
                "a person walks four steps",
            ],
        ),
        (
            "a person turns around and walks back the way they came, then bows",
            ["a person turns around", "a person walks forward", "a person bows"],
        ),
        (
            "the actor walks in slowly, stops and drops to one knee",
            ["the actor walks in slowly, then stops", "a person drops to one knee"],
        ),
        (
            "a person raises left arm, raises right arm, lowers both",
            [
                "a person raises left arm",
                "a person raises right arm, then lowers both",
            ],
        ),
        (
            "before bowing, wave",
            ["a person waves", "a person bows"],
        ),
        (
            "a person does a squat followed by a jump",
            ["a person does a squat", "a person does a jump"],
        ),
        (
            "a person stands on their left leg, then on their right leg",
            ["a person stands on their left leg", "a person stands on their right leg"],
        ),
        (
            "a person punches left, right, left",
            [
                "a person punches left",
                "a person punches right",
                "a person punches left",
            ],
        ),
        (
            "a person turns right, right again, then left",
            ["a person turns right", "a person turns right", "a person turns left"],
        ),
        (
            "a person walks forward, then after a short pause, then walks back",
            ["a person walks forward, then pauses", "a person walks back"],
        ),
    ],
)
def test_a_sentence_for_each_step(text: str, steps: list[str]) -> None:
    assert sentences_of(text) == steps


@pytest.mark.parametrize(
    "text",
    [
        "a person waves",
        "a person raises both arms and then lowers them again",
        "a person walks while waving",
    ],
)
def test_what_is_one_step_is_left_as_it_is(text: str) -> None:
    assert sentences_of(text) == [text]


@pytest.mark.parametrize(
    ("text", "both"),
    [
        (
            "a man walks forward while waving with his left hand",
            ["a man walks forward", "a person waves with his left hand"],
        ),
        (
            "as she turns around, the woman claps",
            ["the woman claps", "a person turns around"],
        ),
        (
            "someone jogs forward with both fists raised in the air",
            ["someone jogs forward", "a person holds both fists raised in the air"],
        ),
        (
            "a person sneaks forward with one hand held out in front",
            ["a person sneaks forward", "a person holds one hand out in front"],
        ),
        (
            "a person points to the left and waves at the same time",
            ["a person points to the left", "a person waves"],
        ),
        (
            "a person walks backward waving goodbye with both hands",
            ["a person walks backward", "a person waves goodbye with both hands"],
        ),
    ],
)
def test_a_sentence_for_each_of_two_things_at_once(text: str, both: list[str]) -> None:
    assert at_once_of(text) == both


@pytest.mark.parametrize(
    "text",
    [
        "a person waves with the left hand",
        "a person walks as if drunk",
        "a person jumps as high as they can",
        "a person turns to the left",
        "waving with both hands",
    ],
)
def test_what_is_one_thing_is_left_as_it_is(text: str) -> None:
    assert at_once_of(text) == [text]


def test_what_is_done_is_told_of_a_person() -> None:
    assert {told("waving"), told("wave"), told("waves")} == {"a person waves"}
