"""What can be measured moves R_text; what cannot is left to the network."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from texedo.data.synth.author import Spec, author_many
from texedo.motion import Motion
from texedo.motion.edit import place, trim
from texedo.robot.mirror import mirror
from texedo.see.semantics.measured.claims import (
    ASKED,
    CHECKED,
    GRADED,
    LOG_ODDS,
    Seen,
    claims_of,
    log_odds_of,
)
from texedo.see.semantics.measured.verifier import SURE, MeasuringVerifier
from texedo.see.semantics.protocol import Float64, Pairs, all_pairs, r_text


class Undecided:
    """A network that finds everything even."""

    name, digest = "undecided", "0"
    metadata: dict[str, Any] = {}

    def log_odds(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        return np.zeros(len(pairs))

    def normal(self, text: str) -> str:
        return text.lower()

    def remarks(self, prompt: str) -> tuple[str, ...]:
        return ("a remark",)


@pytest.fixture(scope="module")
def left_hand() -> Motion:
    spec = Spec(kind="raise_hand", side="left", way="up")
    return next(iter(author_many([spec]))).motion


def logistic(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def test_all_readers_know_a_raised_hand_and_the_wrong_one(left_hand: Motion) -> None:
    verifier = MeasuringVerifier(Undecided())
    motions = [left_hand, mirror(left_hand)]
    right, wrong = r_text(verifier, "Raise your left hand", motions)
    yes, no = (ASKED + GRADED) * LOG_ODDS[3], (ASKED + GRADED) * LOG_ODDS[1]
    assert right >= logistic(SURE * (CHECKED["yes"] + yes))
    assert wrong <= logistic(SURE * (CHECKED["no"] + no))
    assert 0.0 < wrong and right < 1.0


def test_what_nobody_can_measure_is_left_to_the_network(left_hand: Motion) -> None:
    assert claims_of("philosophise").empty
    assert r_text(MeasuringVerifier(Undecided()), "philosophise", [left_hand]) == [0.5]


def test_measuring_depends_on_no_other_pair_nor_on_place_and_heading(
    left_hand: Motion,
) -> None:
    verifier = MeasuringVerifier(Undecided())
    away = place(left_hand, xy=np.array([30.0, -4.0]), yaw=2.0)
    motions = [left_hand, mirror(left_hand), away]
    texts = ["raise your left hand", "raise your right hand"]
    both = verifier.compare(texts, motions, all_pairs(2, 3)).reshape(2, 3)
    assert (both[0] == both[1][[1, 0, 1]]).all() and both[0, 0] == both[0, 2]
    assert both[0, 0] == r_text(verifier, texts[0], [away])[0]


def test_too_short_and_too_long_motions_are_not_measured(left_hand: Motion) -> None:
    claims = claims_of("raise your left hand")
    still = np.repeat(left_hand.to_qpos()[:1], 61 * 50, axis=0)
    motions = [trim(left_hand, 0.0, 0.3), Motion.from_qpos(still), left_hand]
    short, long, own = Seen(motions).does(claims, [0, 1, 2])
    assert short == long == 0 and own > CHECKED["yes"]


def test_it_goes_by_the_network_where_that_is_asked() -> None:
    verifier = MeasuringVerifier(Undecided())
    assert verifier.remarks("x") == ("a remark",) and verifier.name == "undecided"
    assert verifier.digest != Undecided.digest


def test_being_clearly_beyond_the_threshold_is_more_evidence() -> None:
    assert log_odds_of(2.0) > log_odds_of(1.5) > log_odds_of(1.0) > 0
    assert log_odds_of(-1.0) < log_odds_of(0.0) < 0 < log_odds_of(0.5)
