"""Where somebody faces in the end who turns among other things."""

from __future__ import annotations

import pytest

from texedo.data.captions.activities.rules import grade_of, parse
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.asked.facing import facing_of
from texedo.data.captions.asked.parse import parts_of
from texedo.data.captions.reader import read
from texedo.data.events.measure import measure_many
from texedo.data.synth.author import Spec, author_many


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("a person walks forward, turns right, walks on", "turn(right, 90, 70)"),
        ("a person turns around and walks back", "turn(either, 180, 70)"),
        ("a person turns left twice, then bows", "turn(left, 180, 70)"),
        ("a person turns left, then turns right", "turn(either, 0, 70)"),
        ("a person turns left, turns right 180 degrees", "turn(right, 90, 70)"),
    ],
)
def test_turns_add_up(text: str, rule: str) -> None:
    assert facing_of(read(" then ".join(parts_of(text)))) == parse(rule)


@pytest.mark.parametrize(
    "text",
    [
        "a person turns left",  # one thing to do
        "a person walks and waves",  # no turn
        "a person turns slightly left and walks",  # who knows how far
        "a person walks in a circle, then turns left",
        "a person turns left, then turns around",  # round which side?
        "a person dances, then turns left",
    ],
)
def test_where_that_is_left_open_nothing_is_asked(text: str) -> None:
    assert facing_of(read(" then ".join(parts_of(text)))) is None


def test_a_walk_in_a_circle_is_no_right_turn_on_a_walk() -> None:
    walk = Spec(kind="walk", way="forward", count=4)
    turn = Spec(kind="turn", angle=-90)
    straight = Spec(kind="sequence", parts=(walk, turn, walk))
    round_ = Spec(kind="sequence", parts=(walk, turn, turn, turn, turn))
    clips = [made.motion.to_qpos() for made in author_many([straight, round_], seed=0)]
    scenes = [Scene(*look) for look in measure_many(clips)]
    rule = facing_of(read("walk forward then turn right then walk forward"))
    assert rule is not None
    assert grade_of(rule, scenes[0]) >= 1 > 0 >= grade_of(rule, scenes[1])
