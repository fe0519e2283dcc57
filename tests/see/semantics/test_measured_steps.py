"""Sentences about several steps: R_text minds the one that is missing."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.support.standing import standing
from texedo.motion import Motion
from texedo.see.semantics.measured.steps import by_steps, steps_of
from texedo.see.semantics.measured.verifier import MeasuringVerifier
from texedo.see.semantics.protocol import Float64, Pairs, all_pairs


class Network:
    """Finds the whole even; else as likely as its words are many."""

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


def test_the_steps_count_as_much_as_the_whole() -> None:
    found = by_steps(np.array([2.0]), np.array([[4.0, -2.0]]))
    assert found == pytest.approx([0.5 * 2.0 + 0.5 * 1.0])


def test_only_things_in_turn_are_steps() -> None:
    said = "a person walks forward, turns left, waves"
    assert steps_of(said) == (
        "a person walks forward",
        "a person turns left",
        "a person waves",
    )
    assert steps_of("a person walks forward while waving") == ()
    assert steps_of("a person waves") == ()


def test_a_missing_step_lowers_r_text_and_what_has_no_steps_stays() -> None:
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
