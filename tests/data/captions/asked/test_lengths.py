"""Lengths in sentences, and motions that go so far."""

from __future__ import annotations

import numpy as np
import pytest

from texedo.data.captions.activities.rules import grade_of, parse
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.asked.clauses import rule_of_all
from texedo.data.captions.asked.lengths import in_meters
from texedo.data.captions.reader import read
from texedo.data.events.measure import measure_many
from texedo.data.synth.author import Spec, author_many


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a person walks two meters", "a person walks 2 meters"),
        ("a person walks half a meter back", "a person walks 0.5 meters back"),
        ("a person walks two and a half meters", "a person walks 2.5 meters"),
        ("a person walks a meter and a half", "a person walks 1.5 meters"),
        ("a person walks six feet forward", "a person walks 1.83 meters forward"),
        ("a person steps back 3 feet", "a person steps back 0.914 meters"),
        ("a person steps back ten inches", "a person steps back 0.254 meters"),
        (
            "a person moves 50 centimeters to the left",
            "a person moves to the left by 0.5 meters",
        ),
        (
            "a person sidesteps left one meter",
            "a person sidesteps to the left by 1 meters",
        ),
    ],
)
def test_lengths_are_said_in_meters(text: str, said: str) -> None:
    assert in_meters(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "a person jumps on one foot",
        "a person jumps with both feet forward",
        "a person lifts one foot forward",
        "a person stands with the feet apart",
        "a person walks a few meters",
        "a person walks three steps",
    ],
)
def test_what_is_no_length_stays(text: str) -> None:
    assert in_meters(text) == text


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            "a person walks half a meter backward",
            "covers(backward, 0.5) and not run()",
        ),
        ("a person moves 50 centimeters to the left", "covers(left, 0.5)"),
        ("a person walks three meters", "covers(any, 3) and not run()"),
    ],
)
def test_so_far_is_asked_for_and_not_at_least(text: str, rule: str) -> None:
    assert rule_of_all(read(in_meters(text))) == parse(rule)


def test_a_walk_covers_as_much_as_it_does_and_neither_half_nor_twice_that() -> None:
    specs = [Spec(kind="walk", way="forward", count=n) for n in (4, 8)]
    clips = [made.motion.to_qpos() for made in author_many(specs, seed=0)]
    for clip, look in zip(clips, measure_many(clips), strict=True):
        far = float(np.hypot(*(clip[-1, :2] - clip[0, :2])))
        scene = Scene(*look)

        def grade(metres: float, way: str = "forward", *, of: Scene = scene) -> float:
            return grade_of(parse(f"covers({way}, {metres:.3f})"), of)

        assert grade(far) >= 1.0 and grade(far, "any") >= 1.0
        assert grade(far) > grade(1.15 * far) > grade(1.4 * far)
        assert grade(far / 2) <= 0.0 and grade(2 * far) <= 0.0
        assert grade(far, "backward") <= 0.0 and grade(far, "left") <= 0.0
