"""Figures of a tracker on test clips, from labels that can be added up by hand."""

from typing import Any

import pytest

from tests.data.corpus.test_store import make_clip
from texedo.data.corpus.label_table import Label
from texedo.evaluation.tracker.figures import Case, figures, split_report
from texedo.evaluation.tracker.page import markdown


def label(**values: Any) -> Label:
    row: dict[str, Any] = {
        "clip": "x",
        "tracker_hash": "h",
        "oracle_version": 1,
        "perturbation": "none",
        "seed": 0,
        "draw": 0,
        "name": "x",
        "tracker": "t",
        "num_frames": 100,
        "success": True,
        "progress": 1.0,
        "frame": 100,
        "reason": "",
        "mpjpe": 20.0,
        "e_vel": 4.0,
        "e_acc": 2.0,
        "planar_drift": 0.1,
        "saturation": 0.0,
        "foot_slip": 0.02,
        "device": "cpu",
    }
    return Label(**{**row, **values})


def case(i: int, nominal: Label | None, **values: Any) -> Case:
    return Case(
        clip=make_clip(i, 100),
        turn=values.get("turn", 0.0),
        nominal=nominal,
        q_star=values.get("q_star", float("nan")),
        perturbed=values.get("perturbed", ()),
    )


CASES = [
    case(0, label(mpjpe=10.0), q_star=0.9, turn=120.0),
    case(1, label(mpjpe=30.0), q_star=0.7, perturbed=(label(), label(success=False))),
    case(2, label(success=False, progress=0.4, mpjpe=90.0, reason="anchor_pos")),
    case(3, None),
]


def test_errors_are_means_over_the_successes() -> None:
    found = figures(CASES)
    assert (found["clips"], found["rolled_out"], found["successes"]) == (4, 3, 2)
    assert found["success"] == pytest.approx(2 / 3)
    assert found["e_mpjpe_mm"] == 20.0
    assert found["progress"] == pytest.approx(0.8)
    assert found["q_star_successes"] == pytest.approx(0.8)
    assert found["perturbed_success"] == 0.5
    assert found["perturbed_all_five"] is None


def test_a_split_is_reported_by_family_by_group_and_with_its_failures() -> None:
    found = split_report(CASES)
    assert set(found["families"]) == {"walk", "jump"}
    assert found["groups"]["walking"]["rolled_out"] == 2
    assert found["groups"]["with a turn"]["clips"] == 1
    assert found["macro_success"] == pytest.approx((0.5 + 1.0) / 2)
    assert found["not_rolled_out"] == ["01_03-00"]
    assert [row["reason"] for row in found["failures"]] == ["anchor_pos"]


def test_the_page_has_the_headline_and_the_failures() -> None:
    nothing = {"dropped": 0, "shortened": 0}
    nothing |= {"dropped_by_reason": {}, "shortened_by_reason": {}}
    text = markdown(
        {
            "tracker": "t",
            "tracker_hash": "0123456789abcdef0",
            "oracle_version": 1,
            "corpus": "cmu",
            "normalizers": None,
            "splits": {"test": split_report(CASES)},
            "rejected": {**nothing, "dropped_of_test_subjects": {}},
        }
    )
    assert "2 of 3 clips succeed: 0.667" in text
    assert "Q* is unknown" in text
    assert "| 01_02-00 | walk |" in text
