"""Who is refused, by a rule in the plane; and how the rule is stored."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.support.refusal import PHRASES, PlaneRefuser, fitted
from texedo.core.errors import CheckpointError
from texedo.pipeline.refusal.refuser import load_fitted, save_fitted

UP, DOWN, ASLANT = [0.0, 1.0], [0.0, -1.0], [-0.8, 0.6]
EVEN = [0.5] * 4
"""R_text of candidates that fit as well as not: their log-odds are 0."""
GOOD = [0.9] * 4


def at(place: Sequence[float]) -> Callable[[str], Sequence[float]]:
    return lambda text: place


def test_what_is_known_is_answered_whatever_the_candidates_are() -> None:
    # 2 - 2 * 1 - 0 is not above 0; with the worst candidates it would be 1.
    refuser = PlaneRefuser(at(UP))
    assert refuser.judge("wave", EVEN) is None
    assert refuser.judge("wave", [0.0] * 4) is not None


def test_what_is_far_is_refused_unless_its_candidates_fit() -> None:
    # 2 - 2 * 0.6 = 0.8, against log-odds of 0 and of 1, the most that counts.
    refuser = PlaneRefuser(at(ASLANT))
    assert refuser.judge("hover", EVEN) is not None
    assert refuser.judge("hover", GOOD) is None
    assert refuser.needs_candidates("hover") and refuser.judge_early("hover") is None


def test_what_no_candidate_could_save_is_refused_before_one_is_drawn() -> None:
    # 2 - 2 * 0.6 - 1 is not above 0 ...
    assert PlaneRefuser(at(ASLANT)).judge_early("hover") is None
    # ... but 2 + 2 * 0.7 - 1 is: opposite to all of them.
    opposite = PlaneRefuser(at([-1.0, -1.0]))
    refusal = opposite.judge_early("asdf")
    assert refusal is not None and not opposite.needs_candidates("asdf")


def test_r_text_of_another_verifier_does_not_count() -> None:
    # By the sentence alone: 1 - 2 * 0.6 is below 0, 1 - 2 * 0 is above.
    other = PlaneRefuser(at(ASLANT), semantics="another")
    assert other.judge("hover", [0.0] * 4) is None
    assert not other.needs_candidates("hover")
    assert PlaneRefuser(at(DOWN), semantics=None).judge_early("asdf") is not None


def test_a_refusal_says_why_and_what_is_known() -> None:
    refusal = PlaneRefuser(at(ASLANT)).judge("a person flies to mars", EVEN)
    assert refusal is not None
    assert "'mars'" in refusal.reason
    assert refusal.known == (PHRASES[0], PHRASES[2])
    assert 'I know: "a person waves", "a person strolls about".' in str(refusal)
    assert refusal.to_dict()["prompt"] == "a person flies to mars"


def test_another_language_is_told_as_such() -> None:
    refusal = PlaneRefuser(at(ASLANT)).judge("ein Mann geht nach vorne", EVEN)
    assert refusal is not None and "English" in refusal.reason


def test_candidates_that_do_not_fit_are_told_with_the_best_r_text() -> None:
    refusal = PlaneRefuser(at(UP)).judge("a person waves", [0.2, 0.1])
    assert refusal is not None and "the best R_text is 0.20" in refusal.reason


def test_a_stored_rule_is_the_same_again(tmp_path: Path) -> None:
    rule = fitted(bound=0.5)
    again = load_fitted(save_fitted(tmp_path / "refusal", rule))
    assert again.with_r_text == rule.with_r_text and again.without == rule.without
    assert again.known.phrases == PHRASES and again.semantics == rule.semantics
    assert np.abs(again.known.groups - rule.known.groups).max() < 0.01


def test_a_folder_of_something_else_is_no_rule(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"config\.json"):
        load_fitted(tmp_path)
