"""One way to write a prompt."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texedo.language import normalize

PAIRS = [
    (
        "Please turn 90° counter-clockwise, 3x!",
        "turn 90 degrees counterclockwise, three times",
    ),
    ("turn anti clockwise", "turn counterclockwise"),
    ("turn ccw", "turn counterclockwise"),
    ("turn 90deg, then 45 deg", "turn 90 degrees, then 45 degrees"),
    ("a 45-degree turn", "a 45 degree turn"),
    ("side-steps to the left", "sidesteps to the left"),
    ("a side step", "a sidestep"),
    (
        "the man on the left side steps forward",
        "the man on the left side steps forward",
    ),
    ("a half-turn", "a half turn"),
    ("jumping-jacks", "jumping jacks"),
    ("pushups and sit-ups", "push ups and sit ups"),
    ("walks in a zig-zag", "walks in a zigzag"),
    ("walks backwards towards the wall", "walks backward toward the wall"),
    ("walks for ward", "walks forward"),
    ("to ward off a blow", "to ward off a blow"),
    ("he doesn’t stop", "he does not stop"),
    ("he's walking — slowly", "he is walking, slowly"),
    ("the person's left hand", "the person's left hand"),
    ("dont move", "do not move"),
    ("jump 2 times", "jump twice"),
    ("jump 13 times", "jump 13 times"),
    ("walk 1.5m", "walk 1.5 meters"),
    ("walk 2 metres", "walk two meters"),
    ("walk .5 m", "walk 0.5 meters"),
    ("walk , , then.. : stop :", "walk, then. stop"),
    ("take 2-3 steps", "take two to three steps"),
    ("１２ ｓｔｅｐｓ", "twelve steps"),
    ("ﬁnish “here”", "finish here"),
    ("wa\u200blk\ufeff", "walk"),
    ("wave 👋🏽 hello", "wave hello"),
    ("rock & roll", "rock and roll"),
    ("step_forward", "step forward"),
    ("raise ur hand, walk fwd", "raise your hand, walk forward"),
    ("a u-turn", "a u turn"),
    ("spin 360 on the spot", "spin 360 degrees on the spot"),
    ("turn left 90, then walk", "turn left 90 degrees, then walk"),
    ("do a 180 and stop", "do a 180 degree turn and stop"),
    ("one 360 spin", "one 360 degree spin"),
    ("turn 90 degress", "turn 90 degress"),
    (
        "fwd 2 steps, turn R 90, back 1, kick L leg",
        "walk forward two steps, turn right 90 degrees, walk backward one step, kick left leg",
    ),
    ("fwd 2 m then wave", "walk forward two meters then wave"),
    ("go r, then stop", "go right, then stop"),
    (
        "the dancer goes: forward two, back two",
        "the dancer goes: forward two, back two",
    ),
    ("a rock 'n' roll r&b dance", "a rock n roll r and b dance"),
    ("1. walk forward 2. turn around 3) wave", "walk forward, turn around, wave"),
    ("1) squat, 2) jump", "squat, jump"),
    ("1. walk 3. turn", "one. walk three. turn"),
    ("walk 1 m, side shuffle left 1 m", "walk one meter, sidestep left one meter"),
    ("spin for 90 seconds", "spin for 90 seconds"),
    ("show me a kick", "do a kick"),
    ("gimme a wave", "do a wave"),
    ("I want to see a man kicking", "a man kicking"),
    ("show me how you can dance", "dance"),
    ("zombie: slow motion", "zombie: slow motion"),
    ("I'd like to see a dance", "do a dance"),
    ("be a zombie", "act like a zombie"),
    ("would you mind turning around?", "mind turning around"),
    ("a video of a man kicking", "a man kicking"),
    ("generate a person who walks", "a person who walks"),
    ("make a circle with your arms", "make a circle with your arms"),
    ("show the left hand", "show the left hand"),
    ("let your arms hang", "let your arms hang"),
    ("a person can be seen walking", "a person can be seen walking"),
    ("you should not move", "you should not move"),
    ("a person is going to the left", "a person is going to the left"),
    ("so slow", "so slow"),
    ("WALK FORWARD!!!", "walk forward"),
    ("a café", "a cafe"),
    ("一个人向前走", "一个人向前走"),
    ("😀", ""),
    ("", ""),
]


@pytest.mark.parametrize(("given_", "wanted"), PAIRS)
def test_what_has_several_spellings_gets_one(given_: str, wanted: str) -> None:
    assert normalize(given_) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "please wave",
        "Can you wave, please?",
        "could you please wave",
        "I want you to wave.",
        "I'd like you to wave",
        "make the robot wave",
        "Robot, wave!",
        "hey robot, wave",
        "wave, robot",
        "let's wave",
        "wave, thanks",
        "you should wave",
        "the robot must wave",
        "someone has to wave",
        "now wave",
        "ok, now just wave",
        "go ahead and wave",
        "make it wave",
        "let him wave",
        "I want the man to wave",
        "show me how you wave",
        "can you show me how to wave?",
        "motion: wave",
        "omg just wave haha",
        "tell the robot to wave",
        "could it wave?",
        "bro, wave lol",
    ],
)
def test_politeness_does_not_reach_the_model(text: str) -> None:
    assert normalize(text) == "wave"


def test_a_robot_that_does_something_stays() -> None:
    assert normalize("the robot waves") == "the robot waves"
    assert normalize("walk like a robot") == "walk like a robot"


def test_nothing_but_politeness_is_better_than_nothing() -> None:
    assert normalize("please") == "please"


SNIPPETS = st.sampled_from(
    [
        *(text for text, _ in PAIRS),
        "3",
        "x",
        "-",
        "'",
        "(",
        ")",
        ".",
        ",",
        ":",
        " ",
        "deg",
    ]
    + [
        "please",
        "robot",
        "can you",
        "let's",
        "side",
        "step",
        "wards",
        "ccw",
        "one",
        "times",
    ]
)


@settings(deadline=None)
@given(
    st.one_of(
        st.text(),
        st.lists(SNIPPETS, max_size=6).map(" ".join),
        st.lists(SNIPPETS, max_size=6).map("".join),
    )
)
def test_twice_is_the_same_as_once(text: str) -> None:
    once = normalize(text)
    assert normalize(once) == once


@settings(deadline=None)
@given(st.text())
def test_what_is_left_is_clean(text: str) -> None:
    found = normalize(text)
    assert found == found.strip() and "  " not in found
    found.encode()  # No lone surrogates: the tokenizer would stop at them.
