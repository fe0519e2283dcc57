"""`texedo judge ...` and `texedo evaluate judge` from the command line."""

import json
from pathlib import Path

import pytest

from tests.support.chat_server import Step, chat_server
from tests.support.events_moves import walk
from texedo.apps import cli
from texedo.apps.judge import sheet
from texedo.data.corpus.sample import SAMPLE_FILE
from texedo.evaluation.judges.human.sheet import KEY_FILE
from texedo.formats import save_motion
from texedo.motion import Motion

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def motion(tmp_path: Path) -> Path:
    path = tmp_path / "walk.npz"
    save_motion(walk(6).motion(), path)
    return path


def test_a_score_comes_with_its_labels(motion: Path, capsys: Capture) -> None:
    assert cli.main(["judge", "score", "walk forward", str(motion)]) == 0
    printed = capsys.readouterr().out
    assert "MATCH     SPATIAL   forward" in printed and "10 of 10" in printed
    assert cli.main(["judge", "score", "walk back", str(motion), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["score"] <= 3


def test_a_prompt_that_cannot_be_measured_says_so(
    motion: Path, capsys: Capture
) -> None:
    assert cli.main(["judge", "score", "compose a song", str(motion)]) == 0
    assert "no score" in capsys.readouterr().out


def test_a_dry_run_says_what_would_be_sent(
    motion: Path, tmp_path: Path, capsys: Capture
) -> None:
    asked = ["judge", "score", "walk", str(motion), "--judge", "vlm", "--dry-run"]
    more = ["--frames", "2", "--cache", str(tmp_path), "--price-in", "1"]
    assert cli.main([*asked, *more, "--price-out", "4"]) == 0
    printed = capsys.readouterr().out
    assert "4 calls" in printed and "8 pictures" in printed
    assert "nothing was sent" in printed and "in all" in printed


def test_models_are_asked_and_contradictions_told(
    motion: Path, tmp_path: Path, capsys: Capture
) -> None:
    unit = {"id": 1, "category": "ACTION", "content": "walk", "label": "MISMATCH"}
    answer = json.dumps({"semantic_units": [unit], "score": 9})
    with chat_server([Step(answer)]) as server:
        model = f"openai:m@{server.url}/v1"
        asked = ["judge", "score", "walk", str(motion), "--judge", "vlm"]
        more = ["--models", model, "--frames", "2", "--cache", str(tmp_path)]
        assert cli.main([*asked, *more]) == 0
    printed = capsys.readouterr().out
    assert "said 9, its labels give 1" in printed
    assert "axes is missing" in printed and "1.00 of 10" in printed


def test_a_study_goes_there_and_back(
    motion: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw(moving: Motion, path: Path) -> None:
        path.write_bytes(b"a video")

    real = sheet.write_sheet
    monkeypatch.setattr(
        sheet, "write_sheet", lambda *args, **more: real(*args, **more, draw=draw)
    )
    other = tmp_path / "back.npz"
    save_motion(walk(6, stride=-0.35).motion(), other)
    rows = tmp_path / "pairs.tsv"
    rows.write_text(f"walk forward\t{motion.name}\t{other.name}\n\n")
    out = tmp_path / "study"
    names = ["--names", "ours", "base"]
    assert cli.main(["judge", "sheet", str(rows), "-o", str(out), *names]) == 0
    key = json.loads((out / KEY_FILE).read_text())
    (pair,) = key["pairs"]
    choice = "a" if pair["a"] == "ours" else "b"
    answers = tmp_path / "answers-me.json"
    answers.write_text(
        json.dumps({"study": key["study"], "answers": {pair["id"]: choice}})
    )
    capsys.readouterr()
    assert cli.main(["judge", "answers", str(out), str(answers)]) == 0
    assert "wins of ours: 1" in capsys.readouterr().out


def test_a_list_of_pairs_with_a_fault_names_its_line(
    motion: Path, tmp_path: Path, capsys: Capture
) -> None:
    rows = tmp_path / "pairs.tsv"
    line = f"walk\t{motion.name}\t{motion.name}\n"
    for text, says in ((line + "walk only\n", "line 2"), (line + line, "line 1")):
        rows.write_text(text)
        assert cli.main(["judge", "sheet", str(rows), "-o", str(tmp_path / "s")]) != 0
        assert says in capsys.readouterr().err


def test_the_judge_is_tested_on_a_corpus(tmp_path: Path, capsys: Capture) -> None:
    asked = ["evaluate", "judge", str(SAMPLE_FILE), "--split", "train", "--limit", "6"]
    assert cli.main([*asked, "-o", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "| captured | 6 |" in printed
    rows = json.loads((tmp_path / "judge-train.json").read_text())["rows"]
    row = rows["captured"]
    assert 0 <= row["coverage"] <= 1 and row["captions"] >= 6
    assert row["mean score, true"] > row["mean score, false"]
