"""`texedo score` from the command line, with a verifier that likes long motions."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.support.forecasts import FakeDynamics, by_length
from tests.support.standing import standing
from tests.support.verifiers import FakeVerifier, longest
from texedo.apps import cli
from texedo.apps.files import score
from texedo.formats import save_motion

Capture = pytest.CaptureFixture[str]
WAVE = "a person waves"
STATED = ("50", "fps", "stated")


@pytest.fixture(autouse=True)
def folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[str | None, str | None]]:
    """Motions of 101, 301 and 201 frames; the list says which verifier was asked for."""
    asked: list[tuple[str | None, str | None]] = []

    def find(which: str | None, *, variant: str | None) -> FakeVerifier:
        asked.append((which, variant))
        return FakeVerifier(longest, remark="No word of it is known.")

    monkeypatch.setattr(score, "find_semantics", find)
    monkeypatch.setattr(score, "has_dynamics", lambda *_: False)
    monkeypatch.chdir(tmp_path)
    Path("all").mkdir()
    for name, frames in (("a", 101), ("b", 301), ("c", 201)):
        save_motion(standing(frames), tmp_path / "all" / f"{name}.npz")
    return asked


def rows(out: str) -> dict[str, float]:
    record = json.loads(out)
    return {row["file"]: row["r_text"] for row in record["motions"]}


def test_motions_stand_as_they_were_given_and_the_best_is_marked(
    capsys: Capture,
) -> None:
    assert cli.main(["score", WAVE, "all/c.npz", "all/b.npz", "all/a.npz"]) == 0
    out = capsys.readouterr().out
    lines = [line.split() for line in out.splitlines() if ".npz" in line]
    assert lines == [
        ["all/c.npz", *STATED, "4.00", "s", "0.201"],
        [">", "all/b.npz", *STATED, "6.00", "s", "0.301"],
        ["all/a.npz", *STATED, "2.00", "s", "0.101"],
    ]
    assert "a person waves (R_text of fake)" in out
    assert "note: No word of it is known." in out


def test_a_folder_stands_for_its_motions_and_json_has_all(capsys: Capture) -> None:
    assert cli.main(["score", WAVE, "all", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["prompt"], record["semantics_hash"]) == (WAVE, "v0")
    assert [row["best"] for row in record["motions"]] == [False, True, False]
    assert record["motions"][0] == {
        "file": "all/a.npz",
        "fps": 50.0,
        "fps_is": "stated",
        "duration_s": 2.0,
        "r_text": 0.101,
        "best": False,
    }
    assert record["remarks"] == ["No word of it is known."]


def test_a_file_that_cannot_be_read_does_not_stop_the_others(capsys: Capture) -> None:
    Path("all/a.npz").write_bytes(b"nothing")
    assert cli.main(["score", WAVE, "all/a.npz", "all/b.npz", "--json"]) == 2
    captured = capsys.readouterr()
    assert list(rows(captured.out)) == ["all/b.npz"]
    assert len(captured.err.splitlines()) == 1 and "all/a.npz" in captured.err
    assert cli.main(["score", WAVE, "all/a.npz"]) == 2


def test_a_name_that_exists_is_a_motion_and_not_the_sentence(
    capsys: Capture,
) -> None:
    assert cli.main(["score", "all/a.npz", "all/b.npz"]) == 2
    assert "no sentence: say first" in capsys.readouterr().err
    assert cli.main(["score", "all/a.npz", "--prompt", WAVE, "--json"]) == 0
    assert list(rows(capsys.readouterr().out)) == ["all/a.npz"]
    assert cli.main(["score", "all/d.npz"]) == 2
    assert "'all/d.npz' is read as the sentence, and no" in capsys.readouterr().err
    assert cli.main(["score", "very " * 100 + "long", "all/a.npz"]) == 0


def test_the_verifier_is_the_one_that_was_asked_for(
    folder: list[tuple[str | None, str | None]],
) -> None:
    for options in ([], ["--variant", "paper"], ["--semantics", "run"]):
        assert cli.main(["score", WAVE, "all", *options]) == 0
    assert folder == [(None, None), (None, "paper"), ("run", None)]


# Will the robot manage it?

NAN = float("nan")
PROMISE = {"max_failure": 0.01, "threshold": 0.6, "n": 500, "level": 0.95}


def foresees(
    monkeypatch: pytest.MonkeyPatch, a: float, b: float, c: float, **options: Any
) -> list[tuple[str | None, str | None]]:
    """Chances of the three motions; the list says which verifier was asked for."""
    asked: list[tuple[str | None, str | None]] = []
    verifier = FakeDynamics(by_length(f101=a, f301=b, f201=c), **options)

    def find(which: str | None, *, variant: str | None) -> FakeDynamics:
        asked.append((which, variant))
        return verifier

    monkeypatch.setattr(score, "has_dynamics", lambda *_: True)
    monkeypatch.setattr(score, "find_dynamics", find)
    return asked


def test_motions_alone_are_scored_by_what_the_robot_will_make_of_them(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    foresees(monkeypatch, 1.0, 0.0, 0.8)
    assert cli.main(["score", "all"]) == 1  # b is not above 0.6.
    out = capsys.readouterr().out
    lines = [line.split() for line in out.splitlines() if ".npz" in line]
    # R_dyn, success, robust, quality, progress.
    told = "all/a.npz 50 fps stated 2.00 s 0.857 1.000 0.500 0.500 0.500".split()
    assert lines[0][:11] == told
    told = "all/b.npz 50 fps stated 6.00 s 0.150 0.000 0.000 0.500 0.500".split()
    assert lines[1][:11] == told
    assert "expected to fall at 0.4 s: right foot height" in out
    assert "expected to finish (0.80), riskiest at 0.4 s: right foot height" in out
    assert "R_dyn of fake, passes above 0.6" in out
    assert cli.main(["score", "all/a.npz", "all/c.npz"]) == 0
    assert cli.main(["score", "all/c.npz", "--threshold", "0.9"]) == 1


def test_a_motion_may_have_to_pass_by_its_chance_to_finish(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    # R_dyn of a and c are 0.82 and 0.86.
    options: dict[str, Any] = {"threshold": 0.96, "filters_by": "success"}
    foresees(monkeypatch, 0.95, 0.0, 1.0, **options)
    assert cli.main(["score", "all/a.npz"]) == 1
    assert cli.main(["score", "all/c.npz"]) == 0
    out = capsys.readouterr().out
    assert "R_dyn of fake, passes with a chance to finish above 0.96" in out
    assert cli.main(["score", WAVE, "all", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [row["passes"] for row in record["motions"]] == [False, False, True]
    assert record["filters_by"] == "success"
    assert "1 of 3 with a chance to finish above 0.96" in record["why"]


def test_json_has_the_heads_the_riskiest_second_and_what_goes_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    foresees(monkeypatch, 0.25, 1.0, 1.0, guarantee=PROMISE)
    assert cli.main(["score", "all/a.npz", "--json"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert (record["dynamics_hash"], record["threshold"]) == ("d0", 0.6)
    assert record["guarantee"] == PROMISE and "prompt" not in record
    (row,) = record["motions"]
    assert (row["expected_success"], row["expected_robust"]) == (0.25, 0.125)
    assert row["riskiest_s"] == pytest.approx(0.4) and row["risk"] == 0.75
    assert row["expected_part"] == "right foot" and row["passes"] is False
    assert row["expected_termination"] == "ee_body_pos"
    # 101 frames: two seconds and a frame, the peak in the first.
    assert row["risk_by_second"] == [0.75, 0.0, 0.0] and "best" not in row


def test_with_a_sentence_the_best_fitting_motion_that_passes_is_marked(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    foresees(monkeypatch, 0.9, 0.1, 0.9, guarantee=PROMISE)
    assert cli.main(["score", WAVE, "all"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    # b is longer, which is all that the reader looks at, and falls.
    assert (
        "> all/c.npz 50 fps stated 4.00 s 0.201 0.786 expected to finish (0.90)" in out
    )
    assert "chosen: all/c.npz. Highest R_text (0.201) among 2 of 3" in out
    assert "note: At most 1 % of the motions that are chosen so fail" in out
    assert cli.main(["score", WAVE, "all", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [row["best"] for row in record["motions"]] == [False, False, True]
    assert "Highest R_text" in record["why"]


def test_if_nobody_passes_the_safest_is_marked_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    foresees(monkeypatch, 0.3, 0.1, 0.2)
    assert cli.main(["score", WAVE, "all"]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "> all/a.npz" in out
    assert "note: No motion passes: the marked one has the highest R_dyn, and is" in out


def test_a_motion_that_cannot_be_foreseen_is_exit_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    foresees(monkeypatch, NAN, 0.9, 0.9)
    assert cli.main(["score", "all", "--report", "risk.html"]) == 2
    captured = capsys.readouterr()
    assert "error: all/a.npz: cannot be foreseen" in captured.err
    assert "all/b.npz" in captured.out and Path("risk.html").exists()


def test_without_a_dynamic_verifier_a_sentence_is_needed_and_the_way_out_is_told(
    capsys: Capture,
) -> None:
    assert cli.main(["score", "all"]) == 2
    said = capsys.readouterr().err
    assert "name a trained one with --dynamics" in said and "texedo rollout" in said
    assert cli.main(["score", WAVE, "all", "--report", "risk.html"]) == 2
    assert "--report and --threshold are about R_dyn" in capsys.readouterr().err
    assert cli.main(["score", "all", "--threshold", "80"]) == 2
    assert "--threshold must be 0 to 1" in capsys.readouterr().err


def test_the_dynamic_verifier_is_the_one_that_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    asked = foresees(monkeypatch, 0.9, 0.9, 0.9)
    for options in (
        [],
        ["--variant", "paper"],
        ["--variant", "default"],
        ["--dynamics", "run"],
    ):
        assert cli.main(["score", "all", *options]) == 0
    assert asked == [(None, None), (None, "paper"), (None, None), ("run", None)]
    # --variant belongs to the semantic verifier that is named; `none` asks nobody.
    cli.main(["score", WAVE, "all", "--semantics", "run", "--variant", "paper"])
    assert asked[4:] == [(None, None)]
    capsys.readouterr()
    cli.main(["score", WAVE, "all", "--dynamics", "none", "--json"])
    assert "r_dyn" not in json.loads(capsys.readouterr().out)["motions"][0]
    assert len(asked) == 5
    assert cli.main(["score", "all", "--dynamics", "none"]) == 2


class Page(HTMLParser):
    """Counts tags, checks that they close, and collects what would be loaded."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.count: dict[str, int] = {}
        self.classes: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag != "meta":
            self.open.append(tag)
        for name, value in attrs:
            self.classes += (value or "").split() if name == "class" else []
            self.loads += [value or ""] if name in ("src", "href") else []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_report_draws_the_risk_of_each_motion_and_loads_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    foresees(monkeypatch, 0.9, 0.1, 0.95, guarantee=PROMISE)
    Path("all/a.npz").rename("all/a<b>.npz")
    assert cli.main(["score", WAVE, "all", "--report", "pages/risk.html"]) == 0
    text = Path("pages/risk.html").read_text()
    page = Page(text)
    assert page.open == [] and page.loads == [] and "script" not in page.count
    assert not re.search(r"url\(|@import|https?://", text)
    assert page.count["svg"] == page.count["section"] == 3
    assert page.classes.count("curve") == page.classes.count("window") == 3
    assert page.classes.count("chosen") == 1 and page.classes.count("meter") == 3
    assert "prefers-color-scheme: dark" in text and "a&lt;b&gt;.npz" in text
    assert "0.4 s: 90 %, right foot height" in text  # The riskiest second of b.
    assert "<b>2 of 3</b> motions pass" in text and "At most 1 %" in text


def test_a_verifier_without_a_hazard_has_a_report_without_curves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    foresees(monkeypatch, 0.9, 0.9, 0.9, hazard=False)
    assert cli.main(["score", "all", "--report", "risk.html"]) == 0
    page = Page(Path("risk.html").read_text())
    assert "svg" not in page.count and page.count["section"] == 3
