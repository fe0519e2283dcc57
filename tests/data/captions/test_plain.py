"""Sentences that somebody wrote, taken back to their verb phrases."""

from __future__ import annotations

import pytest

from texedo.data.captions.plain import base_form, plain_phrase, plain_phrases


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
    assert plain_phrase(caption) == phrase


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
    assert plain_phrase(caption) is None


@pytest.mark.parametrize(
    "verb, base",
    [("waves", "wave"), ("pushes", "push"), ("carries", "carry"), ("walked", None)],
)
def test_the_base_of_a_verb_is_found(verb: str, base: str | None) -> None:
    assert base_form(verb) == base


def test_phrases_do_not_repeat() -> None:
    assert plain_phrases(["he walks", "A man walks.", "she is walking"]) == ["~walk"]
