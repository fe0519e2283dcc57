"""`texedo select`: the best of somebody's files, as `texedo generate` would have it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.refusal import PlaneRefuser
from tests.support.standing import standing
from tests.support.verifiers import FakeVerifier, longest
from texedo.apps.cli import main
from texedo.formats import load_motion, save_motion
from texedo.motion import Motion
from texedo.pipeline import find as find_module
from texedo.pipeline.pipe import Pipeline

QUICK = ["--no-video", "--confirm", "0"]

pytestmark = pytest.mark.usefixtures("generator")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Three motions, one of them in a format that has to be named."""
    folder = tmp_path / "motions"
    folder.mkdir()
    save_motion(standing(40, seed=1), folder / "a.npz")
    save_motion(standing(40, seed=2), folder / "b.npz")
    save_motion(standing(40, seed=3), tmp_path / "c.csv", format="lafan1")
    return folder


def rows(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "candidates.csv").read_text().splitlines()))


def test_the_files_of_a_folder_become_a_run(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["select", "a person stands", str(files), *QUICK]) == 0
    run = tmp_path / "out" / "select" / "a-person-stands"
    assert sorted(p.name for p in run.iterdir() if p.suffix in (".npz", ".json")) == [
        "motion.npz",
        "run.json",
    ]
    assert [Path(row["file"]).name for row in rows(run)] == ["a.npz", "b.npz"]
    record = json.loads((run / "run.json").read_text())
    chosen = rows(run)[record["chosen"]]
    assert chosen["outcome"] == "chosen"
    assert f"the motion is that of {chosen['file']}" in capsys.readouterr().out


def test_the_one_that_fits_best_wins(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_motion(standing(60, seed=2), files / "b.npz")
    verifier = FakeVerifier(longest)
    monkeypatch.setattr(find_module, "find_semantics", lambda *_, **__: verifier)
    command = ["select", "a person stands", str(files), *QUICK, "--semantics", "fake"]
    assert main([*command, "-o", "run"]) == 0
    assert rows(tmp_path / "run")[1]["outcome"] == "chosen"
    assert load_motion(tmp_path / "run" / "motion.npz").duration == pytest.approx(1.18)


def test_a_file_that_cannot_be_read_does_not_stop_the_others(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "broken.npz").write_bytes(b"no archive")
    assert main(["select", "a person stands", str(files), *QUICK, "-o", "run"]) == 2
    assert "broken.npz" in capsys.readouterr().err
    assert len(rows(tmp_path / "run")) == 2


def test_files_are_read_in_the_format_that_is_named(
    tmp_path: Path, files: Path
) -> None:
    command = ["select", "a person stands", "c.csv", "--from", "lafan1", *QUICK]
    assert main([*command, "-o", "run"]) == 0
    assert [row["file"] for row in rows(tmp_path / "run")] == ["c.csv"]


def test_motions_that_fail_the_check_are_repaired_if_asked(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qpos = standing(50, seed=0).to_qpos()
    qpos[:, 0] += 0.1 * np.arange(50)  # slides along at 5 m/s
    save_motion(Motion.from_qpos(qpos), files / "a.npz")
    command = ["select", "a person stands", str(files), *QUICK, "-o", "run"]
    assert main([*command, "--repair"]) == 0
    said = capsys.readouterr().out
    assert "1 of 1 that failed the check were repaired" in said
    assert "read 2 at 50 fps (stated in the file)" in said


def test_of_a_folder_of_runs_the_candidates_of_the_prompt_are_taken(
    tmp_path: Path, files: Path
) -> None:
    made = ["generate", "a person waves", "a person bows", "-n", "3", *QUICK]
    assert main([*made, "--keep-candidates", "-o", "runs"]) == 0
    assert main(["select", "a person bows", "runs", *QUICK, "-o", "again"]) == 0
    names = [row["file"] for row in rows(tmp_path / "again")]
    assert len(names) == 3 and all("002-a-person-bows" in name for name in names)


def test_what_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["select", "a person stands", "nowhere", *QUICK]) == 2
    assert "nowhere: there is no such file or folder" in capsys.readouterr().err


def test_a_folder_without_motions_has_nothing_to_select(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["select", "a person stands", "empty", *QUICK]) == 2
    assert "nothing to select from" in capsys.readouterr().err


def test_a_sentence_that_none_of_them_means_is_refused(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuser = PlaneRefuser(lambda text: [-1, -1], semantics=None)
    monkeypatch.setattr(Pipeline, "_find_refuser", lambda self, generator: refuser)
    assert main(["select", "do a backflip", str(files), *QUICK]) == 3
    assert not (tmp_path / "out").exists()
    assert main(["select", "do a backflip", str(files), *QUICK, "--anyway"]) == 0
