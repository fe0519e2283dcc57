"""What strangers ask for, field by field: it is known, written, and does what was asked."""

from __future__ import annotations

import pytest

from texedo.data.captions.activities.rules import grade_of
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.activities.table import Asked
from texedo.data.captions.asked.patterns import reading_requests
from texedo.data.synth.author import motions_of
from texedo.data.synth.prompted import specs_for
from texedo.data.synth.prompted.table import ways_to_do
from texedo.robot.check import check_motion

FIELDS = {
    "ball games": "baseball-pitch bowl tennis-forehand basketball-shot golf",
    "fights": "karate-chop sword-two punch-both bob-weave duck",
    "exercises": "good-morning sumo-squat elbow-knee toe-windmill torso-circles",
    "yoga": "warrior-one half-moon chair-pose volcano-pose",
    "dances": "twist-dance sprinkler egyptian charleston robot-dance",
    "gestures": "stop-both calm-down superhero statue-pose fifth-position",
    "theatre": "bow-butler hang-forward swoon clutch-heart melt",
    "ways": "rope-walk penguin robot-walk slow-run",
    "work": "conduct teach paddle pump direct-traffic",
    "games": "patty-cake crocodile octopus flower head-shoulders",
}
"""Of each field some requests."""


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_what_a_field_asks_for_is_written_as_its_rule_wants_it(field: str) -> None:
    requests = {request.id: request for request in reading_requests()}
    for name in FIELDS[field].split():
        request = requests[name]
        asked = Asked(request=request, side="right" if request.sided else "")
        (motion,) = motions_of(ways_to_do(asked)[0][:1])
        assert grade_of(asked.rule, Scene.of(motion)) >= 1.0, name
        assert check_motion(motion).verdict != "fail", name


@pytest.mark.parametrize(
    "text, kind, way",
    [
        ("a person does the robot", "routine", "robot-dance"),
        ("a person walks on a tightrope", "hold_pose", "side"),
        ("a person turns their back to the camera", "turn", ""),
        ("a person throws a baseball", "routine", "baseball-pitch"),
        ("a person shoots a basket", "routine", "basketball-shot"),
        ("a person bows like a butler", "routine", "bow-butler"),
        ("a person does good mornings", "routine", "good-morning"),
        ("a person rounds their arms above their head", "routine", "fifth-position"),
        ("a person does the cha-cha", "salsa", ""),
        ("a person shoos someone away with their left hand", "routine", "shoo"),
        ("a person swings a golf club", "routine", "golf"),
        ("a person runs in slow motion", "routine", "slow-run"),
        ("a person does heel raises", "routine", "calf-raises"),
        ("a person drinks a glass of water", "routine", "drink"),
    ],
)
def test_natural_wordings_find_their_way(text: str, kind: str, way: str) -> None:
    spec = specs_for(text, number=1)[0]
    assert (spec.kind, spec.way) == (kind, way)


def test_sides_and_counts_are_those_that_were_asked_for() -> None:
    (spec,) = specs_for("a person does a karate chop with the left hand", number=1)
    assert (spec.way, spec.side) == ("karate-chop", "left")
    (spec,) = specs_for("a person does three good mornings", number=1)
    assert (spec.way, spec.count) == ("good-morning", 3)
    (spec,) = specs_for("a person moonwalks four steps", number=1)
    assert (spec.kind, spec.way, spec.count) == ("walk", "backward", 4)


@pytest.mark.parametrize(
    "text, not_this",
    [
        ("a person walks ahead at a good pace", "turn"),
        ("a person walks forward and turns back", "about"),
        ("a person shakes their left leg out", "shake-arms"),
        ("a person lifts their left arm in front", "front-raises"),
        ("a person holds the bowl and stirs", "bowl"),
    ],
)
def test_new_wordings_take_nothing_from_others(text: str, not_this: str) -> None:
    for spec in specs_for(text, number=6):
        for part in (spec, *spec.parts):
            assert not_this not in (part.way, part.kind) or part.angle == 180
