"""`texedo data report`, `export`, `import`, `sample`, `words` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.data.corpus.test_store import write_sample
from texedo.apps import cli
from texedo.data.corpus.store import Corpus

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_sample(tmp_path / "corpus", captions=("a person walks",))


def data(*args: object) -> int:
    return cli.main(["data", *map(str, args)])


def test_a_report_is_written(corpus: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "report.html"
    assert data("report", corpus, "-o", out, "--sheets", 1) == 0
    assert "4 clips" in capsys.readouterr().out
    assert "01_0" in out.read_text()


def test_a_dataset_goes_out_and_comes_in(
    corpus: Path, tmp_path: Path, capsys: Capture
) -> None:
    assert data("export", corpus, "-o", tmp_path / "d", "--untagged") == 0
    assert "4 motions, 4 captions, not tagged" in capsys.readouterr().out
    with (tmp_path / "d/train.txt").open("a") as stream:
        stream.write("000077\n")
    assert data("import", tmp_path / "d", "-o", tmp_path / "back") == 0
    printed = capsys.readouterr().out
    assert "test 1, train 2, val 1" in printed
    assert "near-duplicates were not searched for" in printed
    assert "passed over: 000077" in printed


def test_a_sample_is_a_corpus_for_the_other_commands(
    corpus: Path, tmp_path: Path, capsys: Capture
) -> None:
    small = tmp_path / "s.npz"
    assert data("sample", corpus, "-o", small, "--clips", 3) == 0
    assert "3 clips" in capsys.readouterr().out
    assert data("export", small, "-o", tmp_path / "d", "--layout", "humanml3d") == 0
    assert len(list((tmp_path / "d/new_joint_vecs").iterdir())) == 3
    assert data("report", small, "-o", tmp_path / "r.html", "--sheets", 0) == 0


def test_words_of_training_captions_are_counted(
    corpus: Path, tmp_path: Path, capsys: Capture
) -> None:
    written = tmp_path / "written.jsonl"
    trials = {clip.split: clip.trial for clip in Corpus.load(corpus).clips}
    rows = [(trials["train"], "a person hops"), (trials["test"], "a person swims")]
    lines = (json.dumps({"trial": t, "captions": [text]}) for t, text in rows)
    written.write_text("\n".join(lines))
    out = tmp_path / "words.txt"
    assert data("words", corpus, "--captions", written, "-o", out) == 0
    assert out.read_text() == "a 2\nperson 2\nhops 1\nwalks 1\n"
    assert "4 words of 2 captions" in capsys.readouterr().out
    written.write_text('{"captions": []}')
    assert data("words", corpus, "--captions", written, "-o", out) == 2
    assert "line 1" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["report", "export", "import", "sample", "words"])
def test_what_is_not_there_is_an_error_of_one_line(
    command: str, tmp_path: Path, capsys: Capture
) -> None:
    assert data(command, tmp_path / "nothing", "-o", tmp_path / "o") == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert "nothing" in error
