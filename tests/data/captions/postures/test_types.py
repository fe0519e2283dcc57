"""Postures are written as words, mirrored, and joined."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texedo.core.errors import FileFormatError
from texedo.data.captions.postures import Posture, read_posture
from texedo.data.captions.postures.types import LEGS, WAYS

PLACES = st.sampled_from(("", "up", "side", "hip", "far", "hang"))
DEGREES = st.integers(-60, 60)
POSTURES = st.builds(
    Posture,
    left=PLACES,
    right=PLACES,
    lean=DEGREES,
    tip=DEGREES,
    twist=DEGREES,
    legs=st.sampled_from(("", *LEGS)),
    leg=st.sampled_from(("", "left", "right")),
    way=st.sampled_from(("", *WAYS)),
    seconds=st.integers(0, 12),
)


@given(POSTURES)
def test_a_posture_is_read_as_it_was_written(posture: Posture) -> None:
    assert read_posture(str(posture)) == posture


@given(POSTURES)
def test_the_mirror_image_of_a_mirror_image_is_the_posture(posture: Posture) -> None:
    assert posture.mirrored().mirrored() == posture
    assert posture.joined(posture) == posture
    assert posture.joined(Posture()) == posture


def test_left_becomes_right_in_the_mirror() -> None:
    posture = read_posture("left=up tip=20 twist=-30 legs=one leg=right way=knee")
    mirrored = read_posture("right=up tip=-20 twist=30 legs=one leg=left way=knee")
    assert posture.mirrored() == mirrored
    assert posture.sided and not read_posture("both=side lean=20").sided


def test_what_contradicts_cannot_be_joined() -> None:
    up, hip = read_posture("left=up"), read_posture("left=hip")
    assert up.joined(hip) is None
    assert up.joined(hip.mirrored()) == read_posture("left=up right=hip")
    together, one = read_posture("legs=together"), read_posture("legs=one leg=left")
    # How it begins: then a leg is lifted.
    assert together.joined(one) == one == one.joined(together)


@pytest.mark.parametrize("text", ["nose=up", "legs=four", "leg=middle", "way=under"])
def test_a_word_that_is_none_of_a_posture_is_named(text: str) -> None:
    with pytest.raises(FileFormatError, match=text):
        read_posture(text)
