"""Which captions have a side, and which an order."""

import pytest

from texedo.evaluation.judges.kinematic.parse import parse
from texedo.evaluation.judges.pairs import has_order, has_side


@pytest.mark.parametrize(
    "caption",
    [
        "turn left",
        "raise the right hand",
        "turn left, then right",
        "kick with the left foot and then with the right foot",
        "step over, left foot first",
        "walk in a circle clockwise",
        "play the violin with the left hand",
        "turn around without moving the left arm",
    ],
)
def test_a_caption_whose_mirror_image_is_another_has_a_side(caption: str) -> None:
    assert has_side(parse(caption))


@pytest.mark.parametrize(
    "caption",
    [
        "walk forward",
        "wave with both hands",
        "turn left and right",
        "kick left, right, left, right",
        "punch alternately left and right",
        "kick with the left and right leg",
    ],
)
def test_a_caption_that_is_its_own_mirror_image_has_none(caption: str) -> None:
    assert not has_side(parse(caption))


@pytest.mark.parametrize(
    "caption",
    [
        "bow, then wave",
        "walk forward, then turn left",
        "left jab, then a right hook",
        "squat, stand up, and then wave",
    ],
)
def test_a_caption_that_the_contrary_order_changes_has_an_order(caption: str) -> None:
    assert has_order(parse(caption))


@pytest.mark.parametrize(
    "caption",
    [
        "bow and wave",
        "walk, then wave, then walk",
        "step forward, then step backward",
        "turn left, then turn right",
        "turn 90 degrees to the left, then to the right",
        "raise the left arm, then lower it",
        "squat, then stand up",
        "take a step, then another step",
        "kick with the right foot, then kick again",
        "bow now and then",
    ],
)
def test_what_is_the_same_from_its_end_or_played_backwards_has_none(
    caption: str,
) -> None:
    assert not has_order(parse(caption))
