"""Requests are found in free sentences, with their sides, counts and manners."""

from __future__ import annotations

import pytest

from texedo.data.captions.activities.rules import parse
from texedo.data.captions.asked import wish_of
from texedo.data.captions.asked.parse import parts_of, steps_of
from texedo.data.captions.asked.patterns import patterns, reading_requests
from texedo.data.captions.asked.tokens import stem, tokens_of


def found(text: str) -> list[tuple[str, str, int]]:
    units = [unit for step in steps_of(text) for unit in step.units]
    return [(u.asked.request.id, u.asked.side, u.asked.count) for u in units]


def test_words_that_mean_the_same_are_one_word() -> None:
    first = [token.word for token in tokens_of("she quickly lifts both of her arms")]
    second = [token.word for token in tokens_of("rapidly raise both hands")]
    assert set(first) == set(second) == {"FAST", "raise", "both_hand"}
    assert stem("hopping") == stem("hops") == "hop" and stem("falls") == stem("fall")


def test_a_limb_takes_its_side_along() -> None:
    words = [t.word for t in tokens_of("touch the right shoulder with your left hand")]
    assert words == ["touch", "right_shoulder", "left_hand"]


@pytest.mark.parametrize(
    "text",
    [
        "wave your left hand three times",
        "the robot is waving with its left arm three times",
        "three times she waves the left hand",
    ],
)
def test_any_voice_asks_for_the_same(text: str) -> None:
    assert found(text) == [("wave-hand", "left", 3)]


def test_one_hand_is_either_but_not_both() -> None:
    assert found("a person raises one hand") == [("raise-hand", "one", 0)]


def test_a_thing_is_not_taken_for_a_deed() -> None:
    assert ("box", "", 0) not in found("the man carries a box")
    assert ("box", "", 0) in found("the man boxes")


def test_steps_come_in_the_order_of_time() -> None:
    walk_turn = ["walks", "turns"]
    assert parts_of("walks then turns") == walk_turn
    assert parts_of("before walks, turns") == ["turns", "walks"]
    assert parts_of("after walks, turns") == walk_turn
    assert parts_of("turns, preceded by walks") == walk_turn
    assert parts_of("turns after walking") == ["walking", "turns"]


def test_a_comma_before_a_verb_makes_a_step() -> None:
    assert parts_of("walks, turns right and waves") == ["walks", "turns right", "waves"]
    assert parts_of("walks forward, waving") == ["walks forward, waving"]
    assert parts_of("walks and waves") == ["walks and waves"]
    at_once = "walks, waves and turns at the same time"
    assert parts_of(at_once) == [at_once]


def test_what_nobody_does_at_once_comes_one_after_the_other() -> None:
    assert parts_of("turns around and walks back") == ["turns around", "walks back"]
    assert parts_of("walks forward and stops") == ["walks forward", "stops"]
    assert parts_of("turns while walking and waving") == [
        "turns while walking and waving"
    ]


def test_steps_are_counted_and_seconds_are_not() -> None:
    assert found("walk forward four steps") == [("walk-steps", "", 4)]
    assert found("walk backward three steps") == [("walk-steps-back", "", 3)]
    assert found("take two steps back") == [("step-back", "", 2)]
    assert found("do fifteen jumping jacks".replace("fifteen", "15")) == [
        ("jumping-jacks", "", 15)
    ]
    assert found("jump for ten seconds") == [("jump-n", "", 0)]


def test_what_is_said_whole_goes_before_what_is_said_short() -> None:
    assert found("walk with big steps") == [("confident-walk", "", 0)]
    assert found("a person stops") == [("stop", "", 0)]
    assert found("make a stop sign with your hand") == [("stop-sign", "", 0)]
    assert found("come here gesture") == found("beckon")


def test_arms_alone_ask_for_no_bow() -> None:
    wish = wish_of("a person holds their arms out to the sides")
    assert wish is not None and "unbent" in str(wish.limits)
    bow = wish_of("a person leans to the left")
    assert bow is None or "unbent" not in str(bow.limits)


def test_a_step_without_a_verb_has_that_of_the_step_before() -> None:
    sides = [side for _, side, _ in found("raise your left hand, then your right hand")]
    assert sides == ["left", "right"]


def test_manners_and_refusals_are_rules_of_their_own() -> None:
    (step,) = steps_of("turn around slowly")
    assert step.manners == (parse("slow_turn(60)"),) and step.known == 1.0
    (step,) = steps_of("a person walks without moving their arms")
    assert step.manners == (parse("hands_still(both, 0.16)"),)
    (step,) = steps_of("jumps, not kicks")
    assert [unit.negated for unit in step.units] == [False, True]


def test_what_nobody_can_measure_is_no_wish() -> None:
    assert wish_of("contemplate eternity") is None
    wish = wish_of("wave and contemplate eternity")
    assert wish is not None and 0.0 < wish.known < 0.7
    assert wish.limits is None, "who understands half does not know what is too much"
    whole = wish_of("wave with your left hand")
    assert whole is not None and whole.known == 1.0 and whole.limits is not None


def test_every_request_to_be_read_has_a_rule_and_its_own_words_find_it() -> None:
    assert len(reading_requests()) > 750 and len(patterns()) > 2500
    assert len({pattern.words for pattern in patterns()}) == len(patterns())
