"""The demo's motion is one that the robot can do, and its steps are real commands."""

from pathlib import Path

import numpy as np
import pytest

from texedo.apps import cli
from texedo.apps.generate import demo
from texedo.robot.check import check_motion
from texedo.robot.collision import sole_centres, sole_clearance
from texedo.robot.kinematics import motion_kinematics


def test_the_waving_robot_passes_every_check() -> None:
    motion = demo.wave_motion()
    assert motion.duration == pytest.approx(8.0)
    assert check_motion(motion).verdict == "pass"


def test_its_feet_stay_where_they_are() -> None:
    poses = motion_kinematics(demo.wave_motion())
    np.testing.assert_allclose(sole_clearance(poses).min(axis=1), 0, atol=1e-6)
    centres = sole_centres(poses)
    np.testing.assert_allclose(centres - centres[0], np.zeros_like(centres), atol=1e-4)


def test_it_squats_and_raises_its_hand_above_its_head() -> None:
    motion = demo.wave_motion()
    assert np.ptp(motion.root_pos_w[:, 2]) > 0.05
    from texedo.robot import g1

    poses = motion_kinematics(motion)
    hand = poses.pos_w[:, g1.BODY_INDEX["right_wrist_yaw_link"], 2]
    shoulder = poses.pos_w[:, g1.BODY_INDEX["right_shoulder_pitch_link"], 2]
    assert (hand - shoulder).max() > 0.15


@pytest.fixture
def no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "has_bundled", lambda *parts: False)


@pytest.mark.usefixtures("no_weights")
def test_without_weights_the_demo_runs_the_commands_it_prints(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ran: list[str] = []

    def main(args: list[str]) -> int:
        ran.append(args[0])
        return 0

    monkeypatch.setattr(cli, "main", main)
    assert demo.run(demo.Cfg(out=tmp_path / "made" / "here")) == 0
    out = capsys.readouterr().out
    assert "no trained generator" in out
    printed = [line.split()[2] for line in out.splitlines() if line.startswith("$ ")]
    assert printed == ran
    assert set(ran) == {"info", "check", "convert", "render"} <= set(cli.COMMANDS)
    assert (tmp_path / "made" / "here" / "wave.npz").exists()


@pytest.mark.usefixtures("no_weights")
def test_the_demo_stops_at_the_first_step_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "main", lambda args: 2 if args[0] == "check" else 0)
    assert demo.run(demo.Cfg(out=tmp_path)) == 2


@pytest.mark.parametrize(("code", "result"), [(0, 0), (1, 0), (2, 2)])
def test_with_weights_the_demo_generates_from_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    code: int,
    result: int,
) -> None:
    ran: list[list[str]] = []

    def main(args: list[str]) -> int:
        ran.append(args)
        return code if args[0] == "generate" else 0

    monkeypatch.setattr(demo, "has_bundled", lambda *parts: True)
    monkeypatch.setattr(cli, "main", main)
    (tmp_path / "sheet.png").touch()
    assert demo.run(demo.Cfg(out=tmp_path)) == result
    assert ran[0][:2] == ["generate", demo.PROMPT] and "-n" not in ran[0]
    # A robot that falls is a result to look at; an error is not.
    if result == 0:
        assert [args[0] for args in ran] == ["generate", "info", "check"]
        assert str(tmp_path / "sheet.png") in capsys.readouterr().out
