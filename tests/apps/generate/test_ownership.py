"""A run removes what it can prove to be its own, and nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.generators import StandingGenerator
from texedo.apps.cli import main
from texedo.core.files import file_sha256
from texedo.formats import load_motion
from texedo.pipeline.run import ownership
from texedo.pipeline.run.folder import finished_run

pytestmark = pytest.mark.usefixtures("generator")
WAVE = ["generate", "a person waves", "-n", "2", "--no-video", "-o", "run"]
BOW = ["generate", "a person bows", "-n", "2", "--no-video", "-o", "run"]


def tree(folder: Path) -> dict[str, str]:
    """Every file below a folder by its content."""
    paths = sorted(p for p in folder.rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): file_sha256(p) for p in paths}


def edit(folder: Path, **changes: Any) -> None:
    path = folder / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_folder_called_candidates_stays_whose_it_is(tmp_path: Path) -> None:
    (tmp_path / "run" / "candidates").mkdir(parents=True)
    (tmp_path / "run" / "candidates" / "notes.txt").write_text("mine")
    assert main(WAVE) == 0
    assert (tmp_path / "run" / "candidates" / "notes.txt").read_text() == "mine"


def test_candidates_are_not_mixed_with_those_of_somebody_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], generator: StandingGenerator
) -> None:
    (tmp_path / "run" / "candidates").mkdir(parents=True)
    (tmp_path / "run" / "candidates" / "000.npz").write_text("mine")
    before = tree(tmp_path)
    assert main([*WAVE, "--keep-candidates"]) == 2
    assert (
        "candidates/000.npz: is not from `texedo generate`" in capsys.readouterr().err
    )
    assert tree(tmp_path) == before and generator.batches == []


@pytest.mark.parametrize("name", ["motion.npz", "candidates.csv"])
@pytest.mark.parametrize("flags", [[], ["--overwrite"], ["--again"]])
def test_a_file_without_a_run_is_never_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, flags: list[str]
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / name).write_text("mine")
    assert main([*WAVE, *flags]) == 2
    assert f"run/{name}: is not from `texedo generate`" in capsys.readouterr().err
    assert (tmp_path / "run" / name).read_text() == "mine"


def test_another_prompt_does_not_replace_a_motion_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], generator: StandingGenerator
) -> None:
    assert main([*WAVE, "--keep-candidates"]) == 0
    before = tree(tmp_path)
    for flags in ([], ["--again"]):
        assert main([*BOW, *flags]) == 2
        said = capsys.readouterr().err
        assert "run: holds the motion of another request ('a person waves'" in said
        assert "--overwrite" in said and "--out" in said
    assert tree(tmp_path) == before and len(generator.batches) == 1
    assert main([*BOW, "--overwrite"]) == 0
    assert sorted(tree(tmp_path / "run")) == [
        "candidates.csv",
        "motion.npz",
        "report.html",
        "run.json",
    ]
    assert not (tmp_path / "run" / "candidates").exists()


def test_settings_that_differ_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    main([*WAVE, "--seed", "4"])
    assert main([*WAVE, "--seed", "5"]) == 2
    assert "('a person waves', seed 4)" in capsys.readouterr().err


def test_without_out_another_request_gets_a_folder_of_its_own(tmp_path: Path) -> None:
    command = ["generate", "a person waves", "--no-video", "-n"]
    assert [main([*command, n]) for n in ("2", "3", "2", "3")] == [0, 0, 0, 0]
    names = sorted(p.name for p in (tmp_path / "out" / "generate").iterdir())
    assert names == ["a-person-waves", "a-person-waves-2"]


@pytest.mark.parametrize("flags", [[], ["--again"], ["--overwrite"]])
@pytest.mark.parametrize(
    "files",
    [
        [".."],
        ["../kept.txt"],
        {"..": "x"},
        {"../kept.txt": "HASH"},
        {"ABSOLUTE": "HASH"},
        {"notes.txt": "HASH"},
        {"motion-x/../../kept.txt": "HASH"},
        {"motion.npz": 3, "candidates.csv": None, "sheet.png": ["a", 4]},
        [1, None, {"a": "b"}],
        {"x" * 5000: "HASH"},
    ],
)
def test_no_name_in_a_record_reaches_what_a_run_did_not_write(
    tmp_path: Path, files: Any, flags: list[str]
) -> None:
    assert main(WAVE) == 0
    kept, notes = tmp_path / "kept.txt", tmp_path / "run" / "notes.txt"
    kept.write_text("mine")
    notes.write_text("mine")
    text = json.dumps(files).replace("HASH", file_sha256(kept))
    edit(tmp_path / "run", files=json.loads(text.replace("ABSOLUTE", str(kept))))
    motion = file_sha256(tmp_path / "run" / "motion.npz")
    # Its own files are no longer proved to be its own either.
    assert main([*BOW, *flags]) == 2 and main([*WAVE, *flags]) == 2
    assert kept.read_text() == notes.read_text() == "mine"
    assert file_sha256(tmp_path / "run" / "motion.npz") == motion


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"files": ["motion.npz"]}', "[" * 100_000]
)
def test_a_damaged_record_is_named_and_nothing_is_touched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    main(WAVE)
    (tmp_path / "run" / "run.json").write_text(text)
    before = tree(tmp_path)
    assert main([*WAVE, "--overwrite"]) == 2
    assert "run.json: is damaged or not from" in capsys.readouterr().err
    assert tree(tmp_path) == before


def test_a_file_that_was_changed_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(WAVE)
    table = tmp_path / "run" / "candidates.csv"
    table.write_text("my own notes")
    assert main(WAVE) == 0  # It is finished: nothing has to be written.
    for command in ([*WAVE, "--again"], [*BOW, "--overwrite"]):
        assert main(command) == 2
        assert "candidates.csv: was changed after" in capsys.readouterr().err
    assert table.read_text() == "my own notes"


def test_a_link_is_never_followed(tmp_path: Path) -> None:
    main([*WAVE, "--keep-candidates"])
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "run" / "candidates").rename(elsewhere)
    (tmp_path / "run" / "candidates").symlink_to(elsewhere)
    before = tree(elsewhere)
    assert main([*WAVE, "--overwrite"]) == 2
    assert tree(elsewhere) == before and len(before) == 2


def test_a_run_that_is_killed_while_it_moves_files_blocks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace
    moved: list[str] = []

    def dies(source: Path, target: Path) -> None:
        if Path(target).parent.name == "run":
            if len(moved) == 2:
                raise KeyboardInterrupt
            moved.append(Path(target).name)
        replace(source, target)

    main([*WAVE, "--keep-candidates"])
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", dies)
        patch.setattr(ownership, "_clear_stage", lambda stage: None)
        assert main([*BOW, "--overwrite"]) == 130
    assert moved == ["run.json", "candidates.csv"]
    run = tmp_path / "run"
    (stage,) = run.glob(".texedo-*")
    # As it would be if the process were gone.
    stage.rename(run / ".texedo-999999999-0123456789ab.tmp")
    record = json.loads((run / "run.json").read_text())
    assert record["state"] == "unfinished"
    assert finished_run(run, record["request"]) is None
    assert main(BOW) == 0
    assert sorted(p.name for p in run.iterdir()) == [
        "candidates.csv",
        "motion.npz",
        "report.html",
        "run.json",
    ]
    assert finished_run(run, record["request"]) is not None


def test_an_interrupted_run_leaves_the_older_one_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main(WAVE)
    before = tree(tmp_path)

    def interrupted(stage: Path) -> dict[str, str]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("texedo.pipeline.run.folder.file_hashes", interrupted)
        assert main([*BOW, "--overwrite"]) == 130
    assert tree(tmp_path) == before


def test_what_a_killed_run_left_is_removed_and_what_it_did_not_leave_is_not(
    tmp_path: Path,
) -> None:
    dead, odd = (
        tmp_path / "run" / f".texedo-999999999-{k}23456789abc.tmp" for k in "01"
    )
    for folder in (dead, odd):
        folder.mkdir(parents=True)
        (folder / "motion.npz").write_text("half")
        (folder / ".sheet.png.0123456789ab.tmp").write_text("half")
    (odd / "thesis.txt").write_text("mine")
    assert main(WAVE) == 0
    assert not dead.exists()
    assert [p.name for p in odd.iterdir()] == ["thesis.txt"]


def test_the_same_request_again_replaces_its_own_files(tmp_path: Path) -> None:
    command = [*WAVE, "--keep-candidates", "--format", "sonic", "lafan1"]
    main(command)
    first = load_motion(tmp_path / "run" / "motion.npz")
    before = sorted(tree(tmp_path / "run"))
    assert main([*command, "--again"]) == 0
    assert load_motion(tmp_path / "run" / "motion.npz") == first
    assert sorted(tree(tmp_path / "run")) == before
