"""Routines: steps in a data file become motions that fulfil everyday requests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from texedo.core.errors import FileFormatError
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.activities.table import find_request
from texedo.data.captions.asked.patterns import reading_requests
from texedo.data.synth.author import (
    Spec,
    author,
    authored_specs,
    motions_of,
    spec_captions,
)
from texedo.data.synth.author.arms import hand_in_torso
from texedo.data.synth.author.phrases import phrases
from texedo.data.synth.author.requested import asked_for, fulfils
from texedo.data.synth.author.routines import corpus_routines, load_routines
from texedo.data.synth.author.routines.feet import LIFTS, SPOTS
from texedo.data.synth.author.routines.perform import _Player
from texedo.data.synth.author.routines.places import PLACES, pose_at
from texedo.data.synth.author.routines.steps import (
    Circle,
    Step,
    every_step,
    read_step,
)
from texedo.data.synth.author.stage.scene import Scene as Stage
from texedo.data.synth.compose.make import unlike_spec

SHOULDERS = np.array([0.0, 0.0, 0.24])
HAND_IS_THERE = 0.05
OUT_OF_REACH = {"neck", "up", "side", "floor", "far-low"}
SPECS_OF_THE_CORPUS = 9864
"""Where the stretched arm points there, or the joints of the elbow end before."""


def routine(way: str, side: str = "", count: int = 1, base: str = "stand") -> Spec:
    return Spec(kind="routine", way=way, side=side, count=count, base=base, free=True)  # type: ignore[arg-type]


def test_a_step_is_a_time_and_what_changes() -> None:
    assert read_step("0.8 own=chin lean=-0.1") == Step(
        0.8, (("own", "chin"),), (("lean", -0.1),)
    )
    assert read_step("1.2") == Step(1.2)
    assert read_step("1.0 both@wheel=level:0.2").circles == (
        ("both", Circle("wheel", "level", 0.2)),
    )


@pytest.mark.parametrize(
    "text",
    [
        "own=chin",
        "0.8 own=nose",
        "0.8 knee=1",
        "1 own@line=level:0.2",
        "1 lean=x",
        "1 own.foot=moon",
    ],
)
def test_a_step_that_makes_no_sense_is_named(text: str) -> None:
    with pytest.raises(FileFormatError, match=text.split()[-1][:3]):
        read_step(text, "test")


def test_a_step_puts_feet_to_places_and_lifts_them() -> None:
    assert read_step("1 own.foot=ahead other.foot=knee").feet == (
        ("own", "ahead"),
        ("other", "knee"),
    )
    assert not SPOTS.keys() & LIFTS.keys()


def test_every_routine_is_for_a_request_that_exists() -> None:
    for entry in corpus_routines().values():
        assert find_request(entry.request).wordings, entry.name
    known = {request.id for request in reading_requests()}
    for entry in load_routines().values():
        assert entry.request in known, entry.name


def test_what_is_only_written_for_sentences_is_not_in_the_corpus() -> None:
    later = load_routines().keys() - corpus_routines().keys()
    assert len(later) > 100
    specs = list(authored_specs())
    assert len(specs) == SPECS_OF_THE_CORPUS
    used = {part.way for s in specs for part in (s, *s.parts) if part.kind == "routine"}
    assert used and used <= corpus_routines().keys()


def test_who_walks_has_no_feet_to_put() -> None:
    for entry in load_routines().values():
        if any(base != "stand" for base in entry.bases):
            assert not any(step.feet for step in every_step(entry.steps)), entry.name


@pytest.mark.parametrize("place", sorted(set(PLACES) - OUT_OF_REACH))
def test_a_palm_comes_to_its_place(place: str) -> None:
    palm = hand_in_torso(pose_at(place))[:3] - SHOULDERS
    assert np.linalg.norm(palm - PLACES[place]) < HAND_IS_THERE


@pytest.mark.parametrize(
    "way, side",
    [
        ("arms-crossed", ""),
        ("touch-toes", "both"),
        ("hand-heart", "right"),
        ("arm-circle", "left"),
        ("knock", "right"),
        ("salute", "right"),
    ],
)
def test_a_routine_does_what_its_request_asks(way: str, side: str) -> None:
    made = author(routine(way, side))
    assert unlike_spec(made) == ""
    assert made.captions


def test_the_other_hand_does_not_fulfil_it() -> None:
    left, right = routine("hand-heart", "left"), routine("hand-heart", "right")
    seen = Scene.of(author(left).motion)
    assert fulfils(left, seen)
    assert not fulfils(right, seen)


def test_captions_are_wordings_of_the_request_with_the_side_in_them() -> None:
    asked = asked_for(routine("knock", "left"))
    assert asked is not None
    assert (asked.request.id, asked.side, asked.count) == ("knock", "left", 0)
    said = phrases(routine("knock", "left"))
    assert "~knock on a door with {poss} left hand" in said
    assert not any("right" in text for text in spec_captions(routine("knock", "left")))


def test_a_count_is_in_every_phrase() -> None:
    assert all("three times" in p for p in phrases(routine("raise-hands", "both", 3)))


def test_a_routine_ends_standing_as_it_began() -> None:
    motion = author(routine("touch-toes", "both")).motion
    height = motion.root_pos_w[:, 2]
    assert height.min() < height[0] - 0.1
    assert height[-1] == pytest.approx(height[0], abs=0.03)


def test_feet_go_to_a_stance_and_come_back_from_it() -> None:
    (motion,) = motions_of([routine("superhero", "both")])
    apart = Scene.of(motion).signals.foot_f
    width = apart[:, 0, 1] - apart[:, 1, 1]
    assert width.max() > width[0] + 0.15
    assert width[-1] == pytest.approx(width[0], abs=0.04)


@pytest.mark.parametrize("plane, sense", [("wheel", -1), ("wheel-back", 1)])
def test_a_wheel_turns_either_way(plane: str, sense: int) -> None:
    scene = Stage(np.random.default_rng(0))
    play(scene, routine("arm-circles", "left"), f"1 own@{plane}=level:0.04")
    poses = [pose for _, pose in scene.arms["left"] if pose is not None]
    palm = np.array([hand_in_torso(pose)[[0, 2]] for pose in poses])
    (x, z), (u, v) = (palm - palm.mean(axis=0)).T, np.gradient(palm, axis=0).T
    assert np.sign((x * v - z * u).sum()) == sense


def play(scene: Stage, spec: Spec, step: str) -> None:
    only = replace(load_routines()["arm-circles"], steps=(read_step(step),), ends=False)
    _Player(scene, spec, only).play()
