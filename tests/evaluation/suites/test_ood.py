"""The list of prompts that nobody taught, and the program that checks it."""

from types import SimpleNamespace

import pytest

from texedo.core.errors import TexedoError
from texedo.data.corpus.corpus_file import open_corpus
from texedo.data.corpus.sample import SAMPLE_FILE
from texedo.evaluation.suites import ood


def test_there_are_a_hundred_prompts_and_each_is_new() -> None:
    texts = ood.ood_prompts()
    assert len(texts) >= 100 and len(set(texts)) == len(texts)
    assert ood.not_new(texts, ood.stored_seen()) == []


def test_what_was_counted_is_of_tens_of_thousands_of_captions() -> None:
    assert ood.stored_seen().captions > 50_000
    assert ood.stored_seen().words["squat"] >= ood.FREQUENT


def test_a_word_that_no_caption_has_is_new() -> None:
    seen = ood.look_up(["a man genuflects"], ["a man walks"] * 3)
    assert ood.what_is_new("a man genuflects", seen) == (["genuflects"], [])


def test_a_form_of_a_known_word_is_not_new() -> None:
    seen = ood.look_up(["he hopped"], ["she is hopping"])
    assert ood.what_is_new("he hopped", seen) == ([], [])


def test_two_frequent_words_that_never_meet_are_new() -> None:
    captions = ["a person kneels"] * 20 + ["a person waves"] * 20
    texts = ["kneel and wave"]
    assert ood.what_is_new(texts[0], ood.look_up(texts, captions)) == (
        [],
        [("kneel", "wave")],
    )
    met = ood.look_up(texts, [*captions, "she waves, kneeling"])
    assert ood.not_new(texts, met) == texts
    rare = ood.look_up(texts, captions[1:])
    assert ood.not_new(texts, rare) == texts


def test_the_check_needs_training_captions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ood, "_REQUESTS", 10)
    corpus = open_corpus(SAMPLE_FILE)
    captions = ood.training_captions(corpus)
    train = next(clip for clip in corpus.clips if clip.split == "train")
    assert set(train.captions) <= set(captions)
    with pytest.raises(TexedoError, match="train"):
        ood.training_captions(SimpleNamespace(clips=()))  # type: ignore[arg-type]
