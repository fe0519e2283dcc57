"""Freely written captions, taken back to their verb phrases."""

import pytest

from texedo.data.captions.chains import chain_phrase, written_phrases


@pytest.mark.parametrize(
    "caption, phrase",
    [
        (
            "Walk ahead, curve left and stop.",
            "~walk ahead, ~curve left and ~stop",
        ),
        ("prowling forward like a cat", "~prowl forward like a cat"),
        (
            "a person bows and turns to the left",
            "~bow and ~turn to the left",
        ),
        ("turns left, then walks backward", "~turn left, then ~walk backward"),
        ("Put your right hand on your hip.", "~put {poss} right hand on {poss} hip"),
        ("bending and leaning in all directions", "~bend and ~lean in all directions"),
        (
            "walk forward, turning left at the end",
            "~walk forward, turning left at the end",
        ),
        ("a person raises both arms and hands", "~raise both arms and hands"),
        ("spin round and round, left arm up", "~spin round and round, left arm up"),
        ("walking ahead as if in traffic", "~walk ahead as if in traffic"),
    ],
)
def test_verbs_are_marked_where_they_stand(caption: str, phrase: str) -> None:
    assert chain_phrase(caption) == phrase


@pytest.mark.parametrize(
    "caption",
    [
        "jump kick with a turn",  # a noun
        "spinning jumps to the left",
        "sword fighting in place",
        "Standing still at first, a person then trudges forward.",
        "walk forward and frobnicate left",  # perhaps a verb
        "walks as the arms swing",
        "the left hand bobs in front, the right brings food to the mouth",
        "back and forth in place",
        "",
    ],
)
def test_what_is_not_clear_gives_nothing(caption: str) -> None:
    assert chain_phrase(caption) is None


def test_long_captions_do_not_go_with_others() -> None:
    assert chain_phrase("walk " + "on and " * 3 + "on") is not None
    assert chain_phrase("walk " + "on and " * 8 + "on") is None


def test_phrases_of_all_kinds_come_once() -> None:
    texts = ["a person walks ahead", "walking ahead", "Walk ahead.", "four steps"]
    assert written_phrases(texts) == ["~walk ahead"]
