"""Deeds that are asked for, and what stands around them."""

import pytest

from texedo.language import read_prompt


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("Give me five slow squats", "a person does five slow squats"),
        ("give me 20 burpees", "a person does 20 burpees"),
        ("give us a twirl", "a person does a twirl"),
        ("give me your best karate kick", "a person does their best karate kick"),
        ("show me jumping jacks", "a person does jumping jacks"),
        ("show me the moonwalk", "a person does the moonwalk"),
        ("lets see a cartwheel", "a person does a cartwheel"),
        ("how about a cartwheel", "a person does a cartwheel"),
        ("execute wave", "a person waves"),
    ],
)
def test_a_deed_that_is_asked_for_is_done(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("give me a high five", "a person gives me a high five"),
        ("gimme five", "a person gives me a high five"),
        ("give me a big hug", "a person gives me a big hug"),
        ("give me the ball", "a person gives me the ball"),
        ("show me your hands", "a person shows me their hands"),
    ],
)
def test_what_is_given_or_shown_itself_stays(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "pretend ur a tennis player and serve one",
            "a person pretends to be a tennis player and serves one",
        ),
        ("pretend youre flying a kite", "a person pretends they are flying a kite"),
        (
            "you are a tree, sway in the wind",
            "a person acts like a tree, sways in the wind",
        ),
        (
            "be a dinosaur and stomp around",
            "a person acts like a dinosaur and stomps around",
        ),
        ("be angry", "a person acts angry"),
        ("make like a tree", "a person acts like a tree"),
        ("act like you are drunk", "a person acts like they are drunk"),
    ],
)
def test_a_part_to_play_is_played(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("Simon says touch your toes", "a person touches their toes"),
        (
            "throw a baseball, big windup and everything",
            "a person throws a baseball, big windup",
        ),
        (
            "air guitar with a wide stance, go nuts",
            "a person plays air guitar with a wide stance",
        ),
        ("wave if you can", "a person waves"),
        ("walk around however you like", "a person walks around"),
        ("wave to me, you know, like a friend", "a person waves to me, like a friend"),
        ("dance for me", "a person dances"),
        ("hold it as long as you can", "a person holds it"),
        ("moonwalk like 4 steps", "a person moonwalks four steps"),
        ("duck walk, like super low", "a person does a duck walk, very low"),
        ("5, 6, 7, 8! march in place", "a person marches in place"),
        ("great, now wave", "a person waves"),
        ("it would be great if you could wave", "a person waves"),
        (
            "shot: it strolls in from the left, looks back over its shoulder",
            "a person strolls in from the left, looks back over their shoulder",
        ),
    ],
)
def test_what_says_nothing_of_the_deed_is_left_out(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("wait for me", "a person waits for me"),
        ("jump as high as you can", "a person jumps as high as they can"),
        ("walk to the end", "a person walks to the end"),
        ("go crazy", "a person goes crazy"),
        ("walk like two drunk men", "a person walks like two drunk men"),
        ("do as you like", "a person does as they like"),
    ],
)
def test_what_sounds_like_filler_stays(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("walk at 0.5 m/s", "a person walks at 0.5 meters per second"),
        ("walk 0.5m/s", "a person walks 0.5 meters per second"),
        ("turn left at 30°/s", "a person turns left at 30 degrees per second"),
        ("move 1.5m @ 2 m/s", "a person moves 1.5 meters at two meters per second"),
        ("step back ~40 cm", "a person steps back about 40 centimeters"),
        ("hold it for 3 secs", "a person holds it for three seconds"),
        ("wait a sec, then jump", "a person waits a second, then jumps"),
        ("kick 2-3 times", "a person kicks two to three times"),
        ("squat 3x each side", "a person squats three times each side"),
        ("3x10 squats", "a person does three sets of ten squats"),
        ("wave, then do a 1/2 turn", "a person waves, then does a half turn"),
        ("turn at 1 rev per second", "a person turns at one revolution per second"),
    ],
)
def test_units_and_counts_are_written_out(written: str, read: str) -> None:
    assert read_prompt(written).text == read
