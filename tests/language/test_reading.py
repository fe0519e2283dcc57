"""Typos, unknown words, other languages: what is read, and what is said about it."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texedo.language import Correction, Reader, Spelling, normalize, read_prompt
from texedo.language.reading import reading_digest
from texedo.language.vocabulary import caption_words, count_words, lemmas, words_text

SPELLING = Spelling(caption_words(), {"form", "waking", "theory"})
WORDS = sorted(caption_words())


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("persno", "person"),  # swapped
        ("foward", "forward"),  # a letter short
        ("walkss", "walks"),  # doubled
        ("joging", "jogging"),  # not doubled
        ("wakk", "walk"),  # a key next to it
        ("bakwrad", "backward"),  # two slips in a long word
        ("teh", "the"),
        ("slooowly", "slowly"),
        ("turnleft", "turn left"),
        ("aother", "another"),
    ],
)
def test_a_typo_becomes_the_word_that_was_meant(word: str, meant: str) -> None:
    assert SPELLING.word(word) == meant


@pytest.mark.parametrize(
    "word",
    ["form", "waking", "zamboni", "moonwalk", "cartwheel", "macarena", "xyz", "é"],
)
def test_a_word_that_exists_or_that_nothing_is_near_stays(word: str) -> None:
    assert SPELLING.word(word) == word


@settings(deadline=None)
@given(st.sampled_from(WORDS))
def test_no_word_of_the_captions_is_ever_changed(word: str) -> None:
    assert SPELLING.word(word) == word
    assert SPELLING.correct(f"a {word} there")[1] == ()


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), st.randoms())
def test_reading_twice_corrects_nothing_more(
    words: list[str], rng: random.Random
) -> None:
    swapped = [_swap(word, rng) for word in words]
    once, _ = SPELLING.correct(normalize(" ".join(swapped)))
    assert SPELLING.correct(normalize(once))[1] == ()


def _swap(word: str, rng: random.Random) -> str:
    i = rng.randrange(len(word))
    return word[:i] + word[i + 1 : i + 2] + word[i] + word[i + 2 :]


def test_words_that_were_torn_apart_are_joined() -> None:
    text, made = SPELLING.correct("a per son turns around")
    assert text == "a person turns around"
    assert made == (Correction("per son", "person"),)
    assert SPELLING.correct("both hands, on the hips")[1] == ()


def test_forms_of_a_word_lead_to_it() -> None:
    assert "hop" in lemmas("hopping") and "twirl" in lemmas("twirled")
    assert "carry" in lemmas("carried") and "dance" in lemmas("dancing")
    assert "jog" not in lemmas("joging")


def test_words_are_counted_as_written_and_as_normalized() -> None:
    counts = count_words(["walks backwards", "Walks 2 steps"])
    assert counts["walks"] == 2 and counts["two"] == 1
    assert counts["backwards"] == counts["backward"] == 1
    assert words_text(counts).splitlines()[0] == "walks 2"


def test_every_correction_is_reported() -> None:
    reading = read_prompt("a persno trns 90 degress to the rihgt")
    assert reading.text == "a person turns 90 degrees to the right"
    assert reading.corrections[0] == ("persno", "person")
    assert "'persno' as 'person'" in reading.remarks[0]
    assert reading.unknown == ()


def test_a_word_that_is_completed_is_normalized_again() -> None:
    assert read_prompt("he turns cuonter-clockwise").text == (
        "he turns counterclockwise"
    )
    assert read_prompt("he walks bakwards").text == "he walks backward"


def test_a_prompt_that_is_fine_has_no_remarks() -> None:
    assert read_prompt("A person walks forward, then waves.") == (
        "a person walks forward, then waves",
        (),
        (),
        (),
    )


def test_words_that_no_caption_has_are_named() -> None:
    reading = read_prompt("ride a zamboni")
    assert reading.unknown == ("zamboni",)
    assert reading.remarks == ("no training caption has the word 'zamboni'",)


def test_names_are_not_corrected() -> None:
    assert read_prompt("a person waves at Persno").corrections == ()


@pytest.mark.parametrize(
    "prompt",
    [
        "ein Mann geht vorwärts und winkt",
        "Eine Person hebt die linke Hand",
        "un homme marche vers l'avant",
        "une personne saute",
        "una persona camina hacia adelante",
        "camina hacia adelante",
        "il robot cammina in avanti",
        "een persoon zwaait met zijn hand",
        "一个人向前走",
        "人が歩く",
        "человек машет рукой",
    ],
)
def test_another_language_is_remarked_on_and_left_alone(prompt: str) -> None:
    reading = read_prompt(prompt)
    assert reading.corrections == () and reading.text == normalize(prompt)
    assert "English" in reading.remarks[0]


@pytest.mark.parametrize(
    "prompt",
    [
        "trun lft wlak foward",
        "kick!",
        "zamboni",
        "die slowly",
        "salsa",
        "do the macarena",
    ],
)
def test_short_and_misspelled_english_is_english(prompt: str) -> None:
    assert not any("English" in remark for remark in read_prompt(prompt).remarks)


@pytest.mark.parametrize("prompt", ["😀", "!!!", "...", "1 2 3"])
def test_a_prompt_without_words_is_no_error(prompt: str) -> None:
    assert all(isinstance(remark, str) for remark in read_prompt(prompt).remarks)
    assert read_prompt("😀").text == "" and read_prompt("😀").remarks


@settings(deadline=None)
@given(st.text(max_size=60))
def test_no_prompt_is_an_error(prompt: str) -> None:
    Reader().read(prompt)


@pytest.mark.parametrize("part", ["a", "walk ", ", ", "(", "1-", "x ", "é", "? ", "- "])
def test_a_very_long_prompt_takes_no_longer_than_its_letters(part: str) -> None:
    prompt = f"a person waves. {part * (100_000 // len(part))} ."
    start = time.process_time()
    read_prompt(prompt)
    assert time.process_time() - start < 5


def test_the_way_of_reading_has_a_name() -> None:
    assert len(reading_digest()) == 64


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("would you mind showing me how you dance?", "a person dances"),
        (
            "Would you mind taking two steps and then raising your right arm?",
            "a person takes two steps and then raises their right arm",
        ),
        ("first wave, after that salute", "a person first waves, after that salutes"),
        ("blow a kiss, then nod", "a person blows a kiss, then nods"),
        (
            "kick and end in a fighting stance",
            "a person kicks and ends in a fighting stance",
        ),
        ("Robot, you should lower your arms and back up", None),
        ("I raise my left arm and then I jump", None),
        ("show me a punch", "a person does a punch"),
        ("first walk fwd, then pivot to ur left", None),
    ],
)
def test_what_was_read_is_read_again_as_it_is(asked: str, read: str | None) -> None:
    once = read_prompt(asked).text
    assert read_prompt(once).text == once
    assert once == read if read else once.startswith("a person ")
