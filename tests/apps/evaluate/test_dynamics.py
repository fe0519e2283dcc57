"""`texedo evaluate dynamics` and `texedo calibrate` from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.rolled_out import ReadsEase, write_rollouts
from texedo.apps import cli
from texedo.apps.evaluate import dynamics
from texedo.apps.train import calibrate
from texedo.checkpoints.artifact import read_artifact, write_artifact
from texedo.data.corpus.trials import is_reserved
from texedo.quality import Normalizers

Capture = pytest.CaptureFixture[str]
DIGEST = "0123456789abcdef"


@pytest.fixture
def trials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "trials"
    sizes = {"plain": (30, 8), "lively": (20, 8), "plain-val": (60, 4), "": (5, 4)}
    write_rollouts(folder, folder / f"labels-{DIGEST[:12]}", sizes)
    policy = SimpleNamespace(
        name="toy", digest=DIGEST, normalizers=Normalizers(e_acc=12.0, e_vel=12.0)
    )
    monkeypatch.setattr(dynamics, "find_policy", lambda which: policy)
    monkeypatch.setattr(dynamics, "find_dynamics", lambda which: ReadsEase())
    return folder


def test_the_report_is_printed_and_written_with_its_curves(
    trials: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "report"
    command = ["evaluate", "dynamics", str(trials), "-o", str(out)]
    command += ["--guarantee", "--max-failure", "0.3", "--boldness"]
    assert cli.main(command) == 0
    said = capsys.readouterr().out
    assert "## plain: 240 motions of 30 prompts" in said and "## lively" in said
    assert "at most 30 % fail" in said and "## Settings of the generator" in said
    assert (out / "dynamics.md").read_text() in said
    assert (out / "reliability-plain-success.svg").read_text().startswith("<svg")
    assert cli.main([*command, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((out / "dynamics.json").read_text())


def test_one_suite_and_two_verifiers_can_be_named(
    trials: Path, tmp_path: Path, capsys: Capture
) -> None:
    command = ["evaluate", "dynamics", str(trials), "-o", str(tmp_path / "report")]
    command += ["--suite", "lively", "--dynamics", "texedo", "--dynamics", "paper"]
    assert cli.main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report["suites"]) == ["lively"]
    assert list(report["suites"]["lively"]) == ["texedo", "paper"]


def test_labels_of_another_tracker_are_refused(trials: Path, capsys: Capture) -> None:
    command = ["evaluate", "dynamics", str(trials)]
    assert cli.main([*command, "--labels", "labels-ffffffffffff"]) == 2
    assert "name the --tracker that made them" in capsys.readouterr().err
    (trials / f"labels-{DIGEST[:12]}").rename(trials / "labels-ffffffffffff")
    assert cli.main(command) == 2
    assert "has labelled nothing there" in capsys.readouterr().err


@pytest.fixture
def verifier(tmp_path: Path) -> Path:
    folder = tmp_path / "run" / "dynamics"
    config = {"threshold": 0.8, "metadata": {"steps": 3}}
    tensors = {"weight": np.ones(3, dtype=np.float32)}
    return write_artifact(folder, kind="dynamics", config=config, tensors=tensors)


def calibrated(trials: Path, verifier: Path, *more: str) -> int:
    keep = str(verifier.parent / "report")
    command = ["calibrate", str(trials), "--dynamics", str(verifier)]
    return cli.main([*command, "--forecasts", keep, "--suites", "plain-promise", *more])


def test_the_threshold_and_the_promise_are_stored_with_the_weights(
    trials: Path, verifier: Path, capsys: Capture
) -> None:
    pytest.importorskip("torch")
    assert calibrated(trials, verifier, "--max-failure", "0.2") == 0
    said = capsys.readouterr().out
    assert "at most 20 % fail" in said and "the paper's 0.8" in said
    config, tensors = read_artifact(verifier, kind="dynamics")
    promise = config["metadata"]["guarantee"]
    assert config["threshold"] == promise["threshold"]
    assert (promise["max_failure"], promise["level"], promise["n"]) == (0.2, 0.95, 32)
    assert promise["suites"]["plain-promise"]["failure"] <= promise["bound"] <= 0.2
    assert config["metadata"]["steps"] == 3 and tensors["weight"].tolist() == [1, 1, 1]


def test_the_verifier_with_the_new_threshold_may_go_elsewhere(
    trials: Path, verifier: Path, tmp_path: Path, capsys: Capture
) -> None:
    pytest.importorskip("torch")
    out = tmp_path / "sure"
    options = ["--max-failure", "0.2", "--perturbed", "-o", str(out), "--json"]
    assert calibrated(trials, verifier, *options) == 0
    promise = json.loads(capsys.readouterr().out)
    assert promise["perturbed"] is True
    assert read_artifact(out, kind="dynamics")[0]["threshold"] == promise["threshold"]
    assert read_artifact(verifier, kind="dynamics")[0]["threshold"] == 0.8


def test_too_few_prompts_and_wrong_rates_are_bad_input(
    trials: Path, verifier: Path, capsys: Capture
) -> None:
    assert calibrated(trials, verifier) == 2
    assert "prompts in all" in capsys.readouterr().err
    assert calibrated(trials, verifier, "--max-failure", "1.5") == 2
    assert "between 0 and 1" in capsys.readouterr().err
    assert calibrated(trials, verifier, "--suites", "plain-promise,lively-promise") == 2
    assert "no labelled motions of lively-promise" in capsys.readouterr().err


def test_prompts_of_further_folders_count_once(
    trials: Path, verifier: Path, tmp_path: Path, capsys: Capture
) -> None:
    pytest.importorskip("torch")
    more = tmp_path / "more"
    # The first 60 prompts are those of `trials`, 32 of them reserved.
    write_rollouts(more, more / f"labels-{DIGEST[:12]}", {"plain-val": (130, 4)})
    options = ["--max-failure", "0.2", "--json", "--more", str(more)]
    assert calibrated(trials, verifier, *options) == 0
    promise = json.loads(capsys.readouterr().out)
    reserved = [k for k in range(130) if is_reserved(f"prompt {k}")]
    assert promise["n"] == len(reserved) > 60
    assert promise["candidates"] == 4


def test_weights_that_ship_are_not_changed_in_place(
    trials: Path,
    verifier: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    monkeypatch.setattr(calibrate, "bundled_folder", lambda part, otherwise: verifier)
    assert calibrated(trials, Path("texedo")) == 2
    assert "ships with the package and is left as it is" in capsys.readouterr().err
