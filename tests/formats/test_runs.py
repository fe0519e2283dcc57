"""The folder of a generated motion stands for the motion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.motions import random_motion
from texedo.core.errors import FileFormatError
from texedo.formats import find_sources, load_motion, load_motions, save_motion
from texedo.formats.runs import run_candidates, run_motion


def write_run(folder: Path, *, candidates: int = 0, **changes: Any) -> Path:
    """A run folder with a file of every kind that could be taken for its motion."""
    (folder / "candidates").mkdir(parents=True)
    save_motion(random_motion(0, 5), folder / "motion.npz")
    save_motion(random_motion(1, 5), folder / "other.npz")
    save_motion(random_motion(0, 5), folder / "motion-lafan1.csv", format="lafan1")
    (folder / "candidates.csv").write_text("candidate\n0\n")
    files = {"motion.npz": "", "motion-lafan1.csv": "", "candidates.csv": ""}
    for i in range(candidates):
        save_motion(random_motion(i, 6), folder / f"candidates/{i:03d}.npz")
        files[f"candidates/{i:03d}.npz"] = ""
    record = {"version": 2, "request": {}, "files": files} | changes
    (folder / "run.json").write_text(json.dumps(record))
    return folder


def test_a_run_folder_is_read_as_its_motion(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", candidates=2)
    assert find_sources(run).sources == [run / "motion.npz"]
    assert load_motion(run) == load_motion(run / "motion.npz")
    assert list(load_motions(run)) == ["motion"]


def test_of_a_folder_of_runs_each_gives_its_motion(tmp_path: Path) -> None:
    for name in ("001-walk", "002-wave"):
        write_run(tmp_path / name, candidates=2)
    assert list(load_motions(tmp_path)) == ["001-walk/motion", "002-wave/motion"]


@pytest.mark.parametrize(
    "changes",
    [{"files": {}}, {"files": 3}, {"request": None}, {"files": {"other.npz": ""}}],
)
def test_a_record_that_names_no_motion_makes_no_run_folder(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    run = write_run(tmp_path / "run", **changes)
    assert run_motion(run) is None
    with pytest.raises(FileFormatError, match="is a folder and no SONIC clip"):
        load_motion(run)
    assert len(find_sources(run).sources) > 1


def test_candidates_are_those_that_the_record_names(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", candidates=3)
    save_motion(random_motion(9, 5), run / "candidates" / "notes.npz")
    (run / "candidates" / "001.npz").unlink()
    names = [path.name for path in run_candidates(run)]
    assert names == ["000.npz", "002.npz"]
    odd = write_run(tmp_path / "odd", files=["../x.npz", 3, "candidates/../000.npz"])
    assert run_candidates(odd) == []


def test_hidden_folders_are_not_looked_into(tmp_path: Path) -> None:
    (tmp_path / ".half-made.tmp").mkdir()
    save_motion(random_motion(0, 5), tmp_path / ".half-made.tmp" / "motion.npz")
    assert find_sources(tmp_path).sources == []
