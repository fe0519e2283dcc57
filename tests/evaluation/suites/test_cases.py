"""Four cases that tell the ways to choose apart."""

from typing import Any

import pytest

from tests.support.standing import standing
from texedo.evaluation.suites.cases import draw_cases, find_cases, fits

GOOD = {"success": 1.0, "right": 1.0, "clip": "a"}
FALLS = {"success": 0.0, "right": 1.0, "clip": "b"}
DULL = {"success": 1.0, "right": 0.0, "clip": "c"}
BAD = {"success": 0.0, "right": 0.0, "clip": "d"}


def row(
    prompt: str, base: Any, dynamics: Any, semantics: Any, both: Any
) -> dict[str, Any]:
    names = ("base", "dynamics only", "semantics only", "Texedo")
    choices = dict(zip(names, (base, dynamics, semantics, both), strict=True))
    return {"prompt": prompt, "choices": choices}


def found(*rows: dict[str, Any]) -> dict[str, str | None]:
    cases = find_cases([{"details": {"choices": list(rows)}}])
    return {title: own.prompt if own else None for title, own in cases.items()}


def test_each_case_has_a_prompt_of_its_own_where_there_is_one() -> None:
    assert found(
        row("walk", FALLS, DULL, FALLS, GOOD),
        row("wave", GOOD, DULL, GOOD, GOOD),
        row("hop", GOOD, GOOD, FALLS, GOOD),
        row("spin", BAD, GOOD, GOOD, GOOD),
    ) == {
        "Texedo is right": "walk",
        "dynamics only, generic": "wave",
        "semantics only, falls": "hop",
        "base fails at both": "spin",
    }


def test_one_prompt_may_show_several_and_what_is_missing_is_missing() -> None:
    cases = found(row("walk", FALLS, DULL, GOOD, GOOD))
    assert cases["Texedo is right"] == cases["dynamics only, generic"] == "walk"
    assert cases["semantics only, falls"] is cases["base fails at both"] is None


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({"right": 0.0, "judge (a)": 10.0, "R_text": 1.0}, False),
        ({"right": None, "judge (a)": 8.0, "R_text": 0.1}, True),
        ({"judge (a)": None, "R_text": 0.4}, False),
        ({}, None),
    ],
)
def test_rules_come_before_judges_and_judges_before_r_text(
    choice: dict[str, Any], expected: bool | None
) -> None:
    assert fits(choice) is expected


def test_a_prompt_with_a_rule_is_shown_first_then_a_judged_one() -> None:
    chosen = {"success": 1.0, "R_text": 0.9}
    by_text = row("read by R_text", BAD, DULL, FALLS, chosen)
    judged = row("judged", BAD, DULL, FALLS, chosen | {"judge (a)": 9.0})
    ruled = row("ruled", BAD, DULL, FALLS, GOOD)
    assert found(by_text, judged)["Texedo is right"] == "judged"
    assert found(by_text, judged, ruled)["Texedo is right"] == "ruled"


def test_a_picture_has_a_strip_for_each_case() -> None:
    cases = find_cases([{"details": {"choices": [row("walk", BAD, GOOD, GOOD, GOOD)]}}])
    motions = {"a": standing(30), "d": standing(2)}
    picture = draw_cases(cases, motions.get, backend="software")
    assert picture.shape == (4 * 220 + 3 * 6, 6 * 220 + 5 * 4, 3)
