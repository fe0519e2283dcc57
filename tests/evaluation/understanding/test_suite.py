"""The prompts: how many, in which classes, and which half is kept for the end."""

import hashlib
from collections import Counter
from typing import get_args

import pytest

from texedo.core.errors import FileFormatError
from texedo.evaluation.understanding.suite import (
    CLASSES,
    OUT_OF_REACH,
    Part,
    _record,
    all_prompts,
    is_shown,
    others_prompts,
    prompts_of,
)


def test_there_are_enough_prompts_in_every_class() -> None:
    prompts = all_prompts()
    assert len(prompts) >= 250
    assert len({prompt.text for prompt in prompts}) == len(prompts)
    counts = Counter(prompt.name for prompt in prompts)
    assert set(counts) == set(CLASSES)
    assert min(counts.values()) >= 14


def test_the_halves_are_as_large_as_each_other_in_every_class() -> None:
    for name in CLASSES:
        dev, test = (
            sum(prompt.name == name for prompt in prompts_of(part))
            for part in ("dev", "test")
        )
        assert abs(dev - test) <= 4, name
    dev, test = len(prompts_of("dev")), len(prompts_of("test"))
    assert dev + test == len(all_prompts()) and abs(dev - test) <= 10


def test_wordings_of_one_item_are_in_one_half() -> None:
    halves = {prompt.item: prompt.part for prompt in all_prompts()}
    assert all(prompt.part == halves[prompt.item] for prompt in all_prompts())
    forms = Counter(prompt.form for prompt in all_prompts())
    assert forms["hyphen"] >= 15 and forms["imperative"] >= 40 and forms["typo"] >= 25


def test_what_is_kept_for_the_end_stays_what_it_was() -> None:
    # A prompt that moves to the other half may have been used for a choice.
    texts = sorted(prompt.text for prompt in prompts_of("test"))
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()
    assert digest[:16] == "26bec5ba0f25e889"


def test_sets_by_other_authors_have_halves_and_rules_of_their_own() -> None:
    sizes = {part: len(prompts_of(part)) for part in get_args(Part)[2:]}
    assert sizes == {
        "steps-dev": 80,
        "steps-test": 80,
        "visitors-dev": 59,
        "visitors-test": 57,
        "strangers-dev": 90,
        "strangers-test": 89,
    }
    texts = [prompt.text.lower() for prompt in others_prompts()]
    assert len(set(texts)) == len(texts)
    assert all(prompt.rule is not None for prompt in others_prompts())
    assert is_shown("steps-dev") and not is_shown("visitors-test")


def test_only_what_is_out_of_reach_has_no_rule() -> None:
    for prompt in all_prompts():
        assert (prompt.rule is None) == (prompt.name == OUT_OF_REACH)
        assert (prompt.out is None) == (prompt.rule is not None)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        '{"texts": {"typo": "wlak"}, "rule": []}',
        '{"texts": {"plain": "walk", "loud": "WALK"}, "rule": []}',
        '{"texts": {"plain": "walk"}}',
        '{"texts": {"plain": "walk"}, "rule": [], "out": "robot"}',
    ],
)
def test_a_line_that_is_no_item_is_named(line: str) -> None:
    with pytest.raises(FileFormatError, match="arms.jsonl, line 3"):
        _record("arms.jsonl, line 3", line)
