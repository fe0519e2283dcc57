"""What is said of authored motions."""

from __future__ import annotations

import re

import pytest

from texedo.data.synth.author import Spec, authored_specs, spec_captions
from texedo.data.synth.author.phrases import phrases

SPECS = list(authored_specs(0))


@pytest.mark.parametrize("side, other", [("left", "right"), ("right", "left")])
def test_phrases_name_the_side_and_never_the_other(side: str, other: str) -> None:
    for kind in ("wave", "raise_hand", "salute", "hand_to_head", "kick", "half_kneel"):
        spec = Spec(kind=kind, side=side, way="up" if kind == "raise_hand" else "")
        for phrase in phrases(spec):
            assert other not in phrase
            assert side in phrase


def test_a_phrase_with_a_count_has_the_right_one() -> None:
    numbers = {"twice": 2, "two": 2, "three": 3, "four": 4, "five": 5}
    for kind in ("wave", "clap", "squat", "bow", "jumping_jack", "kick", "punch"):
        for count in (2, 3, 5):
            way = {"clap": "chest", "punch": "jab"}.get(kind, "")
            spec = Spec(kind=kind, side="left", count=count, way=way)
            said = [
                numbers[w]
                for phrase in phrases(spec)
                for w in re.findall(r"\w+", phrase)
                if w in numbers
            ]
            assert said and set(said) == {count}


def test_a_turn_to_the_right_is_clockwise() -> None:
    right = " ".join(phrases(Spec(kind="turn", angle=-360)))
    assert (
        "clockwise" in right and "counterclockwise" not in right and "left" not in right
    )
    assert "counterclockwise" in " ".join(phrases(Spec(kind="turn", angle=360)))


def test_every_spec_has_four_finished_sentences() -> None:
    for spec in SPECS[::7]:
        captions = spec_captions(spec)
        # Of what is made to be learned from some has fewer names.
        assert len(captions) == 4 or (spec.lesson and captions)
        for caption in captions:
            assert not set(caption) & set("~{}[]|")
            assert "  " not in caption


def test_captions_depend_on_the_spec_and_the_seed_alone() -> None:
    spec = SPECS[100]
    assert spec_captions(spec) == spec_captions(spec)
    assert spec_captions(spec) != spec_captions(spec, seed=1)


def test_the_words_for_the_hard_prompts_occur_often() -> None:
    text = " ".join(c.lower() for spec in SPECS for c in spec_captions(spec))
    wanted = (
        "salsa jab hook clockwise cautiously zombie shamble lifelessly panic rearward "
        "cheerfully sneak aggressively heavy carefully frantically enthusiasm joyfully"
    )
    for word in wanted.split():
        assert len(re.findall(rf"\b{word}", text)) >= 20, word
