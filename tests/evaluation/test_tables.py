"""Reports as files."""

import json
import math
from pathlib import Path

from texedo.evaluation.tables import json_text, markdown, write_tables


def test_columns_come_in_the_order_in_which_they_first_appear() -> None:
    rows = {"a": {"x": 1, "deep": {"y": 2}}, "b": {"x": 0.123456, "z": None}}
    assert markdown(rows) == (
        "| | x | z |\n|---|---|---|\n| a | 1 | - |\n| b | 0.1235 | - |\n"
    )


def test_what_is_not_a_number_is_null() -> None:
    assert json.loads(json_text({"a": {"b": math.nan}, "c": 1.5})) == {
        "a": {"b": None},
        "c": 1.5,
    }


def test_what_is_not_a_number_is_null_in_lists_too() -> None:
    assert json.loads(json_text({"a": [{"b": math.nan}, (1, math.nan)]})) == {
        "a": [{"b": None}, [1, None]]
    }


def test_a_report_is_a_file_for_programs_and_one_for_people(tmp_path: Path) -> None:
    write_tables(tmp_path / "new", "r", {"rows": {"a": {"x": 1}}}, {"a": {"x": 1}})
    assert json.loads((tmp_path / "new/r.json").read_text())["rows"]["a"] == {"x": 1}
    assert (tmp_path / "new/r.md").read_text().endswith("| a | 1 |\n")
