"""The same form of a text for the generator, its training and other readers."""

import json
from pathlib import Path

import numpy as np

from tests.support.small_lm import WORDS, bert_folder, small_encoder, small_model
from texedo.language.front import load_text_front, save_text_front
from texedo.language.word_pieces import WordPiece
from texedo.text.lm.model import MotionLanguageModel


def reading_model() -> MotionLanguageModel:
    plain = small_model()
    words = WordPiece(WORDS, plain.words.max_tokens, normal=True)
    return MotionLanguageModel(plain.text_encoder, words, plain.decoder)


def test_word_pieces_are_those_of_the_normalized_text() -> None:
    words = WordPiece(WORDS, 32, normal=True)
    assert words.read("Please WALK & wave!").ids == words.read("walk and wave").ids
    assert words.read_all(["walk-wave"])[0].ids == words.read("walk wave").ids
    plain = WordPiece(WORDS, 32)
    assert plain.read("walk!").ids != plain.read("walk").ids


def test_the_artefact_says_whether_texts_are_normalized(tmp_path: Path) -> None:
    for normal in (True, False):
        words = WordPiece(WORDS, 64, normal=normal)
        folder = save_text_front(tmp_path / str(normal), small_encoder(), words)
        assert load_text_front(folder)[1].normal is normal


def test_an_older_artefact_is_read_as_its_user_says(tmp_path: Path) -> None:
    words = WordPiece(WORDS, 64, normal=True)
    folder = save_text_front(tmp_path / "old", small_encoder(), words)
    config = json.loads((folder / "config.json").read_text())
    del config["normal"]
    (folder / "config.json").write_text(json.dumps(config))
    assert load_text_front(folder)[1].normal
    assert not load_text_front(folder, normal=False)[1].normal
    assert load_text_front(bert_folder(tmp_path / "bert", small_encoder()))[1].normal


def test_prompts_that_are_read_alike_have_the_same_candidates() -> None:
    model = reading_model()
    prompts = ["a person turns left", "Please, a persno trns left!"]
    first, second = model.sample_tokens(prompts, 2, seed=3, num_tokens=6)
    for own, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(own, other)


def test_the_model_says_what_it_corrected_and_does_not_know() -> None:
    notes = reading_model().read("a persno walks with a zamboni").notes()
    assert notes[:2] == (
        "read 'persno' as 'person'",
        "no training caption has the word 'zamboni'",
    )
    assert small_model().read("walk").notes() == ()


def test_a_prompt_of_which_nothing_is_left_is_sampled_all_the_same() -> None:
    (rows,) = reading_model().sample_tokens(["😀"], 1, seed=0, num_tokens=5)
    assert len(rows[0]) == 5
