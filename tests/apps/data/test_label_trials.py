"""`texedo data label-trials` from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.standing import standing
from tests.support.trials import arm_up, write_part
from texedo.apps import cli
from texedo.data.corpus.trials import read_rollouts

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    good, bad = standing(12, seed=1), arm_up(standing(20), "right", frame=5)
    recipes = ["captured", "spoiled-arms"]
    write_part(tmp_path / "t/part-00000.npz", [good, bad], recipes)
    write_part(tmp_path / "t/part-00001.npz", [standing(10, height=3.0)], ["captured"])
    return tmp_path / "t"


def label(folder: Path, *args: object) -> int:
    options = ["--tracker", "open-loop", "--draws", 1, "--workers", 1, *args]
    return cli.main(["data", "label-trials", str(folder), *map(str, options)])


def test_parts_are_labelled_one_after_the_other_and_a_table_is_printed(
    folder: Path, capsys: Capture
) -> None:
    assert label(folder, "--limit-parts", 1) == 0
    assert "labels of 1 of 2 parts" in capsys.readouterr().out
    assert label(folder) == 0
    printed = capsys.readouterr().out
    rows = {
        line.split()[0]: line.split() for line in printed.splitlines() if line.split()
    }
    assert rows["captured"][1:3] == ["2", "1"]
    assert rows["spoiled-arms"][1:4] == ["1", "0", "100.0"]
    assert rows["all"][1:4] == ["3", "1", "50.0"]
    assert "labels of 2 of 2 parts" in printed
    (_, first), (_, second) = read_rollouts(folder)
    assert first.success.tolist() == [True, False] and not second.valid.any()
    assert first.limbs[1].tolist() == [False, False, False, True]
    assert label(folder) == 0  # Nothing is left to do.


def test_what_makes_no_sense_is_refused(folder: Path, capsys: Capture) -> None:
    assert label(folder, "--draws", -1) == 2
    assert "--draws must be at least 0" in capsys.readouterr().err
    assert label(folder, "--limit-parts", 0) == 2
    assert "--limit-parts must be at least 1" in capsys.readouterr().err
    assert label(folder / "nowhere") == 2
    assert "holds no motions to try" in capsys.readouterr().err
