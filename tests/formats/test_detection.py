"""A file is read by what it proves; what it does not prove has to be named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.formats.conftest import Written
from tests.support.motions import random_motion
from texedo.core.errors import AmbiguousFormatError, FileFormatError
from texedo.formats import (
    detect,
    formats,
    get_format,
    load_motion,
    save_motion,
    writable_formats,
)

UNPROVEN = {
    "unitree-csv": {"unitree-csv", "kimodo-csv", "texedo-csv"},
    "kimodo-csv": {"unitree-csv", "kimodo-csv", "texedo-csv"},
    "texedo-csv": {"unitree-csv", "kimodo-csv", "texedo-csv"},
    "texedo-npy": {"texedo-npy", "amass-npy"},
}


@pytest.mark.parametrize("name", sorted(set(writable_formats()) - set(UNPROVEN)))
def test_a_file_that_proves_its_format_needs_no_name(
    name: str, written: Written
) -> None:
    path = written(name)
    assert [candidate.format for candidate in detect(path)] == [name]
    assert len(load_motion(path)) == len(written.motion)


@pytest.mark.parametrize("name", UNPROVEN)
def test_a_file_that_proves_nothing_is_refused_with_all_it_may_be(
    name: str, written: Written
) -> None:
    path = written(name)
    assert {candidate.format for candidate in detect(path)} == UNPROVEN[name]
    with pytest.raises(AmbiguousFormatError) as caught:
        load_motion(path)
    message = str(caught.value)
    assert str(path) in message
    assert "\n" not in message
    assert "--from" in message
    assert all(other in message for other in UNPROVEN[name])


def test_the_ending_of_a_file_decides_nothing(written: Written) -> None:
    path = written("texedo")
    odd = path.rename(path.with_suffix(".csv"))
    assert len(load_motion(odd)) == len(written.motion)


@pytest.mark.parametrize(
    ("true", "wrong"),
    [("mjlab-npz", "beyondmimic-npz"), ("beyondmimic-npz", "mjlab-npz")],
)
def test_a_wrongly_named_body_order_is_found_out_by_kinematics(
    true: str, wrong: str, written: Written
) -> None:
    path = written(true)
    with pytest.raises(FileFormatError, match=f"not {wrong} but {true}"):
        load_motion(path, format=wrong)
    assert load_motion(path) == load_motion(path, format=true)


def test_bodies_that_fit_no_order_are_refused(written: Written) -> None:
    path = written("mjlab-npz")
    with np.load(path) as data:
        arrays = {key: data[key] for key in data.files}
    arrays["body_pos_w"] = arrays["body_pos_w"] + np.linspace(0, 1, 30)[:, None]
    np.savez(path, **arrays)
    for name in ("mjlab-npz", "beyondmimic-npz"):
        with pytest.raises(FileFormatError, match="contradicts its joints.* no order"):
            load_motion(path, format=name)
    with pytest.raises(FileFormatError, match="contradicts its joints"):
        load_motion(path)


def test_an_unknown_format_name_gets_a_hint() -> None:
    with pytest.raises(FileFormatError, match="Did you mean unitree-csv"):
        get_format("unitre-csv")


def test_the_registry_hands_out_copies() -> None:
    formats().clear()
    assert "texedo" in formats()


def test_a_csv_to_write_needs_a_name_and_an_npz_is_ours(tmp_path: Path) -> None:
    motion = random_motion(0, 5)
    with pytest.raises(AmbiguousFormatError, match="--to unitree-csv"):
        save_motion(motion, tmp_path / "a.csv")
    with pytest.raises(FileFormatError, match="'.xyz' says no format"):
        save_motion(motion, tmp_path / "a.xyz")
    with pytest.raises(FileFormatError, match="files end in .npy"):
        save_motion(motion, tmp_path / "a.csv", format="texedo-npy")
    with pytest.raises(FileFormatError, match="only read here"):
        save_motion(motion, tmp_path / "a.pkl", format="twist-pkl")
    with pytest.raises(FileFormatError, match="is a folder; leave out the ending"):
        save_motion(motion, tmp_path / "a.npz", format="sonic")
    assert list(tmp_path.iterdir()) == []
    save_motion(motion, tmp_path / "a.npz")
    assert detect(tmp_path / "a.npz")[0].format == "texedo"


def test_an_unknown_file_is_told_what_it_looks_like(tmp_path: Path) -> None:
    path = tmp_path / "amass.npz"
    np.savez(path, poses=np.zeros((4, 156)), trans=np.zeros((4, 3)))
    with pytest.raises(FileFormatError, match="an npz that holds poses, trans"):
        load_motion(path)
    assert detect(path) == []


def test_the_documentation_has_a_row_for_every_format() -> None:
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    table = [row.split("`")[1] for row in rows if "yes / " in row]
    assert sorted(table) == sorted(formats())
    for row in rows:
        if "yes / " in row:
            writable = row.split("`")[1] in writable_formats()
            assert ("yes / yes" in row) == writable
