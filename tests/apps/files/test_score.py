"""`texedo score` from the command line, with a verifier that likes long motions."""

import json
from pathlib import Path

import pytest

from tests.support.standing import standing
from tests.support.verifiers import FakeVerifier, longest
from texedo.apps import cli
from texedo.apps.files import score
from texedo.formats import save_motion

Capture = pytest.CaptureFixture[str]
WAVE = "a person waves"


@pytest.fixture(autouse=True)
def folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[str | None, str | None]]:
    """Motions of 101, 301 and 201 frames; the list says which verifier was asked for."""
    asked: list[tuple[str | None, str | None]] = []

    def find(which: str | None, *, variant: str | None) -> FakeVerifier:
        asked.append((which, variant))
        return FakeVerifier(longest, remark="No word of it is known.")

    monkeypatch.setattr(score, "find_semantics", find)
    monkeypatch.chdir(tmp_path)
    Path("all").mkdir()
    for name, frames in (("a", 101), ("b", 301), ("c", 201)):
        save_motion(standing(frames), tmp_path / "all" / f"{name}.npz")
    return asked


def rows(out: str) -> dict[str, float]:
    record = json.loads(out)
    return {row["file"]: row["r_text"] for row in record["motions"]}


def test_motions_stand_as_they_were_given_and_the_best_is_marked(
    capsys: Capture,
) -> None:
    assert cli.main(["score", WAVE, "all/c.npz", "all/b.npz", "all/a.npz"]) == 0
    out = capsys.readouterr().out
    lines = [line.split() for line in out.splitlines() if ".npz" in line]
    assert lines == [
        ["all/c.npz", "4.00", "s", "0.201"],
        [">", "all/b.npz", "6.00", "s", "0.301"],
        ["all/a.npz", "2.00", "s", "0.101"],
    ]
    assert "a person waves (R_text of fake)" in out
    assert "note: No word of it is known." in out


def test_a_folder_stands_for_its_motions_and_json_has_all(capsys: Capture) -> None:
    assert cli.main(["score", WAVE, "all", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["prompt"], record["semantics_hash"]) == (WAVE, "v0")
    assert [row["best"] for row in record["motions"]] == [False, True, False]
    assert record["motions"][0] == {
        "file": "all/a.npz",
        "duration_s": 2.0,
        "r_text": 0.101,
        "best": False,
    }
    assert record["remarks"] == ["No word of it is known."]


def test_a_file_that_cannot_be_read_does_not_stop_the_others(capsys: Capture) -> None:
    Path("all/a.npz").write_bytes(b"nothing")
    assert cli.main(["score", WAVE, "all/a.npz", "all/b.npz", "--json"]) == 2
    captured = capsys.readouterr()
    assert list(rows(captured.out)) == ["all/b.npz"]
    assert len(captured.err.splitlines()) == 1 and "all/a.npz" in captured.err
    assert cli.main(["score", WAVE, "all/a.npz"]) == 2


def test_a_name_that_exists_is_a_motion_and_not_the_sentence(
    capsys: Capture,
) -> None:
    assert cli.main(["score", "all/a.npz", "all/b.npz"]) == 2
    assert "no sentence: say first" in capsys.readouterr().err
    assert cli.main(["score", "all/a.npz", "--prompt", WAVE, "--json"]) == 0
    assert list(rows(capsys.readouterr().out)) == ["all/a.npz"]
    assert cli.main(["score", "all/d.npz"]) == 2
    assert "'all/d.npz' is read as the sentence, and no" in capsys.readouterr().err
    assert cli.main(["score", "very " * 100 + "long", "all/a.npz"]) == 0


def test_the_verifier_is_the_one_that_was_asked_for(
    folder: list[tuple[str | None, str | None]],
) -> None:
    for options in ([], ["--variant", "paper"], ["--semantics", "run"]):
        assert cli.main(["score", WAVE, "all", *options]) == 0
    assert folder == [(None, None), (None, "paper"), ("run", None)]
