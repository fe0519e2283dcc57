"""Captions against what people wrote down."""

from texedo.evaluation.caption_truth import Claim, described, told, truth_figures


def test_a_description_makes_claims() -> None:
    assert described("walk, veer left") == {Claim("turn", "left")}
    assert described("sidestep to the right") >= {Claim("toward", "right")}
    assert described("walk") == set()


def test_captions_are_read_clause_by_clause() -> None:
    said = told(["a person walks forward and turns left", "they wave the right hand"])
    assert said["turn"] == {"left"}
    assert said["go"] == {"forward"}
    assert said["arm"] == {"right"}


def test_three_of_four_claims_spoken_of_agree() -> None:
    left, right = Claim("turn", "left"), Claim("turn", "right")
    found = truth_figures(
        {
            "agree": [
                ("1", left, "left"),
                ("1", right, "left, right"),
                ("2", left, "left"),
            ],
            "disagree": [("3", Claim("go", "forward"), "backward")],
            "untold": [("4", Claim("lean", "left"), "")],
        }
    )
    assert (found["recordings"], found["claims"]) == (4, 5)
    assert found["agreement"] == 0.75
    assert found["agreement_of_all"] == 0.6
    assert found["both_sides"] == 1
    assert found["kinds"]["turn"] == {"agree": 3, "disagree": 0, "untold": 0}
