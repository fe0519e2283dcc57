"""A study of two readers and three pairs, counted by hand."""

import json
from pathlib import Path

import pytest

from tests.support.motions import random_motion
from texedo.core.errors import FileFormatError, TexedoError
from texedo.evaluation.judges.human.answers import human_report
from texedo.evaluation.judges.human.sheet import KEY_FILE, Pair, write_sheet
from texedo.motion import Motion


def draw(motion: Motion, path: Path) -> None:
    path.write_bytes(b"a video")


def sheet(folder: Path, seed: int = 0) -> dict[str, dict[str, str]]:
    pairs = [
        Pair(f"prompt </script> {k}", random_motion(2 * k), random_motion(2 * k + 1))
        for k in range(3)
    ]
    write_sheet(folder, pairs, names=("ours", "base"), seed=seed, draw=draw)
    rows = json.loads((folder / KEY_FILE).read_text())["pairs"]
    return {row["id"]: row for row in rows}


def save(folder: Path, reader: str, answers: dict[str, str]) -> Path:
    study = json.loads((folder / KEY_FILE).read_text())["study"]
    path = folder / f"{reader}.json"
    record = {"study": study, "reader": reader, "answers": answers}
    path.write_text(json.dumps(record))
    return path


def vote(key: dict[str, dict[str, str]], names: list[str]) -> dict[str, str]:
    """Choices by which these win, in the order of the pairs."""
    return {
        ident: "same" if name == "same" else "a" if row["a"] == name else "b"
        for (ident, row), name in zip(sorted(key.items()), names, strict=True)
    }


def test_the_page_is_blind_and_whole(tmp_path: Path) -> None:
    sheet(tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "ours" not in page and "base" not in page.replace("base64", "")
    assert "http" not in page and "prompt </script>" not in page
    assert len(list((tmp_path / "videos").iterdir())) == 6


def test_sides_and_order_depend_on_the_seed_alone(tmp_path: Path) -> None:
    first, again = sheet(tmp_path / "1"), sheet(tmp_path / "2")
    assert first == again
    sides = {
        row["a"] for seed in range(5) for row in sheet(tmp_path / "3", seed).values()
    }
    assert sides == {"ours", "base"}


def test_wins_and_agreement_are_counted(tmp_path: Path) -> None:
    key = sheet(tmp_path)
    files = [
        save(tmp_path, "one", vote(key, ["ours", "ours", "same"])),
        save(tmp_path, "two", vote(key, ["ours", "base", "same"])),
    ]
    report = human_report(tmp_path, files)
    assert report["wins of ours"] == 3 and report["wins of base"] == 1
    assert report["no difference"] == 2
    assert report["share of ours"] == pytest.approx((1 + 0.5 + 0.5) / 3)
    assert report["agreement"] == pytest.approx(2 / 3)
    # By chance: ours 2/3 x 1/3, base 0 x 1/3, same 1/3 x 1/3.
    assert report["kappa"] == pytest.approx((2 / 3 - 1 / 3) / (1 - 1 / 3))


def test_answers_to_another_sheet_are_refused(tmp_path: Path) -> None:
    key = sheet(tmp_path / "a")
    path = save(tmp_path / "a", "one", vote(key, ["ours"] * 3))
    sheet(tmp_path / "b", seed=1)
    with pytest.raises(FileFormatError, match="another sheet"):
        human_report(tmp_path / "b", [path])


def test_damaged_answers_are_named(tmp_path: Path) -> None:
    key = sheet(tmp_path)
    path = save(tmp_path, "one", {next(iter(key)): "c"})
    with pytest.raises(FileFormatError, match="one of a, b, same"):
        human_report(tmp_path, [path])
    path.write_text("no JSON")
    with pytest.raises(FileFormatError, match="saved answers"):
        human_report(tmp_path, [path])


def test_a_sheet_needs_pairs_and_two_names(tmp_path: Path) -> None:
    with pytest.raises(TexedoError, match="at least one pair"):
        write_sheet(tmp_path, [], names=("a", "b"), draw=draw)
    pair = Pair("walk", random_motion(0), random_motion(1))
    with pytest.raises(TexedoError, match="two names"):
        write_sheet(tmp_path, [pair], names=("a", "a"), draw=draw)
