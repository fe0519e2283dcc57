"""What sentences say of postures: hands, trunk, legs, times, sides."""

from __future__ import annotations

import pytest

from texedo.data.captions.postures import (
    in_two,
    postures_said,
    read_posture,
    steps_said,
    taken_from,
)


@pytest.mark.parametrize(
    "text, rest, posture",
    [
        ("a person walks with both hands behind their back", "a person walks", "both=back"),
        ("a person squats with both arms stretched out in front of them", "a person squats", "both=far"),
        ("a person walks forward, arms out to the sides", "a person walks forward", "both=side"),
        ("a person bows with their right hand on their chest", "a person bows", "right=chest"),
        ("a person marches, left arm straight up", "a person marches", "left=up"),
        ("a person walks toward me with open arms", "a person walks toward me", "both=side"),
        ("a person shakes their head with crossed arms", "a person shakes their head", "both=crossed"),
        ("a person waves with bent knees", "a person waves", "legs=bent"),
        ("a person plays air guitar with a wide stance", "a person plays air guitar", "legs=wide"),
        ("a person walks, back is bent", "a person walks", "lean=28"),
        ("a person squats, feet planted, back straight", "a person squats", ""),
    ],
)  # fmt: skip
def test_what_is_held_is_taken_out_of_a_sentence(
    text: str, rest: str, posture: str
) -> None:
    taken = taken_from(text)
    assert (taken.rest, taken.posture) == (rest, read_posture(posture))


@pytest.mark.parametrize(
    "text, posture",
    [
        ("a person stands on their left leg, right knee lifted to hip height", "legs=one leg=right way=knee"),
        ("a person does a side bend to the right", "tip=-24"),
        ("a person leans to the left by 30 degrees", "tip=30"),
        ("a person steps into a deep forward lunge with their right leg", "legs=lunge leg=right"),
        ("a person goes down on their left knee", "legs=kneel leg=left"),
        ("a person stands in a t pose", "both=side"),
        ("a person twists their torso to the right", "twist=-40"),
        ("a person stretches the right leg out behind them", "legs=one leg=right way=back"),
        ("a person does a half squat, hands on hips", "legs=half both=hip"),
        ("a person stands in a warrior two pose, wide stance, left knee bent, arms horizontal", "legs=aside leg=left both=side"),
        ("a person makes a big circle with their arms above their head", "both=up-together"),
    ],
)  # fmt: skip
def test_deeds_that_are_postures_are_read_as_such(text: str, posture: str) -> None:
    taken = taken_from(text, deeds=True)
    assert taken.posture == read_posture(posture)
    assert not taken.open


@pytest.mark.parametrize(
    "text, seconds",
    [
        ("a person squats and holds it for eight seconds", 8),
        ("a person lunges and stays down there for five seconds", 5),
        ("a person raises both arms, holds three seconds", 3),
        ("a person stands on one leg for about six seconds", 6),
        ("a person balances on one foot up to 10 seconds", 10),
        ("a person leans left and holds it", 3),  # no time is said
        ("a person walks forward four counts", 0),
        ("a person spins around in two seconds", 0),
    ],
)
def test_how_long_it_is_held(text: str, seconds: int) -> None:
    assert taken_from(text).posture.seconds == seconds


def test_one_arm_and_the_other_are_two_arms() -> None:
    taken = taken_from("a person freezes with one arm up and one arm on the hip")
    assert taken.posture == read_posture("right=up left=hip")
    assert taken.open  # whichever it is


def test_sides_that_are_swapped_are_told_from_one_side() -> None:
    both = taken_from("a person twists their torso left and right", deeds=True)
    one = taken_from("a person twists their torso to the left", deeds=True)
    assert both.swaps and not one.swaps
    each = taken_from("a person leans left and right three times each way", deeds=True)
    assert each.swaps and each.each


def test_a_posture_is_a_step_where_it_follows_another_deed() -> None:
    text = "a person spins around once and ends with arms wide open"
    assert steps_said(text) == [
        "a person spins around once",
        "a person stands with arms wide open",
    ]
    text = "a person bends down, then comes up tall with both arms overhead"
    assert len(steps_said(text)) == 2
    held = [taken.posture for taken in postures_said(text)]
    assert held == [read_posture("both=up")]  # a bend is not held unless it is said


def test_a_deed_is_only_held_where_that_is_said() -> None:
    assert postures_said("a person squats three times") == []
    (held,) = postures_said("a person squats and holds it for five seconds")
    assert held.posture == read_posture("legs=squat seconds=5")


def test_what_has_no_verb_goes_with_the_sentence_before() -> None:
    text = "a person walks on a rope. arms out for balance"
    assert steps_said(text) == ["a person walks on a rope, arms out for balance"]


def test_hops_on_the_left_are_on_the_left_foot() -> None:
    text = "a person hops three times on the right foot, three times on the left"
    assert steps_said(text) == [
        "a person hops three times on the right foot",
        "a person hops three times on the left foot",
    ]


def test_two_deeds_that_and_joins_may_be_one_after_the_other() -> None:
    assert in_two("a person walks forward and bows") == [
        "a person walks forward",
        "a person bows",
    ]
    once = "a person walks and waves at the same time"
    assert in_two(once) == [once]


def test_arms_that_go_on_do_so_in_the_next_step() -> None:
    text = "a person stretches their arms up, then out to the sides"
    held = [taken.posture for taken in postures_said(text)]
    assert held == [read_posture("both=up"), read_posture("both=side")]


def test_who_stays_without_a_time_may_end_so() -> None:
    assert taken_from("a person squats down and stays there").stays
    assert not taken_from("a person squats down and stays there for two seconds").stays
