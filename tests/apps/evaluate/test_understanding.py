"""`texedo evaluate understanding`, on a generator that stands still."""

import json
from pathlib import Path

import pytest

from tests.support.generators import StandingGenerator
from tests.support.verifiers import FakeVerifier, longest
from texedo.apps import cli
from texedo.apps.evaluate import options, understanding
from texedo.data.corpus.sample import SAMPLE_FILE
from texedo.evaluation.understanding.suite import Part, Prompt, prompts_of


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    def some(part: Part) -> list[Prompt]:
        wanted = ("negation", "out_of_reach")
        return [p for p in prompts_of(part) if p.topic in wanted]

    monkeypatch.setattr(understanding, "prompts_of", some)
    monkeypatch.setattr(
        understanding, "find_generator", lambda name: StandingGenerator()
    )


def run(*args: str) -> int:
    return cli.main(["evaluate", "understanding", *args])


@pytest.mark.usefixtures("few")
def test_a_table_is_printed_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("-n", "2", "-o", str(tmp_path)) == 0
    said = capsys.readouterr().out
    assert "understanding-dev: 2 candidates per prompt, seed 0" in said
    assert "none performed" in said and "| negation | 7 |" in said
    assert (tmp_path / "understanding-dev.md").read_text() in said
    report = json.loads((tmp_path / "understanding-dev.json").read_text())
    assert len(report["prompts"]) == 7


@pytest.mark.usefixtures("few")
def test_the_test_half_is_asked_for_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--part", "test", "-n", "1", "-o", str(tmp_path), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["part"] == "understanding-test"
    assert "prompts" not in report


@pytest.mark.usefixtures("few")
def test_scores_of_other_candidates_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = tmp_path / "scores.jsonl"
    scores.write_text('{"prompt": "x", "scores": {"R": [1]}}\n')
    assert run("-n", "2", "-o", str(tmp_path), "--scores", str(scores)) == 2
    assert "R has 1 scores for 2 candidates" in capsys.readouterr().err


def test_the_rules_are_tested_on_a_corpus(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    captions = tmp_path / "captions.jsonl"
    captions.write_text('{"window": "142_18-05", "captions": ["she walks ahead"]}\n')
    assert run("--validate", str(SAMPLE_FILE), "--captions", str(captions)) == 0
    assert "| travel forward 0.7 | 1 | 1.00 |" in capsys.readouterr().out
    captions.write_text("{}\n")
    assert run("--validate", str(SAMPLE_FILE), "--captions", str(captions)) == 2
    assert "captions.jsonl, line 1" in capsys.readouterr().err


@pytest.mark.usefixtures("few")
def test_semantic_verifiers_are_ways_to_choose(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def find(which: str) -> FakeVerifier:
        return FakeVerifier(longest, name=which, digest=which)

    monkeypatch.setattr(options, "find_semantics", find)
    command = ["-n", "2", "-o", str(tmp_path), "--semantics", "a", "--semantics", "b"]
    assert run(*command) == 0
    assert "| R_text (b) | 7 |" in capsys.readouterr().out
    assert len(list((tmp_path / "scores").glob("*.jsonl"))) == 2
    assert run(*command, "--likelihood") == 2
    assert "cannot tell how likely a motion is" in capsys.readouterr().err
