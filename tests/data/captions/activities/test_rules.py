"""The language of the rules: what it reads, what it refuses, how it grades."""

from __future__ import annotations

import pytest

from tests.support.standing import standing
from texedo.data.captions.activities.judge import judge, scene_of
from texedo.data.captions.activities.predicates import PREDICATES, parameters
from texedo.data.captions.activities.predicates.grades import (
    CLEARLY,
    by_side,
    counted,
    grade,
    plain,
    weakly,
)
from texedo.data.captions.activities.rules import (
    Joined,
    Measured,
    RuleError,
    answer,
    bind,
    grade_of,
    names_of,
    parse,
)
from texedo.data.captions.activities.scene import Scene


@pytest.fixture(scope="module")
def still() -> Scene:
    return scene_of(standing(150, swing=0.0))


def test_a_rule_is_read_as_it_is_written() -> None:
    rule = parse("hand_near(hip, side) and not travel(forward-left, min=-1.5)")
    assert rule == Joined(
        "and",
        (
            Measured("hand_near", ("hip", "side")),
            Joined("not", (Measured("travel", ("forward-left",), (("min", -1.5),)),)),
        ),
    )
    assert names_of(rule) == {"hand_near", "travel"}


def test_a_rule_may_name_another_one() -> None:
    known = {"STAYS": parse("stay(0.3)")}
    assert parse("STAYS or run()", known) == parse("stay(0.3) or run()")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("fly()", "no predicate 'fly'"),
        ("walk(", "is no rule"),
        ("NOWHERE", "no rule is called"),
        ("stay(0.3, 0.4)", "takes max"),
        ("stay(speed=3)", "has no speed"),
        ("stay([1])", "neither a word nor a number"),
        ("__import__('os').remove('x')", "not known here"),
        ("stay() + 1", "not known here"),
        ("then()", "takes rules"),
    ],
)
def test_what_is_not_in_the_language_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(RuleError, match=complaint):
        parse(text)


def test_sides_and_counts_are_filled_in() -> None:
    rule = parse("wave(side, n) and travel(forward-other)")
    bound = bind(rule, {"side": "left", "other": "right", "n": 2.0})
    assert bound == parse("wave(left, 2) and travel(forward-right)")


def test_grades_go_from_no_to_yes_over_a_margin() -> None:
    assert [grade(v, 1.0, 3.0) for v in (1.0, 2.0, 3.0)] == [0, 0.5, 1]


def test_beyond_yes_and_no_a_grade_says_how_clearly_up_to_one_margin() -> None:
    assert [grade(v, 1.0, 3.0) for v in (4.0, 5.0, 9.0)] == [1.5, 2, 2]
    assert [grade(v, 1.0, 3.0) for v in (0.0, -1.0, -9.0)] == [-0.5, -1, -1]
    assert [plain(g) for g in (-1, 0.5, 2)] == [0, 0.5, 1] and weakly(2.0) == 0.5
    assert grade(2.0, 3.0, 1.0) == 0.5  # downward
    assert [answer(g) for g in (0.0, 0.5, 1.0)] == ["no", "perhaps", "yes"]


def test_a_count_is_exact_and_one_off_is_perhaps_from_three_on() -> None:
    assert [counted(c, 3) for c in (0, 1, 2, 3, 4, 5)] == [0, 0, 0.4, 1, 0.4, 0]
    assert [counted(c, 2) for c in (1, 2, 3)] == [0, 1, 0]
    assert [counted(c, 0) for c in (0, 1, 7)] == [0, 1, CLEARLY]


def test_who_uses_both_hands_for_one_does_it_perhaps() -> None:
    grades = [1.0, 1.0]
    assert by_side(grades.__getitem__, "left") == 0.5
    assert by_side([1.0, 0.0].__getitem__, "left") == 1.0
    assert by_side([1.0, 0.0].__getitem__, "right") == 0.0
    assert by_side([1.0, 0.0].__getitem__, "both") == 0.0
    assert by_side([1.0, 0.0].__getitem__, "either") == 1.0


def test_and_or_not_and_maybe(still: Scene) -> None:
    assert judge("still() and stay()", still) == "yes"
    assert judge("still() and jump()", still) == "no"
    assert judge("jump() or still()", still) == "yes"
    assert judge("not jump()", still) == "yes"
    assert judge("maybe(still())", still) == "perhaps"
    assert judge("maybe(jump())", still) == "no"


def test_every_predicate_answers_for_a_motion_in_which_nothing_happens(
    still: Scene,
) -> None:
    first = {"hand_near": "hip", "hand_visits": "head", "hand_level": "head"}
    first |= {"arm_out": "front", "reaches": "up", "stroke": "down", "mainly": "x"}
    first |= {"looks": "left", "leg_held": "back", "hand_below": "0.1"}
    assert len(PREDICATES) >= 90
    for name in PREDICATES:
        value = grade_of(parse(f"{name}({first.get(name, '')})"), still)
        assert 1 - CLEARLY <= value <= CLEARLY, name
        assert isinstance(parameters(name), tuple)
