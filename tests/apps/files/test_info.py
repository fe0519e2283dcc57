"""`texedo info` says what a file is, or what it may be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.written_elsewhere import LIBRARY
from texedo.apps import cli
from texedo.formats import save_motion
from texedo.motion import Motion
from texedo.motion.rotations import quat_from_yaw
from texedo.robot.g1 import KNEES_BENT, KNEES_BENT_HEIGHT


def stroll() -> Motion:
    """Two seconds sliding 1 m ahead while turning right by 90 degrees."""
    t = np.linspace(0, 1, 101)
    zero = np.zeros_like(t)
    return Motion(
        root_pos_w=np.stack((t, zero, zero + KNEES_BENT_HEIGHT), axis=1),
        root_quat_w=quat_from_yaw(-t * np.pi / 2),
        joint_pos=np.tile(KNEES_BENT, (101, 1)),
    )


def info(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, Any]:
    code = cli.main(["info", *map(str, args), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_good_file_is_described(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "stroll.npz"
    save_motion(stroll(), path, fps=25)
    code, reports = info(capsys, path)
    assert code == 0
    (report,) = reports
    assert (report["format"], report["file"]) == ("texedo", str(path))
    assert "texedo-motion" in report["evidence"]
    (clip,) = report["clips"]
    assert clip["frames"] == 51
    assert clip["fps"] == 25
    assert clip["duration_s"] == pytest.approx(2.0)
    assert clip["root_height_m"] == pytest.approx([0.76, 0.76])
    assert clip["distance_m"] == pytest.approx(1.0, abs=1e-3)
    assert clip["yaw_change_deg"] == pytest.approx(-90, abs=0.1)


def test_an_ambiguous_file_is_shown_in_every_layout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "stroll.csv"
    save_motion(stroll(), path, format="kimodo-csv")
    code, (report,) = info(capsys, path)
    assert code == 1
    looks = {row["format"]: row for row in report["candidates"]}
    assert set(looks) == {"unitree-csv", "kimodo-csv", "texedo-csv"}
    right, wrong = looks["kimodo-csv"], looks["unitree-csv"]
    assert right["lean_deg"] < 1 < 90 < wrong["lean_deg"]
    assert abs(right["sole_height_m"]) < 0.01
    assert right["quaternion_length"] == [1.0, 1.0]
    assert right["joints_outside_range_percent"] == 0
    assert looks["texedo-csv"]["fps"] == 50


def test_a_rate_that_nothing_tells_does_not_hide_the_layout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "stroll.npy"
    save_motion(stroll(), path)
    _, (report,) = info(capsys, path)
    looks = {row["format"]: row for row in report["candidates"]}
    assert looks["amass-npy"]["fps"] is None
    assert looks["amass-npy"]["lean_deg"] > 90
    assert looks["texedo-npy"]["lean_deg"] < 1


def test_the_body_order_is_told_from_the_bodies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "stroll.npz"
    save_motion(stroll(), path, format="mjlab-npz")
    code, (report,) = info(capsys, path)
    assert (code, report["format"]) == (0, "mjlab-npz")
    assert "fit this order to 0.0 mm" in report["evidence"]
    assert report["proof"] == "body_pos_w agrees to 0.0 mm"


def test_one_bad_file_does_not_hide_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "good.npz"
    save_motion(stroll(), good)
    library = tmp_path / "library.pkl"
    library.write_bytes(LIBRARY)
    code, reports = info(capsys, tmp_path / "missing.npz", good, library)
    assert code == 1
    assert "no such file" in reports[0]["error"]
    assert reports[1]["format"] == "texedo"
    assert [clip["name"] for clip in reports[2]["clips"]] == ["walk_001", "wave"]


def test_a_folder_stands_for_the_files_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_motion(stroll(), tmp_path / "a.npz")
    save_motion(stroll(), tmp_path / "clip", format="sonic")
    code, reports = info(capsys, tmp_path)
    assert code == 0
    assert [report["format"] for report in reports] == ["texedo", "sonic"]


def test_the_tables_are_readable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_motion(stroll(), tmp_path / "a.npz")
    save_motion(stroll(), tmp_path / "b.csv", format="kimodo-csv")
    library = tmp_path / "c.pkl"
    library.write_bytes(LIBRARY)
    assert cli.main(["info", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    for words in ("0.76 to 0.76 m", "1.00 m", "-90 deg", "wave", "--from", "soles at"):
        assert words in out


def test_nothing_to_look_at_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["info"]) == 2
    assert "name at least one" in capsys.readouterr().err
