"""The whole report, on motions whose verifier reads off them how easy they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.rolled_out import ReadsEase, write_rollouts
from texedo.core.errors import FileFormatError
from texedo.data.corpus.trials import (
    TrialLabels,
    read_labels,
    read_trials,
    write_labels,
    write_trials,
)
from texedo.evaluation.dynamics.page import page
from texedo.evaluation.dynamics.report import Bench, dynamics_report, guarantee_report
from texedo.evaluation.dynamics.rollouts import BOLD
from texedo.quality import Normalizers


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    sizes = {"plain": (40, 32), "lively": (20, 8), "": (20, 4)}
    write_rollouts(tmp_path / "trials", tmp_path / "labels", sizes)
    return Bench(
        trials=tmp_path / "trials",
        labels=tmp_path / "labels",
        normalizers=Normalizers(e_acc=12.0, e_vel=12.0),
        folder=tmp_path / "forecasts",
    )


def test_every_table_is_there_for_every_suite_and_verifier(bench: Bench) -> None:
    ours, theirs = ReadsEase(), ReadsEase(hazard=False)
    report = dynamics_report(bench, {"ours": ours, "paper": theirs}, shipped=(1.0, 3.0))
    assert list(report["suites"]) == ["plain", "lively"]
    plain = report["suites"]["plain"]["ours"]
    assert (plain["success"]["n"], plain["success"]["groups"]) == (1280, 40)
    # q_d is the ease and the errors fall with it: the orders are opposite.
    assert plain["others"]["q_d and E_acc"] == pytest.approx(-1)
    assert plain["others"]["termination named"] == 1
    assert plain["others"]["body part named"] is None
    assert plain["tau"]["n all"] == 40
    assert list(plain["choice"]) == [f"N = {n}" for n in (1, 2, 4, 8, 16, 32)]
    assert list(report["suites"]["lively"]["ours"]["choice"])[-1] == "N = 8"
    best = plain["choice"]["N = 32"]
    assert best["random"] < best["R_dyn"] <= best["oracle"] == 1
    # The ease is the probability: what remains of the error is chance.
    assert plain["calibration"]["success"]["ECE"] < 0.06
    assert sum(row["n"] for row in plain["calibration"]["success"]["bins"]) == 1280
    assert "false alarms a minute" in plain["falls"]
    assert "false alarms a minute" not in report["suites"]["plain"]["paper"]["falls"]
    # The paper's progress is half of six frames, and that is where it falls.
    assert report["suites"]["plain"]["paper"]["falls"]["median error [s]"] == 0
    assert set(plain["families"]) == {"walk", "jump"}
    bold = report["boldness"]["ours"]
    assert set(bold) == {f"temperature {t}, guidance 3" for t in ("1", "1.3")}
    said = page(report)
    for words in ("0.979", "9116", "perturbed robots", "(f) R_dyn", "gain recovered"):
        assert words in said


def test_robots_that_perform_a_motion_are_what_a_verifier_can_be_at_best(
    bench: Bench,
) -> None:
    report = dynamics_report(bench, {"ours": ReadsEase()}, suites=("plain",))
    robots = report["robots"]["plain"]
    ours = report["suites"]["plain"]["ours"]["success"]
    # Their successes are drawn by the ease, as the nominal robot's are.
    assert 0.5 < robots["success"]["AUROC"] < ours["AUROC"] + 0.02
    assert robots["success"]["failures"] == ours["failures"]
    assert "threshold" not in robots["success"]
    assert "perturbed robots, performed" in page(report)


def test_of_perturbed_robots_that_nobody_asked_nothing_is_said(bench: Bench) -> None:
    for path in bench.labels.glob("part-*.npz"):
        found = read_labels(path)
        none = np.zeros((len(found.valid), 0))
        executed, success = none.astype(np.int32), none.astype(np.bool_)
        write_labels(
            path,
            replace(found, perturbed_executed=executed, perturbed_success=success),
        )
    report = dynamics_report(
        bench, {"v": ReadsEase()}, suites=[BOLD], shipped=(1.0, 3.0)
    )
    rows = report["boldness"]["v"].values()
    assert [row["perturbed, chosen"] for row in rows] == [None, None]
    assert all(row["success, chosen"] > 0 for row in rows)


def test_forecasts_are_kept_and_asked_for_again_only_if_motions_change(
    bench: Bench,
) -> None:
    verifier = ReadsEase()
    report = dynamics_report(bench, {"v": verifier}, suites=["lively"])
    assert verifier.asked == 160
    assert dynamics_report(bench, {"v": verifier}, suites=["lively"]) == report
    assert verifier.asked == 160
    path = bench.trials / "part-00001.npz"
    part = read_trials(path)
    renamed = tuple(replace(trial, id=trial.id + "x") for trial in part.trials)
    write_trials(path, replace(part, trials=renamed))
    dynamics_report(bench, {"v": verifier}, suites=["lively"])
    assert verifier.asked == 320


def test_a_motion_that_cannot_be_read_is_refused_and_counted(bench: Bench) -> None:
    path = bench.trials / "part-00001.npz"
    part = read_trials(path)
    part.poses[0][2, 7] = np.nan
    write_trials(path, part)
    found = dynamics_report(bench, {"v": ReadsEase()}, suites=["lively"])
    lively = found["suites"]["lively"]["v"]
    assert (lively["unread"], lively["success"]["n"]) == (1, 160)
    assert "could not read 1" in page(found)


def test_motions_that_could_not_be_tried_are_left_out(bench: Bench) -> None:
    path = bench.labels / "part-00001.npz"
    labels = read_labels(path)
    write_labels(path, replace(labels, valid=np.arange(160) >= 8))
    found = dynamics_report(bench, {"v": ReadsEase()}, suites=["lively"])
    row = found["suites"]["lively"]["v"]["success"]
    assert (row["n"], row["groups"]) == (152, 19)


def test_labels_of_other_motions_are_refused(bench: Bench) -> None:
    path = bench.labels / "part-00001.npz"
    labels = read_labels(path)
    write_labels(path, replace(labels, frames=labels.frames + 1))
    with pytest.raises(FileFormatError, match="labels of other motions"):
        dynamics_report(bench, {"v": ReadsEase()}, suites=["lively"])
    fewer = {name: value[1:] for name, value in vars(labels).items()}
    write_labels(path, TrialLabels(**fewer))
    with pytest.raises(FileFormatError, match="of 159 motions, .* has 160"):
        dynamics_report(bench, {"v": ReadsEase()}, suites=["lively"])


def test_a_suite_that_is_not_there_is_told(bench: Bench) -> None:
    with pytest.raises(FileFormatError, match="no labels of foreign"):
        dynamics_report(bench, {"v": ReadsEase()}, suites=["foreign"])


def test_labels_without_perturbed_robots_leave_their_tables_out(bench: Bench) -> None:
    for path in bench.labels.iterdir():
        labels = read_labels(path)
        none = {"perturbed_executed", "perturbed_success"}
        cut = {name: getattr(labels, name)[:, :0] for name in none}
        write_labels(path, replace(labels, **cut))
    found = dynamics_report(bench, {"v": ReadsEase()}, suites=["lively"])
    lively = found["suites"]["lively"]["v"]
    assert lively["choice, perturbed"] == {} and lively["robust"] is None
    assert set(lively["calibration"]) == {"success"}
    assert "## lively" in page(found)


def test_the_promise_is_tried_on_other_prompts(bench: Bench) -> None:
    found = guarantee_report(
        bench,
        {"v": ReadsEase()},
        suites=["plain", "lively"],
        max_failure=0.3,
        confidence=0.9,
        each=False,
    )
    row = found["rows"]["v, tested"]
    assert row["splits"] == 100 and row["nothing to promise"] == 0
    assert row["holds"] >= 90
