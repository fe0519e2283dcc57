"""Sentences about several things: R_text minds the one that is missing."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.support.standing import standing
from texedo.motion import Motion
from texedo.see.semantics.measured.verifier import MeasuringVerifier
from texedo.see.semantics.parts import (
    AT_ONCE,
    IN_TURN,
    Weights,
    moved,
    odds_of_parts,
    parts_of,
)
from texedo.see.semantics.protocol import Float64, Pairs, all_pairs


class Network:
    """Finds the whole even; a part as likely as its words are many."""

    name, digest = "network", "0"
    metadata: dict[str, Any] = {}

    def log_odds(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        return np.array([0.1 * len(texts[i].split()) for i, _ in pairs])

    def step_log_odds(self, steps: Sequence[str], motions: Sequence[Motion]) -> Float64:
        return np.array(
            [[-3.0 if "gloats" in s else 1.0 for s in steps]] * len(motions)
        )

    def normal(self, text: str) -> str:
        return text

    def remarks(self, prompt: str) -> tuple[str, ...]:
        return ()


def test_a_sentence_has_parts_in_turn_or_at_once_or_none() -> None:
    turn = parts_of("a person walks forward, turns left, waves")
    assert turn is not None and turn.in_turn and len(turn.sentences) == 3
    once = parts_of("a person walks forward while waving")
    assert once is not None and not once.in_turn
    assert once.sentences == ("a person walks forward", "a person waves")
    assert parts_of("a person waves") is None


def test_more_parts_than_anybody_looks_at_are_a_whole() -> None:
    eight = ", ".join(["walks", "turns"] * 4)
    assert parts_of(f"a person {eight}") is not None
    assert parts_of(f"a person {eight}, waves") is None


def test_the_number_of_a_sentence_is_made_of_its_parts() -> None:
    by = Weights(whole=0.5, mean=0.25, least=2.0, offset=-1.0)
    found = moved(np.array([2.0]), np.array([[4.0, -2.0]]), by)
    # 0.5 x 2 + 0.25 x 1 + 2 x -2 - 1
    assert found == pytest.approx([-3.75])


@pytest.mark.parametrize("by", [IN_TURN, AT_ONCE])
def test_a_part_that_fits_better_never_makes_it_worse(by: Weights) -> None:
    assert min(by[:3]) >= 0


def test_parts_at_once_are_compared_with_the_whole_motion() -> None:
    parts = parts_of("a person walks forward while waving")
    assert parts is not None
    found = odds_of_parts(Network(), parts, [standing(20)] * 3)
    np.testing.assert_allclose(found, [[0.4, 0.3]] * 3)


def test_a_missing_step_lowers_r_text_and_what_has_no_parts_stays() -> None:
    motions = [standing(20)] * 2
    texts = [
        "a person frets, then a person gloats",
        "a person frets, then a person broods",
        "a person frets",
    ]
    verifier = MeasuringVerifier(Network())
    found = verifier.compare(texts, motions, all_pairs(3, 2)).reshape(3, 2)
    assert (found[0] < found[1]).all()
    np.testing.assert_allclose(found[2], 1 / (1 + np.exp(-0.3)))


def test_a_network_that_knows_no_stages_is_asked_about_the_whole() -> None:
    class Plain:
        name, digest, metadata = "plain", "0", {}

        def log_odds(self, texts: Any, motions: Any, pairs: Pairs) -> Float64:
            return np.zeros(len(pairs))

        def normal(self, text: str) -> str:
            return text

        def remarks(self, prompt: str) -> tuple[str, ...]:
            return ()

    text = "a person frets, then a person gloats"
    found = MeasuringVerifier(Plain()).compare([text], [standing(20)], all_pairs(1, 1))
    np.testing.assert_allclose(found, [0.5])
