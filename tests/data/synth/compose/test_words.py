"""Sentences of composed motions."""

from __future__ import annotations

from texedo.data.captions.choice import Choice
from texedo.data.synth.compose.words import (
    arms_are_free,
    join_captions,
    overlay_captions,
    pace_captions,
)


def test_parts_are_told_in_order() -> None:
    parts = [["~walk forward"], ["~wave {poss} right hand"]]
    for seed in range(30):
        (text,) = join_captions(parts, number=1, choice=Choice(seed))
        text = text.lower()
        assert text.index("walk") < text.index("wav")
        assert "right hand" in text
        assert not set(text) & set("~{}")


def test_three_parts_are_told_in_order() -> None:
    parts = [["~walk ahead"], ["~bow"], ["~clap twice"]]
    for seed in range(20):
        (text,) = join_captions(parts, number=1, choice=Choice(seed))
        text = text.lower()
        assert text.index("walk") < text.index("bow") < text.index("clap")


def test_an_overlay_tells_both() -> None:
    for seed in range(20):
        (text,) = overlay_captions(
            ["~walk ahead"], ["~wave {poss} left hand"], number=1, choice=Choice(seed)
        )
        assert "walk" in text.lower() and "left hand" in text.lower()


def test_legs_that_need_their_arms_are_not_free() -> None:
    assert arms_are_free("~walk forward with long strides")
    assert not arms_are_free("~carry a box")
    assert not arms_are_free("~walk with {poss} hands in {poss} pockets")


def test_a_tempo_is_named_once() -> None:
    slow = pace_captions(["~turn left"], quick=False, number=3, choice=Choice(1))
    assert slow and all("turn" in text.lower() for text in slow)
    named = ["~walk slowly", "~run", "~wait", "~hop while waving"]
    assert pace_captions(named, quick=True, number=3, choice=Choice(1)) == {}


def test_somebodys_own_words_come_first_and_weigh_more() -> None:
    parts = [["~prowl ahead", "~walk forward"], ["~curtsey", "~bow", "~lean over"]]
    said = join_captions(parts, number=3, choice=Choice(0), written=(1, 2))
    first, second, third = (text.lower() for text in said)
    assert "prowl" in first and ("curtsey" in first or "bow" in first)
    assert "walk" in second and "prowl" in third and "lean" in third
    # Written 1 and generated 0.25, the mean of the parts.
    assert list(said.values()) == [1.0, 0.625, 0.625]
    laid = overlay_captions(
        ["~prowl", "~walk"], ["~wave"], number=2, choice=Choice(0), written=1
    )
    assert list(laid.values()) == [1.0, 0.25]
    assert "prowl" in next(iter(laid)).lower()


def test_a_tempo_goes_to_one_verb_and_not_beside_another() -> None:
    phrases = [
        "~prowl ahead",
        "~walk and ~turn",
        "~stroll calmly",
        "~wave for a second",
    ]
    said = pace_captions(phrases, quick=True, number=2, choice=Choice(1), written=1)
    assert all("prowl" in text.lower() for text in said)
    assert set(said.values()) == {1.0}
