"""`texedo check` from the command line: verdicts, exit codes, tables and JSON."""

import json
from pathlib import Path

import numpy as np
import pytest

from texedo.apps import cli
from texedo.apps.generate.demo import wave_motion
from texedo.formats import load_motion, save_motion
from texedo.motion import Motion, trim
from texedo.robot.check_limits import LIMITS

Capture = pytest.CaptureFixture[str]
RATE = ("fps", "fps_is", "duration_s")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.npz"
    save_motion(trim(wave_motion(), 0.0, 1.0), path)
    return path


@pytest.fixture
def sunk(tmp_path: Path) -> Path:
    """The same, 20 cm under the floor from frame 30 on."""
    qpos = np.array(trim(wave_motion(), 0.0, 1.0).to_qpos())
    qpos[30:, 2] -= 0.2
    path = tmp_path / "sunk.npz"
    save_motion(Motion.from_qpos(qpos), path)
    return path


def test_a_good_motion_is_exit_code_0_and_a_table_of_all_checks(
    good: Path, capsys: Capture
) -> None:
    assert cli.main(["check", str(good)]) == 0
    out = capsys.readouterr().out
    assert "51 frames at 50 fps (stated in the file), 1.00 s" in out
    assert all(name in out for name in LIMITS)
    assert "fail" not in out.replace("fail >", "")
    assert "offset >" in out and "warn >" in out


def test_a_bad_motion_is_exit_code_1_and_says_where_and_why(
    sunk: Path, capsys: Capture
) -> None:
    assert cli.main(["check", str(sunk)]) == 1
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if "ground penetration" in line)
    assert "0.2" in row and "0.60 s" in row and "foot" in row and "fail" in row
    assert "over 15 cm they never manage" in " ".join(out.split())


def test_brief_is_one_line_a_motion(good: Path, sunk: Path, capsys: Capture) -> None:
    assert cli.main(["check", str(good), str(sunk), "--brief"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"pass {good} (50 fps stated, 1.00 s)"
    assert second.startswith(
        f"fail {sunk} (50 fps stated, 1.00 s): ground penetration 0.2 m (0.60 s"
    )


def test_an_offset_is_exit_code_0_and_1_if_strict(
    good: Path, tmp_path: Path, capsys: Capture
) -> None:
    qpos = np.array(load_motion(good).to_qpos())
    qpos[:, 2] += 0.025
    path = tmp_path / "high.npz"
    save_motion(Motion.from_qpos(qpos), path)
    assert cli.main(["check", str(path), "--brief"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"offset {path} (") and ": hover 0.025 m" in told
    assert cli.main(["check", str(path), "--strict"]) == 1
    assert cli.main(["check", str(good), "--strict"]) == 0


def test_json_holds_the_numbers_of_every_motion(
    good: Path, sunk: Path, capsys: Capture
) -> None:
    assert cli.main(["check", "--json", str(good), str(sunk)]) == 1
    reports = json.loads(capsys.readouterr().out)
    assert [r["verdict"] for r in reports] == ["pass", "fail"]
    assert [r["file"] for r in reports] == [str(good), str(sunk)]
    checks = {c["name"]: c for c in reports[1]["checks"]}
    assert list(checks) == list(LIMITS)
    assert checks["ground penetration"]["value"] == pytest.approx(0.2, abs=1e-3)
    assert checks["ground penetration"]["frames_over"] == 21


def test_the_reasons_for_the_limits_can_be_asked_for(
    good: Path, capsys: Capture
) -> None:
    assert cli.main(["check", str(good), "--explain"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert all(limit.why in out for limit in LIMITS.values())


def test_a_missing_file_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: Capture
) -> None:
    assert cli.main(["check", str(tmp_path / "gone.npz")]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and "gone.npz" in err and err.count("\n") == 1


def test_one_unreadable_file_does_not_hide_the_others(
    tmp_path: Path, good: Path, capsys: Capture
) -> None:
    assert cli.main(["check", str(tmp_path / "gone.npz"), str(good), "--brief"]) == 2
    captured = capsys.readouterr()
    assert "gone.npz" in captured.err
    assert captured.out == f"pass {good} (50 fps stated, 1.00 s)\n"


def test_nothing_to_check_is_said_so(capsys: Capture) -> None:
    assert cli.main(["check"]) == 2
    assert "at least one motion" in capsys.readouterr().err


def test_a_format_can_be_named(good: Path, tmp_path: Path, capsys: Capture) -> None:
    csv = tmp_path / "good.csv"
    assert cli.main(["convert", str(good), str(csv), "--to", "lafan1"]) == 0
    assert cli.main(["check", str(csv)]) == 2  # its layout is not proven
    assert cli.main(["check", str(csv), "--from", "lafan1"]) == 0


def test_a_folder_is_checked_file_by_file(
    good: Path, sunk: Path, capsys: Capture
) -> None:
    assert cli.main(["check", str(good.parent), "--brief"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["pass", "fail"]
    assert str(good) in lines[0] and str(sunk) in lines[1]


def test_a_folder_without_motions_is_an_error(tmp_path: Path, capsys: Capture) -> None:
    assert cli.main(["check", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and str(tmp_path) in err


def test_physics_is_one_more_check_with_the_verdict_of_a_roll_out(
    good: Path, capsys: Capture
) -> None:
    tracker = ["--tracker", "open-loop"]
    assert cli.main(["rollout", "--json", str(good), *tracker]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert cli.main(["check", "--json", str(good), "--physics", *tracker]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert {key: report[key] for key in RATE} == {key: record.pop(key) for key in RATE}
    assert report["physics"] == record and report["verdict"] == "pass"
    assert cli.main(["check", str(good), "--physics", *tracker]) == 0
    row = capsys.readouterr().out.splitlines()[-2].split()
    assert row[:2] == ["physics", "100"] and row[-1] == "pass"


@pytest.fixture
def rising(tmp_path: Path) -> Path:
    """The reference rises into the air, 30 cm in four seconds; the robot does not."""
    qpos = np.array(trim(wave_motion(), 0.0, 4.0).to_qpos())
    qpos[:, 2] += 0.3 * np.linspace(0.0, 1.0, len(qpos))
    path = tmp_path / "rising.npz"
    save_motion(Motion.from_qpos(qpos), path)
    return path


def test_a_motion_that_cannot_be_performed_fails_in_physics(
    rising: Path, capsys: Capture
) -> None:
    tracker = ["--physics", "--tracker", "open-loop"]
    assert cli.main(["rollout", "--json", str(rising), *tracker[1:]]) == 1
    (record,) = json.loads(capsys.readouterr().out)
    frame = record["rollouts"][0]["failure_frame"]
    assert cli.main(["check", str(rising), *tracker]) == 1
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if line.strip().startswith("physics"))
    assert str(frame) in row.split() and row.split()[-1] == "fail"
    assert "was performed by the tracker 'open-loop'" in " ".join(out.split())
    assert cli.main(["check", str(rising), "--brief", *tracker]) == 1
    assert f"physics fails ({frame / 50:.2f} s, " in capsys.readouterr().out


def test_a_motion_that_cannot_be_rolled_out_is_exit_code_2(
    good: Path, tmp_path: Path, capsys: Capture
) -> None:
    qpos = np.array(trim(wave_motion(), 0.0, 1.0).to_qpos())
    qpos[:, 2] += 1.0
    save_motion(Motion.from_qpos(qpos), tmp_path / "air.npz")
    files = [str(good), str(tmp_path / "air.npz")]
    assert cli.main(["check", *files, "--physics", "--tracker", "open-loop"]) == 2
    captured = capsys.readouterr()
    assert "air.npz: The motion starts in mid-air" in captured.err
    assert "not rolled out" in captured.out


def test_an_unknown_tracker_is_told_in_a_line(good: Path, capsys: Capture) -> None:
    assert cli.main(["check", str(good), "--physics", "--tracker", "nobody"]) == 2
    assert "'nobody' is neither" in capsys.readouterr().err
