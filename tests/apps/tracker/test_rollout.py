from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.support.standing import ON_THE_FLOOR, standing, stiff
from texedo.apps.cli import main
from texedo.apps.tracker import rollout as app
from texedo.formats import save_motion
from texedo.tracker.policies.protocol import Policy


@pytest.fixture
def motion_file(tmp_path: Path) -> Path:
    path = tmp_path / "stand.npz"
    save_motion(standing(90, swing=0.0), path)
    return path


@pytest.fixture
def strong(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--tracker strong` names a robot that stands by itself."""

    def find(which: str) -> Policy:
        assert which == "strong"
        return stiff()

    monkeypatch.setattr(app, "find_policy", find)


def _json(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    records = json.loads(capsys.readouterr().out)
    assert isinstance(records, list)
    return records


def test_a_motion_that_fails_is_exit_code_1_with_frame_and_reason(
    motion_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rollout", str(motion_file), "--tracker", "open-loop"]) == 1
    text = capsys.readouterr().out
    assert "fails" in text and "height" in text
    assert "Q* is unknown" in text


@pytest.mark.usefixtures("strong")
def test_a_motion_that_succeeds_is_exit_code_0(
    motion_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rollout", str(motion_file), "--tracker", "strong"]) == 0
    assert "success" in capsys.readouterr().out


def test_json_holds_every_number(
    motion_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["rollout", str(motion_file), "--tracker", "open-loop", "--json"])
    (record,) = _json(capsys)
    assert record["file"] == str(motion_file) and record["num_frames"] == 90
    assert record["success"] == 0.0 and record["error"] is None
    (row,) = record["rollouts"]  # type: ignore[misc]
    assert not row["success"]
    assert row["progress"] == pytest.approx(row["failure_frame"] / 90)
    assert row["q_star"] is None
    assert row["mpjpe_l_mm"] > 0


def test_perturb_rolls_out_five_robots(
    motion_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["rollout", str(motion_file), "--tracker", "open-loop", "--perturb"]
    assert main([*args, "--json", "--seed", "3"]) == 1
    (record,) = _json(capsys)
    assert record["perturbation"] == "default" and record["seed"] == 3
    assert len(record["rollouts"]) == 5  # type: ignore[arg-type]
    main(args)
    assert "0/5" in capsys.readouterr().out


def test_a_bad_motion_is_named_and_the_others_are_rolled_out(
    motion_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = motion_file.parent
    save_motion(standing(30, height=ON_THE_FLOOR + 1), folder / "air.npz")
    (folder / "broken.npz").write_bytes(b"nothing")
    assert main(["rollout", str(folder), "--tracker", "open-loop", "--json"]) == 2
    captured = capsys.readouterr()
    records = {Path(r["file"]).name: r for r in json.loads(captured.out)}
    assert set(records) == {"air.npz", "stand.npz"}
    assert "mid-air" in records["air.npz"]["error"]
    assert (
        records["air.npz"]["rollouts"] == [] and records["air.npz"]["success"] is None
    )
    assert len(records["stand.npz"]["rollouts"]) == 1
    assert "air.npz: The motion starts in mid-air" in captured.err
    assert "broken.npz" in captured.err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--tracker", "nobody"], "neither a tracker's name"),
        (["--tracker", "open-loop", "--workers", "0"], "--workers must be at least 1"),
        (["--tracker", "open-loop", "--video", "x.avi"], "must end in .mp4"),
    ],
)
def test_wrong_options_are_told_in_a_line(
    motion_file: Path,
    args: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rollout", str(motion_file), *args]) == 2
    assert message in capsys.readouterr().err


def test_the_picture_shows_the_failure(
    motion_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video = tmp_path / "sheet.png"
    args = ["--tracker", "open-loop", "--video", str(video)]
    assert main(["rollout", str(motion_file), *args]) == 1
    assert str(video) in capsys.readouterr().out
    sheet = np.asarray(Image.open(video).convert("RGB")).astype(int)
    # The plate of the verdict is red, in the last panel and nowhere else.
    red = (sheet[..., 0] > 120) & (sheet[..., 1] < 80) & (sheet[..., 2] < 80)
    rows, columns = np.nonzero(red)
    assert len(rows) > 200
    assert rows.min() > sheet.shape[0] * 2 // 3
    assert columns.min() > sheet.shape[1] * 3 // 4 - 10
