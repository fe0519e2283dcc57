"""`texedo adapt` with trackers, trainers and verifiers whose answers can be foretold."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.forecasts import FakeDynamics
from tests.support.standing import stiff
from tests.support.standing_trials import label_by_length, write_standing
from texedo.apps.adapt import command
from texedo.apps.cli import main
from texedo.motion import Motion

Capture = pytest.CaptureFixture[str]
START = {"kind": "dynamics", "normalizers": {"e_acc": 1.0, "e_vel": 1.0}}


class Learner(FakeDynamics):
    """Right about motions of up to so many frames; of others it says a half."""

    def __init__(self, frames: int) -> None:
        def chance(motion: Motion) -> float:
            if len(motion) > frames:
                return 0.5
            return 0.9 if len(motion) % 2 == 0 else 0.1

        super().__init__(chance, digest=f"v{frames}")


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of labels that were learnt from, as they come."""
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    write_standing(Path("trials"), train=40, groups=6)
    Path("shipped").mkdir()
    Path("shipped/config.json").write_text(json.dumps(START))
    learnt: list[int] = []

    def label(cfg: command.Cfg, policy: object) -> Path:
        labels = cfg.out / command.MOTIONS / "labels-0"
        label_by_length(cfg.out / command.MOTIONS, labels)
        return labels

    def fine_tune(cfg: command.Cfg, number: int, *_: object) -> Path:
        learnt.append(number)
        return Path(f"labels-{number}")

    def find(which: str) -> Learner:
        # Lengths of `val` are 50 to 73: 10 labels teach two thirds of them.
        return Learner({"shipped": 0, "labels-10": 66}.get(which, 100))

    monkeypatch.setattr(command, "find_policy", lambda which: stiff())
    monkeypatch.setattr(command, "label_motions", label)
    monkeypatch.setattr(command, "fine_tune", fine_tune)
    monkeypatch.setattr(command, "find_dynamics", find)
    return learnt


COMMAND = ["adapt", "--tracker", "mine", "--from", "shipped", "--held", "24"]


def test_a_curve_of_quality_against_the_number_of_labels(
    trained: list[int], capsys: Capture
) -> None:
    assert main([*COMMAND, "--labels", "20,10,40"]) == 0
    out = capsys.readouterr().out
    assert trained == [10, 20, 40]
    rows = {line.split()[0]: line.split() for line in out.splitlines() if "%" in line}
    assert rows["as"][3] == "0.500"  # As it was: a coin.
    assert 0.5 < float(rows["10"][1]) < 1 and rows["20"][1] == "1.000"
    assert "AUROC: 0.500 as it was, 1.000 with 40 labels; 20 give 95 %" in out
    assert "next: texedo score motion.npz --dynamics adapted/labels-000040" in out
    record = json.loads(Path("adapted/adapt.json").read_text())
    assert [point["labels"] for point in record["points"]] == [0, 10, 20, 40]
    assert record["enough"]["auroc"] == 20
    assert record["points"][0]["motions"] == 12  # Half of those held out.


def test_what_is_known_is_not_learnt_again(
    trained: list[int], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    usual = command.fine_tune

    def stops(cfg: command.Cfg, number: int, *rest: object) -> Path:
        if number == 20:
            raise KeyboardInterrupt
        return usual(cfg, number, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(command, "fine_tune", stops)
    assert main([*COMMAND, "--labels", "10,20"]) == 130
    assert trained == [10]
    monkeypatch.setattr(command, "fine_tune", usual)
    capsys.readouterr()
    assert main([*COMMAND, "--labels", "10,20", "--json"]) == 0
    assert trained == [10, 20]
    assert len(json.loads(capsys.readouterr().out)["points"]) == 3


def test_more_labels_than_there_are_motions_are_all_of_them(
    trained: list[int],
) -> None:
    assert main([*COMMAND, "--labels", "10,100,1000"]) == 0
    assert trained == [10, 40]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--labels", "ten"], "--labels takes whole numbers"),
        (["--held", "1"], "--held must be at least 2"),
        (["--from", "nowhere"], "--from nowhere: is neither a dynamic verifier"),
        (["--trials", "adapted"], "holds no motions to try"),
        (["--gains", "-1"], "--gains must be positive"),
        (["--seed", "7"], "is of another adaptation (seed)"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_learnt(
    trained: list[int], args: list[str], said: str, capsys: Capture
) -> None:
    Path("adapted").mkdir()
    if "--seed" in args:
        assert main([*COMMAND, "--labels", "10"]) == 0
        trained.clear()
    assert main([*COMMAND, "--labels", "10", *args]) == 2
    assert said in capsys.readouterr().err and not trained


def test_tau_is_of_the_ranking_within_a_group(trained: list[int]) -> None:
    from texedo.apps.adapt.judge import judge, read_performed
    from texedo.quality import Normalizers

    main([*COMMAND, "--labels", "10"])
    folder = Path("adapted/motions")
    performed = read_performed(
        folder,
        folder / "labels-0",
        split="judged",
        normalizers=Normalizers(e_acc=1.0, e_vel=1.0),
    )
    assert len(performed.motions) == 12 and set(np.unique(performed.success)) == {0, 1}
    found = judge(Learner(100), performed)
    assert (found.auroc, found.motions, found.failures, found.groups) == (1.0, 12, 6, 3)
    # Of a group's six pairs R_dyn orders the four of a success and a failure rightly
    # and ties the others, which differ in Q*: 4 / sqrt(4 * 6).
    assert found.tau == pytest.approx(4 / np.sqrt(24))
