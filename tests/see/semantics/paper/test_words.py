"""How the paper's verifier reads a sentence."""

import pytest

from tests.support.paper_semantics import WORDS
from texedo.core.errors import CheckpointError, GenerationError
from texedo.see.semantics.paper.words import (
    END,
    MAX_WORDS,
    SPECIAL,
    START,
    TAGS,
    UNKNOWN,
    Words,
    classify,
    sentence_key,
    words_of,
)


def test_there_are_fifteen_parts_of_speech() -> None:
    assert len(TAGS) == len(set(TAGS)) == 15


def test_words_are_in_small_letters_without_hyphens_and_punctuation() -> None:
    assert words_of("He turns Counter-Clockwise, 3 times; the man’s arm: 90°!") == [
        *("he", "turns", "counterclockwise", "three", "times"),
        *("the", "man", "arm", "90"),
    ]
    assert words_of("he wíggles") == ["he", "wiggles"]


def test_sentences_of_the_same_words_have_one_key() -> None:
    assert sentence_key("A man walks.") == sentence_key("a man, WALKS")
    assert sentence_key("a man walks") != sentence_key("a man walks left")


def test_a_sentence_is_lemmas_between_two_ends() -> None:
    tokens = WORDS.read("A person walks left")
    names = [WORDS.vocabulary[i] for i in tokens.words]
    assert names == ["<start>", "<unknown>", "person", "walk", "left", "<end>"]
    tags = [TAGS[i] for i in tokens.tags]
    assert tags == ["OTHER", "DET", "NOUN", "Act_VIP", "Loc_VIP", "OTHER"]


@pytest.mark.parametrize(
    ("word", "entry"),
    [
        ("walking", ("walk", "Act_VIP")),
        ("walked", ("walk", "Act_VIP")),
        ("persons", ("person", "NOUN")),
        ("glorply", ("glorply", "ADV")),
        ("glorping", ("glorping", "VERB")),
        ("glorp", ("glorp", "NOUN")),
        ("clockwise", ("clockwise", "Loc_VIP")),
        ("720", ("720", "NUM")),
    ],
)
def test_an_unseen_word_is_told_by_its_ending(
    word: str, entry: tuple[str, str]
) -> None:
    assert WORDS.entry(word) == entry


def test_a_doubled_letter_is_no_hindrance() -> None:
    words = Words(SPECIAL, {"jog": ("jog", "Act_VIP"), "hop": ("hop", "Act_VIP")})
    assert words.entry("jogging") == words.lexicon["jog"]
    assert words.entry("hopped") == words.lexicon["hop"]


def test_a_sentence_of_unknown_words_can_be_read() -> None:
    assert list(WORDS.read("glorp snib").words) == [START, UNKNOWN, UNKNOWN, END]


@pytest.mark.parametrize("text", ["", "  ", "?!", "走路"])
def test_a_prompt_without_words_is_refused(text: str) -> None:
    with pytest.raises(GenerationError, match="has no word in it"):
        WORDS.read(text)


def test_an_endless_prompt_is_cut() -> None:
    assert len(WORDS.read("walk " * 500).words) == MAX_WORDS + 2


def test_words_come_back_from_their_config() -> None:
    back = Words.from_config(WORDS.to_config())
    assert back.vocabulary == WORDS.vocabulary and back.lexicon == WORDS.lexicon


def test_a_vocabulary_of_another_version_is_refused() -> None:
    with pytest.raises(CheckpointError, match="another version"):
        Words(("person",), {})
    with pytest.raises(CheckpointError, match="another version"):
        Words(SPECIAL, {"walk": ("walk", "V")})


def test_classes_of_humanml3d_come_before_the_part_of_speech() -> None:
    assert classify("knee", "NOUN") == "Body_VIP"
    assert classify("anna", "PROPN") == "NOUN"
    assert classify("and", "CCONJ") == "OTHER"
