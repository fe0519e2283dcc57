"""Sentences made false by a small change, and those that must be left alone."""

from __future__ import annotations

import pytest

from texedo.data.captions.contrary import contraries
from texedo.data.captions.sides import swap_sides


def _of(kind: str, text: str) -> list[str]:
    return [c.text for c in contraries(text) if c.kind == kind]


@pytest.mark.parametrize(
    "kind, text, other",
    [
        ("side", "he waves his left hand", "he waves his right hand"),
        ("side", "turn counter clockwise", "turn clockwise"),
        ("direction", "a person walks forward", "a person walks backward"),
        ("direction", "Step back.", "Step forward."),
        ("direction", "she walks sideways to the left", "she walks straight forward"),
        ("count", "he jumps twice", "he jumps four times"),
        ("count", "he takes one step back", "he takes three steps back"),
        ("count", "clap 3 times", "clap 5 times"),
        ("angle", "he turns 90 degrees left", "he turns 270 degrees left"),
        ("angle", "she turns around", "she turns a quarter turn"),
        ("angle", "make a half turn", "make a quarter turn"),
        ("speed", "Slowly raise your hand.", "Quickly raise your hand."),
        ("speed", "with fast steps", "with slow steps"),
        ("speed", "a man walks ahead", "a man runs ahead"),
        ("order", "he walks, then turns left", "he turns left, then walks"),
        ("order", "jump and then clap your hands", "clap your hands, then jump"),
        ("order", "he bows before turning left", "he bows after turning left"),
        ("order", "after bowing, he turns left", "before bowing, he turns left"),
        ("action", "a person waves", "a person claps"),
        ("action", "he jumps twice", "he squats down twice"),
        ("action", "kick with your left foot", "punch with your left hand"),
        ("action", "a man plays the violin", "a man does jumping jacks"),
        ("limb", "raise both arms", "raise one arm"),
        ("limb", "he raises his left hand", "he raises both hands"),
        ("limb", "he raises his left hand", "he raises his left foot"),
        ("limb", "stand on one leg", "stand on both legs"),
        ("negation", "he walks ahead and stops", "he walks ahead and keeps going"),
        ("negation", "march in place", "march across the room"),
        ("negation", "walk without stopping", "walk stopping halfway"),
    ],
)
def test_a_small_change_makes_it_false(kind: str, text: str, other: str) -> None:
    assert other in _of(kind, text)


@pytest.mark.parametrize(
    "kind, text",
    [
        ("side", "he waves left and right"),
        ("side", "he raises the left and right arm alternately"),
        ("side", "he makes a right angle"),
        ("side", "he walks without turning left"),
        ("direction", "he rocks forward and back"),
        ("direction", "he looks straight ahead"),
        ("direction", "he steps back to his place"),
        ("count", "he takes more than two steps"),
        ("count", "he spins one and a half times"),
        ("angle", "he turns more than 90 degrees"),
        ("angle", "he bends his elbow to 90 degrees"),
        ("speed", "he slows down"),
        ("order", "he lifts the box, then puts it down"),
        ("order", "he walks, then stops"),
        ("order", "he steps left, then right, over and over"),
        ("action", "he jumps and squats"),
        ("action", "with two jumps"),
        ("limb", "he raises both arms and lowers them"),
        ("limb", "he raises his left hand, then his right hand"),
    ],
)
def test_what_could_still_be_true_is_left_alone(kind: str, text: str) -> None:
    assert _of(kind, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "A person walks forward slowly, then turns left twice.",
        "Raise both arms and hop on the left foot.",
        "someone takes four steps back and makes a quarter turn clockwise",
    ],
)
def test_contraries_differ_from_the_text_and_from_each_other(text: str) -> None:
    texts = [c.text for c in contraries(text)]
    assert len(texts) >= 3 and len(set(texts)) == len(texts) and text not in texts


def test_the_other_side_of_the_other_side_is_the_first() -> None:
    text = "He turns left and kicks with his left leg."
    (other,) = _of("side", text)
    assert other == swap_sides(text)
    assert _of("side", other) == [text]


def test_a_direction_changed_twice_is_the_first() -> None:
    (other,) = _of("direction", "a person walks forward")
    assert _of("direction", other) == ["a person walks forward"]
