"""`texedo evaluate ...` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.data.corpus.test_store import write_sample
from tests.support.small_clips import pack_small_clips, tiny_training
from texedo.apps import cli

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_sample(tmp_path / "corpus", description="walk, veer left")


def evaluate(*args: object) -> int:
    return cli.main(["evaluate", *map(str, args)])


def test_a_tracker_is_rolled_out_and_reported(
    corpus: Path, tmp_path: Path, capsys: Capture
) -> None:
    labels, out = tmp_path / "labels.jsonl", tmp_path / "report.md"
    command = ["tracker", corpus, "--labels", labels, "-o", out]
    # There is one test clip, and nobody of test-subject: nothing to label is no error.
    assert evaluate(*command, "--tracker", "open-loop", "--nominal-only") == 0
    assert "0 of 1 clips succeed" in out.read_text()
    report = json.loads(out.with_suffix(".json").read_text())
    assert report["splits"]["test"]["all"]["rolled_out"] == 1
    capsys.readouterr()
    assert evaluate(*command, "--tracker", "open-loop", "--only-report", "--json") == 0
    assert json.loads(capsys.readouterr().out) == report


def test_captions_are_compared_with_descriptions(corpus: Path, capsys: Capture) -> None:
    assert evaluate("captions", corpus, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["recordings"], found["claims"]) == (4, 4)
    assert evaluate("captions", corpus) == 0
    assert "recordings: 4" in capsys.readouterr().out


def test_a_tokenizer_is_trained_then_evaluated(tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("torch")
    packed = pack_small_clips(tmp_path)
    cfg = tiny_training(packed, tmp_path / "run")
    options = ["--steps", "2", "--minutes", "1", "--width", "8", "--windows", "32"]
    options += ["--encoder-depth", "1", "--decoder-depth", "1", "--batch-frames", "128"]
    train = ["train", "tokenizer", "--data", cfg.data, "-o", cfg.out, "--device", "cpu"]
    assert cli.main([*train, "--levels", "3,2", *options]) == 0
    folder = f"{cfg.out}/tokenizer"
    said = f"next: texedo evaluate tokenizer {folder} --data {cfg.data}\n"
    assert said in capsys.readouterr().out
    assert evaluate("tokenizer", folder, "--data", packed) == 0
    assert "codes in use on train" in capsys.readouterr().out
    assert evaluate("tokenizer", folder, "--data", packed, "--json") == 0
    assert json.loads(capsys.readouterr().out)["num_codes"] == 6
