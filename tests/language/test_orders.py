"""Requests of any kind as plain orders."""

import pytest

from texedo.language import read_prompt


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "Ten jumping jacks, steady rhythm",
            "a person does ten jumping jacks, steady rhythm",
        ),
        (
            "Half squat and hold it for eight seconds, hands on your hips",
            "a person does a half squat and holds it for eight seconds, hands on their hips",
        ),
        (
            "Soldier salute with right hand",
            "a person does a soldier salute with right hand",
        ),
        ("duck walk", "a person does a duck walk"),
        ("zombie walk towards me", "a person does a zombie walk toward me"),
        ("high knees in place", "a person does high knees in place"),
        ("side kick", "a person does a side kick"),
        ("golf swing", "a person does a golf swing"),
        ("air guitar", "a person plays air guitar"),
        (
            "tree pose on the right leg",
            "a person stands in a tree pose on the right leg",
        ),
        ("3 sets of 10 squats", "a person does three sets of ten squats"),
        ("30 sec plank", "a person does a 30 second plank"),
        ("U-turn", "a person does a u turn"),
        ("do the macarena then moonwalk", "a person does the macarena then moonwalks"),
        ("macarena", "a person does the macarena"),
    ],
)
def test_a_deed_without_a_verb_gets_one(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "Three proud steps forward like king, chest out, then stop and lift right hand high.",
            "a person takes three proud steps forward like king, chest out, then stops and lifts right hand high",
        ),
        (
            "half turn to the left, clap, half turn again, clap",
            "a person makes a half turn to the left, claps, makes a half turn again, claps",
        ),
        (
            "superhero pose: feet wide, don't move for 3 secs",
            "a person stands in a superhero pose: feet wide, does not move for three seconds",
        ),
        ("big jump forward, then bow", "a person does a big jump forward, then bows"),
        (
            "four steps forward, four steps back, turn around",
            "a person takes four steps forward, four steps back, turns around",
        ),
        ("first two jumps, then a spin", "a person first does two jumps, then a spin"),
    ],
)
def test_orders_behind_it_are_told_too(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "do ten squats, five jumps and a bow",
            "a person does ten squats, five jumps and a bow",
        ),
        ("two claps, one stomp", "a person does two claps, one stomp"),
    ],
)
def test_a_list_of_deeds_needs_one_verb(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("walk forward, small steps", "a person walks forward, small steps"),
        ("turn left, one full circle", "a person turns left, one full circle"),
        (
            "lean to the right, a good side stretch",
            "a person leans to the right, a good side stretch",
        ),
    ],
)
def test_how_a_deed_is_done_is_no_deed(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "Slow, slow turning on the place, whole circle",
            "a person turns slowly on the place, whole circle",
        ),
        (
            "slow walk forward, then turn around",
            "a person walks slowly forward, then turns around",
        ),
        (
            "quick march, left turn, halt",
            "a person marches quickly, makes a left turn, halts",
        ),
    ],
)
def test_an_adjective_before_a_verb_tells_how(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "come walk over here and give me a high five",
            "a person walks over here and gives me a high five",
        ),
        ("go sit down", "a person sits down"),
        ("go back to the start", "a person goes back to the start"),
        ("come closer", "a person comes closer"),
        ("go limp", "a person goes limp"),
    ],
)
def test_come_and_go_before_a_verb_are_left_out(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "Hands behind the back, walk slowly like professor",
            "a person walks slowly like professor with hands behind the back",
        ),
        (
            "feet apart, arms out, rotate your trunk",
            "a person rotates their trunk with feet apart, arms out",
        ),
        ("with your right hand wave", "a person waves with their right hand"),
        ("While standing on one leg, wave", "a person waves while standing on one leg"),
        ("when you fall, get up", "a person gets up when they fall"),
        ("After three seconds, jump", "a person waits three seconds, then jumps"),
        (
            "Slowly, very slowly, raise your arms",
            "a person very slowly raises their arms",
        ),
        ("right hand wave", "a person waves with the right hand"),
    ],
)
def test_what_stands_before_the_order_follows_it(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "arms up, arms down, clap",
            "a person raises arms up, lowers arms down, claps",
        ),
        (
            "hands to your heart, then reach out",
            "a person puts hands to their heart, then reaches out",
        ),
        ("stand up, then arms up", "a person stands up, then raises arms up"),
    ],
)
def test_postures_in_turn_are_taken_up_in_turn(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("clap clap clap", "a person claps three times"),
        ("stomp stomp clap", "a person stomps twice, claps"),
        ("2x clap, 3x stomp", "a person claps twice, stomps three times"),
        ("jump a couple of times", "a person jumps twice"),
        ("clap a few times", "a person claps three times"),
        ("run run run", "a person runs"),
    ],
)
def test_repeated_orders_are_counted(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "Robot go forward two step, then turn right",
            "a person goes forward two steps, then turns right",
        ),
        ("hey g1 turn to face me", "a person turns to face me"),
        ("man jump two time", "a person jumps twice"),
        (
            "robot turns its back to the camera",
            "the robot turns its back to the camera",
        ),
        ("robot dance", "a person does a robot dance"),
        ("it spins around itself", "a person spins around themselves"),
    ],
)
def test_orders_to_a_robot_need_no_comma(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (
            "left face, forward march, halt",
            "a person turns left, marches forward, halts",
        ),
        ("parade rest", "a person stands at parade rest"),
        ("cmd: step back 2", "a person takes two steps back"),
    ],
)
def test_commands_of_a_drill_are_orders(asked: str, read: str) -> None:
    assert read_prompt(asked).text == read


@pytest.mark.parametrize(
    "text",
    [
        "a person walks forward, then two steps back",
        "slow walk",
        "hands on the hips",
        "walking slowly with both arms raised",
        "a penguin shuffles to the front",
        "the left hand lifts a little",
        "three steps forward bring the person to the door",
        "five steps forward while the hands come up and drop",
        "two steps forward, then the dancer spins",
        "laughing so much they bend over and reel backward",
    ],
)
def test_what_is_told_of_somebody_stays(text: str) -> None:
    assert read_prompt(text).text == text


@pytest.mark.parametrize(
    "asked",
    [
        "half turn to the left, clap, half turn again, clap",
        "jab jab cross",
        "hands behind the back, walk slowly",
        "swap hands, then pray",
        "Robot go forward two step",
        "tree pose, then arms up",
    ],
)
def test_a_plain_order_is_read_again_as_it_is(asked: str) -> None:
    once = read_prompt(asked).text
    assert once.startswith("a person ") and read_prompt(once).text == once
