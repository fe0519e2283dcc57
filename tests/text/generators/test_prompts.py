"""What may be asked of a generator, and what is said to those who ask for too much."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texedo.core.errors import GenerationError
from texedo.text.generators.prompts import (
    DEFAULT_SAMPLING,
    MAX_CANDIDATES,
    Sampling,
    check_count,
    check_prompt,
    check_prompts,
    num_frames,
    prompt_slug,
    read_prompts,
)

NAN = float("nan")


def test_spaces_and_line_breaks_become_single_spaces() -> None:
    assert check_prompt("  a person\n\twaves \u00a0 twice ") == "a person waves twice"


@pytest.mark.parametrize("prompt", ["", "   ", "\n\t", "\u200b\ufeff", "\x00\x07"])
def test_a_prompt_without_a_visible_character_is_refused(prompt: str) -> None:
    with pytest.raises(GenerationError, match="is empty: say what the robot should do"):
        check_prompt(prompt)


@pytest.mark.parametrize("prompt", ["👋🏽 🤖", "一个人向前走", "человек машет", "👩‍🚀"])
def test_emoji_and_other_scripts_come_through_unchanged(prompt: str) -> None:
    assert check_prompt(prompt) == prompt


def test_a_prompt_of_2000_words_is_no_error() -> None:
    assert len(check_prompt("walk " * 2000).split()) == 2000


def test_a_whole_book_is_an_error_that_names_the_option_for_files() -> None:
    with pytest.raises(GenerationError, match="--prompts-file"):
        check_prompt("walk " * 30_000)


def test_an_accent_in_two_characters_is_the_accent_in_one() -> None:
    assert check_prompt("cafe\u0301") == check_prompt("caf\u00e9")


def test_the_error_of_a_list_says_which_prompt_it_is_about() -> None:
    with pytest.raises(GenerationError, match="^Prompt 2: .* is empty"):
        check_prompts(["a person waves", " "])
    with pytest.raises(ValueError, match="not one string"):
        check_prompts("a person waves")


@given(st.text(max_size=80))
def test_checking_twice_changes_nothing(text: str) -> None:
    try:
        once = check_prompt(text)
    except GenerationError:
        return
    assert check_prompt(once) == once


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"temperature": 0.0}, "temperature must be above 0 .* got 0. .* top_k 1"),
        ({"temperature": -1.0}, "got -1"),
        ({"temperature": NAN}, "got nan"),
        ({"temperature": float("inf")}, "got inf"),
        ({"top_k": -1}, "top_k must be 0"),
        ({"top_p": 0.0}, "top_p must be above 0 and at most 1, got 0"),
        ({"top_p": 1.01}, "got 1.01"),
        ({"top_p": NAN}, "got nan"),
        ({"guidance": -0.1}, "guidance must be 0 to 10, got -0.1; 1 is plain"),
        ({"guidance": 11.0}, "got 11"),
        ({"guidance": NAN}, "got nan"),
        ({"duration": 0.0}, "duration must be 0.32 to 20 s, got 0 s"),
        ({"duration": 3600.0}, "got 3600 s. For a longer motion join several"),
        ({"duration": NAN}, "got nan s"),
    ],
)
def test_a_setting_that_nothing_can_be_drawn_with_is_refused(
    settings: dict[str, float], said: str
) -> None:
    with pytest.raises(GenerationError, match=said):
        Sampling(**settings)  # type: ignore[arg-type]


def test_what_is_not_said_is_left_to_the_generator() -> None:
    assert Sampling().to_dict() == {}
    assert Sampling(top_k=0, duration=4.0).to_dict() == {"top_k": 0, "duration": 4.0}


def test_what_is_said_goes_over_the_defaults() -> None:
    used = Sampling(top_k=0).over(Sampling(top_k=50, temperature=0.9))
    assert used == Sampling(top_k=0, temperature=0.9)
    assert DEFAULT_SAMPLING == Sampling(temperature=1.0, top_k=200, top_p=0.98)


def test_an_unknown_setting_gets_the_list_of_known_ones() -> None:
    assert Sampling.of({"top_k": 3}) == Sampling(top_k=3)
    with pytest.raises(GenerationError, match="no sampling setting 'heat'; .*guidance"):
        Sampling.of({"heat": 3})


@pytest.mark.parametrize("n", [0, -3, 100_000])
def test_no_candidate_and_too_many_are_refused_with_the_way_out(n: int) -> None:
    with pytest.raises(GenerationError, match=f"1 to 4096, got {n}. .* another seed"):
        check_count(n)
    assert check_count(MAX_CANDIDATES) == 4096


def test_a_motion_of_five_seconds_has_251_frames() -> None:
    assert num_frames(5.0) == 251
    assert num_frames(0.32) == 17


def test_a_slug_is_the_prompt_with_dashes() -> None:
    assert prompt_slug("A person walks, then waves!") == "a-person-walks-then-waves"
    assert prompt_slug("一个人") == "一个人"
    assert prompt_slug("👋") == "prompt"


def test_a_slug_ends_with_a_whole_word_within_48_characters() -> None:
    slug = prompt_slug("walks " * 20)
    assert slug == "-".join(["walks"] * 8)
    assert len(prompt_slug("x" * 500)) == 48


@given(st.text(max_size=300))
def test_a_slug_is_always_a_safe_name(text: str) -> None:
    slug = prompt_slug(text)
    assert slug and len(slug) <= 48 and len(slug.encode()) <= 200
    assert "/" not in slug and "\\" not in slug and not slug.startswith((".", "-"))


def test_a_file_has_a_prompt_a_line_and_comments(tmp_path: Path) -> None:
    path = tmp_path / "prompts.txt"
    path.write_bytes("\ufeff# gestures\n\na person waves\r\n  a bow \n".encode())
    assert read_prompts(path) == ["a person waves", "a bow"]


def test_a_file_that_is_missing_or_no_text_or_empty_is_named(tmp_path: Path) -> None:
    path = tmp_path / "prompts.txt"
    with pytest.raises(GenerationError, match="prompts.txt: no such file"):
        read_prompts(path)
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(GenerationError, match="not text in UTF-8"):
        read_prompts(path)
    path.write_text("# nothing\n")
    with pytest.raises(GenerationError, match="holds no prompt"):
        read_prompts(path)
