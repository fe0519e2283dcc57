"""Lexicon, vocabulary and word vectors from captions."""

from collections.abc import Sequence

import numpy as np

from texedo.see.learn.paper.word_vectors import (
    LENGTH,
    make_lexicon,
    make_vectors,
    make_words,
)
from texedo.see.semantics.paper.words import SPECIAL


def fake_tag(text: str) -> Sequence[str]:
    """Every word a noun; after "to" it is a verb, and "walks" is always one."""
    words = [w for w in text.split() if w.isalpha()]
    verbs = [
        w == "walks" or b == "to" for b, w in zip(["", *words], words, strict=False)
    ]
    return [
        f"{w.removesuffix('s')}/{'VERB' if v else 'NOUN'}"
        for w, v in zip(words, verbs, strict=True)
    ]


def test_a_word_has_its_most_frequent_tag() -> None:
    captions = ["to bow", "bow", "bow walks", "90 arms"]
    lexicon = make_lexicon(captions, fake_tag)
    assert lexicon == {
        "arms": ("arm", "Body_VIP"),
        "bow": ("bow", "NOUN"),
        "to": ("to", "NOUN"),
        "walks": ("walk", "Act_VIP"),
    }


def test_the_real_tagger_and_the_lexicon_read_words_alike() -> None:
    captions = ["a man walks to the left, then turns around", "two women are waving"]
    lexicon = make_lexicon(captions)
    assert lexicon["walks"] == ("walk", "Act_VIP")
    assert lexicon["waving"] == ("wave", "Act_VIP")
    assert lexicon["the"] == ("the", "DET")
    assert lexicon["two"] == ("two", "NUM")


def test_a_rare_lemma_has_no_vector() -> None:
    captions = ["arms arms bow", "arm", "walks"]
    words = make_words(captions, make_lexicon(captions, fake_tag), min_count=2)
    assert words.vocabulary == (*SPECIAL, "arm")


def test_words_of_the_same_company_are_near_but_not_the_same() -> None:
    captions = [
        f"{who} raises the {side} hand {n}"
        for n in ("once", "twice")
        for who in ("man", "woman")
        for side in ("left", "right")
    ]
    words = make_words(captions, {}, min_count=1)
    vectors = make_vectors(words, captions, size=40)
    assert vectors.shape == (len(words), 40)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), LENGTH, rtol=1e-5)
    unit = vectors / LENGTH
    row = dict(zip(words.vocabulary, unit, strict=True))
    assert 0.2 < row["left"] @ row["right"] < 0.9
    assert row["left"] @ row["right"] > row["left"] @ row["woman"] + 0.1
    assert (make_vectors(words, captions, size=40) == vectors).all()
