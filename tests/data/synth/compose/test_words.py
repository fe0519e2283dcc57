"""Sentences of composed motions."""

from __future__ import annotations

import pytest

from texedo.data.captions.choice import Choice
from texedo.data.synth.compose.words import (
    arms_are_free,
    base_form,
    join_captions,
    overlay_captions,
    pace_captions,
    to_phrase,
    to_phrases,
)


@pytest.mark.parametrize(
    "caption, phrase",
    [
        ("a person walks forward", "~walk forward"),
        ("The man waves his left hand.", "~wave {poss} left hand"),
        ("someone is pushing a box", "~push a box"),
        ("she carries her bag", "~carry {poss} bag"),
        ("a robot turns itself around", "~turn {refl} around"),
        ("he goes to the left", "~go to the left"),
        ("a man hops while waving his arms", "~hop while waving {poss} arms"),
        ("she walks, limping and swaying", "~walk, limping and swaying"),
    ],
)
def test_a_plain_sentence_becomes_its_phrase(caption: str, phrase: str) -> None:
    assert to_phrase(caption) == phrase


@pytest.mark.parametrize(
    "caption",
    [
        "walking forward",
        "a person walks and waves",
        "a person walked forward",
        "a person hops while waving and then stops",
        "a person hops while waving and bows",
        "a person jumps as far as he can",
        "the player runs",
        "someone eats dinner",
        "a person power-walks ahead",
        "walk forward",
        "",
    ],
)
def test_a_sentence_that_does_not_come_apart_gives_nothing(caption: str) -> None:
    assert to_phrase(caption) is None


@pytest.mark.parametrize(
    "verb, base",
    [("waves", "wave"), ("pushes", "push"), ("carries", "carry"), ("walked", None)],
)
def test_the_base_of_a_verb_is_found(verb: str, base: str | None) -> None:
    assert base_form(verb) == base


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
    slow = pace_captions(
        ["a person turns left"], quick=False, number=3, choice=Choice(1)
    )
    assert slow and all("turn" in text.lower() for text in slow)
    named = ["a person walks slowly", "someone runs", "a man waits"]
    assert pace_captions(named, quick=True, number=3, choice=Choice(1)) == ()


def test_phrases_do_not_repeat() -> None:
    assert to_phrases(["he walks", "A man walks.", "she is walking"]) == ["~walk"]
