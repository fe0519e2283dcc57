"""`texedo generate` and sentences that nothing known means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.generators import StandingGenerator
from tests.support.refusal import PlaneRefuser
from texedo.apps.cli import main
from texedo.pipeline.pipe import Pipeline

QUICK = ["-n", "2", "--no-video", "--confirm", "0"]
KNOWN = "a person waves"


@pytest.fixture(autouse=True)
def refuser(
    generator: StandingGenerator, monkeypatch: pytest.MonkeyPatch
) -> PlaneRefuser:
    """Everything but a wave is refused, by the sentence alone."""
    made = PlaneRefuser(
        lambda text: [0, 1] if text == KNOWN else [-1, -1], semantics=None
    )
    monkeypatch.setattr(Pipeline, "_find_refuser", lambda self, generator: made)
    return made


def test_a_refusal_is_exit_code_3_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", "do a backflip", *QUICK, "-o", "run"]) == 3
    assert not list(tmp_path.iterdir())
    said = capsys.readouterr().err
    assert said.startswith("refused: 'do a backflip': nothing I have learnt means that")
    assert 'I know: "a person walks"' in said or 'I know: "a person waves"' in said
    assert "--anyway" in said


def test_anyway_the_best_candidate_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["generate", "do a backflip", *QUICK, "-o", "run"]
    assert main([*command, "--anyway"]) == 0
    assert (tmp_path / "run" / "motion.npz").exists()
    assert "handed out anyway" in capsys.readouterr().out
    # What was written anyway is no answer to who did not ask for it so.
    assert main(command) != 0


def test_of_several_prompts_the_known_ones_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["generate", "asdf", KNOWN, *QUICK, "-o", "all", "--json"]
    assert main(command) == 3
    assert [p.name for p in (tmp_path / "all").iterdir()] == ["002-a-person-waves"]
    refused, written = json.loads(capsys.readouterr().out)
    assert refused["prompt"] == "asdf" and len(refused["known"]) == 2
    assert written["prompt"] == KNOWN


def test_a_failure_is_worse_than_a_refusal() -> None:
    assert main(["generate", "asdf", "fail", *QUICK, "-o", "all", "--anyway"]) == 2


def test_a_refusal_is_worse_than_a_fall() -> None:
    command = ["generate", "asdf", KNOWN, *QUICK, "-o", "all", "--tracker", "weak"]
    assert main(command) == 3
