"""Words that are orders though captions lack some of their forms."""

import pytest

from texedo.language import read_prompt


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("swap sides", "a person swaps sides"),
        ("freeze", "a person freezes"),
        ("stamp your foot", "a person stamps their foot"),
        ("stick out your tongue", "a person sticks out their tongue"),
        ("exit slowly", "a person exits slowly"),
        ("enter, bow and exit", "a person enters, bows and exits"),
        ("serve a ball", "a person serves a ball"),
        ("alternate legs", "a person alternates legs"),
        ("gallop sideways then jump", "a person gallops sideways then jumps"),
        ("knock on a door", "a person knocks on a door"),
        ("fly like a bird", "a person flies like a bird"),
        ("wake up and yawn", "a person wakes up and yawns"),
    ],
)
def test_verbs_that_captions_lack_are_orders(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "sidestep left, step width 40 cm",
            "a person sidesteps left, step width 40 centimeters",
        ),
        ("dance moves", "a person does dance moves"),
        ("jump squat", "a person does a jump squat"),
        ("lunge walk", "a person does a lunge walk"),
        ("jump, close to the ground", "a person jumps, close to the ground"),
    ],
)
def test_a_verb_before_its_noun_is_no_order(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "first creep low, then all at once stand tall",
            "a person first creeps low, then all at once stands tall",
        ),
        (
            "lean forward, then suddenly jump back",
            "a person leans forward, then suddenly jumps back",
        ),
        (
            "walk forward, and at the end bow",
            "a person walks forward, and at the end bows",
        ),
        (
            "stand still, then in one motion drop down",
            "a person stands still, then in one motion drops down",
        ),
        ("turn around and once more wave", "a person turns around and once more waves"),
        (
            "walk on and with your left leg kick",
            "a person walks on and kicks with their left leg",
        ),
    ],
)
def test_the_verb_may_come_late(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read
