"""Folders of motion files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.motions import random_motion
from texedo.core.errors import FileFormatError
from texedo.formats import find_sources, load_motions, save_motion


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    save_motion(random_motion(0, 5), tmp_path / "a.npz")
    save_motion(random_motion(1, 5), tmp_path / "deep" / "b.npz")
    save_motion(random_motion(2, 5), tmp_path / "deep" / "clip", format="sonic")
    (tmp_path / "readme.md").write_text("hello")
    return tmp_path


def test_files_and_clips_are_found_and_the_rest_is_listed(folder: Path) -> None:
    found = find_sources(folder)
    names = [path.relative_to(folder).as_posix() for path in found.sources]
    assert names == ["a.npz", "deep/b.npz", "deep/clip"]
    assert found.others == [folder / "readme.md"]


def test_an_output_folder_inside_can_be_left_out(folder: Path) -> None:
    found = find_sources(folder, skip=folder / "deep")
    assert found.sources == [folder / "a.npz"]


def test_all_motions_of_a_folder_have_their_paths_as_names(folder: Path) -> None:
    assert list(load_motions(folder)) == ["a", "deep/b", "deep/clip"]
    assert list(load_motions(folder / "a.npz")) == ["a"]
    assert list(load_motions(folder / "deep" / "clip")) == ["clip"]


def test_two_motions_of_one_name_are_refused(folder: Path) -> None:
    save_motion(random_motion(3, 5), folder / "a.pkl")
    with pytest.raises(FileFormatError, match="a second motion called 'a'"):
        load_motions(folder)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no motion file"):
        load_motions(tmp_path)
