"""A folder of results: nothing in it is lost, and nothing else is touched."""

import json
from pathlib import Path

import numpy as np
import pytest

from texedo.core.errors import FileFormatError
from texedo.evaluation.suites import folder
from texedo.evaluation.suites.chart import curves_svg
from texedo.evaluation.suites.figures import Figure, Table, mean, theirs
from texedo.evaluation.suites.folder import (
    Report,
    open_results,
    read_reports,
    write_report,
)
from texedo.evaluation.suites.results import copy_page, results_page, write_results


def report(value: float = 1.0, **settings: int) -> Report:
    rows = {
        "ours": {
            "success": mean(np.array([value, value])),
            "right": Figure(value=None),
        },
        "paper: theirs": {"success": theirs(0.5)},
    }
    table = Table(name="main", title="All", rows=rows, theirs=("paper: theirs",))
    curve = {
        "ours": [(1, Figure(value=0.5, interval=(0.4, 0.6))), (2, Figure(value=1.0))]
    }
    return Report(
        suite="selection",
        title="Selection",
        settings={"seed": 0, **settings},
        tables=(table,),
        words=("A sentence.",),
        charts={"curve.svg": curves_svg(curve, title="Success")},
    )


def test_all_files_of_a_suite_are_written(tmp_path: Path) -> None:
    open_results(tmp_path)
    own = write_report(tmp_path, report())
    assert (
        "| ours | 2 | 1.000 [1.000, 1.000] | - |" in (own / "selection.md").read_text()
    )
    lines = (own / "selection.csv").read_text().splitlines()
    assert lines[1] == "main,ours,success,1.0,1.0,1.0,2,texedo"
    assert lines[3] == "main,paper: theirs,success,0.5,,,,paper"
    page = (own / "index.html").read_text()
    assert '<tr class="theirs"><td>paper: theirs</td>' in page and "<svg" in page
    assert (own / "curve.svg").read_text().startswith("<svg xmlns")
    (record,) = read_reports(tmp_path)
    assert record["settings"] == {"seed": 0}


def test_the_same_settings_write_over_and_others_move_the_old_tables(
    tmp_path: Path,
) -> None:
    open_results(tmp_path)
    write_report(tmp_path, report())
    write_report(tmp_path, report())
    assert not (tmp_path / "earlier").exists()
    write_report(tmp_path, report(0.25, seed=1))
    (old,) = (tmp_path / "earlier").iterdir()
    assert json.loads((old / "selection.json").read_bytes())["settings"] == {"seed": 0}
    (record,) = read_reports(tmp_path)
    assert record["settings"] == {"seed": 1}


def test_tables_of_another_version_of_texedo_are_moved_and_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_results(tmp_path)
    before = (write_report(tmp_path, report()) / "selection.md").read_text()
    monkeypatch.setattr(folder, "__version__", "9.9")
    write_report(open_results(tmp_path), report(0.25))
    (old,) = (tmp_path / "earlier").iterdir()
    assert (old / "selection.md").read_text() == before
    (record,) = read_reports(tmp_path)
    assert record["texedo"] == "9.9"


def test_a_damaged_table_is_moved_and_not_read(tmp_path: Path) -> None:
    open_results(tmp_path)
    path = write_report(tmp_path, report()) / "selection.json"
    path.write_text("{")
    write_report(tmp_path, report())
    (old,) = (tmp_path / "earlier").iterdir()
    assert (old / "selection.json").read_text() == "{"


def test_a_folder_of_another_version_is_refused_and_untouched(tmp_path: Path) -> None:
    text = '{"kind": "texedo-results", "version": 99, "texedo": "9.0"}'
    (tmp_path / "results.json").write_text(text)
    with pytest.raises(FileFormatError, match="version 99.*Nothing was changed.*9.0"):
        open_results(tmp_path)
    assert (tmp_path / "results.json").read_text() == text


@pytest.mark.parametrize("text", ["", "[]", "{}"])
def test_something_else_under_the_name_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "results.json").write_text(text)
    with pytest.raises(FileFormatError, match="no index of results"):
        open_results(tmp_path)


def test_results_are_read_only_from_a_folder_of_results(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="texedo evaluate all"):
        read_reports(tmp_path)


def test_one_page_holds_all_suites_and_says_what_is_missing(tmp_path: Path) -> None:
    out = open_results(tmp_path / "out")
    write_report(out, report())
    (out / "words").mkdir()
    (out / "words" / "words.json").write_text('{"rows": {}}')  # It is no suite's.
    (out / "words" / "words.md").write_text("| | right |\n|---|---|\n| a\\|b | <1 |\n")
    (out / "dev.md").write_text(
        "# Dev of `x`\n\nA line,\nand on.\n\n## Part\n    as is\n"
    )
    others = {
        "Words": out / "words" / "words.md",
        "Dev": out / "dev.md",
        "Tracker": out / "none.md",
    }
    text = results_page(
        out,
        command="texedo evaluate all --size tiny",
        others=others,
        left_out={"dynamics": "no --trials."},
        pictures="images/results/",
    )
    assert "Written by `texedo evaluate all --size tiny`" in text
    assert "## Selection" in text and "\n## Words\n\n| | right |" in text
    assert "\n## Dev of `x`\n" in text and "\n### Part\n" in text
    assert "Tracker" not in text and "- `dynamics`: no --trials." in text
    assert "![curve.svg](images/results/selection/curve.svg)" in text
    write_results(out, text, others=others)
    assert (out / "results.md").read_text() == text
    html = (out / "index.html").read_text()
    assert "<h1>Selection</h1>" in html and "<h1>Words</h1><table>" in html
    assert "<tr><td>a|b</td><td>&lt;1</td></tr>" in html
    assert "<h1>Dev of <code>x</code></h1><p>A line, and on.</p><h2>Part</h2>" in html
    assert "<pre>as is</pre>" in html and "Tracker" not in html
    page = tmp_path / "docs" / "results.md"
    copy_page(text, out, page)
    assert page.read_text() == text
    assert (page.parent / "images/results/selection/curve.svg").is_file()
