"""Which side is meant, and which side a motion is on."""

import numpy as np
import pytest

from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.asked.sides import Mention, mentions_of, on_its_sides
from texedo.data.captions.asked.tokens import plainer
from texedo.data.synth.author import Spec, author_many
from texedo.motion import Motion
from texedo.robot.mirror import mirror


@pytest.mark.parametrize(
    ("text", "what", "sign"),
    [
        ("she lifts her left arm", "hand", 1),
        ("a right jab", "hand", -1),
        ("he kicks with the right foot", "leg", -1),
        ("he balances on his left leg", "leg", -1),  # The right one is in the air.
        ("turns ninety degrees to the left", "turn", 1),
        ("spinning clockwise", "turn", -1),
        ("a slow left turn", "turn", 1),
        ("takes two steps to the right", "way", -1),
        ("leans to the left", "lean", 1),
    ],
)
def test_a_side_is_that_of_its_limb_or_of_the_deed_before(
    text: str, what: str, sign: int
) -> None:
    (mention,) = mentions_of(text)
    assert (mention.what, mention.sign) == (what, sign)


@pytest.mark.parametrize(
    "text",
    ["walks ahead", "swings left and right", "rests the left hand on the hip"],
)
def test_no_side_is_meant_where_the_mirror_image_shows_the_same_or_a_limb_rests(
    text: str,
) -> None:
    assert mentions_of(text) == ()


def test_sides_of_steps_are_looked_for_in_their_time() -> None:
    found = mentions_of("turns left, then raises the right hand")
    assert found == (Mention("turn", 1.0, 0, 2), Mention("hand", -1.0, 1, 2))


@pytest.fixture(scope="module")
def left_hand() -> Motion:
    spec = Spec(kind="raise_hand", side="left", way="up")
    return next(iter(author_many([spec]))).motion


def test_the_mirror_image_has_the_opposite_evidence(left_hand: Motion) -> None:
    scenes = [Scene.of(left_hand), Scene.of(mirror(left_hand))]
    # No rule knows this deed.
    left, right = (
        mentions_of(f"flaunts the {side} hand") for side in ("left", "right")
    )
    own, image = (on_its_sides(left, scene) for scene in scenes)
    assert own > 2.0
    assert image == pytest.approx(-own, abs=1e-3)
    assert on_its_sides(right, scenes[0]) == pytest.approx(-own, abs=1e-9)
    assert on_its_sides((), scenes[0]) == 0.0


def test_going_on_is_not_stopping() -> None:
    assert plainer("he walks and keeps going.") == "he walks without stopping."
    assert plainer("he walks and goes on") == "he walks without stopping"
    assert plainer("he keeps going forward") == "he keeps going forward"


def test_a_part_of_a_single_frame_moves_nowhere(left_hand: Motion) -> None:
    frame = Scene.of(left_hand).part(10, 11)
    assert len(frame) == 1
    assert (frame.palm_rate == 0.0).all()
    for text in ("a left jab", "turns to the left", "leans left", "steps to the left"):
        assert np.isfinite(on_its_sides(mentions_of(text), frame))
