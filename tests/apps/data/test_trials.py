"""`texedo data trials` says what is wrong before it begins."""

from pathlib import Path

import pytest

from tests.support.trial_corpus import trial_corpus
from texedo.apps import cli


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--only", "plane"], "--only plane: there are plain, plain-val"),
        (["--only", "foreign-bvh"], "needs the motion capture"),
        (["--workers", "0"], "--workers must be at least 1"),
        (["--lively-prompts", "5000"], "the list has"),
        (["--clips-share", "2"], "must add up to 1"),
    ],
)
def test_bad_options_are_one_line(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert cli.main(["data", "trials", "corpus", "-o", str(out), *options]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1
    assert not out.exists()


def test_clips_and_spoiled_motions_need_no_generator_to_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, out = trial_corpus(tmp_path / "corpus"), tmp_path / "out"
    words = f"data trials {corpus} -o {out} --motions 60 --decoded-share 0 --workers 1"
    assert cli.main([*words.split(), "--only", "clips", "spoiled"]) == 0
    assert "39 motions made" in capsys.readouterr().out
    assert cli.main([*words.split(), "--only", "clips", "spoiled"]) == 0
    assert ": 0 motions made" in capsys.readouterr().out
    assert cli.main([*words.split(), "--seed", "1"]) == 2
    assert "begun with other options" in capsys.readouterr().err
