"""The same in other words: what may change, and what may not."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from texedo.data.captions.choice import Choice
from texedo.data.captions.paraphrase import paraphrases
from texedo.data.captions.quantities import quantities

SENTENCES = [
    "a person raises his left hand",
    "A man walks forward slowly, then turns 90 degrees to the left.",
    "someone turns around to the right and waves twice",
    "she jumps three times",
    "the robot takes four steps forward and then does two squats",
    "he turns 360 degrees counterclockwise",
    "Walk forward, turn left and clap 3 times.",
    "sidestepping to the left with both arms raised",
    "after raising their right arm, a person makes a half turn to the left",
    "someone kicks with the right leg as they hop on the left foot",
    "a brisk walk with a quarter turn to the right",
]


def _all(text: str, number: int = 2000) -> set[str]:
    found: set[str] = set()
    for seed in range(number // 8):
        found.update(paraphrases(text, number=8, choice=Choice(seed)))
    return found


def _plain(texts: set[str]) -> set[str]:
    return {text.lower().rstrip(".!") for text in texts}


@pytest.mark.parametrize(
    "text, other",
    [
        ("a person raises his left hand", "raise your left hand"),
        ("a person raises his left hand", "please raise your left hand"),
        ("a person raises his left hand", "robot, lift your left hand"),
        ("a person raises his left hand", "can you raise your left hand?"),
        ("a person raises his left hand", "i want you to raise your left hand"),
        ("a person raises his left hand", "the robot raises its left hand"),
        ("a person raises his left hand", "raising the left hand"),
        ("a person raises his left hand", "raise left hand"),
        ("Raise your left hand.", "a man raises his left hand"),
        ("he walks, then turns left", "somebody walks before turning left"),
        ("he walks, then turns left", "after walking, turn left"),
        ("he walks, then turns left", "walk, turn left"),
        ("turns counterclockwise", "turn anti-clockwise"),
        ("hop to the left", "hop leftward"),
        ("turn 90 degrees", "turn a quarter turn"),
        ("turn 90 degrees", "turn ninety degrees"),
        ("turn 180 degrees", "turn around"),
        ("turn 360 degrees", "turn all the way around"),
        ("turn 45 degrees", "turn an eighth of a turn"),
        ("make a half turn", "make a 180-degree turn"),
        ("jump three times", "do three jumps"),
        ("do three jumps", "jump three times"),
        ("clap three times", "clap thrice"),
        ("clap three times", "clap 3x"),
        ("take four steps forward", "walk 4 steps forward"),
        ("walk slowly", "walk at a slow pace"),
        ("walk fast", "walk rapidly"),
        ("he does sidesteps", "do side-steps"),
    ],
)
def test_a_sentence_is_also_told_in_this_way(text: str, other: str) -> None:
    assert other in _plain(_all(text))


def _sides(text: str) -> Counter[str]:
    words = re.findall(r"\b(left|right|(?:counter|anti)[- ]?clock|clock)", text.lower())
    return Counter("ccw" if len(w) > 5 else w for w in words)


def _amounts(text: str) -> Counter[tuple[bool, int]]:
    kinds = ("times", "events")
    return Counter((q.kind in kinds, q.value) for q in quantities(text))


@pytest.mark.parametrize("text", SENTENCES)
def test_sides_counts_and_angles_stay(text: str) -> None:
    told_whole = re.compile(
        r"halfway around|half around|all the way around|around$|around[.!]"
    )
    for other in _all(text, 200):
        assert _sides(other) == _sides(text), other
        if not told_whole.search(other):
            assert _amounts(other) == _amounts(text), other


@pytest.mark.parametrize("text", SENTENCES)
def test_paraphrases_differ_from_the_text_and_from_each_other(text: str) -> None:
    found = paraphrases(text, number=6, choice=Choice("x"))
    keys = [other.lower().strip(" .!?") for other in found]
    assert found and len(set(keys)) == len(keys)
    assert text.lower().strip(" .!?") not in keys


def test_the_same_choice_gives_the_same_words() -> None:
    text = SENTENCES[1]
    first, second = (paraphrases(text, number=5, choice=Choice(3)) for _ in range(2))
    assert first == second


def test_a_zombie_stays_a_zombie() -> None:
    assert all("zombie" in other for other in _plain(_all("a zombie limps forward")))


def test_nothing_is_said_of_a_sentence_that_no_rule_fits() -> None:
    assert paraphrases("elegant pose", number=3, choice=Choice(0)) == []
