"""Rules in data: read, refused, mirrored, relaxed."""

import pytest

from texedo.core.errors import FileFormatError
from texedo.evaluation.understanding.rules import (
    Clause,
    Compound,
    actions,
    mirrored,
    parse_rule,
)
from texedo.evaluation.understanding.suite import all_prompts


def test_a_rule_is_read_with_its_arguments() -> None:
    rule = parse_rule([{"turn": {"to": "left", "angle": 90}}, {"no": {"jump": {}}}])
    assert rule[0] == Clause("turn", (("to", "left"), ("angle", 90)))
    assert rule[1] == Compound("no", ((Clause("jump"),),))


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"levitate": {}}, "'levitate' is no judge"),
        ({"turn": {"towards": "left"}}, "turn does not take towards"),
        ({"turn": {}, "jump": {}}, "one key"),
    ],
)
def test_what_no_judge_can_measure_is_refused(record: dict, says: str) -> None:
    with pytest.raises(FileFormatError, match=says):
        parse_rule([record])


def test_the_mirror_swaps_sides_at_every_depth_and_twice_is_nothing() -> None:
    rule = parse_rule(
        [{"order": [[{"kick": {"side": "left"}}], [{"turn": {"to": "right"}}]]}]
    )
    other = parse_rule(
        [{"order": [[{"kick": {"side": "right"}}], [{"turn": {"to": "left"}}]]}]
    )
    assert mirrored(rule) == other
    for prompt in all_prompts():
        if prompt.rule is not None:
            assert mirrored(mirrored(prompt.rule)) == prompt.rule


def test_an_action_without_its_details_keeps_its_direction() -> None:
    rule = parse_rule(
        [
            {"turn": {"to": "left", "angle": 90}},
            {"kick": {"side": "left", "n": 2}},
            {"pace": {"below": 0.5}},
            {"no": {"jump": {}}},
        ]
    )
    assert actions(rule) == [
        Clause("turn", (("to", "left"), ("min", 30.0))),
        Clause("kick"),
    ]
