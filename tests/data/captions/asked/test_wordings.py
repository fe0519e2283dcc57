"""Requests in their other words."""

import pytest

from texedo.data.captions.asked.wordings import other_wordings


def test_a_request_is_said_in_its_other_words() -> None:
    found = other_wordings("a gorilla beating its chest")
    assert "a person pounds their chest with both fists" in found
    assert len(found) == len(set(found)) > 1


def test_side_and_count_stay() -> None:
    jumps = other_wordings("a person does five jumping jacks")
    assert jumps and all("five" in text for text in jumps)
    kicks = other_wordings("a person raises their left hand")
    assert kicks and all("left" in t and "right" not in t for t in kicks)


def test_steps_stay_in_their_order() -> None:
    found = other_wordings("a person walks backward, then sits down")
    assert all(text.count(", then ") == 1 for text in found)


@pytest.mark.parametrize(
    "text",
    [
        "a person slowly waves",
        "a person walks without moving their arms",
        "a person raises one hand",
        "a person does the fandango on a zamboni",
        "",
    ],
)
def test_what_is_more_than_known_requests_has_no_other_words(text: str) -> None:
    assert other_wordings(text) == []
