"""`texedo export`: who is asked, what is written, and that it is still the same motion."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.forecasts import FakeDynamics
from tests.support.standing import leap, standing
from texedo.apps import cli
from texedo.apps.robot import verdicts
from texedo.data.synth.author import Spec, author
from texedo.do.blend import blend_with_standing
from texedo.formats import get_format, load_motion, save_motion, writable_formats
from texedo.formats.compare import save_compared
from texedo.motion import Motion
from texedo.robot.dof23 import LOCKED_INDICES, LOCKED_JOINTS
from texedo.robot.g1 import KNEES_BENT
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.find import find_policy

Capture = pytest.CaptureFixture[str]
QUICK = ("--no-perform", "--dynamics", "none")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.npz"
    save_motion(standing(60), path)
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.npz"
    save_motion(leap(standing(60)), path)
    return path


def export(motion: Path, to: str, out: Path, *more: str) -> int:
    return cli.main(["export", str(motion), "--to", to, "-o", str(out), *more])


def test_a_sonic_folder_begins_standing_and_says_who_was_asked(
    good: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "reference"
    assert export(good, "sonic", out, "--hold", "0.5", *QUICK) == 0
    said = capsys.readouterr().out
    assert "check   pass" in said and "asked: check only" in said
    assert "50 fps, read back within" in said
    motion = load_motion(out, format="sonic")
    np.testing.assert_allclose(motion.joint_pos[:30], np.tile(KNEES_BENT, (30, 1)))
    velocity = np.loadtxt(out / "joint_vel.csv", delimiter=",", skiprows=1)
    assert not velocity[:29].any() and not velocity[-29:].any()
    info = json.loads((out / "info.txt").read_text())
    assert info["source"] == "good.npz" and len(info["motion_sha256"]) == 64
    assert info["verdicts"]["physics"]["verdict"] == "not asked"


def test_what_fails_a_check_is_refused_and_the_line_is_named(
    bad: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "bad.csv"
    assert export(bad, "unitree-csv", out, *QUICK) == 1
    said = capsys.readouterr().err
    assert said.startswith("refused, nothing is written. check: ground speed 9.37 m/s")
    assert "--force" in said
    assert not out.exists()


def test_force_writes_it_and_the_labels_say_so(
    bad: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "bad.csv"
    assert export(bad, "unitree-csv", out, "--force", *QUICK) == 0
    assert "by --force" in capsys.readouterr().out
    labels = json.loads((tmp_path / "bad.csv.json").read_text())
    assert labels["verdicts"]["check"]["verdict"] == "fail"


@pytest.mark.parametrize(("chance", "code"), [(1.0, 0), (0.0, 1)])
def test_the_dynamic_verifier_has_a_say(
    chance: float,
    code: int,
    good: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    fake = FakeDynamics(lambda _: chance)
    monkeypatch.setattr(verdicts, "find_dynamics", lambda _: fake)
    out = tmp_path / "out.npz"
    assert export(good, "mjlab", out, "--no-perform", "--dynamics", "x") == code
    assert out.exists() == (code == 0)
    said = capsys.readouterr()
    assert "passes above 0.6" in said.out
    assert ("R_dyn: 0.150" in said.err) == bool(code)


def test_what_the_controller_fails_at_is_refused(
    good: Path, tmp_path: Path, capsys: Capture
) -> None:
    """Without a controller the robot falls over: joints that follow do not balance."""
    out = tmp_path / "out.pkl"
    code = export(good, "gmr", out, "--tracker", "open-loop", "--dynamics", "none")
    assert code == 1 and not out.exists()
    assert "physics: fails (" in capsys.readouterr().err


def test_23_joints_are_performed_locked_and_named(
    tmp_path: Path, capsys: Capture
) -> None:
    source, out = tmp_path / "wave.npz", tmp_path / "out.csv"
    qpos = standing(40).to_qpos()
    qpos[:, 7 + LOCKED_INDICES] = 0.1
    save_motion(Motion.from_qpos(qpos), source)
    assert export(source, "unitree-csv", out, "--dof", "23", "--dynamics", "none") == 0
    said = capsys.readouterr().out
    assert (
        "23 joints; locked at zero: waist_roll, waist_pitch, left_wrist_pitch" in said
    )
    assert "by tracker texedo with 6 joints locked" in said
    assert not load_motion(out, format="unitree-csv").joint_pos[:, LOCKED_INDICES].any()
    labels = json.loads((tmp_path / "out.csv.json").read_text())
    assert labels["joints"] == 23
    assert tuple(labels["locked_joints"]) == LOCKED_JOINTS


def test_no_blend_writes_the_motion_as_it_is(good: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.npz"
    assert export(good, "texedo", out, "--no-blend", *QUICK) == 0
    assert load_motion(out) == load_motion(good)


def test_a_run_folder_stands_for_its_motion_and_its_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    run = tmp_path / "wave"
    run.mkdir()
    save_motion(standing(60), run / "motion.npz")
    record = {"request": {"prompt": "a person waves"}, "files": ["motion.npz"]}
    (run / "run.json").write_text(json.dumps(record))
    monkeypatch.chdir(tmp_path)
    assert cli.main(["export", "wave", "--to", "kimodo-csv", "--json", *QUICK]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["prompt"] == "a person waves" and told["format"] == "kimodo-csv"
    assert set(told["written"]) == {"wave-kimodo-csv.csv", "wave-kimodo-csv.csv.json"}


def test_a_format_that_is_only_read_is_an_error(
    good: Path, tmp_path: Path, capsys: Capture
) -> None:
    assert export(good, "twist", tmp_path / "x.pkl", *QUICK) == 2
    assert "twist-pkl is only read here; write one of texedo" in capsys.readouterr().err


def verdicts_of(sources: list[Motion], folder: Path) -> tuple[list[bool], list[bool]]:
    """Success of each motion itself, and of it through every format."""
    policy, names = find_policy("texedo"), writable_formats()
    blended = [blend_with_standing(motion).motion for motion in sources]
    read = []
    for i, motion in enumerate(blended):
        for name in names:
            endings = get_format(name).extensions
            path = folder / f"{i}-{name}{endings[0] if endings else ''}"
            save_compared(motion, path, format=name, labels={})
            read.append(load_motion(path, format=name))
    meant = rollout(blended, policy, keep_states=False).success
    got = rollout(read, policy, keep_states=False).success
    return [bool(m) for m in meant for _ in names], [bool(g) for g in got]


def test_every_format_read_back_is_performed_as_well(tmp_path: Path) -> None:
    meant, got = verdicts_of([standing(40)], tmp_path)
    assert len(meant) == 11
    assert meant == got and all(meant)


@pytest.mark.slow
def test_the_verdict_is_the_same_through_every_format(tmp_path: Path) -> None:
    """Four motions that succeed and one that fails, through eleven formats."""
    specs = (
        Spec(kind="wave", side="right"),
        Spec(kind="walk", way="forward", count=4),
        Spec(kind="squat", count=1),
        Spec(kind="turn", angle=-90),
    )
    rising = standing(60).to_qpos()
    rising[30:, 2] += 0.4  # Nobody can follow that.
    sources = [author(spec).motion for spec in specs] + [Motion.from_qpos(rising)]
    meant, got = verdicts_of(sources, tmp_path)
    assert meant == got
    assert meant == [True] * 44 + [False] * 11


def test_a_name_that_does_not_fit_the_format_is_told_before_anything_is_performed(
    good: Path, tmp_path: Path, capsys: Capture
) -> None:
    assert export(good, "unitree-csv", tmp_path / "out.npz") == 2
    said = capsys.readouterr()
    assert not said.out and "unitree-csv files end in .csv" in said.err
