"""Predicates on motions that are written to order: known sides, counts and ways."""

from __future__ import annotations

import pytest

from texedo.data.captions.activities.judge import judge, scene_of
from texedo.data.captions.activities.rules import bind, parse
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.activities.table import asked_of, find_request
from texedo.data.synth.author import Spec, author_many
from texedo.motion import Motion
from texedo.robot.mirror import mirror

SPECS = {
    "wave": Spec(kind="wave", side="right", count=3),
    "raise": Spec(kind="raise_hand", side="both", way="up"),
    "point": Spec(kind="point", side="left", way="forward"),
    "clap": Spec(kind="clap", count=3, way="chest"),
    "salute": Spec(kind="salute", side="right"),
    "head": Spec(kind="hand_to_head", side="left"),
    "hips": Spec(kind="hands_on_hips", side="both"),
    "bow": Spec(kind="bow", count=2),
    "spread": Spec(kind="spread_arms"),
    "kick": Spec(kind="kick", side="right", count=2),
    "knee": Spec(kind="raise_knee", side="left", count=2),
    "squat": Spec(kind="squat", count=3),
    "walk": Spec(kind="walk", way="forward", count=5),
    "turn": Spec(kind="turn", angle=-90),
    "jacks": Spec(kind="jumping_jack", count=3),
    "jump": Spec(kind="jump", count=2),
    "hop": Spec(kind="hop", side="left", count=2),
    "stand": Spec(kind="stand", count=2),
    "one leg": Spec(kind="one_leg", side="left", count=2),
    "turn, wave": Spec(
        kind="sequence",
        parts=(Spec(kind="turn", angle=90), Spec(kind="wave", side="left", count=2)),
    ),
}


@pytest.fixture(scope="module")
def motions() -> dict[str, Motion]:
    made = author_many(list(SPECS.values()))
    return {name: one.motion for name, one in zip(SPECS, made, strict=True)}


@pytest.fixture(scope="module")
def scenes(motions: dict[str, Motion]) -> dict[str, Scene]:
    return {name: scene_of(motion) for name, motion in motions.items()}


YES = [
    ("wave", "wave(right, 3)"),
    ("wave", "hand_level(head, right) and hands_down(left)"),
    ("raise", "hand_level(overhead, both)"),
    ("point", "arm_out(front, left)"),
    ("clap", "clap(3)"),
    ("salute", "hand_near(forehead, right)"),
    ("head", "hand_near(head, left)"),
    ("hips", "hand_near(hip, both)"),
    ("bow", "bow(2) and bent(30)"),
    ("spread", "arm_out(out, both) and hands_apart(0.7)"),
    ("kick", "kick(right, front, 2)"),
    ("knee", "knee_raise(left, 2)"),
    ("squat", "squat(3) and low(0.8, 0.1)"),
    ("walk", "walk(forward, 0.8) and straight()"),
    ("turn", "turn(right, 90) and stay(0.4)"),
    ("jacks", "jacks(3) and feet_open_close(3)"),
    ("jump", "jump(2)"),
    ("hop", "hop(left, 2)"),
    ("stand", "still() and rest_feet()"),
    ("one leg", "one_leg(left, 1.5)"),
    ("turn, wave", "then(turns(left, 45), wave(left))"),
]
NO = [
    ("wave", "wave(left)"),
    ("wave", "wave(right, 1)"),
    ("wave", "hands_still()"),
    ("raise", "arms_crossed()"),
    ("point", "arm_out(out, left) or arm_out(front, right)"),
    ("salute", "hand_near(hip, right) or hand_near(belly, right)"),
    ("hips", "hand_near(head, either) or hand_near(chest, either)"),
    ("stand", "hand_near(hip, either)"),
    ("kick", "kick(left)"),
    ("squat", "high_knees(2) or jump()"),
    ("walk", "travel(backward) or circle() or zigzag() or run()"),
    ("turn", "turn(left, 90) or spins()"),
    ("stand", "walk() or energy(min=0.3)"),
    ("jump", "hop() or jacks()"),
    ("turn, wave", "then(wave(left), turns(left, 45))"),
]


@pytest.mark.parametrize(("name", "rule"), YES, ids=[f"{n}: {r}" for n, r in YES])
def test_what_was_written_is_seen(
    scenes: dict[str, Scene], name: str, rule: str
) -> None:
    assert judge(rule, scenes[name]) == "yes"


@pytest.mark.parametrize(("name", "rule"), NO, ids=[f"{n}: {r}" for n, r in NO])
def test_what_was_not_written_is_not_seen(
    scenes: dict[str, Scene], name: str, rule: str
) -> None:
    assert judge(rule, scenes[name]) == "no"


def test_raising_the_arms_and_letting_them_down_is_no_blow(
    scenes: dict[str, Scene],
) -> None:
    assert judge("throws() or punch() or stroke(down)", scenes["raise"]) != "yes"
    assert judge("stroke(down, low=1)", scenes["raise"]) == "yes"


def test_one_hand_is_asked_for_and_both_go_up(scenes: dict[str, Scene]) -> None:
    assert judge("hand_level(overhead, left)", scenes["raise"]) == "perhaps"


@pytest.mark.parametrize("name", ["wave", "point", "kick", "knee", "turn", "hop"])
def test_the_mirror_image_swaps_the_sides(
    motions: dict[str, Motion], scenes: dict[str, Scene], name: str
) -> None:
    rules = {
        "wave": "wave(side)",
        "point": "arm_out(front, side)",
        "kick": "kick(side)",
        "knee": "knee_raise(side)",
        "turn": "turns(side, 60)",
        "hop": "hop(side)",
    }
    image = scene_of(mirror(motions[name]))
    swapped = {"left": "right", "right": "left"}
    for side, other in swapped.items():
        own = judge(bind(parse(rules[name]), {"side": side}), scenes[name])
        seen = judge(bind(parse(rules[name]), {"side": other}), image)
        assert own == seen


def test_requests_are_answered(scenes: dict[str, Scene]) -> None:
    right = {asked.side: asked for asked in asked_of(find_request("wave-hand"))}
    assert judge(right["right"], scenes["wave"]) == "yes"
    assert judge(right["left"], scenes["wave"]) == "no"
    assert judge(find_request("salute"), scenes["salute"]) == "yes"
    assert judge(find_request("hands-hips"), scenes["hips"]) == "yes"
    assert judge(find_request("walk-forward"), scenes["walk"]) == "yes"
    assert judge(find_request("jumping-jacks"), scenes["jacks"]) == "yes"
    assert judge(find_request("throw-ball"), scenes["raise"]) != "yes"


def test_arms_are_not_judged_on_the_way_unless_asked(scenes: dict[str, Scene]) -> None:
    assert judge("hands_down(both)", scenes["walk"]) == "yes"
    assert judge(find_request("arms-down"), scenes["walk"]) != "yes"
