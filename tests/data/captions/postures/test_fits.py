"""How clearly motions hold postures: the one they were written for, and no other."""

from __future__ import annotations

import pytest

from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.postures import fits, read_posture
from texedo.data.synth.author import Spec, motions_of

POSTURES = (
    "both=up seconds=3",
    "both=side legs=squat seconds=4",
    "both=hip legs=half",
    "legs=one leg=right way=knee seconds=4",
    "legs=one leg=left way=back lean=25 both=side",
    "legs=one leg=left way=side",
    "legs=one leg=right way=front",
    "legs=lunge leg=right",
    "legs=aside leg=left both=side",
    "legs=kneel leg=left both=hip",
    "tip=-24 seconds=3",
    "lean=60 seconds=3",
    "twist=40",
    "legs=wide both=side-high",
    "legs=tiptoe both=up",
    "left=up right=hip",
)


@pytest.fixture(scope="module")
def scenes() -> dict[str, Scene]:
    specs = [Spec(kind="posture", way=way) for way in POSTURES]
    return {
        way: Scene.of(motion)
        for way, motion in zip(POSTURES, motions_of(specs), strict=True)
    }


@pytest.mark.parametrize("way", POSTURES)
def test_a_posture_that_was_written_is_seen(way: str, scenes: dict[str, Scene]) -> None:
    assert fits(read_posture(way), scenes[way]) >= 0.9


@pytest.mark.parametrize("way", [w for w in POSTURES if read_posture(w).sided])
def test_its_mirror_image_is_not(way: str, scenes: dict[str, Scene]) -> None:
    assert fits(read_posture(way).mirrored(), scenes[way]) < 0.5


def test_few_other_motions_hold_it(scenes: dict[str, Scene]) -> None:
    others = [
        fits(read_posture(way), scene) >= 0.9
        for way in POSTURES
        for name, scene in scenes.items()
        if name != way
    ]
    assert sum(others) / len(others) < 0.05


def test_who_is_asked_for_ten_seconds_does_not_hold_it_for_two() -> None:
    (motion,) = motions_of([Spec(kind="posture", way="both=side seconds=2")])
    scene = Scene.of(motion)
    assert fits(read_posture("both=side seconds=2"), scene) >= 1
    assert fits(read_posture("both=side seconds=10"), scene) < 0.5
    assert fits(read_posture(""), scene) == 0  # nothing is asked for
